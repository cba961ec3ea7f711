"""`python -m benchmarks`: measure, print, and write down what a full run gives."""

import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from benchmarks import codec, dispatch, generation, import_time, machine, report
from benchmarks.figures import Figure, Figures
from benchmarks.targets import Target, targets

_BENCHMARKS: Final = {"import": import_time, "codec": codec, "dispatch": dispatch, "generation": generation}
_ORDER_OF_MAGNITUDE: Final = 10


def main(
    only: Annotated[list[str] | None, typer.Argument(help=f"Some of {', '.join(_BENCHMARKS)}; all by default.")] = None,
    *,
    quick: Annotated[
        bool, typer.Option(help="A few rounds: fail only if a ratio is ten times the recorded one.")
    ] = False,
) -> None:
    """Measure, print tables, and exit with 1 if a ratio is beyond its limit.

    A full run also writes `results.json` and the tables of the README.
    """
    names = only or list(_BENCHMARKS)
    measured: list[Figure] = []
    for name in names:
        typer.echo(f"{name} ...", err=True)
        measured += _BENCHMARKS[name].measure(quick=quick)
    figures = Figures(measured)
    ratios = targets(figures)
    typer.echo(report.as_markdown(machine.describe(), figures, ratios))
    if not only and not quick:
        report.write(machine.describe(), figures, ratios)
    failed = _regressions(ratios) if quick else [target for target in ratios if not target.is_met]
    for target in failed:
        typer.echo(f"missed: {target.title} is {target.measured:.2f}", err=True)
    sys.exit(1 if failed else 0)


def _regressions(ratios: Sequence[Target]) -> list[Target]:
    recorded = report.recorded()
    return [
        target for target in ratios if target.measured > _ORDER_OF_MAGNITUDE * recorded.get(target.title, target.limit)
    ]


if __name__ == "__main__":
    typer.run(main)
