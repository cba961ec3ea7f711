"""The figures as JSON, as Markdown and on the terminal."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure, Figures
from benchmarks.targets import Target

_FOLDER: Final = Path(__file__).parent
_JSON: Final = _FOLDER / "results.json"
_README: Final = _FOLDER / "README.md"
_START: Final = "<!-- results -->\n"
_END: Final = "<!-- end of results -->\n"
_SCALES: Final = {"seconds": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")), "bytes": ((2.0**20, "MiB"),)}


def write(machine: Mapping[str, str], figures: Figures, targets: Sequence[Target]) -> None:
    """Put the results of a full run into `results.json` and the README beside it."""
    _JSON.write_text(json.dumps(_as_json(machine, figures, targets), indent=1) + "\n")
    head, _, rest = _README.read_text().partition(_START)
    tail = rest.partition(_END)[2]
    results = "\n\n".join([_table(["", ""], list(machine.items())), ratios(targets), tables(figures)])
    _README.write_text(f"{head}{_START}\n{results}\n\n{_END}{tail}")


def recorded() -> dict[str, float]:
    """The ratios of the last full run, by title."""
    return {target["title"]: target["measured"] for target in json.loads(_JSON.read_text())["targets"]}


def tables(figures: Figures) -> str:
    """A table for each benchmark, in Markdown."""
    benchmarks = dict.fromkeys(figure.key.benchmark for figure in figures)
    return "\n\n".join(f"### {name.capitalize()}\n\n{_of_benchmark(name, figures)}" for name in benchmarks)


def ratios(targets: Sequence[Target]) -> str:
    """What was asked of the figures and what came out, in Markdown."""
    rows = [
        (
            target.title,
            f"{target.measured:.2f}",
            f"{target.limit:g}",
            f"{target.aim:g}" if target.aim else "",
            _verdict(target),
        )
        for target in targets
    ]
    return "### Ratios\n\n" + _table(["", "measured", "at most", "aim", ""], rows)


def _as_json(machine: Mapping[str, str], figures: Figures, targets: Sequence[Target]) -> dict[str, Any]:
    return {
        "machine": machine,
        "targets": [
            {"title": target.title, "measured": round(target.measured, 3), "limit": target.limit, "aim": target.aim}
            for target in targets
        ],
        "figures": [
            {
                **figure.key._asdict(),
                "unit": figure.unit,
                "median": _short(figure.median),
                "quartiles": [_short(value) for value in figure.quartiles],
                "rounds": len(figure.values),
            }
            for figure in figures
        ],
    }


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _verdict(target: Target) -> str:
    if not target.is_met:
        return "**missed**"
    return "aim reached" if target.aim and target.measured <= target.aim else "met"


def _of_benchmark(benchmark: str, figures: Figures) -> str:
    cells = {figure.key[1:]: figure for figure in figures if figure.key.benchmark == benchmark}
    contenders = list(dict.fromkeys(contender for _, contender in cells))
    rows = [
        [task, *(_cell(cells.get((task, contender))) for contender in contenders)]
        for task in dict.fromkeys(task for task, _ in cells)
    ]
    return _table(["", *contenders], rows)


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return "—"
    scales = _SCALES[figure.unit]
    scale, unit = next((scale for scale in scales if figure.median >= scale[0]), scales[-1])
    low, high = figure.quartiles
    return f"{figure.median / scale:.3g} {unit} ({low / scale:.3g}-{high / scale:.3g})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)
