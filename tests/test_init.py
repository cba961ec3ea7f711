"""`wiregen init`: a starting point that works, in whatever `pyproject.toml` there is."""

import os
from pathlib import Path

import pytest
from commands import wiregen_in

from wiregen import config, init
from wiregen.errors import InvalidInput
from wiregen.resolve import resolve

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs links, modes and pipes as on POSIX")
PROJECT = '[project]\nname = "My-App.Core"\nversion = "1"'


def added(folder: Path) -> str:
    file = init.add_table(folder)
    (output,) = resolve(config.load(folder)).outputs
    assert file == folder / "pyproject.toml"
    assert output.versions
    assert output.folder == folder / "src" / output.package.replace(".", "/")
    return output.package


def test_a_project_without_a_file(tmp_path: Path) -> None:
    assert added(tmp_path) == "app._wire"


@pytest.mark.parametrize("text", [PROJECT, PROJECT + "\n", "\ufeff" + PROJECT + "\n", PROJECT.replace("\n", "\r\n")])
def test_what_the_file_holds_stays(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(text.encode())
    assert added(tmp_path) == "my_app_core._wire"
    after = (tmp_path / "pyproject.toml").read_bytes()
    assert after.startswith(text.encode())
    assert (b"\r\n" in text.encode()) == (after.count(b"\n") == after.count(b"\r\n"))


def test_the_package_under_src_counts_if_it_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "src" / "core").mkdir(parents=True)
    (tmp_path / "src" / "core" / "__init__.py").touch()
    assert added(tmp_path) == "core._wire"


def test_a_folder_whose_name_no_import_can_say_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "src" / "class").mkdir(parents=True)
    (tmp_path / "src" / "class" / "__init__.py").touch()
    assert added(tmp_path) == "my_app_core._wire"
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "src" / "core").mkdir(parents=True)
    (tmp_path / "src" / "core" / "__init__.py").touch()
    assert added(tmp_path) == "core._wire"


@posix_only
def test_a_file_that_is_a_link_is_written_where_it_leads_and_keeps_its_mode(tmp_path: Path) -> None:
    real = tmp_path / "settings" / "project.toml"
    real.parent.mkdir()
    real.write_text(PROJECT, encoding="utf-8")
    real.chmod(0o600)
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "pyproject.toml").symlink_to(real)
    assert added(folder) == "my_app_core._wire"
    assert (folder / "pyproject.toml").is_symlink()
    assert "[tool.wiregen]" in real.read_text(encoding="utf-8")
    assert real.stat().st_mode & 0o777 == 0o600


@posix_only
@pytest.mark.parametrize("kind", ["broken link", "loop", "pipe", "folder"])
@pytest.mark.timeout(20)
def test_what_is_no_file_is_left_alone(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    match kind:
        case "broken link":
            file.symlink_to(tmp_path / "nowhere")
        case "loop":
            file.symlink_to(file)
        case "pipe":
            os.mkfifo(file)
        case _:
            file.mkdir()
    before = file.lstat()
    with pytest.raises(InvalidInput, match=r"error\[in-the-way\]"):
        init.add_table(tmp_path)
    assert [*tmp_path.iterdir()] == [file]
    assert file.lstat().st_ino == before.st_ino


@pytest.mark.parametrize("name", ['"--"', '"1st"', "3", '""', '"class"'])
def test_a_name_that_is_no_package_name_is_not_taken(name: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = {name}\n", encoding="utf-8")
    assert added(tmp_path) == "app._wire"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[tool.wiregen]\n", "has-table"),
        ("tool = 1\n", "bad-value"),
        ("tool = {black = {x = 1}}\n", "bad-value"),
        ("tool = []\n", "bad-value"),
        ("[[tool]]\nx = 1\n", "bad-value"),
        ("a = \n", "not-toml"),
    ],
)
def test_a_file_that_cannot_take_it_stays_as_it_is(text: str, code: str, tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        init.add_table(tmp_path)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]
    assert file.read_text(encoding="utf-8") == text


def test_every_line_that_is_commented_out_is_right(tmp_path: Path) -> None:
    init.add_table(tmp_path)
    file = tmp_path / "pyproject.toml"
    lines = file.read_text(encoding="utf-8").splitlines()
    settings = [line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in lines]
    file.write_text("\n".join(settings), encoding="utf-8")
    (output,) = resolve(config.load(tmp_path)).outputs
    assert output.schemas
    assert output.templates


def test_the_command(tmp_path: Path) -> None:
    done = wiregen_in(tmp_path, "init")
    assert done.returncode == 0
    assert done.stderr.startswith("pyproject.toml: added [tool.wiregen]")
