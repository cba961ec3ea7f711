"""Packages of fewer versions and parts: what they offer works, and nothing is loaded before it is used."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pytest
from schemas import Schema

from wiregen import pipeline
from wiregen.catalogue import Target, parse_target, read_schema
from wiregen.settings import Output

GENERATED = Path(__file__).resolve().parents[2] / "generated"


class Options(TypedDict, total=False):
    """What else may be said of an output."""

    emit: tuple[str, ...]
    schemas: Mapping[Target, Path]


def generated(folder: Path, *targets: str, **options: Unpack[Options]) -> pipeline.Generated:
    """A package called `made`, written into a folder."""
    output = Output(folder=folder / "made", package="made", versions=tuple(map(parse_target, targets)), **options)
    made = pipeline.generate(output)
    for name, text in made.files.items():
        file = folder / "made" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return made


def run(folder: Path, program: str) -> Any:
    """What a program prints as JSON, run in a process that finds the packages of a folder."""
    command = [sys.executable, "-c", f"import json, sys\nsys.path.insert(0, {str(folder)!r})\n{program}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nothing_is_loaded_before_it_is_used() -> None:
    loaded = run(
        GENERATED,
        "import wiretypes, wiretypes.acp, wiretypes.mcp\n"
        "loaded = lambda: [name for name in sys.modules if name.startswith('wiretypes.')]\n"
        "first = loaded()\n"
        "from wiretypes.acp import v1\n"
        "second = loaded()\n"
        "wiretypes.acp.negotiate\n"
        "third = loaded()\n"
        "wiretypes.acp.AgentPeer\n"
        "print(json.dumps([first, second, third, loaded()]))",
    )
    ours = {"rules", "peers", "checks", "declarations", "gates", "features", "violations", "capability_rules"}
    of_ours = [{name.split(".")[-1] for name in names} & {*ours, "acp_negotiation"} for names in loaded]
    assert of_ours == [set(), set(), {"acp_negotiation"}, {*ours, "acp_negotiation"}]
    assert not any(".v1" in name or ".v2" in name for name in loaded[0])
    assert not any(name.startswith(("wiretypes.acp.v2", "wiretypes.mcp.v")) for name in loaded[3])


def test_a_package_of_one_version_of_mcp(tmp_path: Path) -> None:
    generated(tmp_path, "mcp@2025-11-25")
    shown = run(
        tmp_path,
        "from made import mcp\n"
        "body = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}}\n"
        "info = {'name': 'n', 'version': '1'}\n"
        "sides = mcp.Negotiated.from_initialize({**body, 'clientInfo': info}, {**body, 'serverInfo': info})\n"
        "try:\n"
        "    mcp.ServerPeer.from_initialize({**body, 'protocolVersion': '2025-06-18'})\n"
        "except mcp.InvalidMessage as error:\n"
        "    text = str(error)\n"
        "print(json.dumps([\n"
        "    sorted(sides.server.features), sides.allows('tools/list', sender='client'), text,\n"
        "    [violation.message for violation in sides.check('server/discover', sender='client')],\n"
        "    hasattr(mcp.ServerPeer, 'from_discover'), hasattr(mcp.ClientPeer, 'from_request'),\n"
        "    hasattr(mcp.Negotiated, 'from_discover'), hasattr(mcp.ServerPeer, 'from_initialize'),\n"
        "]))",
    )
    assert shown == [
        ["tools"],
        True,
        'expected the result of `initialize` in MCP; /protocolVersion: expected 2025-11-25, found "2025-06-18"',
        [
            "MCP 2025-11-25 has no `server/discover` of the client: it is in 2026-07-28, and `initialize` takes its"
            " place here"
        ],
        *(False, False, False, True),
    ]


def test_a_package_of_the_newest_version_of_mcp(tmp_path: Path) -> None:
    generated(tmp_path, "mcp@2026-07-28")
    meta = "{'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}"
    shown = run(
        tmp_path,
        "from made import mcp\n"
        f"client = mcp.ClientPeer.from_request({{'_meta': {meta}}})\n"
        "print(json.dumps([client.version, hasattr(mcp.ServerPeer, 'from_initialize')]))",
    )
    assert shown == ["2026-07-28", False]


def test_a_package_that_holds_an_unstable_version_only(tmp_path: Path) -> None:
    generated(tmp_path, "acp@v1-unstable")
    shown = run(
        tmp_path,
        "from made import acp\n"
        "body = {'protocolVersion': 1, 'agentCapabilities': {'sessionCapabilities': {'fork': {}}}}\n"
        "peers = [acp.AgentPeer.from_initialize(body, unstable=unstable) for unstable in (False, True)]\n"
        "print(json.dumps([(peer.version, peer.supports('session.fork')) for peer in peers]))",
    )
    assert shown == [["v1-unstable", True]] * 2


def test_a_package_of_stable_versions_has_no_unstable_ones(tmp_path: Path) -> None:
    generated(tmp_path, "acp@v1", "acp@v2")
    text = run(
        tmp_path,
        "from made import acp\n"
        "try:\n"
        "    acp.AgentPeer.from_initialize({'protocolVersion': 1}, unstable=True)\n"
        "except ValueError as error:\n"
        "    print(json.dumps(str(error)))",
    )
    assert text == "no ACP v1-unstable in this package, which holds v1, v2"


def test_a_package_without_capabilities(tmp_path: Path) -> None:
    made = generated(tmp_path, "acp@v2", emit=("models",))
    assert not any(name in file for file in made.files for name in ("peers", "rules", "checks", "negotiation"))
    assert run(tmp_path, "from made import acp\nprint(json.dumps(acp.__all__))") == ["v2"]


# --- schemas of the user's own ---


def own_schema(folder: Path, version: str, edit: Callable[[Schema], None]) -> Path:
    """An edited copy of a bundled schema of ACP."""
    schema = json.loads(read_schema(parse_target(f"acp@{version}"))[0])
    edit(schema["$defs"])
    file = folder / "schema.json"
    file.write_text(json.dumps(schema), encoding="utf-8")
    return file


def test_a_capability_of_a_newer_schema_is_a_warning(tmp_path: Path) -> None:
    def edit(definitions: Schema) -> None:
        definitions["PromptCapabilities"]["properties"]["video"] = {"type": "boolean"}

    schemas = {parse_target("acp@v2"): own_schema(tmp_path, "v2", edit)}
    made = generated(tmp_path, "acp@v2", schemas=schemas)
    assert [(found.severity, found.message) for found in made.warnings] == [
        ("warning", "v2: no rule for the agent capability 'session.prompt.video'")
    ]


@pytest.mark.parametrize("removed", ["initialize", "capabilities"])
def test_a_schema_without_what_the_rules_speak_of(tmp_path: Path, removed: str) -> None:
    def edit(definitions: Schema) -> None:
        if removed == "capabilities":
            del definitions["InitializeResponse"]["properties"]["capabilities"]
        else:
            for name in ("InitializeRequest", "InitializeResponse"):
                del definitions[name]["x-method"], definitions[name]["x-side"]

    schemas = {parse_target("acp@v2"): own_schema(tmp_path, "v2", edit)}
    assert generated(tmp_path, "acp@v2", schemas=schemas).warnings == ()
    text = run(
        tmp_path,
        "from made import acp\n"
        "try:\n"
        "    acp.AgentPeer.from_initialize({'protocolVersion': 2, 'info': {'name': 'a', 'version': '1'}})\n"
        "except acp.InvalidMessage as error:\n"
        "    print(json.dumps(str(error)))",
    )
    assert text == "ACP v2 has no `initialize`"
