"""One run over all outputs: what has changed, and nothing written before all of it is known to be good."""

from collections.abc import Sequence
from dataclasses import dataclass

from wiregen import manifest
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.progress import OnStep, tell_nobody
from wiregen.settings import Config, Output
from wiregen.source import source
from wiregen.write import Plan, apply, plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found out about one output.

    `plan` says what has to be written; it is None where the manifest shows that nothing has changed, so that nothing
    was generated. `is_vouched` says that the manifest shows so, but was not believed.
    """

    output: Output
    plan: Plan | None
    warnings: tuple[Diagnostic, ...] = ()
    is_vouched: bool = False

    @property
    def is_current(self) -> bool:
        """Whether the output is as it should be already."""
        return self.plan is None or self.plan.is_current


def plan_all(config: Config, *, full: bool = False, on_step: OnStep = tell_nobody) -> list[Outcome]:
    """What has to be written into each output.

    With `full`, everything is generated, even where the manifest shows that it would come out the same. Raises
    `InvalidInput` with everything that is wrong, warnings among it.
    """
    outcomes: list[Outcome] = []
    findings: list[Diagnostic] = []
    for output in config.outputs:
        try:
            outcomes.append(_plan(output, full=full, on_step=on_step))
        except InvalidInput as error:
            findings += error.diagnostics
    if findings:
        raise InvalidInput(dict.fromkeys(findings))
    return outcomes


def apply_all(outcomes: Sequence[Outcome]) -> None:
    """Writes what was planned; raises `InvalidInput` if the disk refuses."""
    for outcome in outcomes:
        if outcome.plan is not None:
            apply(outcome.plan)


def _plan(output: Output, *, full: bool, on_step: OnStep) -> Outcome:
    try:
        made_of = source(output)
    except OSError:
        made_of = None  # an input cannot be read: generating tells which
    is_vouched = made_of is not None and manifest.is_current(output.folder, made_of)
    if is_vouched and not full:
        return Outcome(output, None)
    # Loaded here: it takes a second, which a run that has nothing to do does not spend.
    from wiregen import pipeline  # noqa: PLC0415

    generated = pipeline.generate(output, on_step)
    files = {name: text.encode() for name, text in generated.files.items()}
    made = plan(files, output.folder, made_of or source(output))
    return Outcome(output, made, generated.warnings, is_vouched)
