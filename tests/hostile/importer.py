"""Imports the generated modules of cases one after the other, and says what each did: run as a process of its own.

Standard input is a JSON list of cases; standard output gets a line of JSON for each.
"""

import builtins
import importlib
import json
import sys
from typing import Any

from hostile.payloads import CANARY
from hostile.places import BY_NAME
from hostile.watch import watching


def main(folder: str, name: str) -> None:
    sys.path.insert(0, folder)
    package = importlib.import_module(name)
    for module in ("problems", "codec"):
        importlib.import_module(f"{name}.{module}")
    for case in json.load(sys.stdin):
        print(json.dumps({"version": case["version"], **_run(package, name, case, folder)}), flush=True)


def _run(package: Any, name: str, case: dict[str, str], folder: str) -> dict[str, Any]:
    problem = None
    place = BY_NAME[case["place"]]
    with watching(folder) as seen:
        try:
            version = importlib.import_module(f"{name}.{case['protocol']}.{case['version']}")
            for module in ("callers", "handlers"):
                if case["has_dispatch"]:
                    importlib.import_module(f"{version.__name__}.{module}")
            for type_ in version.TYPES.values():
                _touch(package, type_)
            if place.check is not None:
                place.check(package, version, case["text"])
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
    return {"problem": problem, "seen": seen, "is_injected": builtins.__dict__.pop(CANARY, None) is not None}


def _touch(package: Any, type_: Any) -> None:
    """Has a type built: what is wrong with an annotation shows then."""
    try:
        package.decode(type_, {})
    except ValueError:
        return


if __name__ == "__main__":
    main(*sys.argv[1:])
