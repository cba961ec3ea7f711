"""`python -m benchmarks`: measure, print, and write down what a full run gives."""

import sys
from enum import StrEnum
from typing import Annotated, Final, Protocol

import typer

from benchmarks import codec, delivery, dispatch, generation, import_time, machine, report
from benchmarks.figures import Figure, Figures
from benchmarks.targets import Target, targets


class Benchmark(Protocol):
    """A module that measures."""

    def measure(self, *, quick: bool) -> list[Figure]:
        """Figures of its tasks and contenders; `quick` takes a few rounds."""
        ...


class Name(StrEnum):
    """The benchmarks, in the order in which they run."""

    IMPORT = "import"
    CODEC = "codec"
    DELIVERY = "delivery"
    DISPATCH = "dispatch"
    GENERATION = "generation"


_BENCHMARKS: Final[dict[Name, Benchmark]] = {
    Name.IMPORT: import_time,
    Name.CODEC: codec,
    Name.DELIVERY: delivery,
    Name.DISPATCH: dispatch,
    Name.GENERATION: generation,
}
_ORDER_OF_MAGNITUDE: Final = 10

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.command()
def main(
    only: Annotated[list[Name] | None, typer.Argument(help="What to measure; all by default.")] = None,
    *,
    quick: Annotated[bool, typer.Option(help="A few rounds: fail only on a tenfold regression.")] = False,
) -> None:
    """Measure, print tables, and exit with 1 if a ratio is beyond its limit.

    A full run of everything also rewrites `results.json` and the tables of the README.
    """
    measured: list[Figure] = []
    for name in only or Name:
        typer.echo(f"{name} ...", err=True)
        measured += _BENCHMARKS[name].measure(quick=quick)
    figures = Figures(measured)
    found = targets(figures)
    if not only and not quick:
        report.write(machine.describe(), figures, found)
    typer.echo(f"{report.tables(figures)}\n\n{report.ratios(found)}")
    sys.exit(0 if all(_is_fine(target, quick=quick) for target in found) else 1)


def _is_fine(target: Target, *, quick: bool) -> bool:
    if not quick:
        return target.is_met
    return target.measured <= _ORDER_OF_MAGNITUDE * report.recorded().get(target.title, target.limit)


if __name__ == "__main__":
    app()
