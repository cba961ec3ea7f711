"""What the distributions carry, and that they work where nothing of the checkout is."""

import json
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

import wiregen as checkout
from e2e.workshop import ROOT, Workshop, install, transcript

SOURCES = {
    path.relative_to(ROOT).as_posix()
    for folder in ("schema", "templates")
    for path in (ROOT / folder).rglob("*.*")
    if path.is_file()
}
WITHOUT = ("wiregen", "jinja2", "typer", "ruff", "datamodel_code_generator", "jsonschema_rs")
"""What the generated package does not need, and so cannot have in its test."""


def names(archive: Path) -> set[str]:
    if archive.suffix == ".whl":
        return {*zipfile.ZipFile(archive).namelist()}
    with tarfile.open(archive) as opened:
        return {name.partition("/")[2] for name in opened.getnames()}


def one(workshop: Workshop, pattern: str) -> Path:
    (found,) = workshop.dist.glob(pattern)
    return found


def test_the_archives_carry_templates_schemas_and_licences(workshop: Workshop) -> None:
    wheel, source = names(one(workshop, "wiregen-*.whl")), names(one(workshop, "wiregen-*.tar.gz"))
    assert source >= SOURCES
    assert {f"wiregen/_data/{name}" for name in SOURCES} <= wheel
    types = names(one(workshop, "wiretypes-*.whl")) | names(one(workshop, "wiretypes-*.tar.gz"))
    for held in (wheel, source, types):
        for name in ("LICENSE", "NOTICE", "py.typed"):
            assert any(path.endswith(f"/{name}") or path == name for path in held)
        assert not any("__pycache__" in path or path.startswith("tests/") for path in held)
    assert {"wiretypes/__init__.py", "wiretypes/.wiregen.json", "wiretypes/acp/v2/models.py"} <= types


def test_the_source_archive_carries_nothing_else(workshop: Workshop) -> None:
    held = names(one(workshop, "wiregen-*.tar.gz"))
    tops = {path.partition("/")[0] for path in held if "/" in path}
    assert tops == {"codegen", "docs", "schema", "templates"}
    files = {path for path in held if path and "/" not in path} - tops
    assert files == {".gitignore", "LICENSE", "NOTICE", "PKG-INFO", "README.md", "pyproject.toml"}


@pytest.mark.parametrize("name", ["wiregen", "wiretypes"])
def test_the_description_of_a_wheel_links_to_no_file_that_is_not_there(name: str, workshop: Workshop) -> None:
    wheel = zipfile.ZipFile(one(workshop, f"{name}-*.whl"))
    (path,) = [path for path in wheel.namelist() if path.endswith(".dist-info/METADATA")]
    text = wheel.read(path).decode()
    assert f"\n# {name}\n" in text
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if not link.startswith(("#", "https://"))] == []


def test_the_generator_works_from_its_wheel(workshop: Workshop, wiregen: Path, tmp_path: Path) -> None:
    """And gives what is checked in, to the byte."""
    targets = " ".join(str(target) for target in checkout.read_config(ROOT).outputs[0].versions)
    told = transcript(
        [
            "wiregen --version",
            "wiregen schema verify acp@v2",
            "wiregen capabilities acp@v2 --format json > capabilities.json",
            f"wiregen generate {targets} --output wiretypes",
        ],
        tmp_path,
        workshop.environment(wiregen),
    )
    assert f"wiregen {checkout.__version__}\n" in told
    assert "acp@v2: verified" in told
    assert "[exit" not in told, told
    assert json.loads((tmp_path / "capabilities.json").read_bytes())
    expected = {path.relative_to(ROOT / "generated"): path.read_bytes() for path in files(ROOT / "generated/wiretypes")}
    assert {path.relative_to(tmp_path): path.read_bytes() for path in files(tmp_path / "wiretypes")} == expected


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def test_the_generated_package_works_from_its_wheel(workshop: Workshop, tmp_path: Path) -> None:
    commands = install(tmp_path / "venv", workshop, "wiretypes")
    script = f"""
import sys
sys.modules.update(dict.fromkeys({WITHOUT!r}))
import importlib, pkgutil, wiretypes
for module in pkgutil.walk_packages(wiretypes.__path__, "wiretypes."):
    importlib.import_module(module.name)
for protocol, versions in wiretypes.VERSIONS.items():
    for version in versions:
        assert wiretypes.load(protocol, version).VERSION == version
print(wiretypes.encode(wiretypes.decode(wiretypes.acp.v2.Implementation, b'{{"name": "a", "version": "1"}}')).decode())
"""
    done = subprocess.run(
        [commands / "python", "-c", script],
        cwd=tmp_path,
        env=workshop.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ('{"name":"a","version":"1"}\n', "")


def test_both_distributions_are_of_one_release(workshop: Workshop) -> None:
    version = checkout.__version__
    assert one(workshop, "wiretypes-*.whl").name.startswith(f"wiretypes-{version}-")
    assert one(workshop, "wiregen-*.whl").name.startswith(f"wiregen-{version}-")
    wheel = zipfile.ZipFile(one(workshop, "wiretypes-*.whl"))
    assert json.loads(wheel.read("wiretypes/.wiregen.json"))["source"]["wiregen"] == version
