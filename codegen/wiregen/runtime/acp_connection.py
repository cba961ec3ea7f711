"""Connections of the Agent Client Protocol: `initialize` settles the version."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pydantic import ValidationError
from pydantic_core import from_json

from .acp_negotiation import accept, negotiate
from .checks import Checker
from .codec import decode, encode
from .connection import Connection, OnViolation
from .handler import Handler
from .jsonrpc import INVALID_PARAMS, INVALID_REQUEST, MessageError, Request, RequestId
from .limits import Limits
from .model import Model
from .opening import opened, problem_of
from .outbox import Send
from .rpc_errors import InvalidResult, OutOfOrder, RpcError
from .served_versions import ServedVersions
from .session import Enforcement, Session

__all__ = ["AgentSide", "ClientSide"]
