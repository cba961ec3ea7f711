"""The manifest in an output folder: which files there are ours, and what they were made of.

It holds nothing that differs between two machines. What it says about its own content lets a run that has nothing to do
end before anything is generated.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from wiregen.errors import Diagnostic, InvalidInput
from wiregen.json_text import is_array, is_object
from wiregen.paths import folders, is_inside, is_regular
from wiregen.trouble import told

NAME: Final = ".wiregen.json"
VERSION: Final = "wiregen"
CODE: Final = "code of wiregen"
_DIGEST_LENGTH: Final = 64

Source = Mapping[str, Any]
"""What an output was made of: by the name of an input or option its digest or value."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Digests of the generated files by name, and what they were made of."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    source: Source = field(default_factory=dict[str, Any])

    def encode(self) -> bytes:
        """The text of the manifest; its digest tells whether it was merged or edited since it was written."""
        content: dict[str, Any] = {"files": dict(sorted(self.files.items())), "source": self.source}
        content = {"digest": sha256(json.dumps(content, sort_keys=True).encode()), **content}
        return (json.dumps(content, indent=2, sort_keys=True) + "\n").encode()


def of(files: Mapping[str, bytes], source: Source) -> Manifest:
    """The manifest for files with this content."""
    return Manifest({name: sha256(data) for name, data in files.items()}, source)


def read(output: Path) -> Manifest:
    """The manifest in a folder, an empty one if there is none; raises `InvalidInput` for a damaged one."""
    path = output / NAME
    if not is_regular(path) or (data := read_text(path)) is None:
        return Manifest()
    try:
        content: Any = json.loads(data)
    except (ValueError, RecursionError):
        content = None
    files = content.get("files") if is_object(content) else None
    source = content.get("source", {}) if is_object(content) else None
    if not (is_object(files) and is_object(source) and all(map(_is_entry, files, files.values()))):
        message = "this is not a manifest as wiregen writes it, so its own files cannot be told from yours"
        hint = "restore the file (after a merge: either side of it), or delete it together with the generated files"
        raise InvalidInput([Diagnostic("bad-manifest", message, file=path.as_posix(), hint=hint)])
    return Manifest(files, source)


def is_current(output: Path, source: Source) -> bool:
    """Whether a folder holds, unchanged, what was made of just this: then generating it again would change nothing.

    Every doubt is a no: what is wrong is for the long way to say.
    """
    try:
        recorded = read(output)
        expected = Manifest(recorded.files, source).encode()
        if not is_regular(output / NAME):
            return False
        return read_text(output / NAME) == expected and all(_matches(output, *item) for item in recorded.files.items())
    except (InvalidInput, OSError):
        return False


def differences(recorded: Source, source: Source) -> Iterator[str]:
    """What inputs and options are not as recorded, sorted, each in a few words.

    Another version of wiregen has other code: that is not told by itself.
    """
    is_other_version = recorded.get(VERSION) != source.get(VERSION)
    for name in sorted({*recorded, *source} - ({CODE} if is_other_version else set())):
        old, new = recorded.get(name), source.get(name)
        if old is None:
            yield f"{name} (new)"
        elif new is None:
            yield f"{name} (gone)"
        elif old != new:
            is_digest = isinstance(new, str) and len(new) == _DIGEST_LENGTH
            yield name if is_digest else f"{name} ({_value(old)} -> {_value(new)})"


def read_text(path: Path) -> bytes | None:
    """The content of a file with `\\n` line ends; None if there is no file. Raises `InvalidInput` if unreadable."""
    try:
        return path.read_bytes().replace(b"\r\n", b"\n")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InvalidInput([told(error, "cannot-read", place=path)]) from None


def sha256(data: bytes) -> str:
    """The digest of a file's content, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _is_entry(name: Any, digest: Any) -> bool:
    return isinstance(digest, str) and is_inside(name)


def _matches(output: Path, name: str, digest: str) -> bool:
    path = output / name
    is_linked = any((output / folder).is_symlink() for folder in folders(name))
    return is_regular(path) and not is_linked and sha256(read_text(path) or b"") == digest


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if is_array(value) else str(value)
