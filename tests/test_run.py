"""What has changed since the last run, found out with and without the manifest's word for it."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from schemas import STRING, document, obj

from wiregen import manifest, report, run, write
from wiregen.catalogue import Target
from wiregen.errors import InvalidInput
from wiregen.settings import Config, Output

TARGET = Target("acp", "v2")
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs links as on POSIX")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Output:
    """An output that is as it should be, made once."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "schema.json").write_bytes(document({"Wave": obj({"text": STRING}, "text")}))
    output = Output(
        folder=folder / "wire", package="app.wire", versions=(TARGET,), schemas={TARGET: folder / "schema.json"}
    )
    run.apply_all(run.plan_all(Config((output,))))
    return output


@pytest.fixture
def output(generated: Output, tmp_path: Path) -> Output:
    """A copy of it, to be spoilt."""
    folder = tmp_path / "a copy ü"
    shutil.copytree(generated.folder.parent, folder, symlinks=True)
    return replace(generated, folder=folder / "wire", schemas={TARGET: folder / "schema.json"})


Verdict = list[tuple[str, str]]


def verdict(output: Output, *, full: bool) -> Verdict:
    """File and state of what is not as it should be; file and code of what is wrong."""
    try:
        (outcome,) = run.plan_all(Config((output,)), full=full)
    except InvalidInput as error:
        found = error.diagnostics
        return [(Path(str(d.file)).relative_to(output.folder.parent).as_posix(), d.code) for d in found]
    return [] if outcome.plan is None else write.states(outcome.plan)


