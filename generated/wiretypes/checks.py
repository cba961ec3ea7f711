"""What one side may send the other, by what both declared."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast

from pydantic_core import MISSING

from .capability_rules import MessageRules, Need, Place
from .declarations import Versions, member_at, parsed, pointer, raw_member, wire_keys
from .gates import GateTree, Keys, Use, open_gates
from .peers import Peer
from .violations import CapabilityError, Violation, Wording

__all__ = ["CapabilityError", "Checker", "Violation"]

S = TypeVar("S", bound=str)

_UNKNOWN = MessageRules()


class _Opened(NamedTuple):
    """What can be wrong with a message between two peers: what is wrong with it as such, and the open gates in it."""

    allowed: bool
    unconditional: bool
    absent: tuple[Violation, ...]
    unmet: tuple[Violation, ...]
    params: GateTree
    result: GateTree
    requests: tuple[Place, ...]


class Checker(Generic[S]):
    """Two peers of the same version, and what each may send the other.

    Judged is what was declared, not the state of sessions or subscriptions. Methods that no version of the protocol
    defines are extensions, and allowed.
    """

    _versions: ClassVar[Versions]

    version: Final[str]
    """Name of the version, as in `VERSIONS`."""

    def __init__(self, version: str, peers: Mapping[str, Peer[Any, Any, Any, Any]]) -> None:
        rules = self._versions.rules_of(version)
        self.version = version
        self._features = {side: peer.features for side, peer in peers.items()}
        self._rules = rules
        self._wording = Wording(version, f"{self._versions.rules.title} {version}", rules)
        self._opened: dict[tuple[str, str], _Opened] = {}

    def allows(self, method: str, *, sender: S) -> bool:
        """Whether a side may send a request or notification at all.

        Args:
            method: the method. A request that travels inside results in this version is judged like any other.
            sender: the side that sends it.
        """
        return self._open(method, sender).allowed

    def is_unconditional(self, method: str, *, sender: S) -> bool:
        """Whether a side may send a request or notification whatever is in it; the arguments are those of `allows`."""
        return self._open(method, sender).unconditional

    def check(
        self, method: str, params: object = None, *, result: object = MISSING, sender: S
    ) -> tuple[Violation, ...]:
        """What in a message was not agreed on.

        Args:
            method: the request or notification, or the request that the result answers.
            params: its params, as a model, parsed JSON or JSON text; None to judge the message as such.
            result: the answer, the same. When given, be it as None for null, it is what is judged.
            sender: the side that sends what is judged: the message, or with `result` the answer.

        Returns:
            The violations, the message itself first. Requests inside the result are judged too.

        Raises:
            InvalidMessage: a text is no JSON.
        """
        if isinstance(params, (bytes, bytearray, str)):
            params = parsed(params, f"the params of `{method}`")
        if isinstance(result, (bytes, bytearray, str)):
            result = parsed(result, f"the result of `{method}`")
        return tuple(self._violations(method, params, result, sender))

    def require(self, method: str, params: object = None, *, result: object = MISSING, sender: S) -> None:
        """Do nothing if a message may be sent; the arguments are those of `check`.

        Raises:
            CapabilityError: something in it is an error.
            InvalidMessage: a text is no JSON.
        """
        violations = self.check(method, params, result=result, sender=sender)
        if any(violation.severity == "error" for violation in violations):
            raise CapabilityError(violations)

    def _violations(self, method: str, params: Any, result: Any, sender: str) -> list[Violation]:
        if result is MISSING:
            opened = self._open(method, sender)
            found = [*opened.absent, *opened.unmet]
            if opened.params and params is not None:
                self._add_uses(found, method, "params", opened.params, params)
            return found
        opened = self._open(method, self._other(sender))
        found = [*opened.absent]
        if opened.result:
            self._add_uses(found, method, "result", opened.result, result)
        for place in opened.requests:
            requests = member_at(result, place)
            if isinstance(requests, Mapping):
                for key, request in cast("Mapping[str, Any]", requests).items():
                    found += self._inside(request, pointer([*wire_keys(place), key]), sender)
        return found

    def _inside(self, request: Any, at: str, sender: str) -> Iterator[Violation]:
        """What is wrong with a request that travels in a result, where it stands at a pointer."""
        method, params = (raw_member(request, name, name) for name in ("method", "params"))
        if isinstance(method, str):
            for violation in self._violations(method, None if params is MISSING else params, MISSING, sender):
                below = f"/params{violation.pointer}" if violation.pointer else ""
                yield replace(violation, pointer=at + below)

    def _add_uses(self, found: list[Violation], method: str, part: str, gates: GateTree, value: Any) -> None:
        """Adds what is wrong inside a message, but for what stands below something that needs the same."""
        used: list[Use] = []
        gates.collect(value, (), used)
        said: set[tuple[str | None, Keys]] = {(violation.feature, ()) for violation in found}
        for use in used:
            feature = use.need.features[0]
            if not any((feature, use.keys[:depth]) in said for depth in range(len(use.keys) + 1)):
                said.add((feature, use.keys))
                found.append(self._wording.used(method, part, pointer(use.keys), use))

    def _open(self, method: str, sender: str) -> _Opened:
        key = (method, sender)
        opened = self._opened.get(key)
        if opened is None:
            self._other(sender)
            opened = self._make_opened(method, sender)
            # Only what the protocol knows is kept: names that a peer invents must not fill the memory.
            if key in self._rules.messages:
                self._opened[key] = opened
        return opened

    def _make_opened(self, method: str, sender: str) -> _Opened:
        rules = self._rules.messages.get((method, sender))
        absent: tuple[Violation, ...] = ()
        if rules is None:
            rules = _UNKNOWN
            known = self._versions.rules.method_versions
            versions = {side: known[method, side] for side in self._features if (method, side) in known}
            if versions:
                absent = (self._wording.absent(method, sender, versions),)
        unmet = (self._wording.unmet(method, rules.need),) if rules.need and not self._is_met(rules.need) else ()
        params = GateTree(open_gates(rules.params, self._is_met))
        return _Opened(
            not absent and all(violation.severity == "warning" for violation in unmet),
            not (absent or unmet or params),
            absent,
            unmet,
            params,
            GateTree(open_gates(rules.result, self._is_met)),
            rules.requests,
        )

    def _is_met(self, need: Need) -> bool:
        return not self._features[need.side].isdisjoint(need.features)

    def _other(self, sender: str) -> str:
        sides = tuple(self._features)
        if sender not in sides:
            raise ValueError(f"the sides are {' and '.join(sides)}, there is no {sender!r}")
        return sides[1] if sender == sides[0] else sides[0]
