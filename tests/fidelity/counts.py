"""The four counts of a package: accepted, kept, rejected, lenient."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .cases import Case
from .json_values import JSON, same, text

Count = Literal["accepted", "kept", "rejected", "lenient"]
COUNTS: tuple[Count, ...] = ("accepted", "kept", "rejected", "lenient")
SHOWN = 10


class Codec(Protocol):
    """What is measured: the types of a version by the names of the cases, and how values are read and written."""

    @property
    def types(self) -> Mapping[str, Any]: ...

    def decode(self, type_: object, data: object) -> Any: ...

    def encode(self, value: object, type_: object = None) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A case that came out otherwise than the schema says."""

    name: str
    instance: str
    happened: str

    def __str__(self) -> str:
        return f"  {self.name}: {self.instance}\n    {self.happened}"


@dataclass(slots=True)
class Tally:
    """How many cases each count has, and which of them came out wrong."""

    total: Counter[Count] = field(default_factory=Counter[Count])
    wrong: dict[Count, list[Counterexample]] = field(default_factory=lambda: {count: [] for count in COUNTS})

    def add(self, count: Count, case: Case, happened: str | None) -> None:
        """Counts one check of a case; what happened says how it failed."""
        self.total[count] += 1
        if happened is not None:
            self.wrong[count].append(Counterexample(case.name, text(case.value), happened))

    @property
    def failed(self) -> list[Count]:
        return [count for count in COUNTS if self.wrong[count]]

    def __str__(self) -> str:
        return ", ".join(
            f"{count} {self.total[count] - len(self.wrong[count])}/{self.total[count]}" for count in COUNTS
        )

    def report(self) -> str:
        """The counts, and the smallest counterexamples of each that failed."""
        lines = [str(self)]
        for count in self.failed:
            lines.append(f"{count}: {len(self.wrong[count])} wrong, the smallest:")
            smallest = sorted(self.wrong[count], key=lambda example: (len(example.instance), example.name))
            lines += [str(example) for example in smallest[:SHOWN]]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a value: written again, or refused, or neither."""

    written: JSON = None
    refused: bool = False
    broken: str | None = None
    """How decode or encode went wrong, when they did more than refuse the value."""


def measure(codec: Codec, cases: Iterable[Case]) -> Tally:
    """Decodes and encodes each case, from JSON text and from parsed JSON, and counts what came of it."""
    tally = Tally()
    for case in cases:
        type_ = codec.types[case.name]
        # A parsed string cannot be told from JSON text, so text it stays.
        parsed = json.dumps(case.value) if isinstance(case.value, str) else deepcopy(case.value)
        outcomes = {
            "text": _outcome(codec, type_, json.dumps(case.value).encode(), checked=False),
            "parsed JSON": _outcome(codec, type_, parsed, checked=True),
        }
        happened: dict[Count, str | None] = {}
        for origin, outcome in outcomes.items():
            for count, problem in _problems(case, outcome).items():
                happened[count] = happened.get(count) or (problem and f"from {origin}: {problem}")
        for count, problem in happened.items():
            tally.add(count, case, problem)
    return tally


def _outcome(codec: Codec, type_: object, data: object, *, checked: bool) -> Outcome:
    try:
        value = codec.decode(type_, data)
    except ValueError:
        return Outcome(refused=True)
    except Exception as error:
        return Outcome(broken=f"decode raised {type(error).__name__}: {error}")
    try:
        return Outcome(json.loads(codec.encode(value, type_ if checked else None)))
    except Exception as error:
        return Outcome(broken=f"encode raised {type(error).__name__}: {error}")


def _problems(case: Case, outcome: Outcome) -> dict[Count, str | None]:
    """The counts that a case belongs to, each with what went wrong."""
    written = f"encodes as {text(outcome.written)}"
    if case.refused:
        return {"rejected": outcome.broken or (None if outcome.refused else f"taken, {written}")}
    refused = outcome.broken or ("refused" if outcome.refused else None)
    differs = None if same(outcome.written, case.expected) else f"{written}, expected {text(case.expected)}"
    if case.lenient:
        return {"lenient": refused or differs}
    return {"accepted": refused} if refused else {"accepted": None, "kept": differs}
