"""What the READMEs and CONTRIBUTING print works: Python as it stands, commands in a project, configuration as read.

The Python blocks of a file are run one after the other in one namespace, as a reader types them. A block that begins
with a docstring is a program instead, and stands alone: one of `examples/` is saved under its name, for those below to
start, any other is run. A comment behind a `print` is what it prints, and nothing else is printed.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from commands import ENVIRONMENT, python
from test_typing import basedpyright, run

from wiregen import catalogue, config, docs
from wiregen.names import module_name

ROOT = Path(__file__).resolve().parents[1]
UPSTREAM = ROOT.parent / "shared" / "upstream"
EXAMPLES = {file.read_text(encoding="utf-8"): file.name for file in sorted((ROOT / "examples").glob("*.py"))}
MAIN, PACKAGE, CONTRIBUTING = "README.md", "generated/README.md", "CONTRIBUTING.md"

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PRINTED = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)

each_file = pytest.mark.parametrize("name", [MAIN, PACKAGE, CONTRIBUTING])


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a file, and the line of the file on which its text begins."""

    file: str
    line: int
    text: str

    @property
    def is_program(self) -> bool:
        return self.text.startswith('"""')

    def compiled(self) -> Any:
        """The code, with the lines of the file in its tracebacks."""
        return compile("\n" * (self.line - 1) + self.text, self.file, "exec", dont_inherit=True)


def blocks(name: str, language: str) -> Iterator[Block]:
    text = (ROOT / name).read_text(encoding="utf-8")
    for fenced in _FENCED.finditer(text):
        if fenced[1] == language:
            yield Block(name, text.count("\n", 0, fenced.start(2)) + 1, fenced[2])


def commands(name: str) -> Iterator[str]:
    """The commands of the console blocks, each on one line."""
    for block in blocks(name, "console"):
        yield from block.text.replace("\\\n", " ").splitlines()


# --- Python ----------------------------------------------------------------------------------------------------------


