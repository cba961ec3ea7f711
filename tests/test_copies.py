"""Messages that are copied or pickled say what they said."""

import copy
import pickle
from collections.abc import Iterator

import pytest
from wiretypes import acp, encode, present
from wiretypes.acp import Violation, v2
from wiretypes.jsonrpc import Error, ErrorResponse, MessageError, Notification, Request, Result
from wiretypes.rpc_errors import MethodNotFound

PROMPT = v2.PromptRequest(session_id="s", prompt=[v2.TextContentBlock(text="hello", meta={"trace": [1, None]})])
VALUES = [
    PROMPT,
    v2.TextContentBlock(text="hello"),
    Request(1, "session/prompt", PROMPT),
    Notification("session/cancel"),
    Result("a", None, extra={"x": 1}),
    ErrorResponse(Error(-32603, "Internal error"), 3),
]


def _copies(value: object) -> Iterator[object]:
    yield copy.copy(value)
    yield copy.deepcopy(value)
    yield pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_copy_says_the_same(value: object) -> None:
    for made in _copies(value):
        assert made == value
        assert made is not value
        assert repr(made) == repr(value)
        assert encode(made) == encode(value)


ERRORS = [
    MessageError(-32602, "/params", "must be an object", id=7, kind="request"),
    acp.RpcError(-31999, "refused", {"why": 1}),
    MethodNotFound("x"),
    acp.InvalidResult("x", [1], "must be an object"),
    acp.InvalidMessage("no", "v2", (("/a", "b"),)),
    acp.VersionMismatch("no", (1, 2), {"a": 1}),
    acp.CapabilityError([Violation("x", None, None, None, "v2", "", "error", "no")]),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_copy_of_an_error_says_the_same(error: Exception) -> None:
    for made in _copies(error):
        assert type(made) is type(error)
        assert (str(made), vars(made)) == (str(error), vars(error))


def test_a_deep_copy_shares_nothing() -> None:
    for made in list(_copies(PROMPT))[1:]:
        assert isinstance(made, v2.PromptRequest)
        made.prompt.clear()
        assert PROMPT.prompt


def test_what_is_absent_in_a_copy_can_be_set() -> None:
    for made in _copies(PROMPT):
        assert isinstance(made, v2.PromptRequest)
        assert not present(made, "meta")
        made.meta = {"a": 1}
        assert encode(made).endswith(b'"_meta":{"a":1}}')
