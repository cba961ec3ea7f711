"""The engine of all connections: ids, order, cancellation and errors, over any transport."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, cast

from pydantic_core import from_json

from .arrivals import Arrivals
from .caller import OnProgress
from .codec import encode
from .jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorResponse,
    Message,
    MessageError,
    Notification,
    Request,
    RequestId,
    Result,
)
from .limits import Limits
from .model import UNSET
from .open_calls import OpenCalls
from .outbox import Batch, Outbox, Send
from .request_context import RequestContext, current_request
from .rpc_errors import ConnectionClosed, InvalidResult, OutOfOrder, RpcError
from .served_requests import ServedRequests
from .session import INITIALIZE, Enforcement, Handle, Session
from .tasks import Tasks
from .violations import Violation

__all__ = ["Connection", "OnViolation"]

OnViolation: TypeAlias = Callable[[Violation], None]
"""Is told of what a peer sent, or this side, that was not agreed on."""

_CLOSED: Final = "the connection is closed"
_HUNG_UP: Final = "the peer sends nothing any more"
_log = logging.getLogger(__name__)


class Connection:
    """One side of a connection: the transport gives it what arrives, and `send` what is to be sent."""

    def __init__(
        self, send: Send, capabilities: Enforcement, limits: Limits | None, on_violation: OnViolation | None
    ) -> None:
        self.limits: Final = limits or Limits()
        self._harmless_size = self.limits.harmless_size
        self.enforcement: Enforcement = capabilities
        self.calls = OpenCalls(self.limits.calls)
        tasks = Tasks()
        self.served = ServedRequests(tasks)
        self.session: Session | None = None
        self._opening: Session | None = None
        self._on_violation = on_violation
        self._arrivals = Arrivals(tasks)
        self._outbox = Outbox(send, self._broken, tasks)
        self._draining: list[RequestContext | None] = []
        self._closed: ConnectionClosed | None = None
        self._has_hung_up = False
        self._has_answered = False

    # --- for the transport ---

    async def receive(self, data: bytes) -> None:
        """Take one message. Raises for nothing that is in it, and waits for no handler but that of `initialize`.

        It waits for `send` only as long as the peer leaves more answers unread than it may have requests open. While a
        call waits for `initialize`, whose handler may ask the peer something, another may bring the answer; what is no
        answer then waits for the first call to return.

        Args:
            data: the message, with or without a line end.
        """
        session = self.session
        if self._closed is not None:
            return
        if len(data) > self._harmless_size and (problem := self.limits.exceeded(data)) is not None:
            self.refuse(self.unknown_id, RpcError(PARSE_ERROR, problem))
        elif session is None:
            await self._receive_unsettled(data)
        elif session.takes_batches and data.lstrip().startswith(b"["):
            self._receive_batch(session, data)
        else:
            self._take(session, data, self._outbox)
        if self._has_answered:
            self._has_answered = False
            if len(self._outbox) > self.limits.requests:
                await self._outbox.flush()

    def hang_up(self) -> None:
        """Learn that the peer will send nothing more: calls fail with `ConnectionClosed`, what runs may go on."""
        self._has_hung_up = True
        self.calls.fail_all(ConnectionClosed(_HUNG_UP))

    async def drain(self) -> None:
        """Wait until all handlers that run have ended and all that is to be sent is sent.

        A handler may do so too: it waits for the others, but for those that wait here themselves.
        """
        context = current_request.get(None)
        is_handler = context is not None and (self.served.serves(context) or self._arrivals.handles(context))
        if is_handler:
            self._draining.append(context)
        try:
            while self._closed is None:
                if running := self._running(self._draining if is_handler else ()):
                    await asyncio.wait(running)
                await self._outbox.flush()
                if not self._running(self._draining if is_handler else ()) and self._outbox.is_idle:
                    return
        finally:
            if is_handler:
                self._draining.remove(context)

    def _running(self, draining: Iterable[RequestContext | None]) -> list["asyncio.Task[None]"]:
        """The tasks of what has not ended, but for what is handled there."""
        left_out = [id(context) for context in draining]
        return [*self._arrivals.running(left_out), *self.served.running(left_out)]

    async def close(self) -> None:
        """Cancel what runs, fail what waits with `ConnectionClosed`, and send and take nothing more."""
        if tasks := self._stop(ConnectionClosed(_CLOSED)):
            await asyncio.wait(tasks)

    # --- what a session uses ---

    def report(self, violation: Violation) -> None:
        """Tell of something that was not agreed on."""
        if self._on_violation is None:
            _log.warning("not agreed on: %s", violation.message)
            return
        try:
            self._on_violation(violation)
        except Exception:
            _log.exception("on_violation failed")

    async def send(self, message: Message) -> None:
        """Send a message and wait until it has been sent."""
        await self._outbox.send(encode(message))

    async def call(self, session: Session, method: str, params: object, on_progress: OnProgress[Any] | None) -> Any:
        """Send a request and wait for its result as the settled version types it."""
        self._check_open()
        call = self.calls.open(method)
        try:
            params, token = session.prepared(params, call.id, on_progress)
            if token is not None:
                self.calls.report_to(call, token, on_progress)
            self._outbox.put(encode(Request(call.id, method, params)))
            return await call.answer
        except asyncio.CancelledError:
            if self.calls.close(call.id) is not None:
                self._outbox.put(encode(Notification(session.cancellation, {"requestId": call.id})))
            raise
        finally:
            self.calls.close(call.id)

    # --- what both sides of a protocol have in common ---

    @property
    def unknown_id(self) -> RequestId:
        """The id of the error for a message whose id could not be read; `UNSET` for none."""
        return None if self.session is None else self.session.unknown_id

    def settled(self) -> Session:
        """The session; raises `OutOfOrder` as long as the version is not settled."""
        if self.session is None:
            raise OutOfOrder("the version of the connection is not settled")
        return self.session

    def refuse(self, id_: RequestId, error: RpcError, answers: "Outbox | Batch | None" = None) -> None:
        """Answer a request, or what might be one, with an error."""
        self._has_answered = True
        answers = self._outbox if answers is None else answers
        answers.expect()
        answers.answer(error.answer(id_))

    def reply(self, id_: RequestId, result: object) -> None:
        """Answer a request with a result."""
        self._has_answered = True
        self._outbox.put(encode(Result(id_, result)))

    def post(self, message: Message) -> None:
        """Send a message, without waiting until it has been sent."""
        self._outbox.put(encode(message))

    def take(self, session: Session, data: bytes) -> None:
        """Take a message of the settled version."""
        self._take(session, data, self._outbox)

    async def opening_request(self, message: dict[str, Any], id_: RequestId, data: bytes) -> None:
        """Take a request that comes before the version is settled."""
        raise NotImplementedError

    async def serve_opening(self, session: Session, context: RequestContext, open_: Handle) -> None:
        """Serve the request that settles the version, and wait until it is answered."""
        self._opening = session
        try:
            await asyncio.wait([self.served.start(session, context, (open_, _as_it_is), self._outbox)])
        finally:
            self._opening = None
        await self._outbox.flush()

    async def ask(self, method: str, params: object, settle: Callable[[dict[str, Any]], Any]) -> Any:
        """Send a request whose answer settles the version. `settle` gets the answer as soon as it comes."""
        self._check_open()
        call = self.calls.open(method, settle)
        try:
            self._outbox.put(encode(Request(call.id, method, params)))
            return await call.answer
        finally:
            self.calls.close(call.id)

    # --- what arrives before the version is settled ---

    async def _receive_unsettled(self, data: bytes) -> None:
        try:
            message: object = from_json(data, allow_inf_nan=False)
        except ValueError as error:
            self._refuse_unreadable(_members(data), str(error))
            return
        if not isinstance(message, dict):
            self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, "must be an object"))
            return
        members = cast("dict[str, Any]", message)
        id_ = members.get("id")
        if isinstance(id_, float) and id_.is_integer():
            id_ = int(id_)
        if isinstance(id_, bool) or not isinstance(id_, int | str | None):
            self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, "/id: must be an integer or a string"))
        elif "method" not in members and self._opening is not None:
            self._take(self._opening, data, self._outbox)
        elif "method" not in members:
            self._settle(id_, members)
        elif "id" not in members:
            _log.warning("a notification came before the connection was open: %.100r", members["method"])
        elif members.get("jsonrpc") != "2.0":
            self.refuse(id_, RpcError(INVALID_REQUEST, '/jsonrpc: must be "2.0"', {"pointer": "/jsonrpc"}))
        else:
            await self.opening_request(members, id_, data)

    def _refuse_unreadable(self, members: dict[str, Any], problem: str) -> None:
        """Refuse what is no JSON, under its id where that can be read and written."""
        id_ = members.get("id")
        if "method" in members and "id" not in members:
            _log.warning("a bad notification came before the connection was open: %s", problem)
            return
        error = RpcError(PARSE_ERROR, problem)
        try:
            self.refuse(id_ if type(id_) in (int, str) else self.unknown_id, error)
        except ValueError:
            self.refuse(self.unknown_id, error)

    def _settle(self, id_: RequestId, message: dict[str, Any]) -> None:
        call = self.calls.close(id_)
        if call is None or call.settle is None:
            _log.warning("an answer to no call came: id %.100r", id_)
            return
        try:
            value = call.settle(message)
        except Exception as error:
            call.fail(error)
        else:
            call.succeed(value)

    # --- what arrives then ---

    def _receive_batch(self, session: Session, data: bytes) -> None:
        try:
            items: list[Any] = from_json(data, allow_inf_nan=False)
        except ValueError as error:
            self.refuse(self.unknown_id, RpcError(PARSE_ERROR, str(error)))
            return
        if not items:
            self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, "a batch holds at least one message"))
            return
        if len(items) > self.limits.requests:
            problem = f"a batch holds at most {self.limits.requests} messages"
            self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, problem))
            return
        batch = Batch(self._outbox)
        batch.expect()
        for item in items:
            if isinstance(item, dict):
                self._take(session, item, batch)
            else:
                self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, "must be an object"), batch)
        batch.answer(None)

    def _take(self, session: Session, data: Any, answers: Outbox | Batch) -> None:
        try:
            message = session.decode(data)
        except MessageError as error:
            self._take_bad(session, error, data, answers)
            return
        kind = message.__class__
        if kind is Notification:
            taken = session.take_notification(message)
            if taken is not None:
                self._arrivals.notification(*taken)
        elif kind is Request:
            self._take_request(session, message, answers)
        else:
            self._take_answer(session, message)

    def _take_bad(self, session: Session, error: MessageError, data: Any, answers: Outbox | Batch) -> None:
        if error.kind == "notification":
            _log.warning("a bad notification came: %s", error)
        elif error.kind == "response":
            self._take_bad_answer(session, error, data, answers)
        else:
            self._refuse_bad(session, error, data, answers)

    def _take_bad_answer(self, session: Session, error: MessageError, data: Any, answers: Outbox | Batch) -> None:
        raw = _members(data)
        call = self.calls.close(error.id)
        if call is not None:
            self._arrivals.answer(call.fail, InvalidResult(call.method, raw.get("result"), str(error)), call.made_for)
        elif "result" in raw or "error" in raw or self.calls.was_open(error.id):
            _log.warning("a bad answer to no call came: %s", error)
        else:
            self._refuse_bad(session, error, raw, answers)

    def _refuse_bad(self, session: Session, error: MessageError, data: Any, answers: Outbox | Batch) -> None:
        """Refuse a bad request; one that is out of place or not served for that, whatever is wrong with its params."""
        raw = _members(data)
        refusal = RpcError(error.code, str(error), {"pointer": error.pointer})
        method: Any = raw.get("method")
        try:
            if method == INITIALIZE or error.code == INVALID_PARAMS:
                session.admit(Request(error.id, method, raw.get("params")))
                session.check_method(method)
        except RpcError as out_of_place:
            refusal = out_of_place
        self.refuse(self.unknown_id if error.id is None else error.id, refusal, answers)

    def _take_request(self, session: Session, message: Request, answers: Outbox | Batch) -> None:
        try:
            if message.id in self.served:
                raise RpcError(INVALID_REQUEST, "the id is that of another open request")
            if len(self.served) >= self.limits.requests:
                raise RpcError(INTERNAL_ERROR, f"{self.limits.requests} requests are open")
            handle, context = session.take_request(message)
        except RpcError as error:
            self.refuse(message.id, error, answers)
            return
        answers.expect()
        self.served.start(session, context, (handle, session.answer), answers)

    def _take_answer(self, session: Session, message: Result | ErrorResponse) -> None:
        call = self.calls.close(message.id)
        if call is None:
            level = logging.DEBUG if self.calls.was_open(message.id) else logging.WARNING
            _log.log(level, "an answer to no open call came: id %.100r", message.id)
        elif isinstance(message, Result):
            session.take_result(call.method, message.result)
            self._arrivals.answer(call.succeed, message.result, call.made_for)
        else:
            error = message.error
            data = None if error.data is UNSET else error.data
            self._arrivals.answer(call.fail, RpcError(error.code, error.message, data), call.made_for)

    # --- the end ---

    def _check_open(self) -> None:
        if self._closed is not None:
            raise ConnectionClosed(*self._closed.args) from self._closed.__cause__
        if self._has_hung_up:
            raise ConnectionClosed(_HUNG_UP)

    def _broken(self, error: ConnectionClosed) -> None:
        _log.warning("the connection is closed: %s: %r", error, error.__cause__)
        self._stop(error)

    def _stop(self, error: ConnectionClosed) -> list["asyncio.Task[None]"]:
        self._closed = self._closed or error
        tasks = [*self._outbox.stop(error), *self._arrivals.stop(), *self.served.stop()]
        self.calls.fail_all(error)
        return tasks


def _members(data: Any) -> dict[str, Any]:
    """The members of a message that may be anything, even what Python alone reads."""
    try:
        value: Any = json.loads(data) if isinstance(data, bytes | bytearray) else data
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _as_it_is(_method: str, result: object) -> object:
    return result
