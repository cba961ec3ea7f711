"""Taking measurements in turns, so that a change in the machine's pace falls on all alike."""

import ctypes
import gc
import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any, Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3


def in_turns(cases: Mapping[K, Callable[[], V]], rounds: int) -> dict[K, list[V]]:
    """What each case returned in each round, after a round that does not count.

    Every second round goes backwards, so that no case always follows the same one.
    """
    for case in cases.values():
        case()
    values: dict[K, list[V]] = {key: [] for key in cases}
    for number in range(rounds):
        keys = list(cases)
        for key in keys if number % 2 else reversed(keys):
            values[key].append(cases[key]())
    return values


def repeated(function: Callable[[], object], duration: float) -> Callable[[], float]:
    """Measures a call: the CPU seconds of one, over as many as fill a duration in seconds."""
    calls = 1
    while (spent := _cpu_seconds(function, calls)) < duration / 4:
        calls *= 4
    calls = max(1, round(calls * duration / spent))
    return lambda: _cpu_seconds(function, calls) / calls


def settle() -> None:
    """Take out of the measurements what falls on a contender by chance.

    What is loaded by now is kept out of later garbage collections. Where the C library is glibc, it keeps the memory
    that is freed: whether it gives that of a large message back each time hangs on where the message happens to lie,
    and makes decoding it cost up to five times as much.
    """
    gc.collect()
    gc.freeze()
    with suppress(AttributeError, OSError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_M_MMAP_THRESHOLD, 32 << 20)
        set_option(_M_TRIM_THRESHOLD, 256 << 20)


def cpu_of_command(command: Sequence[str | Path], folder: Path) -> float:
    """CPU seconds of a command and all that it starts.

    Raises:
        RuntimeError: it failed.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(command: Sequence[Any], folder: Path) -> str:
    """What a command prints.

    Raises:
        RuntimeError: it failed.
    """
    # Whoever uses a package has its bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def _cpu_seconds(function: Callable[[], object], calls: int) -> float:
    turns = range(calls)
    start = process_time()
    for _ in turns:
        function()
    return process_time() - start
