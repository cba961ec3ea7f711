"""What the end-to-end tests share."""

import os
from pathlib import Path

import pytest
from filelock import FileLock

from e2e.workshop import Workshop, install, prepare


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first test of a run also waits for the workshop to be set up."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The one workshop of a test run, whichever of its processes needs it first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "workshop"
    with FileLock(f"{folder}.lock"):
        return Workshop(folder) if (folder / "dist").exists() else prepare(folder)


@pytest.fixture(scope="session")
def wiregen(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment in which only `wiregen` is installed, from its wheel."""
    return install(tmp_path_factory.mktemp("installed") / "venv", workshop, "wiregen")
