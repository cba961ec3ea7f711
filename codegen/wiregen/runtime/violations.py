"""What a message does that was not agreed on, in words for a developer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from .capability_rules import Need, VersionRules
from .gates import Use
from .picklable import Picklable

__all__ = ["CapabilityError", "Violation", "Wording"]


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a message that its receiver did not agree to, or that the version does not have."""

    method: str
    """The request or notification that is checked, or whose result is."""
    feature: str | None
    """The feature that it needs; of several that would do, the first. None where the version has no such message."""
    capability: str | None
    """Where the feature is declared: the path from the params or result of the declaring message on."""
    declared_by: str | None
    """The side that would have to declare it."""
    version: str
    """Name of the version, as in `VERSIONS`."""
    pointer: str
    """JSON pointer into the params or the result; empty for the message itself."""
    severity: Literal["error", "warning"]
    """A warning where the specification only advises against it."""
    message: str
    """What is wrong and what to declare."""


class CapabilityError(Picklable):
    """A message must not be sent. Its text has a line for each violation."""

    violations: tuple[Violation, ...]
    """All that was found, warnings too."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("\n".join(violation.message for violation in self.violations))


class Wording:
    """Makes the violations of one version."""

    def __init__(self, version: str, title: str, rules: VersionRules) -> None:
        self.version = version
        self.title = title
        self.rules = rules

    def unmet(self, method: str, need: Need) -> Violation:
        """A message that needs something."""
        return self._violation(method, need, "", f"`{method}` {self._needs(need)}")

    def used(self, method: str, part: str, pointer: str, use: Use) -> Violation:
        """Something in a message that needs something."""
        what = f"{use.what} at {pointer} of the {part} of `{method}`"
        if not use.missing:
            return self._violation(method, use.need, pointer, f"{what} {self._needs(use.need)}")
        text = f"{what} is missing, but the {use.need.side} declares {self._ways(use.need)} ({self.title})"
        return self._violation(method, use.need, pointer, text)

    def absent(self, method: str, sender: str, versions: Mapping[str, tuple[str, ...]]) -> Violation:
        """A message that the version does not have; `versions` are those that have it, by sender."""
        if sender in versions:
            text = f"{self.title} has no `{method}` of the {sender}: it is in {', '.join(versions[sender])}"
            if replacement := self.rules.replaced.get((method, sender)):
                text += f", and {replacement} takes its place here"
        else:
            text = f"`{method}` is sent by the {' and the '.join(versions)}, not by the {sender} ({self.title})"
        return Violation(method, None, None, None, self.version, "", "error", text)

    def _violation(self, method: str, need: Need, pointer: str, text: str) -> Violation:
        feature = need.features[0]
        capability = self.rules.sides[need.side].ways[feature].path
        return Violation(method, feature, capability, need.side, self.version, pointer, need.severity, text)

    def _needs(self, need: Need) -> str:
        declaration = self.rules.sides[need.side].declaration
        where = f" in {declaration.said_in}" if declaration else ""
        what = f"{self._ways(need)}{where} ({self.title})"
        if need.severity == "error":
            return f"needs the {need.side} to declare {what}"
        return f"should not be used unless the {need.side} declares {what}"

    def _ways(self, need: Need) -> str:
        ways = self.rules.sides[need.side].ways
        return " or ".join(ways[feature].text for feature in need.features)
