"""Connections that `initialize` opens, from either side."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, cast

from pydantic import ValidationError
from pydantic_core import from_json

from .checks import Checker
from .codec import decode, encode
from .connection import Connection, OnViolation
from .jsonrpc import INTERNAL_ERROR, INVALID_REQUEST, MessageError, Request, RequestId
from .limits import Limits
from .outbox import Send
from .problems import problems
from .request_context import RequestContext, current_request
from .rpc_errors import InvalidResult, OutOfOrder, RpcError
from .served_versions import ServedVersions
from .session import INITIALIZE, Enforcement, PeerClasses, Session

__all__ = ["AnsweringSide", "AskingSide", "Side", "check_response", "requested_version"]

_log = logging.getLogger(__name__)


class Side(Connection):
    """One side, which serves some versions and settles one of them."""

    peers: ClassVar[PeerClasses]
    """What reads how the sides of the protocol declare themselves."""

    def __init__(
        self,
        versions: ServedVersions,
        send: Send,
        capabilities: Enforcement,
        limits: Limits | None,
        on_violation: OnViolation | None,
    ) -> None:
        super().__init__(send, capabilities, limits, on_violation)
        versions.claim(self)
        self.versions = versions
        self.is_opening = False
        self._sessions: dict[Any, Session] = {}

    def session_for(self, number: Any) -> Session:
        """The session that a version has if it is settled."""
        session = self._sessions.get(number)
        if session is None:
            session = self._sessions[number] = self.make_session(number)
        return session

    def make_session(self, number: Any) -> Session:
        """A session of a version."""
        raise NotImplementedError

    def judge(self, session: Session, params: Any, result: Any) -> Checker[Any]:
        """What both sides said when they opened the connection, as the version of the session reads it."""
        return cast("Checker[Any]", self.peers.negotiated.from_initialize(params, result, version=session.version))

    def settle(self, session: Session) -> None:
        """Make a session the one of this connection."""
        session.handler.bind(session)
        self.session = session
        self._sessions = {}


class AnsweringSide(Side):
    """The side that answers `initialize`."""

    async def answer_initialize(self, number: Any, message: dict[str, Any], id_: RequestId) -> None:
        """Answer `initialize` with a version, and so settle it."""
        session = self.session_for(number)
        try:
            request = self.decode_initialize(session, message)
        except MessageError as error:
            self.refuse(id_, RpcError(error.code, str(error), {"pointer": error.pointer}))
            return
        self.is_opening = True
        try:
            context = RequestContext(request.id, INITIALIZE, request.params, session, None)
            await self.serve_opening(session, context, partial(self._open, session, request))
        finally:
            self.is_opening = False

    def decode_initialize(self, session: Session, message: dict[str, Any]) -> Request:
        """The request as one of the version with which it is answered; raises `MessageError`."""
        return cast("Request", session.decode(message))

    async def _open(self, session: Session, request: Request, _: object) -> object:
        type_ = session.type_of(INITIALIZE, "result")
        session.opened_with(request.params)
        session.checker = None
        session.handler.bind(session)
        session.checker = self.judge(session, request.params, session.handler.declaration(type_))
        handle, context = session.handed(request)
        current_request.set(context)
        result: Any = session.answer(INITIALIZE, await handle(context.params))
        if result.protocol_version != session.protocol_version:
            # The peer would speak another version than the one by which its messages are read.
            _log.error("initialize names version %r, settled is %r", result.protocol_version, session.protocol_version)
            raise RpcError(INTERNAL_ERROR, "Internal error")
        session.checker = self.judge(session, request.params, result)
        self.settle(session)
        return result


class AskingSide(Side):
    """The side that sends `initialize`."""

    def begin(self) -> None:
        """Begin to open the connection; raises `OutOfOrder` if that has happened."""
        if self.session is not None or self.is_opening:
            raise OutOfOrder("the connection is open already, or being opened")
        self.is_opening = True

    def offer(self, numbers: Sequence[Any]) -> dict[str, Any]:
        """The params of `initialize`: those of the first version, with what the others have under keys of their own.

        A peer that answers with another version reads it as that one's.
        """
        offered: dict[str, Any] = {}
        for number in numbers:
            session = self.session_for(number)
            type_ = session.type_of(INITIALIZE, "params")
            params = from_json(encode(session.handler.declared_in(session.rules, number, type_)))
            offered = {**params, **offered}
        return offered

    def opened(self, number: Any, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Any:
        """Settle the version with which the peer answered; returns its result as the handler's version types it."""
        session = self.session_for(number)
        result = answer.get("result")
        try:
            result = decode(session.type_of(INITIALIZE, "result"), result)
        except ValidationError as error:
            pointer, text = problems(error)[0]
            raise InvalidResult(INITIALIZE, result, f"/result{pointer}: {text}") from None
        session.checker = self.judge(session, params, result)
        session.opened_with(params)
        self.settle(session)
        session.take_result(INITIALIZE, result)
        return session.handed_result(INITIALIZE, result)

    async def opening_request(self, message: dict[str, Any], id_: RequestId, data: bytes) -> None:  # noqa: ARG002
        """Take a request of the peer that comes before the connection is open."""
        self.refuse(id_, RpcError(INVALID_REQUEST, "the connection is not open"))


def check_response(method: str, answer: Mapping[str, Any]) -> None:
    """Raise `InvalidResult` for an answer that is no response, whatever version it may be of."""
    problem: str | None = None
    if answer.get("jsonrpc") != "2.0":
        problem = '/jsonrpc: must be "2.0"'
    elif ("result" in answer) == ("error" in answer):
        problem = "has both result and error" if "result" in answer else "has no result or error"
    if problem is not None:
        raise InvalidResult(method, answer.get("result"), problem)


def requested_version(message: Mapping[str, Any], part: str = "params") -> Any:
    """What a message says of the version, in its params or its result; None if it says nothing."""
    members = message.get(part)
    return cast("dict[str, Any]", members).get("protocolVersion") if isinstance(members, dict) else None
