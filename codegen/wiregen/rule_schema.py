"""What capability rules speak of, in a JSON Schema document: messages, places in them, and the values there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast

from wiregen.rules import ANY_ITEM, SIDES, Side

Node: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = Literal["request", "notification"]

_NOTHING: Final[Node] = {}


@dataclass(frozen=True)
class Message:
    """A request or notification: the schemas of its params and, of a request, of its result; `{}` for none."""

    method: str
    kind: Kind
    params: Node
    result: Node


class MessageSchema:
    """The messages of one version and what stands at the places in them.

    The document is the JSON Schema of `protocol` ("acp" or "mcp") as published for that version.
    """

    def __init__(self, protocol: str, document: Node) -> None:
        self._definitions = _object(document.get("$defs") or document.get("definitions"))
        self._names = {id(definition): name for name, definition in self._definitions.items()}
        self._protocol = protocol

    def messages(self) -> dict[tuple[str, Side, Kind], Message]:
        """Each message that one side sends the other, by method, sender and kind."""
        client, other = SIDES[self._protocol]
        found: dict[tuple[str, Side, Kind], Message] = {}
        directions: tuple[tuple[Side, Side], ...] = ((client, other), (other, client))
        for sender, answerer in directions:
            sent = self._acp_messages(sender, answerer) if self._protocol == "acp" else self._mcp_messages(sender)
            for message in sent:
                found[message.method, sender, message.kind] = message
        return found

    def embedded_requests(self, maps: Iterable[Node]) -> tuple[Message, ...]:
        """The requests that are values of the maps."""
        values = [part["additionalProperties"] for part in self._expand(maps) if "additionalProperties" in part]
        return tuple(self._named_messages(map(_object, values), "request"))

    def at(self, node: Node, place: Iterable[str]) -> tuple[Node, ...]:
        """The schemas of what may stand at a place; none if nothing is described there."""
        nodes: tuple[Node, ...] = (node,)
        for segment in place:
            parts = self._expand(nodes)
            if segment == ANY_ITEM:
                nodes = tuple(_object(part["items"]) for part in parts if "items" in part)
            else:
                nodes = tuple(
                    _object(p[segment]) for part in parts if segment in (p := _object(part.get("properties")))
                )
        return nodes

    def properties(self, nodes: Iterable[Node]) -> dict[str, Node]:
        """The properties that objects at a place may have."""
        return {
            name: _object(property_)
            for part in self._expand(nodes)
            for name, property_ in _object(part.get("properties")).items()
        }

    def types(self, nodes: Iterable[Node]) -> frozenset[str]:
        """The JSON types that values at a place may have, as far as they are said."""
        named = [part["type"] for part in self._expand(nodes) if "type" in part]
        return frozenset(t for types in named for t in ([types] if isinstance(types, str) else types))

    def values(self, nodes: Iterable[Node]) -> frozenset[object]:
        """The constants that may stand at a place."""
        parts = tuple(self._expand(nodes))
        constants = [part["const"] for part in parts if "const" in part]
        return frozenset(constants).union(*(part["enum"] for part in parts if "enum" in part))

    def _definition(self, name: str) -> Node:
        return _object(self._definitions.get(name))

    def _acp_messages(self, sender: Side, answerer: Side) -> Iterator[Message]:
        answer = self.at(self._definition(answerer.title() + "Response"), ["result"])
        results = {part["x-method"]: part for part in self._expand(answer) if "x-method" in part}
        for part in self._expand(self.at(self._definition(sender.title() + "Request"), ["params"])):
            if method := part.get("x-method"):
                yield Message(method, "request", part, results.get(method, _NOTHING))
        notifications = self.at(self._definition(sender.title() + "Notification"), ["params"])
        of_both_sides = (d for d in self._definitions.values() if d.get("x-side") == "protocol")
        for part in (*self._expand(notifications), *of_both_sides):
            if method := part.get("x-method"):
                yield Message(method, "notification", part, _NOTHING)

    def _mcp_messages(self, sender: Side) -> Iterator[Message]:
        yield from self._named_messages([self._definition(sender.title() + "Request")], "request")
        yield from self._named_messages([self._definition(sender.title() + "Notification")], "notification")

    def _named_messages(self, unions: Iterable[Node], kind: Kind) -> Iterator[Message]:
        for part in self._expand(unions):
            properties = _object(part.get("properties"))
            if method := _object(properties.get("method")).get("const"):
                stem = self._names.get(id(part), "").removesuffix("Request")
                # From 2026-07-28 on, the whole answer has a definition, which says what else the result may be.
                answer = self.at(self._definition(f"{stem}ResultResponse"), ["result"])
                result = answer[0] if answer else self._definition(f"{stem}Result")
                yield Message(method, kind, _object(properties.get("params")), result)

    def _expand(self, nodes: Iterable[Node]) -> Iterator[Node]:
        """The schemas that say something about the same value: through references, unions and intersections."""
        pending, seen = list(nodes), set[int]()
        while pending:
            node = pending.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if reference := node.get("$ref"):
                pending.append(self._definition(str(reference).rpartition("/")[2]))
            for keyword in ("allOf", "anyOf", "oneOf"):
                pending += (_object(member) for member in node.get(keyword, ()))


def _object(value: object) -> Node:
    return cast("Node", value) if isinstance(value, dict) else _NOTHING
