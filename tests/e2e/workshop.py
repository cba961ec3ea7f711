"""What end-to-end tests work with: wheels from a clean checkout, environments with them, and shell commands."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEVELOPMENT = Path(sys.executable).parent
"""Where the tools of the developers are: pip, pre-commit, prek and uv."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder with what all tests share: a clean checkout in `checkout`, wheels and source archives in `dist`."""

    folder: Path

    @property
    def checkout(self) -> Path:
        return self.folder / "wiregen"

    @property
    def dist(self) -> Path:
        return self.folder / "dist"

    def commit(self) -> str:
        """The commit that the checkout is at."""
        command = ["git", "rev-parse", "HEAD"]
        return subprocess.run(command, cwd=self.checkout, capture_output=True, check=True, text=True).stdout.strip()

    def environment(self, *commands: Path) -> dict[str, str]:
        """Variables under which nothing of the user's counts and nothing is fetched; `commands` go first on the path.

        What wheels depend on is found among the packages of the developers, none of which is `wiregen` itself.
        """
        config = self.folder / "gitconfig"
        path = os.pathsep.join(map(str, (*commands, DEVELOPMENT, os.environ["PATH"])))
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TMPDIR", "TEMP") if name in os.environ}
        return kept | {
            "PATH": path,
            "HOME": str(self.folder),
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PYTHONUTF8": "1",
            "GIT_CONFIG_GLOBAL": str(config),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": str(self.dist),
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_CONFIG_FILE": str(self.folder / "uv.toml"),
            "UV_OFFLINE": "1",
            "UV_CACHE_DIR": str(self.folder / "uv"),
            "PRE_COMMIT_HOME": str(self.folder / "pre-commit"),
            "PREK_HOME": str(self.folder / "prek"),
        }


def prepare(folder: Path) -> Workshop:
    """Makes a workshop in a new folder."""
    workshop = Workshop(folder)
    folder.mkdir()
    (folder / "gitconfig").write_text(
        "[user]\nname = Tester\nemail = tester@example.com\n[init]\ndefaultBranch = main\n"
        '[protocol "file"]\nallow = always\n[advice]\ndetachedHead = false\n[core]\nautocrlf = false\n',
        encoding="utf-8",
    )
    (folder / "uv.toml").write_text("[pip]\nno-deps = true\nno-build-isolation = true\n", encoding="utf-8")
    _copy_checkout(workshop.checkout)
    environment = workshop.environment()
    for command in ("init -q .", "add -A", "commit -qm Release"):
        subprocess.run(["git", *command.split()], cwd=workshop.checkout, env=environment, check=True)
    for part in (".", "generated"):
        build(workshop.checkout / part, workshop.dist, workshop)
    return workshop


def build(source: Path, target: Path, workshop: Workshop) -> None:
    """Builds the source archive and, from that, the wheel of a distribution into a folder."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
    subprocess.run(command, env=workshop.environment(), check=True, capture_output=True)


def install(venv: Path, workshop: Workshop, *names: str) -> Path:
    """Makes a virtual environment, installs distributions from their wheels, and returns the folder of its commands."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    commands = venv / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(commands / "python"), "install", "--quiet", *names]
    subprocess.run(pip, env={**workshop.environment(), "PYTHONPATH": ""}, check=True)
    return commands


def transcript(commands: Iterable[str], folder: Path, environment: Mapping[str, str]) -> str:
    """What a terminal shows when these lines are typed, with the exit code where it is not 0."""
    return "".join(_shown(command, folder, environment) for command in commands)


def _shown(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    code = f"[exit {done.returncode}]\n" if done.returncode else ""
    return f"$ {command}\n{done.stdout}{code}"


def _copy_checkout(target: Path) -> None:
    """Copies what git has or would take: what a fresh clone of the next commit holds."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in sorted({*listed.split("\0")} - {""}):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "benchmarks/")):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
