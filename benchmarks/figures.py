"""Measured values, and how they are summed up."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, fsum, log
from statistics import median, quantiles
from typing import Literal, NamedTuple, TypeAlias

Unit: TypeAlias = Literal["seconds", "bytes"]


class Key(NamedTuple):
    """What was measured of whom."""

    benchmark: str
    task: str
    contender: str


@dataclass(frozen=True, slots=True)
class Figure:
    """What one contender took for one task, once a round."""

    key: Key
    unit: Unit
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between them lies the middle half of the rounds."""
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return low, high


class Figures:
    """All that was measured in a run, in order."""

    def __init__(self, figures: Iterable[Figure]) -> None:
        self._figures = {figure.key: figure for figure in figures}

    def __iter__(self) -> Iterator[Figure]:
        return iter(self._figures.values())

    def median(self, key: Key) -> float | None:
        """The median of what was measured, if it was."""
        figure = self._figures.get(key)
        return figure.median if figure else None

    def ratio(self, above: Key, below: Key) -> float | None:
        """The median of the ratios in each round, which shares the machine's pace; None for what was not measured."""
        figures = self._figures.get(above), self._figures.get(below)
        if figures[0] is None or figures[1] is None:
            return None
        return median(one / other for one, other in zip(figures[0].values, figures[1].values, strict=True))


def geometric_mean(ratios: Iterable[float]) -> float:
    """The mean for ratios: doubling one weighs as much as halving another."""
    logarithms = [log(ratio) for ratio in ratios]
    return exp(fsum(logarithms) / len(logarithms))
