"""Connections of the Agent Client Protocol."""

from contextlib import suppress
from typing import Any, Final

from .acp_negotiation import accept, negotiate
from .jsonrpc import INVALID_PARAMS, INVALID_REQUEST, MessageError, Request, RequestId
from .opening import AnsweringSide, AskingSide, check_response, requested_version
from .rpc_errors import RpcError
from .session import INITIALIZE, Session

__all__ = ["AgentSide", "ClientSide"]

# The members in which clients of either generation say what they are.
_INFO: Final = ("info", "clientInfo")
_NOBODY: Final = {"name": "unknown", "version": "unknown"}


class AcpSession(Session):
    """A settled version of ACP."""

    cancellation = "$/cancel_request"
    heeded = (cancellation,)
    answers_cancelled = True

    def admit(self, request: Request) -> None:
        """Raise `RpcError` for a second `initialize`."""
        if request.method == INITIALIZE:
            raise RpcError(INVALID_REQUEST, "the connection is initialized already")


class AgentSide(AnsweringSide):
    """The agent: answers the clients of every version that it has a handler for."""

    def make_session(self, number: int) -> Session:
        """A session of a version."""
        return AcpSession(self, self.versions, number, "client")

    async def opening_request(self, message: dict[str, Any], id_: RequestId, data: bytes) -> None:  # noqa: ARG002
        """Take `initialize`, and refuse anything else."""
        if message["method"] != INITIALIZE or self.is_opening:
            self.refuse(id_, RpcError(INVALID_REQUEST, "the connection opens with initialize"))
            return
        try:
            number = negotiate(requested_version(message), self.versions.numbers)
        except ValueError as error:
            self.refuse(id_, RpcError(INVALID_PARAMS, str(error), {"pointer": "/params/protocolVersion"}))
            return
        await self.answer_initialize(number, message, id_)

    def decode_initialize(self, session: Session, message: dict[str, Any]) -> Request:
        """The request as one of the version with which it is answered; raises `MessageError`.

        A client that speaks another version has written it as one of that. It learns from the answer that the two have
        no version in common; what it declared counts for nothing.
        """
        try:
            return super().decode_initialize(session, message)
        except MessageError as error:
            if error.code != INVALID_PARAMS or requested_version(message) == session.protocol_version:
                raise
        params = message["params"]
        bare = {"protocolVersion": params["protocolVersion"], "info": _NOBODY}
        for info in (params[name] for name in _INFO if name in params):
            with suppress(MessageError):
                return super().decode_initialize(session, {**message, "params": {**bare, "info": info}})
        return super().decode_initialize(session, {**message, "params": bare})


class ClientSide(AskingSide):
    """The client: calls agents of every version that it has a handler for."""

    def make_session(self, number: int) -> Session:
        """A session of a version."""
        return AcpSession(self, self.versions, number, "agent")

    async def initialize(self) -> Any:
        """Open the connection: offer the newest version, and take the one that the agent answers with.

        Returns:
            The result of `initialize`, of the version that was settled.

        Raises:
            VersionMismatch: the two have no version in common; close the connection and tell the user.
            InvalidResult: the agent answered with what the version's schema rejects.
            ConnectionClosed: the connection was closed before the answer came.
            OutOfOrder: the connection is open already.
        """
        self.begin()
        try:
            numbers = self.versions.numbers
            params = self.offer(numbers[::-1])

            def settle(answer: dict[str, Any]) -> Any:
                check_response(INITIALIZE, answer)
                version = answer if "error" in answer else requested_version(answer, "result")
                number = accept(numbers[-1], version, numbers)
                return self.opened(number, params, answer)

            return await self.ask(INITIALIZE, params, settle)
        finally:
            self.is_opening = False
