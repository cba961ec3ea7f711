"""What it costs to read a message from bytes, to write it, and both."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
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
    """Figures of all messages and contenders; all that is done with a message is done in the same turns."""
    operations = _operations()
    settle()
    figures: list[Figure] = []
    for message, of_message in operations.items():
        turns = {key: repeated(operation, 0.005) for key, operation in of_message.items()}
        for (benchmark, name), seconds in in_turns(turns, 3 if quick else 41).items():
            figures.append(Figure(Key(benchmark, message.title, name), "seconds", tuple(seconds)))
    return figures


def _operations() -> dict[Message, dict[tuple[str, str], Callable[[], object]]]:
    with TemporaryDirectory() as folder:
        plain_models = plain.modules(dict.fromkeys(map(_version, MESSAGES)), Path(folder))
    return {message: _of_message(message, plain_models[_version(message)]) for message in MESSAGES}


def _of_message(message: Message, plain_models: ModuleType) -> dict[tuple[str, str], Callable[[], object]]:
    """What is done with a message, by benchmark and contender."""
    found = codecs(message, plain_models).items()
    of_message = {
        (benchmark, name): operation(codec, message.text)
        for benchmark, operation in _OPERATIONS.items()
        for name, codec in found
    }
    return of_message | {(WHOLE, name): read for name, read in readers(message).items()}


def _version(message: Message) -> str:
    return f"{message.protocol}@{message.version}"


def _decode(codec: Codec, text: bytes) -> Callable[[], Any]:
    return partial(codec.decode, text)


def _encode(codec: Codec, text: bytes) -> Callable[[], Any]:
    return partial(codec.encode, codec.decode(text))


def _both(codec: Codec, text: bytes) -> Callable[[], Any]:
    return lambda: codec.encode(codec.decode(text))


_OPERATIONS: Final = {DECODE: _decode, ENCODE: _encode, BOTH: _both}
