"""What a side of a connection declared, read alike in every version."""

from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from pydantic_core import MISSING

from .declarations import Form, InvalidMessage, Message, Versions, member_at, raw_member
from .model import Model
from .peer_warnings import peer_warnings

__all__ = ["InvalidMessage", "Message", "Peer", "Versions"]

V = TypeVar("V", int, str)
F = TypeVar("F", bound=str)
C = TypeVar("C")
I = TypeVar("I")  # noqa: E741


class Peer(Generic[V, F, C, I]):
    """One side of a connection. Its class methods make one from the message in which it declares its capabilities."""

    _versions: ClassVar[Versions]
    _side: ClassVar[str]
    _known: ClassVar[frozenset[str]]
    _forms: ClassVar[dict[type, Form]]

    def __init__(self, form: Form, message: Model) -> None:
        self._form = form
        self._message = message
        self._features = form.features.read(message)

    @classmethod
    def _read(cls, method: str, message: Message, version: str | int | None, unstable: bool) -> Self:
        # A class that was read before needs no search for the version that it is of.
        form = cls._forms.get(type(message))
        if form is None or unstable or not form.is_of(method, message, version):
            form, model = cls._versions.read(cls._side, method, message, version, unstable)
            if model is message:
                cls._forms[type(message)] = form
            return cls(form, model)
        return cls(form, cast("Model", message))

    def under(self, version: str) -> Self:
        """The same side, with its message read as one of another version.

        Args:
            version: name of the version, as in `VERSIONS`.

        Raises:
            InvalidMessage: the message cannot be read as one of that version.
            ValueError: this package does not hold the version.
        """
        if version == self.version:
            return self
        return self._read(self._form.method, self._message, version, unstable=False)

    @property
    def version(self) -> str:
        """Name of the version that the message was read as, as in `VERSIONS`."""
        return self._form.version

    @property
    def protocol_version(self) -> V:
        """What `protocolVersion` says on the wire for it."""
        return cast("V", self._form.protocol_version)

    @property
    def features(self) -> frozenset[F]:
        """All that the side supports."""
        return cast("frozenset[F]", self._features)

    @cached_property
    def capabilities(self) -> C:
        """The capabilities object; the default of the schema where the message has none."""
        value: Any = self._message
        for name in self._form.declaration.capabilities:
            value = getattr(value, name[1]) if name else value
        return cast("C", value)

    @property
    def info(self) -> I | None:
        """What the side says it is; None if it does not say."""
        found = member_at(self._message, self._form.declaration.info)
        return None if found is MISSING else found

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What in the message is surely a mistake, though the schema lets it through."""
        return tuple(peer_warnings(self._versions.rules, self._form, self._side, self._message, self._features))

    def supports(self, feature: F) -> bool:
        """Whether the side supports a feature.

        Raises:
            ValueError: in no version there is a feature of that name; the message has the nearest ones.
        """
        if feature in self._features:
            return True
        if feature not in self._known:
            nearest = ", ".join(map(repr, get_close_matches(feature, self._known, cutoff=0)))
            raise ValueError(f"no feature of the {self._side} is called {feature!r}; the nearest are {nearest}")
        return False

    def extension(self, name: str) -> Any:
        """What the side advertises under a name that the protocol leaves to others, as JSON; None if there is nothing.

        In ACP that is a member of `_meta` of the capabilities, in MCP one of `extensions` or `experimental`.
        """
        capabilities = member_at(self._message, self._form.declaration.capabilities)
        for group in self._versions.rules.extensions:
            found = raw_member(raw_member(capabilities, *group), name, "")
            if found is not MISSING:
                return found
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._versions.rules.title} {self.version}: {sorted(self._features)}>"
