"""Connections of the Model Context Protocol, in both eras: with `initialize`, and with `server/discover`."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, cast

from pydantic import ValidationError

from .codec import decode
from .jsonrpc import INVALID_PARAMS, INVALID_REQUEST, MessageError, Notification, RequestId, Result
from .mcp_negotiation import (
    Discover,
    GiveUp,
    Initialize,
    UseVersion,
    VersionMismatch,
    first_step,
    negotiate,
    next_step,
    opening_method,
)
from .mcp_sessions import (
    DISCOVER,
    INITIALIZED,
    PING,
    EnvelopeClient,
    EnvelopeServer,
    HandshakeSession,
    envelope_version,
    no_envelope,
    unsupported,
)
from .model import UNSET
from .opening import AnsweringSide, AskingSide, Side, check_response, requested_version
from .problems import problems
from .rpc_errors import ConnectionClosed, InvalidResult, RpcError
from .session import INITIALIZE, Session

__all__ = ["ClientSide", "ServerSide"]

SILENCE: Final = 10.0
"""How many seconds a client waits for the answer to `server/discover` before it takes the server for an older one."""


class McpSide(Side):
    """One side, in either era."""

    @property
    def unknown_id(self) -> RequestId:
        """The id of the error for a message whose id could not be read; `UNSET` for none."""
        return UNSET if self.session is None else self.session.unknown_id

    def refuse_null(self) -> None:
        """Refuse a request that comes before the version is settled and has null for an id: no version allows it."""
        text = "/id: must be an integer or a string"
        self.refuse(self.unknown_id, RpcError(INVALID_REQUEST, text, {"pointer": "/id"}))

    def answer_ping(self, id_: RequestId, data: bytes) -> None:
        """Answer `ping` before the version is settled, if it is as all versions have it."""
        try:
            self.session_for(self.versions.numbers[0]).decode(data)
        except MessageError as error:
            self.refuse(id_, RpcError(error.code, str(error), {"pointer": error.pointer}))
        else:
            self.reply(id_, {})


class ServerSide(McpSide, AnsweringSide):
    """The server: answers the clients of every version that it has a handler for, in either era."""

    def make_session(self, number: str) -> Session:
        """A session of a version."""
        if opening_method(number) == INITIALIZE:
            return HandshakeSession(self, self.versions, number, "client")
        return EnvelopeServer(self, self.versions, number, self.peers)

    async def opening_request(self, message: dict[str, Any], id_: RequestId, data: bytes) -> None:
        """Take the request that settles the era, or refuse one that cannot."""
        numbers: tuple[str, ...] = self.versions.numbers
        method, version = message["method"], envelope_version(message.get("params"))
        has_handshake = opening_method(numbers[0]) == INITIALIZE
        if id_ is None:
            self.refuse_null()
        elif method == INITIALIZE and not self.is_opening:
            await self._initialize(message, id_)
        elif version in numbers and opening_method(version) == DISCOVER and not self.is_opening:
            self._open_without_handshake(version, id_, data)
        elif version is not None:
            self.refuse(id_, unsupported(version, numbers))
        elif method == PING and has_handshake:
            self.answer_ping(id_, data)
        elif has_handshake and (method != DISCOVER or opening_method(numbers[-1]) == INITIALIZE):
            self.refuse(id_, RpcError(INVALID_REQUEST, "the connection opens with initialize"))
        else:
            self.refuse(id_, no_envelope())

    async def _initialize(self, message: dict[str, Any], id_: RequestId) -> None:
        requested = requested_version(message)
        try:
            number = negotiate(requested, self.versions.numbers)
        except VersionMismatch as mismatch:
            self.refuse(id_, unsupported(requested, tuple(map(str, mismatch.supported))))
        except ValueError as error:
            self.refuse(id_, RpcError(INVALID_PARAMS, str(error), {"pointer": "/params/protocolVersion"}))
        else:
            await self.answer_initialize(number, message, id_)

    def _open_without_handshake(self, number: str, id_: RequestId, data: bytes) -> None:
        session = cast("EnvelopeServer", self.session_for(number))
        try:
            session.read_envelope(session.decode(data))
        except MessageError as error:
            self.refuse(id_, RpcError(error.code, str(error), {"pointer": error.pointer}))
            return
        except RpcError as error:
            self.refuse(id_, error)
            return
        self.settle(session)
        self.take(session, data)


class ClientSide(McpSide, AskingSide):
    """The client: calls servers of every version that it has a handler for, in either era."""

    def make_session(self, number: str) -> Session:
        """A session of a version."""
        if opening_method(number) == INITIALIZE:
            return HandshakeSession(self, self.versions, number, "server")
        return EnvelopeClient(self, self.versions, number)

    async def initialize(self) -> Any:
        """Open the connection with `initialize`: offer the newest version, take the one that the server answers with.

        Returns:
            The result of `initialize`, as the handler of the settled version has it.

        Raises:
            VersionMismatch: the two have no version in common; close the connection and tell the user.
            InvalidResult: the server answered with what the version's schema rejects.
            ConnectionClosed: the connection was closed before the answer came.
            OutOfOrder: the connection is open already.
            ValueError: there is no handler of a version that is opened in this way.
        """
        numbers = self._opened_by(INITIALIZE)
        return await self._open(Initialize(numbers[-1]), numbers, None)

    async def discover(self) -> Any:
        """Open the connection with `server/discover`, for versions without a handshake.

        Returns:
            The result of `server/discover`. What it raises is what `initialize` raises.
        """
        numbers = self._opened_by(DISCOVER)
        return await self._open(Discover(numbers[-1]), numbers, None)

    async def open(self, *, timeout: float = SILENCE) -> Any:
        """Open the connection to a server of either era: with `server/discover`, else with `initialize`.

        Args:
            timeout: how many seconds to wait for the answer to `server/discover`: some older servers give none.

        Returns:
            The result of whichever request opened the connection. What it raises is what `initialize` raises.
        """
        numbers = self.versions.numbers
        return await self._open(first_step(numbers), numbers, timeout)

    def settle(self, session: Session) -> None:
        """Make a session the one of this connection; a server that was initialized is told that the client is ready."""
        super().settle(session)
        if isinstance(session, HandshakeSession):
            self.post(Notification(INITIALIZED))

    async def opening_request(self, message: dict[str, Any], id_: RequestId, data: bytes) -> None:
        """Take a request of the server that comes before the connection is open."""
        if id_ is None:
            self.refuse_null()
        elif message["method"] == PING:
            self.answer_ping(id_, data)
        else:
            await super().opening_request(message, id_, data)

    def hang_up(self) -> None:
        """Learn that the server will send nothing more: calls fail with `ConnectionClosed`, what runs may go on."""
        super().hang_up()
        self._stop_inputs(ConnectionClosed("the server sends nothing any more"))

    def conclude(self, session: Session, id_: RequestId, result: object) -> None:
        """Give a call a result, as if it had come as its answer."""
        self._take_answer(session, Result(id_, result))

    def _stop(self, error: ConnectionClosed) -> list["asyncio.Task[None]"]:
        return [*super()._stop(error), *self._stop_inputs(error)]

    def _stop_inputs(self, error: ConnectionClosed) -> list["asyncio.Task[None]"]:
        """End the handlers that answer what a result asks for: they work for calls."""
        return self.session.inputs.stop(error) if isinstance(self.session, EnvelopeClient) else []

    def _opened_by(self, method: str) -> tuple[str, ...]:
        numbers = tuple(number for number in self.versions.numbers if opening_method(number) == method)
        if not numbers:
            raise ValueError(f"there is no handler of a version that {method} opens")
        return numbers

    async def _open(self, first: Discover | Initialize, numbers: tuple[str, ...], silence: float | None) -> Any:
        self.begin()
        try:
            step = first
            while True:
                answer = await self._take_step(step, numbers, silence)
                if not isinstance(answer, Discover | Initialize):
                    return answer
                step = answer
        finally:
            self.is_opening = False

    async def _take_step(self, step: Discover | Initialize, numbers: tuple[str, ...], silence: float | None) -> Any:
        """The next step, or the result that opened the connection."""
        is_discovery = isinstance(step, Discover)
        use = self._discovered if is_discovery else self.opened
        params = self._discovery(step.version) if is_discovery else self.offer((step.version,))

        settled: list[Any] = []

        def settle_by(answer: dict[str, Any]) -> Any:
            settled.append(settle(answer))
            return settled[0]

        def settle(answer: dict[str, Any] | None) -> Any:
            if answer is not None:
                check_response(DISCOVER if is_discovery else INITIALIZE, answer)
            following = next_step(step, answer, numbers)
            match following:
                case UseVersion(version) if answer is not None:
                    return use(version, params, answer)
                case GiveUp(message, supported):
                    raise VersionMismatch(message, supported, answer)
                case _:
                    return following

        try:
            async with asyncio.timeout(silence if is_discovery else None):
                method = DISCOVER if is_discovery else INITIALIZE
                return await self.ask(method, params, settle_by)
        except TimeoutError:
            # The answer may have come with the end of the time, and have settled the version.
            return settled[0] if settled else settle(None)

    def _discovery(self, version: str) -> Any:
        params, _ = self.session_for(version).prepared(UNSET, 0, None)
        return params

    def _discovered(self, version: str, params: Mapping[str, Any], answer: Mapping[str, Any]) -> Any:
        session = self.session_for(version)
        result = answer.get("result")
        try:
            result = decode(session.type_of(DISCOVER, "result"), result)
        except ValidationError as error:
            pointer, text = problems(error)[0]
            raise InvalidResult(DISCOVER, result, f"/result{pointer}: {text}") from None
        session.checker = self.peers.negotiated.from_discover(params, result, version=session.version)
        self.settle(session)
        return result
