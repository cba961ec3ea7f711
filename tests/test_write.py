"""Plans, and what they do to the disk."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from wiregen import write
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.manifest import NAME as MANIFEST

SOURCE = {"schema acp@v2": "1"}
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
    assert write.diff(plan) == ""
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

    plan = write.plan(files, output, SOURCE)
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
        ("outdated", f"{place}/{MANIFEST}: error[outdated]: outdated; `{command}` mends it"),
        ("outdated", f"{place}/__init__.py: error[outdated]: outdated; `{command}` mends it"),
        ("edited", f"{place}/edited.py: error[edited]: edited by hand; `{command}` mends it"),
        ("missing", f"{place}/gone.py: error[missing]: generated before, but gone; `{command}` mends it"),
        ("new", f"{place}/more.py: error[new]: not generated yet; `{command}` mends it"),
        ("leftover", f"{place}/old.py: error[leftover]: no longer generated; `{command}` mends it"),
    ]
    write.apply(plan)
    assert generated(output) == files
    assert {path: path.stat().st_mtime_ns for path in (output / "acp").iterdir()} == kept
    assert write.plan(files, output, SOURCE).is_current


def test_the_diff_is_unified(output: Path) -> None:
    generate({"a.py": b"1\n2\n", "b.py": b"x", "same.py": b""}, output)
    plan = write.plan({"a.py": b"1\n3\n", "c.py": b"y\x0c\n", "same.py": b""}, output, SOURCE)
    assert write.diff(plan) == (
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"
        "--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n"
        "--- /dev/null\n+++ b/c.py\n@@ -0,0 +1 @@\n+y\x0c\n"
    )


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
    "manifest",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"files": []}',
        b'{"files": {"a": 1}}',
        b'{"files": {"../../a": "0"}}',
        b"[" * 99999,
    ],
)
def test_a_damaged_manifest_is_refused(output: Path, manifest: bytes) -> None:
    generate(FILES, output)
    (output / MANIFEST).write_bytes(manifest)
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