@each_file
def test_python_runs_and_prints_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = (str(ROOT / "generated"), os.environ.get("PYTHONPATH"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    shared: dict[str, Any] = {"__name__": "blocks"}
    for block in blocks(name, "python"):
        example = EXAMPLES.get(block.text)
        if example:
            Path(example).write_text(block.text, encoding="utf-8")
            continue
        exec(block.compiled(), {"__name__": "__main__"} if block.is_program else shared)
        assert capsys.readouterr().out.splitlines() == _PRINTED.findall(block.text), f"{name}:{block.line}"


def test_type_checkers_find_nothing_in_the_python_blocks(tmp_path: Path) -> None:
    texts: dict[str, None] = {}
    for name in (MAIN, PACKAGE):
        found = list(blocks(name, "python"))
        texts["\n".join(block.text for block in found if not block.is_program)] = None
        texts |= dict.fromkeys(block.text for block in found if block.is_program)
    files = [tmp_path / f"checked_{index}.py" for index in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    out = run("mypy", "--strict", "--config-file=", "--cache-dir", tmp_path, *files, cwd=tmp_path)
    assert out.startswith("Success: no issues found"), out
    assert basedpyright(tmp_path, *files) == []


def test_programs_are_printed_as_they_stand_in_the_examples() -> None:
    main, package = ({block.text for block in blocks(name, "python")} for name in (MAIN, PACKAGE))
    assert package >= EXAMPLES.keys()
    assert {text for text in main if text.startswith('"""')} <= EXAMPLES.keys()


# --- tables and configuration -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", catalogue.targets(), ids=str)
def test_every_version_is_named_with_its_module_and_specification(target: catalogue.Target) -> None:
    main, package = ((ROOT / name).read_text(encoding="utf-8") for name in (MAIN, PACKAGE))
    assert f"`{target.version}`" in main
    assert re.search(rf"`(\w+\.)*{re.escape(module_name(target.version))}`", package)
    assert f"<{docs.read(target.protocol).pages[target.version]}>" in package


@each_file
def test_toml_is_read(name: str) -> None:
    for block in blocks(name, "toml"):
        if "tool" in tomllib.loads(block.text):
            config.parse(block.text.encode(), file=Path(name))


# --- commands ---------------------------------------------------------------------------------------------------------

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the commands are those of a POSIX shell")


@dataclass(frozen=True, slots=True)
class Checkout:
    """What `wiregen` needs of the checkout, copied, so that it may be changed."""

    root: Path

    def run(self, command: str, folder: Path, *, exits_with: int = 0) -> str:
        """What a command prints, which has to exit with a code."""
        script = f'wiregen() {{ {shlex.quote(sys.executable)} -m wiregen "$@"; }}; {command}'
        environment = {**ENVIRONMENT, "PYTHONPATH": str(self.root / "codegen")}
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == exits_with, f"{command}\n{done.stdout}"
        return done.stdout

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def append(self, block: Block) -> None:
        """Adds a block to the file that its first line names."""
        with (self.root / block.text.split("\n", 1)[0].removeprefix("# ")).open("a", encoding="utf-8") as file:
            file.write("\n" + block.text)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "main"
    for folder in ("codegen/wiregen", "schema", "templates"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return Checkout(root)


@needs_bash
@pytest.mark.parametrize("name", [MAIN, PACKAGE])
def test_commands_run_in_a_project(name: str, checkout: Checkout, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    upstream = UPSTREAM / "acp" / "v2" / "schema.json"
    if upstream.exists():
        shutil.copy(upstream, project)
    left_out: list[str] = []
    for command in commands(name):
        if not command.startswith("wiregen "):
            continue
        if upstream.name in command and not upstream.exists():
            left_out.append(command)
        else:
            checkout.run(command, project)
    if left_out:
        pytest.skip(f"no upstream files here, so these commands were left out: {'; '.join(left_out)}")


NEW = catalogue.Target("mcp", "2027-03-01")
BEFORE = catalogue.Target("mcp", "2026-07-28")
TRIED = """
from wiretypes.mcp import ServerPeer, v2027_03_01 as new

result = {"supportedVersions": [], "capabilities": {"tools": {"voice": True}}, "ttlMs": 0}
result |= {"resultType": "complete", "cacheScope": "private"}
print(new.Voice(name="low").name, ServerPeer.from_discover(result, version=new.VERSION).supports("tools.voice"))
print(new.Voice.__doc__.split()[-1])
"""


@needs_bash
def test_a_version_is_added_as_contributing_says(checkout: Checkout, tmp_path: Path) -> None:
    """A made-up version, with the commands and tables as they are printed and the edits that the text asks for."""
    upstream = tmp_path / "shared" / "upstream" / NEW.protocol / NEW.version / "schema.json"
    upstream.parent.mkdir(parents=True)
    upstream.write_bytes(made_up_schema())
    configured = {"output": "generated/wiretypes", "package": "wiretypes", "versions": [str(BEFORE), str(NEW)]}
    lines = ["[tool.wiregen]", *(f"{key} = {json.dumps(value)}" for key, value in configured.items())]
    (checkout.root / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
    checkout.edit("codegen/wiregen/catalogue.py", f'"{BEFORE.version}")', f'"{BEFORE.version}", "{NEW.version}")')
    rule, *texts = blocks(CONTRIBUTING, "toml")

    for command in commands(CONTRIBUTING):
        if command.startswith("git diff --no-index"):
            assert "oice" in checkout.run(command, checkout.root, exits_with=1)
        elif command.startswith("wiregen capabilities"):
            printed = checkout.run(command, checkout.root, exits_with=2)
            assert "no rule for the server capability 'tools.voice'" in printed
            checkout.append(rule)
            assert "tools.voice" in checkout.run(command, checkout.root)
        elif command.startswith("wiregen docs"):
            assert "/Voice/doc: error[undocumented]" in checkout.run(command, checkout.root, exits_with=1)
            add_texts(checkout, texts)
            checkout.run(command, checkout.root)
        elif command.startswith(("wiregen ", "sed ")):
            checkout.run(command, checkout.root)
        elif command == "make generate":
            checkout.run("wiregen generate", checkout.root)

    environment = {**ENVIRONMENT, "PYTHONPATH": str(checkout.root / "generated")}
    done = python("-c", TRIED, folder=tmp_path, environment=environment)
    page = f"https://modelcontextprotocol.io/specification/{NEW.version}/server/tools#voices"
    assert done.stdout.splitlines() == ["low True", page], done.stderr


def add_texts(checkout: Checkout, texts: list[Block]) -> None:
    """What the section on texts asks for."""
    for block in texts:
        checkout.append(block)
    page = f'"{BEFORE.version}" = "https://modelcontextprotocol.io/specification/{BEFORE.version}"\n'
    checkout.edit("schema/mcp/docs/common.toml", page, page + page.replace(BEFORE.version, NEW.version))
    for file, definition, field in (
        ("tools", "CallToolRequestParams", "voice"),
        ("lifecycle", "ServerCapabilities", '"tools.voice"'),
    ):
        head = f"\n[{definition}.fields]\n"
        checkout.edit(f"schema/mcp/docs/{file}.toml", head, f'{head}{field} = "How it sounds."\n')


def made_up_schema() -> bytes:
    """An upstream schema with one definition and one capability more than that of the version before."""
    schema: Any = json.loads(catalogue.read_schema(BEFORE)[0])
    definitions = schema["$defs"]
    definitions["Voice"] = {
        "type": "object",
        "description": "How to speak.",
        "properties": {"name": {"type": "string", "description": "The voice."}, "speed": {"type": "number"}},
        "required": ["name"],
    }
    definitions["CallToolRequestParams"]["properties"]["voice"] = {"$ref": "#/$defs/Voice"}
    definitions["ServerCapabilities"]["properties"]["tools"]["properties"]["voice"] = {"type": "boolean"}
    return json.dumps(schema).encode()
