"""The programs that hold the sessions: how each is started and what has to be installed for it."""

import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE_MODULES = HERE / "node" / "node_modules"


@dataclass(frozen=True)
class Program:
    """A client, or what a client starts and talks to."""

    name: str
    """What it is called in the names of the tests."""
    command: tuple[str, ...]
    """How it is started; a client takes the command of its peer as further arguments."""
    package: str | None = None
    """The Python package that it needs; None for one that runs on Node."""
    keeps_order: bool = True
    """Whether its record has everything in the order of the wire. The ACP client for Node hands on notifications,
    requests and answers by separate ways, so its record is in order only among entries of one kind."""

    @property
    def missing(self) -> str | None:
        """Why it cannot be run here; None if it can."""
        if self.package is not None:
            return None if find_spec(self.package) else f"the Python package {self.package} is not installed"
        if shutil.which("node") is None:
            return "Node is not installed"
        return None if NODE_MODULES.is_dir() else "the packages for Node are not installed; `make test-peers` does it"


def official(module: str, *arguments: str, package: str) -> Program:
    """A program on an official Python package."""
    command = (sys.executable, "-m", f"peers.official.{module}", *arguments)
    return Program("-".join(("official", *arguments)), command, package)


def ours(module: str, *arguments: str) -> Program:
    """A program on `wiretypes`."""
    command = (sys.executable, "-m", f"peers.ours.{module}", *arguments)
    return Program("-".join(("ours", *arguments)), command, "wiretypes")


def node(script: str, *arguments: str, keeps_order: bool = True) -> Program:
    """A program on an official package for Node."""
    command = ("node", str(HERE / "node" / script), *arguments)
    return Program("-".join(("node", *arguments)).replace("--", ""), command, keeps_order=keeps_order)
