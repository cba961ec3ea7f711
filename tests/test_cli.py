"""How the command behaves: what it prints and where, its exit codes, and that nothing ends in a traceback."""

import io
import json
import os
import re
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
    assert "--- /dev/null\n+++ b/a b/wire/__init__.py\t\n" in done.stdout
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
    assert "\n--- a/src/app/_wire/codec.py\n+++ b/src/app/_wire/codec.py\n" in output["diff"]
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


def test_an_unexpected_error_is_told_to_programs_too(project: Path) -> None:
    script = "from wiregen import config, __main__; config.load = lambda folder: 1 / 0; __main__.main()"
    done = python("-c", script, "generate", "--format", "json", folder=project)
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr, told["exit_code"], told["outputs"]) == (2, "", 2, [])
    (found,) = told["diagnostics"]
    assert (found["code"], found["message"]) == ("internal", "ZeroDivisionError: division by zero")


LONG = "x" * 300


@posix_only
@pytest.mark.parametrize("format_", ["text", "json"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--output", "loop"], "in-the-way"),
        (["--output", "loop/wire", "--package", "wire"], "in-the-way"),
        (["--output", LONG], "cannot-read"),
        (["--output", "wire", "--templates", LONG], "no-folder"),
        (["--output", "wire", "--templates", "loop"], "no-folder"),
        (["--output", "wire", "--schema", f"acp@v2={LONG}"], "cannot-read"),
        (["--output", "wire", "--schema", "acp@v2=loop"], "no-file"),
    ],
)
def test_what_the_disk_refuses_is_no_fault(arguments: list[str], code: str, format_: str, project: Path) -> None:
    (project / "loop").symlink_to("loop")
    done = wiregen_in(project, "generate", *arguments, "--format", format_)
    assert done.returncode == 2
    if format_ == "json":
        assert [found["code"] for found in json.loads(done.stdout)["diagnostics"]] == [code]
        assert done.stderr == ""
    else:
        assert f"error[{code}]: " in done.stderr
        assert "internal" not in done.stderr


@posix_only
@pytest.mark.parametrize("command", ["generate --format json", "generate -q", "init"])
def test_a_working_directory_that_is_gone_is_no_fault(command: str, project: Path) -> None:
    script = "import os, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    done = python("-c", f"{script}; from wiregen.__main__ import main; main()", *command.split(), folder=project)
    assert done.returncode == 2
    told = done.stdout + done.stderr
    assert "No such file or directory" in told
    assert "internal" not in told


@posix_only
@pytest.mark.parametrize("kind", ["closed", "full"])
@pytest.mark.parametrize(
    ("command", "prints"),
    [
        ("generate", False),
        ("generate --output wire --diff", True),
        ("generate --format json", True),
        ("--version", True),
        ("generate --help", True),
        ("capabilities acp@v2", True),
    ],
)
def test_an_output_stream_that_takes_nothing(kind: str, command: str, prints: bool, project: Path) -> None:
    if kind == "full" and not Path("/dev/full").exists():
        pytest.skip("this system has no device that is full")
    redirection = ">&-" if kind == "closed" else ">/dev/full"
    done = shell(f"{command} {redirection}", project)
    if prints:
        assert done.returncode == 2
        message, help_ = done.stderr.splitlines()[-2:]
        reason = "it is closed" if kind == "closed" else "No space left on device"
        assert message == f"error[cannot-write]: standard output cannot be written: {reason}"
        assert help_ == "  help: see where it leads"
    else:
        assert (done.returncode, done.stderr.endswith("files written\n")) == (0, True)
    assert "Traceback" not in done.stderr


@posix_only
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_messages_that_cannot_be_told_change_nothing(redirection: str, project: Path) -> None:
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("this system has no device that is full")
    for code, command in ((1, "generate --check"), (0, "generate"), (0, "generate"), (2, "generate acp@v9")):
        done = shell(f"{command} {redirection}", project)
        assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs `wiregen` with arguments and redirections as a shell reads them."""
    line = f'exec "{sys.executable}" -m wiregen {command}'
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=ENVIRONMENT, capture_output=True, encoding="utf-8", check=False
    )


def test_help_version_and_completion(tmp_path: Path) -> None:
    assert wiregen_in(tmp_path, "--version").stdout == f"wiregen {wiregen.__version__}\n"
    for command in ([], ["generate"], ["init"]):
        told = wiregen_in(tmp_path, *command, "--help")
        assert told.returncode == 0
        codes = " ".join(told.stdout.split()).partition("Exit codes: ")[2]
        assert [*re.findall(r"\b\d+\b", codes)] == ["0", "1", "2", "130"]
    assert "wiregen" in wiregen_in(tmp_path, "--show-completion", "bash").stdout


@pytest.mark.parametrize(
    "typed",
    [
        "wiregen generate acp@v",
        "wiregen capabilities acp@v",
        "wiregen schema verify acp@v",
        "wiregen schema import acp@v",
    ],
)
def test_versions_are_completed_wherever_they_are_typed(typed: str, tmp_path: Path) -> None:
    environment = {
        "_WIREGEN_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
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
    assert process.returncode == 1
