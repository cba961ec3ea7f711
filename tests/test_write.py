"""Plans, and what they do to the disk."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from wiregen import disk, manifest, patch, write
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.manifest import NAME as MANIFEST

SOURCE = {"schema acp@v2": "1"}
OTHER_SOURCE = {"schema acp@v2": "2"}
FILES = {"__init__.py": b"a\n", "acp/__init__.py": b"b\n", "acp/v2.py": b"c\n"}
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs links and permissions as on POSIX")


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "some where" / "wire_ä"


def generate(files: Mapping[str, bytes], output: Path) -> write.Plan:
    plan = write.plan(files, output, SOURCE)
    write.apply(plan)
    return plan


def on_disk(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def generated(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in on_disk(folder).items() if name != MANIFEST}


def refused(files: Mapping[str, bytes], output: Path) -> list[Diagnostic]:
    before = on_disk(output)
    with pytest.raises(InvalidInput) as caught:
        write.plan(files, output, SOURCE)
    assert on_disk(output) == before
    return list(caught.value.diagnostics)


def test_a_first_run_writes_everything_and_a_manifest(output: Path) -> None:
    plan = write.plan(FILES, output, SOURCE)
    assert not output.exists()
    assert plan.added == (MANIFEST, *sorted(FILES))
    write.apply(plan)
    assert generated(output) == FILES
    recorded = json.loads((output / MANIFEST).read_bytes())
    assert recorded["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in sorted(FILES.items())}
    assert recorded["source"] == SOURCE


def test_a_run_with_nothing_to_do_touches_nothing(output: Path) -> None:
    generate(FILES, output)
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*")}
    plan = generate(dict(reversed(FILES.items())), output)
    assert plan.is_current
    assert patch.diff(plan, output) == ""
    assert write.findings(plan, command="wiregen generate") == ()
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*")} == before


@posix_only
def test_a_read_only_output_is_fine_when_nothing_changes(output: Path) -> None:
    generate(FILES, output)
    output.chmod(0o555)
    try:
        assert generate(FILES, output).is_current
    finally:
        output.chmod(0o755)


def test_each_state_of_a_file(output: Path) -> None:
    generate({**FILES, "old.py": b"old\n", "gone.py": b"1\n", "edited.py": b"1\n"}, output)
    (output / "edited.py").write_bytes(b"mine\n")
    (output / "gone.py").unlink()
    kept = {path: path.stat().st_mtime_ns for path in (output / "acp").iterdir()}
    files = {**FILES, "__init__.py": b"new\n", "gone.py": b"1\n", "edited.py": b"1\n", "more.py": b"m\n"}

    plan = write.plan(files, output, OTHER_SOURCE)
    assert plan.added == ("more.py",)
    assert plan.changed == (MANIFEST, "__init__.py")
    assert plan.edited == ("edited.py",)
    assert plan.missing == ("gone.py",)
    assert plan.stale == ("old.py",)
    assert plan.unchanged == ("acp/__init__.py", "acp/v2.py")

    command = "wiregen generate"
    told = [(finding.code, str(finding)) for finding in write.findings(plan, command=command)]
    place = output.as_posix()
    assert told == [
        (
            "outdated",
            f"{place}/{MANIFEST}: error[outdated]: outdated, since this has changed: schema acp@v2 (1 -> 2); "
            f"`{command}` mends it",
        ),
        ("outdated", f"{place}/__init__.py: error[outdated]: outdated; `{command}` mends it"),
        ("edited", f"{place}/edited.py: error[edited]: edited by hand; `{command}` mends it"),
        ("missing", f"{place}/gone.py: error[missing]: generated before, but gone; `{command}` mends it"),
        ("new", f"{place}/more.py: error[new]: not generated yet; `{command}` mends it"),
        ("leftover", f"{place}/old.py: error[leftover]: no longer generated; `{command}` mends it"),
    ]
    write.apply(plan)
    assert generated(output) == files
    assert {path: path.stat().st_mtime_ns for path in (output / "acp").iterdir()} == kept
    assert write.plan(files, output, OTHER_SOURCE).is_current


def test_stale_files_go_with_their_folders_and_compiled_code(output: Path) -> None:
    generate({**FILES, "mcp/a/b.py": b"", "mcp/__init__.py": b"", "acp/v1.py": b""}, output)
    for compiled in ("mcp/a/__pycache__/b.cpython-311.pyc", "acp/__pycache__/v1.cpython-311.pyc"):
        (output / compiled).parent.mkdir()
        (output / compiled).write_bytes(b"")
    (output / "acp/__pycache__/v2.cpython-311.pyc").write_bytes(b"")
    generate(FILES, output)
    assert generated(output) == {**FILES, "acp/__pycache__/v2.cpython-311.pyc": b""}
    assert not (output / "mcp").exists()


def test_files_of_others_stay(output: Path) -> None:
    generate({**FILES, "mcp/old.py": b""}, output)
    (output / "mcp" / "mine.py").write_bytes(b"mine")
    (output / "notes.txt").write_bytes(b"mine")
    generate(FILES, output)
    assert generated(output) == {**FILES, "mcp/mine.py": b"mine", "notes.txt": b"mine"}


def test_a_file_of_others_in_the_way_is_refused(output: Path) -> None:
    output.mkdir(parents=True)
    (output / "__init__.py").write_bytes(b"mine\n")
    (finding,) = refused(FILES, output)
    assert (finding.code, finding.file) == ("in-the-way", (output / "__init__.py").as_posix())
    assert "move it away" in str(finding.hint)
    (output / "__init__.py").write_bytes(FILES["__init__.py"])
    assert generate(FILES, output).unchanged == ("__init__.py",)


def test_a_folder_or_file_in_the_way_is_refused(output: Path) -> None:
    (output / "acp" / "v2.py").mkdir(parents=True)
    (output / "mcp").write_bytes(b"")
    found = refused({**FILES, "mcp/a.py": b"", "mcp/b.py": b""}, output)
    assert [(f.code, f.file) for f in found] == [
        ("in-the-way", (output / "acp/v2.py").as_posix()),
        ("in-the-way", (output / "mcp").as_posix()),
    ]
    (found_output,) = refused(FILES, output / "mcp")
    assert found_output.file == (output / "mcp").as_posix()


@posix_only
@pytest.mark.parametrize("link", ["acp", "acp/v2.py", MANIFEST])
def test_links_in_the_output_are_not_followed(output: Path, tmp_path: Path, link: str) -> None:
    generate(FILES, output)
    outside = tmp_path / "outside"
    (output / link).rename(outside)
    before = on_disk(outside) if outside.is_dir() else outside.read_bytes()
    (output / link).symlink_to(outside)
    for files in (FILES, {"__init__.py": b"new\n"}):
        found = refused(files, output)
        assert (output / link).as_posix() in [f.file for f in found]
        assert {f.code for f in found} == {"in-the-way"}
    assert (on_disk(outside) if outside.is_dir() else outside.read_bytes()) == before


@posix_only
def test_the_output_itself_may_be_a_link(output: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    output.parent.mkdir()
    output.symlink_to(real)
    generate(FILES, output)
    assert generated(real) == FILES


@pytest.mark.parametrize("name", ["../a.py", "/a.py", "a//b.py", "./a.py", "a/..", "", "a\\b.py", "C:a.py", MANIFEST])
def test_names_that_lead_out_are_refused(output: Path, name: str) -> None:
    assert [f.code for f in refused({name: b""}, output)] == ["internal"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"files": []}',
        b'{"files": {"a": 1}}',
        b'{"files": {"../../a": "0"}}',
        b'{"files": {"' + b"a" * 300 + b'": "0"}}',
        b'{"files": {"\\ud800": "0"}}',
        b"[" * 99999,
    ],
)
def test_a_damaged_manifest_is_refused(output: Path, text: bytes) -> None:
    generate(FILES, output)
    (output / MANIFEST).write_bytes(text)
    (finding,) = refused(FILES, output)
    assert (finding.code, finding.file) == ("bad-manifest", (output / MANIFEST).as_posix())


def test_windows_line_ends_of_a_checkout_are_no_edit(output: Path) -> None:
    generate(FILES, output)
    for name in (*FILES, MANIFEST):
        path = output / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert write.plan(FILES, output, SOURCE).is_current


@pytest.mark.parametrize("stop_at", range(1, 6))
def test_a_run_that_is_stopped_leaves_whole_files_that_it_still_owns(
    output: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    old = {**FILES, "stale.py": b"s\n"}
    new = {**FILES, "__init__.py": b"new\n", "acp/v1.py": b"new\n", "mcp/a.py": b"new\n"}
    generate(old, output)
    steps = 0
    original = Path.replace

    def stopping(self: Path, target: Path) -> Path:
        nonlocal steps
        steps += 1
        if steps == stop_at:
            raise KeyboardInterrupt
        return original(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stopping)
        with pytest.raises(KeyboardInterrupt):
            write.apply(write.plan(new, output, SOURCE))
    for name, data in generated(output).items():
        assert data in (old.get(name), new.get(name))
    later = {name: data.replace(b"new", b"newer") for name, data in new.items()}
    generate(later, output)
    assert generated(output) == later


def test_a_disk_that_refuses_is_told(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Path) -> Path:
        raise OSError(28, "No space left on device")

    plan = write.plan(FILES, output, SOURCE)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidInput, match=r"error\[cannot-write\]: cannot be written: No space left"):
        write.apply(plan)
    assert on_disk(output) == {}


@posix_only
@pytest.mark.parametrize("link", ["acp/__pycache__", "acp/__pycache__/v1.cpython-311.pyc"])
def test_no_link_is_followed_to_what_python_compiled(output: Path, tmp_path: Path, link: str) -> None:
    generate({**FILES, "acp/v1.py": b""}, output)
    outside = tmp_path / "outside" / "v1.cpython-311.pyc"
    outside.parent.mkdir()
    outside.write_bytes(b"theirs")
    (output / link).parent.mkdir(exist_ok=True)
    (output / link).symlink_to(outside if link.endswith(".pyc") else outside.parent)
    generate(FILES, output)
    assert not (output / "acp/v1.py").exists()
    assert outside.read_bytes() == b"theirs"
    assert (output / link).is_symlink()


def test_what_is_no_longer_generated_stays_if_it_is_not_as_it_was_written(output: Path) -> None:
    generate({**FILES, "mcp/old.py": b"old", "mcp/older.py": b"older"}, output)
    (output / "mcp/old.py").write_bytes(b"old, and mine\n")
    plan = write.plan(FILES, output, SOURCE)
    assert (plan.stale, plan.kept) == (("mcp/older.py",), ("mcp/old.py",))
    assert ("mcp/old.py", "edited-leftover") in write.states(plan)
    place = (output / "mcp/old.py").as_posix()
    (finding,) = [finding for finding in write.findings(plan, command="x") if finding.file == place]
    assert (finding.code, finding.severity) == ("edited-leftover", "error")
    assert "no longer generated, but not as it was written; `x` lets go of it" in finding.message
    (warning,) = write.warnings(plan)
    assert (warning.code, warning.severity, warning.file) == ("edited-leftover", "warning", place)
    write.apply(plan)
    assert generated(output) == {**FILES, "mcp/old.py": b"old, and mine\n"}
    later = write.plan(FILES, output, SOURCE)
    assert later.is_current
    assert write.warnings(later) == ()


def test_a_manifest_that_names_a_file_of_others_does_not_remove_it(output: Path) -> None:
    generate(FILES, output)
    (output / "mine.py").write_bytes(b"mine")
    recorded = json.loads((output / MANIFEST).read_bytes())
    recorded["files"]["mine.py"] = "0" * 64
    (output / MANIFEST).write_text(json.dumps(recorded), encoding="utf-8")
    assert generate(FILES, output).kept == ("mine.py",)
    assert generated(output) == {**FILES, "mine.py": b"mine"}


def test_a_manifest_that_does_not_change_keeps_its_time(output: Path) -> None:
    generate(FILES, output)
    os.utime(output / MANIFEST, ns=(1, 1))
    (output / "acp/v2.py").unlink()
    (output / "__init__.py").write_bytes(b"edited\n")
    generate(FILES, output)
    assert generated(output) == FILES
    assert (output / MANIFEST).stat().st_mtime_ns == 1


@posix_only
@pytest.mark.parametrize("name", [MANIFEST, "__init__.py"])
@pytest.mark.timeout(20)
def test_a_pipe_in_the_way_is_refused_unread(output: Path, name: str) -> None:
    generate(FILES, output)
    (output / name).unlink()
    os.mkfifo(output / name)
    for files in (FILES, {**FILES, "more.py": b""}):
        with pytest.raises(InvalidInput) as caught:
            write.plan(files, output, SOURCE)
        assert ("in-the-way", (output / name).as_posix()) in [(d.code, d.file) for d in caught.value.diagnostics]
    assert not manifest.is_current(output, SOURCE)


def test_what_killed_runs_left_goes_with_the_next_write(output: Path) -> None:
    generate({**FILES, "old.py": b""}, output)
    drafts = ["acp/.v2.py.0123abcd.tmp", f".{MANIFEST}.89abcdef.tmp", ".old.py.00000000.tmp"]
    others = [".v2.py.0123abcd.tmp", "acp/.v2.py.tmp", "acp/.v2.py.0123abcd.tmp.txt", "acp/.v2.py.0123abcg.tmp"]
    for name in (*drafts, *others):
        (output / name).write_bytes(b"")
    generate(FILES, output)
    assert generated(output) == {**FILES, **dict.fromkeys(others, b"")}


def test_a_draft_that_another_run_tidied_away_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tidied: list[Path] = []
    original = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if not tidied:
            tidied.append(self)
            disk.remove_drafts([target])
            assert not self.exists()
        return original(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    disk.replace_file(tmp_path / "a" / "b.py", b"1")
    assert tidied
    assert on_disk(tmp_path) == {"a/b.py": b"1"}


@posix_only
def test_who_may_read_a_file_stays_the_same(output: Path) -> None:
    generate(FILES, output)
    (output / "__init__.py").chmod(0o600)
    generate({**FILES, "__init__.py": b"new\n"}, output)
    assert (output / "__init__.py").stat().st_mode & 0o777 == 0o600


@posix_only
@pytest.mark.parametrize("kind", ["loop", "broken", "file"])
def test_an_output_that_is_no_folder_is_refused(kind: str, tmp_path: Path) -> None:
    output = tmp_path / "wire"
    match kind:
        case "loop":
            output.symlink_to(output)
        case "broken":
            output.symlink_to(tmp_path / "nowhere")
        case _:
            output.write_bytes(b"")
    for place in (output, output / "below"):
        assert [(f.code, f.file) for f in refused(FILES, place)] == [("in-the-way", output.as_posix())]
    assert not (tmp_path / "nowhere").exists()


def test_a_name_that_the_disk_refuses_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        write.plan(FILES, tmp_path / ("x" * 300), SOURCE)
    (finding,) = caught.value.diagnostics
    assert finding.code == "cannot-read"
    assert "File name too long" in finding.message or os.name == "nt"


def test_a_folder_that_may_not_be_searched_is_told(output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(path))

    generate(FILES, output)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "lstat", forbidden)
        with pytest.raises(InvalidInput) as caught:
            write.plan(FILES, output, SOURCE)
        assert not manifest.is_current(output, SOURCE)
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.message) == ("cannot-read", "cannot be read: Permission denied")
    assert finding.file == str(output / MANIFEST)
