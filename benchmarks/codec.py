"""What it costs to read a message from bytes, to write it, and both."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks import plain
from benchmarks.contenders import Codec, codecs, readers
from benchmarks.figures import Figure, Key
from benchmarks.measure import in_turns, repeated, settle
from benchmarks.messages import MESSAGES, Message

DECODE: Final = "decode"
ENCODE: Final = "encode"
BOTH: Final = "decode and encode"
WHOLE: Final = "decode with the envelope"


def measure(*, quick: bool) -> list[Figure]:
    """Figures of all messages and contenders."""
    operations = _operations()
    settle()
    figures: list[Figure] = []
    for (benchmark, message), contenders in operations.items():
        turns = {name: repeated(operation, 0.002 if quick else 0.01) for name, operation in contenders.items()}
        for name, seconds in in_turns(turns, 3 if quick else 25).items():
            figures.append(Figure(Key(benchmark, message.title, name), "seconds", tuple(seconds)))
    return figures


def _operations() -> dict[tuple[str, Message], Mapping[str, Callable[[], object]]]:
    with TemporaryDirectory() as folder:
        plain_models = plain.modules(dict.fromkeys(map(_version, MESSAGES)), Path(folder))
    operations: dict[tuple[str, Message], Mapping[str, Callable[[], object]]] = {}
    for message in MESSAGES:
        found = codecs(message, plain_models[_version(message)])
        for benchmark, operation in _OPERATIONS.items():
            operations[benchmark, message] = {name: operation(codec, message.text) for name, codec in found.items()}
        operations[WHOLE, message] = {name: partial(read, message.whole) for name, read in readers(message).items()}
    return operations


def _version(message: Message) -> str:
    return f"{message.protocol}@{message.version}"


def _decode(codec: Codec, text: bytes) -> Callable[[], Any]:
    return partial(codec.decode, text)


def _encode(codec: Codec, text: bytes) -> Callable[[], Any]:
    return partial(codec.encode, codec.decode(text))


def _both(codec: Codec, text: bytes) -> Callable[[], Any]:
    return lambda: codec.encode(codec.decode(text))


_OPERATIONS: Final = {DECODE: _decode, ENCODE: _encode, BOTH: _both}
