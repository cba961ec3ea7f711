"""What a run of `wiregen generate` tells: for people, or as JSON for programs."""

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wiregen import patch, write
from wiregen.errors import Diagnostic
from wiregen.run import Outcome
from wiregen.terminal import UP_TO_DATE, Terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run found out and did; differences were asked for if `diff_root`, whence they name files, is given."""

    outcomes: tuple[Outcome, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    exit_code: int
    is_written: bool = False
    diff_root: Path | None = None

    def show(self, terminal: Terminal) -> None:
        """Tells people: findings, and a line on each output; differences go to standard output."""
        for outcome in self.outcomes:
            if self.diff_root is not None and outcome.plan is not None:
                print(patch.diff(outcome.plan, self.diff_root), end="", flush=True)
        terminal.diagnostics(self.diagnostics)
        for outcome in self.outcomes:
            terminal.summary(self._summary(outcome))

    def as_json(self) -> str:
        """Tells programs: the whole run as one JSON object, whose shape docs/generate.md documents."""
        content = {
            "exit_code": self.exit_code,
            "outputs": list(map(self._output, self.outcomes)),
            "diagnostics": list(map(_diagnostic, self.diagnostics)),
        }
        return json.dumps(content, indent=2)

    def _summary(self, outcome: Outcome) -> str:
        folder, plan = outcome.output.folder.as_posix(), outcome.plan
        if plan is None or plan.is_current:
            return f"{folder}: {UP_TO_DATE}"
        write_it, remove_it = ("written", "removed") if self.is_written else ("to write", "to remove")
        counts = ((len(plan.to_write), write_it), (len(plan.stale), remove_it), (len(plan.kept), "no longer ours"))
        return f"{folder}: {', '.join(f'{_files(number)} {done}' for number, done in counts if number)}"

    def _output(self, outcome: Outcome) -> dict[str, Any]:
        plan = outcome.plan
        told: dict[str, Any] = {
            "folder": outcome.output.folder.as_posix(),
            "package": outcome.output.package,
            "was_current": outcome.is_current,
            "is_written": self.is_written and not outcome.is_current,
            "files": [] if plan is None else [{"name": name, "state": state} for name, state in write.states(plan)],
        }
        if self.diff_root is not None:
            told["diff"] = "" if plan is None else patch.diff(plan, self.diff_root)
        return told


def findings(outcomes: Sequence[Outcome], words: Sequence[str]) -> Iterator[Diagnostic]:
    """A finding for each file that is not as it should be; `words` are those of the command that mends it.

    Where the manifest vouches for what is wrong, that command has to be told not to believe it.
    """
    for outcome in outcomes:
        if outcome.plan is not None:
            command = shlex.join([*words, "--full"] if outcome.is_vouched else words)
            yield from write.findings(outcome.plan, command=command)


def warnings(outcomes: Sequence[Outcome]) -> Iterator[Diagnostic]:
    """A warning for each file that is no longer generated, and yet not removed."""
    for outcome in outcomes:
        if outcome.plan is not None:
            yield from write.warnings(outcome.plan)


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    keys = ("severity", "code", "message", "file", "line", "pointer", "hint")
    return {key: getattr(diagnostic, key) for key in keys}


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"
