"""Whatever arrives: `decode_message` reads it, or says what is wrong with it."""

import json
from typing import Any

import pytest
import wiretypes
from fidelity.json_values import JSON
from fidelity.schema_methods import SENDERS
from hypothesis import given
from hypothesis import strategies as st
from message_cases import VERSIONS, different_versions, line
from wiretypes import VersionModule, encode
from wiretypes.acp import v2
from wiretypes.jsonrpc import MessageError


@different_versions
def test_the_sender_is_a_side_of_the_protocol(module: VersionModule) -> None:
    with pytest.raises(ValueError, match="client") as caught:
        module.decode_message(line(method="x"), sender="nobody")
    assert not isinstance(caught.value, MessageError)


def outcome(module: VersionModule, data: object, sender: str) -> object:
    """What data is read as and written as, or where it is at fault."""
    try:
        read = module.decode_message(data, sender=sender, results={1: "tools/list", 2: "session/new", 3: "ping"})
    except MessageError as error:
        return error.code, error.pointer, error.id, error.kind
    return read, json.loads(encode(read))


SIDES = [(wiretypes.load(protocol, version), sender) for protocol, version in VERSIONS for sender in SENDERS[protocol]]
NAMES = sorted({name for module, _ in SIDES for name, _ in module.METHODS} | {"x/y", "2.0"})

KEYS = st.sampled_from(["_meta", "sessionId", "tools", "a"]) | st.text(max_size=3)
any_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
errors: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"code": st.integers(), "message": st.text()}, optional={"data": any_json}
)
objects: st.SearchStrategy[Any] = st.dictionaries(KEYS, any_json, max_size=1)
members: dict[str, st.SearchStrategy[Any]] = {
    "id": st.sampled_from([1, 2, 3, "1", 2.0, None]) | any_json,
    "method": st.sampled_from(NAMES) | any_json,
    "params": objects | any_json,
    "result": objects | any_json,
    "error": errors | any_json,
    "extra": any_json,
}
like_messages: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2, None])}, optional=members
)


@given(st.sampled_from(SIDES), st.binary() | st.text())
def test_bytes_raise_nothing_but_message_errors(side: tuple[VersionModule, str], data: bytes | str) -> None:
    outcome(side[0], data, side[1])


@given(st.sampled_from(SIDES), like_messages | st.lists(like_messages, max_size=2), st.data())
def test_broken_text_raises_nothing_but_message_errors(
    side: tuple[VersionModule, str], message: JSON, data: st.DataObject
) -> None:
    text = bytearray(json.dumps(message).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2) | st.sampled_from([b'"', b"}"]))
    outcome(side[0], bytes(text), side[1])


@given(st.sampled_from(SIDES), like_messages | st.lists(like_messages, max_size=3))
def test_text_and_parsed_json_are_read_alike(side: tuple[VersionModule, str], message: JSON) -> None:
    module, sender = side
    expected = outcome(module, message, sender)
    text = json.dumps(message)
    # The first text with a method is read the long way, those after it the short one.
    for data in (text.encode(), text.encode(), bytearray(text, "utf-8"), text):
        assert outcome(module, data, sender) == expected


def test_of_members_that_occur_twice_the_last_counts() -> None:
    for text in (
        '{"jsonrpc":"1","jsonrpc":"2.0","id":"a","id":1,"method":"x","method":"session/list","params":1,"params":{}}',
        '{"jsonrpc":"2.0","id":1,"method":"session/list","method":"x","params":{}}',
        '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{},"params":[]}',
        '{"jsonrpc":"2.0","id":1,"id":null,"method":"session/list","params":{}}',
        '{"jsonrpc":"2.0","id":2,"id":1,"result":1,"result":{}}',
    ):
        for _ in range(2):
            assert outcome(v2, text.encode(), "client") == outcome(v2, json.loads(text), "client")
