"""How the command behaves: what it prints and where, its exit codes, and that nothing ends in a traceback."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ENVIRONMENT, python, wiregen_in
from schemas import STRING, document, obj

import wiregen
from wiregen.terminal import Terminal

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal and signals as on POSIX")
CONFIG = """
[tool.wiregen]
output = "src/app/_wire"
package = "app._wire"
versions = ["acp@v2"]
schemas = {"acp@v2" = "schema.json"}
emit = ["models"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a small schema, in a folder whose name is not easy."""
    folder = tmp_path / "mein Prójekt 計画"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    (folder / "schema.json").write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    return folder


def test_a_run_and_a_run_with_nothing_to_do(project: Path) -> None:
    done = wiregen_in(project, "generate")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("src/app/_wire: ")
    assert done.stderr.endswith(" files written\n")
    for arguments in ([], ["--check"], ["--full"], ["--full", "--check", "--diff"], ["--exit-non-zero-on-write"]):
        done = wiregen_in(project, "generate", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "src/app/_wire: up to date\n")
    assert wiregen_in(project / "src" / "app", "generate", "--check").stderr == "../../src/app/_wire: up to date\n"


def test_quiet_runs_are_silent(project: Path) -> None:
    for arguments in (["-q"], ["--quiet", "--check"], ["-q", "--full"]):
        done = wiregen_in(project, "generate", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (project / "src/app/_wire/codec.py").unlink()
    done = wiregen_in(project, "generate", "--check", "-q")
    assert done.returncode == 1
    assert done.stderr == (
        "src/app/_wire/codec.py: error[missing]: generated before, but gone; `wiregen generate` mends it\n"
    )


def test_the_command_that_mends_is_named_in_full(project: Path) -> None:
    arguments = ["acp@v2", "--output", "a b/wire", "--schema", "acp@v2=schema.json", "--emit", "models"]
    done = wiregen_in(project, "generate", *arguments, "--check", "--diff", "-q")
    assert done.returncode == 1
    mended = "`wiregen generate acp@v2 --output 'a b/wire' --schema acp@v2=schema.json --emit models` mends it"
    assert all(line.endswith(mended) for line in done.stderr.splitlines())
    assert done.stdout.startswith("--- /dev/null\n+++ b/__init__.py\n")
    assert not (project / "a b").exists()


def test_a_hook_fails_if_something_had_to_be_written(project: Path) -> None:
    done = wiregen_in(project, "generate", "--exit-non-zero-on-write")
    assert (done.returncode, "written" in done.stderr) == (1, True)


def test_json(project: Path) -> None:
    done = wiregen_in(project, "generate", "--format", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["exit_code"], told["diagnostics"]) == (0, "", 0, [])
    (output,) = told["outputs"]
    assert {"name": "codec.py", "state": "new"} in output.pop("files")
    assert output == {
        "folder": "src/app/_wire",
        "package": "app._wire",
        "was_current": False,
        "is_written": True,
    }

    (project / "src/app/_wire/codec.py").write_text("mine", encoding="utf-8")
    told = json.loads(wiregen_in(project, "generate", "--format", "json", "--check", "--diff").stdout)
    assert told["exit_code"] == 1
    (output,) = told["outputs"]
    assert output["files"] == [{"name": "codec.py", "state": "edited"}]
    assert (output["was_current"], output["is_written"]) == (False, False)
    assert output["diff"].startswith("--- a/codec.py\n+++ b/codec.py\n")
    assert told["diagnostics"] == [
        {
            "severity": "error",
            "code": "edited",
            "message": "edited by hand; `wiregen generate` mends it",
            "file": "src/app/_wire/codec.py",
            "line": None,
            "pointer": None,
            "hint": None,
        }
    ]


def test_bad_input_as_json(project: Path) -> None:
    (project / "schema.json").write_bytes(document({"Wave": obj({"text": {"$ref": "#/$defs/Missing"}})}))
    done = wiregen_in(project, "generate", "--format", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["exit_code"], told["outputs"]) == (2, "", 2, [])
    (found,) = told["diagnostics"]
    assert (found["code"], found["file"], found["line"]) == ("dangling-ref", "schema.json", 1)
    assert found["pointer"] == "/$defs/Wave/properties/text/$ref"
    assert not (project / "src").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["generate", "--bogus"], "No such option"),
        (["generate", "--line-length", "x"], "--line-length"),
        (["generate", "--line-length", "20"], "--line-length"),
        (["generate", "acp@v9"], "v1, v1-unstable, v2, v2-unstable"),
        (["generate", "lsp@3"], "acp, mcp"),
        (["generate", "--schema", "acp@v2"], "acp@v2=schema.json"),
        (["generate", "--schema", "acp@v2=nowhere.json"], "nowhere.json: error[no-file]"),
        (["generate", "--templates", "nowhere"], "nowhere: error[no-folder]"),
        (["generate", "--output", "pyproject.toml/wire"], "in-the-way"),
        (["bogus"], "No such command"),
        (["init"], "has-table"),
    ],
)
def test_bad_usage_and_bad_input_exit_with_2(project: Path, arguments: list[str], says: str) -> None:
    before = sorted(project.rglob("*"))
    done = wiregen_in(project, *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(project.rglob("*")) == before


def test_a_configuration_with_windows_line_ends(project: Path) -> None:
    (project / "pyproject.toml").write_bytes(CONFIG.replace("\n", "\r\n").encode())
    (project / "schema.json").write_bytes((project / "schema.json").read_bytes().replace(b", ", b",\r\n"))
    assert wiregen_in(project, "generate").returncode == 0
    for path in project.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert wiregen_in(project, "generate", "--check").returncode == 0
    (project / "pyproject.toml").write_bytes(b"[tool.wiregen]\r\nfoo = 1\r\n")
    assert wiregen_in(project, "generate").stderr.startswith("pyproject.toml:2: error[unknown-key]")


def test_an_unexpected_error_is_one_line_and_its_traceback_is_there_to_ask_for(project: Path) -> None:
    script = "from wiregen import config, __main__; config.load = lambda folder: 1 / 0; __main__.main()"
    done = python("-c", script, "generate", folder=project)
    assert done.returncode == 2
    message, help_ = done.stderr.splitlines()
    assert message == "error[internal]: ZeroDivisionError: division by zero"
    assert "WIREGEN_TRACEBACK=1" in help_
    told = python("-c", script, "generate", folder=project, environment={**ENVIRONMENT, "WIREGEN_TRACEBACK": "1"})
    assert "Traceback" in told.stderr


def test_help_version_and_completion(tmp_path: Path) -> None:
    assert wiregen_in(tmp_path, "--version").stdout == f"wiregen {wiregen.__version__}\n"
    for command in ([], ["generate"], ["init"]):
        told = wiregen_in(tmp_path, *command, "--help")
        assert told.returncode == 0
        assert "Exit codes: 0 done; 1 findings" in " ".join(told.stdout.split())
    assert "wiregen" in wiregen_in(tmp_path, "--show-completion", "bash").stdout
    environment = {
        "_PYTHON _M WIREGEN_COMPLETE": "complete_bash",
        "_WIREGEN_COMPLETE": "complete_bash",
        "COMP_WORDS": "wiregen generate acp@v",
        "COMP_CWORD": "2",
    }
    script = "import sys; sys.argv[0] = 'wiregen'; from wiregen.__main__ import main; main()"
    told = python("-c", script, folder=tmp_path, environment={**ENVIRONMENT, **environment})
    assert told.stdout.split() == ["acp@v1", "acp@v1-unstable", "acp@v2", "acp@v2-unstable"]


def test_input_cannot_steer_the_terminal(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.wiregen]\n"\\u001b[31m\\n\\u202e" = 1\n', encoding="utf-8")
    done = wiregen_in(project, "generate")
    assert len(done.stderr.splitlines()) == 2
    assert done.stderr.replace("\n", "").isprintable()


def test_an_encoding_that_lacks_letters_is_no_error(project: Path) -> None:
    done = wiregen_in(project, "generate", "--output", str(project / "wire"), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "mein Pr\\xf3jekt" in done.stderr


@posix_only
def test_colours_and_progress_are_for_terminals(project: Path) -> None:
    assert on_terminal(project, "generate", "acp@v9").startswith("\x1b[31merror[unknown-version]\x1b[0m: ")
    plain = on_terminal(project, "generate", "acp@v9", NO_COLOR="1")
    assert plain == wiregen_in(project, "generate", "acp@v9").stderr
    assert "\x1b" not in on_terminal(project, "generate", "acp@v9", TERM="dumb")
    told = on_terminal(project, "generate", "acp@v2", "mcp@2025-11-25", "--output", "wire", "--full")
    assert told.rpartition("\r\x1b[K")[2].startswith("wire: ")


def test_progress_is_told_when_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    terminal, quiet = Terminal(), Terminal(quiet=True)
    for now in (0.5, 1.5, 2.5):
        terminal.step(f"at {now}")
        quiet.step(f"at {now}")
    terminal.summary("done")
    terminal.step("again")
    terminal.done()
    terminal.done()
    assert stream.getvalue() == "\r\x1b[Kat 1.5\r\x1b[Kat 2.5\r\x1b[Kdone\n\r\x1b[Kagain\r\x1b[K"


def on_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """What a run prints to standard error when that is a terminal."""
    import pty  # noqa: PLC0415  (not every system has it)

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "wiregen", *arguments]
    env = {**ENVIRONMENT, "TERM": "xterm", **environment}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=theirs):
        os.close(theirs)
        told = b""
        while True:
            try:
                data = os.read(ours, 4096)
            except OSError:  # what Linux says when the other side is closed
                data = b""
            if not data:
                break
            told += data
    os.close(ours)
    return told.decode().replace("\r\n", "\n")


@posix_only
def test_an_interrupted_run_writes_nothing(project: Path) -> None:
    script = """
import os, signal, time
from wiregen import __main__, pipeline

def interrupted(files):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(9)

pipeline.format_files = interrupted
__main__.main()
"""
    done = python("-c", script, "generate", folder=project)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert not (project / "src").exists()


@posix_only
def test_a_reader_that_goes_away_is_no_error(project: Path) -> None:
    command = [sys.executable, "-m", "wiregen", "generate", "--diff", "-q"]
    with subprocess.Popen(
        command, cwd=project, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
