"""What is asked of the figures, as ratios within one run."""

from dataclasses import dataclass

from benchmarks import delivery, generation, import_time
from benchmarks.codec import DECODE, ENCODE, WHOLE
from benchmarks.contenders import JSON, OFFICIAL, WIRETYPES
from benchmarks.figures import Figures, Key, geometric_mean
from benchmarks.messages import MESSAGES


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio: what it is, may be at most and should be."""

    title: str
    measured: float
    limit: float
    aim: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether it is within its limit."""
        return self.measured <= self.limit


def targets(figures: Figures) -> list[Target]:
    """All for which there are figures."""
    return [*_importing(figures), *_coding(figures), *_delivering(figures), *_generating(figures)]


def _importing(figures: Figures) -> list[Target]:
    pairs = [(ours, import_time.ACP_SCHEMA, 0.15) for ours in import_time.ACP_VERSIONS]
    pairs += [(*import_time.mcp_titles(version), 0.12) for version in import_time.MCP_VERSIONS]
    return [
        Target(f"import and first decode: {ours} / {theirs}", ratio, 0.25, aim)
        for ours, theirs, aim in pairs
        if (ratio := figures.ratio(_import(ours), _import(theirs)))
    ]


def _import(title: str) -> Key:
    return Key(import_time.BENCHMARK, title, import_time.WITH_DECODE)


def _coding(figures: Figures) -> list[Target]:
    to_acp = _of_messages(figures, DECODE, OFFICIAL, "acp")
    to_mcp = _of_messages(figures, WHOLE, OFFICIAL, "mcp")
    to_json = _of_messages(figures, DECODE, JSON)
    if not to_json:
        return []
    encode, whole = _to_decoding(figures, ENCODE), _to_decoding(figures, WHOLE)
    return [
        Target("decode: ACP / acp.schema, geometric mean", geometric_mean(to_acp), 0.62, 0.55),
        Target("decode: ACP / acp.schema, slowest message", max(to_acp), 1.1),
        Target("decode: MCP with the envelope / mcp_types, geometric mean", geometric_mean(to_mcp), 0.27, 0.2),
        Target("decode: all / json.loads, geometric mean", geometric_mean(to_json), 1.2, 1.0),
        Target("decode: all / json.loads, slowest message", max(to_json), 1.9),
        Target("encode / decode, geometric mean", geometric_mean(encode), 0.65, 0.5),
        Target("decode_message / decode of its params or result, geometric mean", geometric_mean(whole), 1.25),
    ]


def _to_decoding(figures: Figures, benchmark: str) -> list[float]:
    keys = [(Key(benchmark, message.title, WIRETYPES), Key(DECODE, message.title, WIRETYPES)) for message in MESSAGES]
    return [ratio for pair in keys if (ratio := figures.ratio(*pair))]


def _of_messages(figures: Figures, benchmark: str, theirs: str, *protocols: str) -> list[float]:
    titles = [message.title for message in MESSAGES if not protocols or message.protocol in protocols]
    pairs = [(Key(benchmark, title, WIRETYPES), Key(benchmark, title, theirs)) for title in titles]
    return [ratio for pair in pairs if (ratio := figures.ratio(*pair))]


def _delivering(figures: Figures) -> list[Target]:
    keys = [(delivery.key(m, delivery.DELIVERED), delivery.key(m, delivery.DECODED)) for m in delivery.MEASURED]
    ratios = [ratio for pair in keys if (ratio := figures.ratio(*pair))]
    if not ratios:
        return []
    return [Target("deliver to the handler / decode_message, geometric mean", geometric_mean(ratios), 2.0)]


def _generating(figures: Figures) -> list[Target]:
    rows = (
        ("generate: all nine versions / datamodel-codegen with ruff", generation.ALL, generation.PLAIN, 0.33, 0.15),
        ("generate: nothing to do / import typer", generation.NOTHING, generation.TYPER, 2.0, 1.3),
    )
    found = [
        Target(title, ratio, limit, aim)
        for title, task, theirs, limit, aim in rows
        if (ratio := figures.ratio(_generate(task), _generate(task, theirs)))
    ]
    return [*found, *_growing(figures)]


def _growing(figures: Figures) -> list[Target]:
    """What a definition costs in the last doubling, beside those before it: 1 if linear, 2.7 if quadratic."""
    sizes = generation.GROWTH[0], *generation.GROWTH[-2:]
    times = [figures.median(_generate(generation.of_size(size))) for size in sizes]
    if None in times:
        return []
    least, half, all_ = filter(None, times)
    cost = (all_ - half) / (sizes[2] - sizes[1]), (half - least) / (sizes[1] - sizes[0])
    return [Target("generate: a definition in a large schema / in a smaller one", cost[0] / cost[1], 1.25, 1.0)]


def _generate(task: str, contender: str = generation.WIREGEN) -> Key:
    return Key(generation.BENCHMARK, task, contender)