def edit(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def edit_a_file(output: Output) -> None:
    edit(output.folder / "codec.py", b"def encode", b"def Encode")


def remove_a_file(output: Output) -> None:
    (output.folder / "acp/v2/models.py").unlink()


def remove_everything(output: Output) -> None:
    shutil.rmtree(output.folder)


def remove_the_manifest(output: Output) -> None:
    (output.folder / manifest.NAME).unlink()


def change_the_schema(output: Output) -> None:
    edit(output.schemas[TARGET], b'"text"', b'"word"')


def change_what_the_schema_says_of_nothing(output: Output) -> None:
    edit(output.schemas[TARGET], b'{"$schema"', b'{ "$schema"')


def break_the_schema(output: Output) -> None:
    output.schemas[TARGET].write_bytes(b"{")


def remove_the_schema(output: Output) -> None:
    output.schemas[TARGET].unlink()


def leave_a_file_over(output: Output) -> None:
    old = b"old\n"
    (output.folder / "old.py").write_bytes(old)
    recorded = manifest.read(output.folder)
    files = {**recorded.files, "old.py": hashlib.sha256(old).hexdigest()}
    (output.folder / manifest.NAME).write_bytes(manifest.Manifest(files, recorded.source).encode())


def edit_what_is_left_over(output: Output) -> None:
    leave_a_file_over(output)
    edit(output.folder / "old.py", b"old", b"mine")


def edit_a_file_and_cover_it_up(output: Output) -> None:
    edit_a_file(output)
    recorded = manifest.read(output.folder)
    files = {**recorded.files, "codec.py": hashlib.sha256((output.folder / "codec.py").read_bytes()).hexdigest()}
    (output.folder / manifest.NAME).write_bytes(manifest.Manifest(files, recorded.source).encode())


def stop_half_way(output: Output) -> None:
    (output.folder / manifest.NAME).write_bytes(manifest.Manifest(manifest.read(output.folder).files).encode())


def edit_a_file_and_its_digest(output: Output) -> None:
    before = hashlib.sha256((output.folder / "codec.py").read_bytes()).hexdigest()
    edit_a_file(output)
    after = hashlib.sha256((output.folder / "codec.py").read_bytes()).hexdigest()
    edit(output.folder / manifest.NAME, before.encode(), after.encode())


def merge_the_manifest_badly(output: Output) -> None:
    edit(output.folder / manifest.NAME, b'  "files"', b"<<<<<<< ours\n=======\n>>>>>>> theirs\n")


def reformat_the_manifest(output: Output) -> None:
    path = output.folder / manifest.NAME
    path.write_text(json.dumps(json.loads(path.read_bytes())), encoding="utf-8")


def change_the_line_ends(output: Output) -> None:
    for path in (*output.folder.rglob("*.py"), output.folder / manifest.NAME, output.schemas[TARGET]):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def link_a_file(output: Output) -> None:
    path = output.folder / "codec.py"
    path.rename(output.folder.parent / "codec.py")
    path.symlink_to(output.folder.parent / "codec.py")


def link_a_folder(output: Output) -> None:
    path = output.folder / "acp"
    path.rename(output.folder.parent / "acp")
    path.symlink_to(output.folder.parent / "acp")


def link_the_manifest(output: Output) -> None:
    path = output.folder / manifest.NAME
    path.rename(output.folder.parent / "manifest")
    path.symlink_to(output.folder.parent / "manifest")


def put_a_folder_in_the_way(output: Output) -> None:
    remove_a_file(output)
    (output.folder / "acp/v2/models.py").mkdir()


def add_a_file(output: Output) -> None:
    (output.folder / "mine.py").write_bytes(b"mine")


def do_nothing(output: Output) -> None:
    assert output.folder.is_dir()


Spoil = Callable[[Output], None]
SPOILT: list[tuple[Spoil, Verdict]] = [
    (do_nothing, []),
    (add_a_file, []),
    (change_the_line_ends, []),
    (edit_a_file, [("codec.py", "edited")]),
    (remove_a_file, [("acp/v2/models.py", "missing")]),
    (remove_the_manifest, [(manifest.NAME, "new")]),
    (change_the_schema, [(manifest.NAME, "outdated"), ("acp/v2/models.py", "outdated")]),
    (change_what_the_schema_says_of_nothing, [(manifest.NAME, "outdated")]),
    (break_the_schema, [("schema.json", "not-json")]),
    (remove_the_schema, [("schema.json", "no-file")]),
    (leave_a_file_over, [(manifest.NAME, "outdated"), ("old.py", "leftover")]),
    (edit_a_file_and_cover_it_up, [(manifest.NAME, "outdated"), ("codec.py", "edited")]),
    (edit_what_is_left_over, [(manifest.NAME, "outdated"), ("old.py", "edited-leftover")]),
    (stop_half_way, [(manifest.NAME, "outdated")]),
    (edit_a_file_and_its_digest, [(manifest.NAME, "outdated"), ("codec.py", "edited")]),
    (merge_the_manifest_badly, [(f"wire/{manifest.NAME}", "bad-manifest")]),
    (reformat_the_manifest, [(manifest.NAME, "outdated")]),
    (put_a_folder_in_the_way, [("wire/acp/v2/models.py", "in-the-way")]),
]
FORGED = (leave_a_file_over, edit_a_file_and_cover_it_up)
LINKED: list[tuple[Spoil, str]] = [
    (link_a_file, "wire/codec.py"),
    (link_a_folder, "wire/acp"),
    (link_the_manifest, f"wire/{manifest.NAME}"),
]


@pytest.mark.parametrize(("spoil", "expected"), SPOILT)
def test_the_verdict_is_the_same_with_and_without_the_manifests_word(
    spoil: Spoil, expected: Verdict, output: Output
) -> None:
    spoil(output)
    assert verdict(output, full=True) == expected
    if spoil in FORGED:  # a forged manifest is believed, until everything is generated
        assert verdict(output, full=False) == []
    else:
        assert verdict(output, full=False) == expected


@posix_only
@pytest.mark.parametrize(("spoil", "place"), LINKED)
@pytest.mark.parametrize("full", [False, True])
def test_no_link_is_followed(spoil: Spoil, place: str, full: bool, output: Output) -> None:
    spoil(output)
    assert (place, "in-the-way") in verdict(output, full=full)


@pytest.mark.parametrize("full", [False, True])
def test_a_misspelt_template_is_told_though_it_changes_nothing(full: bool, output: Output, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    with_own = replace(output, templates=own)
    assert verdict(with_own, full=full) == []
    (own / "modles.py.jinja2").write_text("", encoding="utf-8")
    with pytest.raises(InvalidInput, match="unknown-template"):
        run.plan_all(Config((with_own,)), full=full)


def test_a_first_run_has_everything_to_write(output: Output) -> None:
    remove_everything(output)
    states = verdict(output, full=False)
    assert {state for _, state in states} == {"new"}
    assert len(states) > 10


@pytest.mark.parametrize(
    "change",
    [
        {"package": "lib.wire"},
        {"line_length": 88},
        {"emit": ("models",)},
        {"versions": (TARGET, Target("acp", "v1"))},
        {"schemas": {}},
    ],
)
def test_other_options_are_told_in_the_manifests_line(change: dict[str, Any], output: Output) -> None:
    changed = replace(output, **change)
    (outcome,) = run.plan_all(Config((changed,)))
    assert outcome.plan is not None
    first = write.findings(outcome.plan, command="x")[0]
    assert first.file == (output.folder / manifest.NAME).as_posix()
    names = {"emit": "option emit (models, messages", "line_length": "option line-length (120 -> 88)"}
    names |= {"package": "option package (app.wire -> lib.wire)", "versions": "schema acp@v1 (new)"}
    assert names.get(next(iter(change)), "schema acp@v2") in first.message


@pytest.mark.parametrize(("spoil", "is_vouched"), [(edit_a_file_and_cover_it_up, True), (edit_a_file, False)])
def test_the_command_that_is_named_mends(spoil: Spoil, is_vouched: bool, output: Output) -> None:
    spoil(output)
    outcomes = run.plan_all(Config((output,)), full=True)
    found = list(report.findings(outcomes, ["wiregen", "generate"]))
    command = "`wiregen generate --full` mends it" if is_vouched else "`wiregen generate` mends it"
    assert found
    assert all(finding.message.endswith(command) for finding in found)
    (edited,) = [finding for finding in found if finding.code == "edited"]
    assert ("though the manifest has it so: edited by hand" in edited.message) == is_vouched
    run.apply_all(run.plan_all(Config((output,)), full=is_vouched))
    assert verdict(output, full=True) == []
