"""Formats generated code with ruff, untouched by any configuration on the way."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import ruff  # type: ignore[import-untyped]

from wiregen import style
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.paths import is_inside

_ISOLATED = (
    "--isolated",
    "--no-cache",
    "--no-respect-gitignore",
    "--config=exclude = []",
    "--config=format.line-ending = 'lf'",
    "--target-version=py311",
)
_STEPS = (
    ("check", "--select=F401,I", "--fix", "--exit-zero"),
    ("format",),
)
"""Unused imports go and the rest is sorted; a file that does not parse fails the second step with its line."""


def format_files(files: Mapping[str, str]) -> dict[str, str]:
    """`files` with every `.py` file formatted, in the same order; others are returned as they are.

    The style in force says how long lines may be.

    Raises `InvalidInput` when ruff cannot be run or cannot read a file.
    """
    sources = {name: text for name, text in files.items() if name.endswith(".py")}
    if not sources:
        return dict(files)
    if outside := [name for name in sources if not is_inside(name)]:
        raise style.misprint(f"the generated file name {outside[0]!r} leads out of the output folder")
    with tempfile.TemporaryDirectory(prefix="wiregen-") as folder:
        root = Path(folder)
        for name, text in sources.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        for step in _STEPS:
            _run_ruff(root, (*step, f"--config=line-length = {style.current().line_length}"))
        return {name: (root / name).read_bytes().decode() if name in sources else text for name, text in files.items()}


def _run_ruff(root: Path, step: tuple[str, ...]) -> None:
    try:
        command = [ruff.find_ruff_bin(), *step, *_ISOLATED, "."]
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except OSError as error:
        raise InvalidInput(
            [
                Diagnostic(
                    "no-ruff",
                    f"ruff cannot be run: {error.strerror or error}",
                    hint="install wiregen again, so that its dependency ruff is complete",
                )
            ]
        ) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise style.misprint(f"ruff {step[0]} refuses generated code: {said}")
