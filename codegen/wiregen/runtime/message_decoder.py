"""From JSON to messages whose params and results have the types of one version."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import SchemaValidator, from_json

from .annotations import Integer, untyped
from .codec import LARGE, as_bytes, finite, is_mostly_strings, parse, present, refuse_non_finite, validator
from .jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Error,
    ErrorResponse,
    Message,
    MessageError,
    MessageKind,
    Notification,
    Request,
    RequestId,
    Result,
    Results,
)
from .message_schemas import OrdinaryMessages
from .model import UNSET, Model, admits_null
from .problems import problems
from .versions import Method

__all__ = ["Envelope", "MessageDecoders"]

_LONG = 2048
_METHOD = b'"method"'
_START = 64
"""How many bytes show whether a long message is a call: all but long ids come before the method or after it."""
_ID = rb'"jsonrpc": ?"2\.0", ?"id": ?(0|[1-9][0-9]{0,15}|"[0-9A-Za-z_.:-]{0,64}")'
_HEAD = re.compile(rb"\{" + _ID + rb', ?"result":')
_RESULT = b'{"result":'
_TAIL = re.compile(_ID + rb"\}\Z")
_LONGEST_TAIL = 120
_LONGEST_INTEGER = 100

_Methods: TypeAlias = Callable[[RequestId], str | None]
IdKind: TypeAlias = Literal["absent", "integer", "null", "string"]
Read = TypeVar("Read")


class Envelope(NamedTuple):
    """What a version allows around params and results, and in those for which it has no type."""

    ids: tuple[IdKind, ...]
    """Ids of requests and results."""
    error_ids: tuple[IdKind, ...]
    """Ids of error responses."""
    request_params: Any
    """Type of the params of a request whose method the version does not have."""
    notification_params: Any
    """The same of a notification."""
    result: Any
    """Type of the result of a request whose method is not known."""
    needs_params: tuple[str, ...] = ()
    """Methods whose params may not be left out although they have no required field."""
    batch: bool = False
    """Whether an array of messages may be sent."""


class MessageDecoders(dict[str, Callable[[Any, Results | None], Read]]):
    """What reads the messages of each side of one version, made when it is first asked for.

    It takes JSON, as text or parsed, and the method of the request that an id belongs to. It returns a message, or the
    messages of a batch, and raises `MessageError`.
    """

    def __init__(self, methods: Mapping[tuple[str, str], Method], envelope: Envelope) -> None:
        super().__init__()
        self._methods = methods
        self._envelope = envelope

    def __missing__(self, sender: str) -> Callable[[Any, Results | None], Read]:
        senders = sorted({method.sender for method in self._methods.values()})
        if sender not in senders:
            raise ValueError(f"sender is {' or '.join(senders)}, not {sender!r}")
        return self.setdefault(sender, _Side(sender, self._methods, self._envelope).decode)


class _Place(NamedTuple):
    """The message that is read: where it stands in a batch, what it is for, and its id or `UNSET`."""

    at: str
    kind: MessageKind
    id: Any = UNSET

    def fault(self, code: int, pointer: str, text: str) -> MessageError:
        known = None if self.id is UNSET else self.id
        return MessageError(code, self.at + pointer, text, id=known, kind=self.kind)

    def read(self, type_: Any, value: object, code: int, pointer: str) -> Any:
        """A part of the message as a value of a type."""
        try:
            return validator(type_)(value)
        except ValidationError as error:
            error.validated_type = type_  # type: ignore[attr-defined]  # for `problems`
            where, text = problems(error)[0]
            raise self.fault(code, pointer + where, text) from error


class _ErrorMembers(Model):
    code: Integer
    message: str
    data: object = UNSET


class _Side:
    """Reads what one side sends."""

    def __init__(self, sender: str, methods: Mapping[tuple[str, str], Method], envelope: Envelope) -> None:
        self._ordinary = OrdinaryMessages(envelope.ids)
        self._read = self._ordinary.validator.validate_json
        self._envelope = envelope
        self._calls = {method.name: method for method in methods.values() if method.sender == sender}
        self._results = {method.name: method.result for method in methods.values() if method.sender != sender}
        self._result_validators: dict[str | None, SchemaValidator] = {}

    def decode(self, data: Any, results: Results | None) -> Any:
        """The message that JSON is, or the messages of a batch."""
        if data.__class__ is not bytes or (len(data) >= _LONG and (len(data) >= LARGE or _METHOD not in data[:_START])):
            return self._decode(data, results, UNSET)
        # The shortest way for what most messages are: no long responses, and ordinary.
        latest = untyped.latest
        try:
            read = self._read(data)
            if read.__class__ is not dict:
                if untyped.latest is not latest:
                    refuse_non_finite(data)
                return read
        except ValidationError:
            return self._decode(data, results, None)
        return self._response(data, results, read)

    def _response(self, text: bytes, results: Results | None, members: dict[str, Any]) -> Any:
        """The same, for an ordinary response whose members are known."""
        id_: RequestId = members["id"]
        method = _method(id_, results)
        validator = self._result_validators.get(method)
        if validator is None:
            return self._decode(text, {id_: method}, members)
        latest = untyped.latest
        try:
            message = validator.validate_json(text)
            if untyped.latest is not latest:
                refuse_non_finite(text)
        except ValidationError:
            return self._decode(text, {id_: method}, None)
        return message

    def _decode(self, data: object, results: Results | None, read: Any) -> Any:
        """The same; `read` is what ordinary messages were read as, None if it was refused, `UNSET` if not tried."""
        json: Any = as_bytes(data)
        methods = _asked_once(results)
        try:
            if json.__class__ is bytes:
                text = json
                json = parse(text) if len(text) >= LARGE and is_mostly_strings(text) else text
                message = None if read is None else self._ordinary_message(text, json, methods, read)
                if message is not None:
                    return message
            value = finite(json)
        except ValidationError as error:
            raise self._unreadable(json, error) from None
        return self._messages(value, methods)

    def _ordinary_message(self, text: bytes, json: Any, methods: _Methods, read: Any) -> Any:
        """The message in JSON text if it is ordinary, else None; raises ValidationError for a number out of range.

        The JSON is the text, or what it says.
        """
        latest = untyped.latest
        try:
            message = self._typed(text, json, methods, read)
        except ValidationError:
            return None
        if message is not None and untyped.latest is not latest:
            refuse_non_finite(json)
        return message

    def _typed(self, text: bytes, json: Any, methods: _Methods, read: Any) -> Any:
        """The same; raises ValidationError for some of what is not ordinary."""
        if read is UNSET:
            likely = _likely_id(text) if len(text) >= _LONG else None
            if likely is not None:
                message = self._read_result(json, methods(likely))
                if message is not None and message.id == likely:
                    return message
            read = _read(self._ordinary.validator, json)
        return self._read_result(json, methods(read["id"])) if read.__class__ is dict else read

    def _read_result(self, json: Any, method: str | None) -> Any:
        """The message that is an ordinary response to a method; None where the method has no type."""
        validator = self._result_validators.get(method)
        if validator is None:
            type_ = self._results.get(method or "")
            if type_ is None:
                return None
            validator = self._result_validators[method] = self._ordinary.results(type_)
        return _read(validator, json)

    def _unreadable(self, data: object, problem: ValidationError) -> MessageError:
        """The error for what is no JSON; where no more than a number or a string is wrong, with the id."""
        text = problems(problem)[0][1]
        value = _roughly_parsed(data) if isinstance(data, bytes) else data
        if isinstance(value, dict):
            with suppress(MessageError):
                return self._place(dict(cast("dict[str, object]", value)), "").fault(PARSE_ERROR, "", text)
        return MessageError(PARSE_ERROR, "", text)

    def _messages(self, value: object, methods: _Methods) -> Any:
        """The message that parsed JSON is, or the list of those in a batch, which are all calls or all responses."""
        if not self._envelope.batch or not isinstance(value, list):
            return self._message(value, methods)
        items = cast("list[object]", value)
        messages = [self._message(item, methods, f"/{index}") for index, item in enumerate(items)]
        is_response = [isinstance(message, (Result, ErrorResponse)) for message in messages]
        if True in is_response and False in is_response:
            odd = is_response.index(not is_response[0])
            raise MessageError(INVALID_REQUEST, f"/{odd}", "must be a call or a response like those before it")
        return messages

    def _message(self, value: object, methods: _Methods, at: str = "") -> Message:
        if not isinstance(value, dict):
            raise MessageError(INVALID_REQUEST, at, "must be an object")
        members = dict(cast("dict[str, object]", value))
        place = self._place(members, at)
        if members.pop("jsonrpc", None) != "2.0":
            raise place.fault(INVALID_REQUEST, "/jsonrpc", 'must be "2.0"')
        if place.kind != "response":
            return self._call(place, members)
        if "error" in members:
            return self._error(place, members.pop("error"), members)
        return Result(place.id, self._result(place, members.pop("result"), methods), extra=members or None)

    def _place(self, members: dict[str, object], at: str) -> _Place:
        """What a message is for and its id, which is taken out of the members."""
        id_ = members.pop("id", UNSET)
        if isinstance(id_, float) and id_.is_integer():
            id_ = int(id_)
        kind: MessageKind = "response"
        allowed = self._envelope.ids
        if "method" in members:
            kind = "notification" if id_ is UNSET else "request"
        elif "error" in members:
            allowed = self._envelope.error_ids
        fits = kind == "notification" or _id_kind(id_) in allowed
        place = _Place(at, kind, id_ if fits else UNSET)
        if kind == "response" and ("result" in members) == ("error" in members):
            text = "has both result and error" if "result" in members else "has no method, result or error"
            raise place.fault(INVALID_REQUEST, "", text)
        if not fits:
            raise place.fault(INVALID_REQUEST, "/id", f"must be {' or '.join(allowed)}")
        return place

    def _call(self, place: _Place, members: dict[str, object]) -> Message:
        """The request or notification that has these members besides its id."""
        name, params = members.pop("method"), members.pop("params", UNSET)
        if not isinstance(name, str):
            raise place.fault(INVALID_REQUEST, "/method", "must be a string")
        is_request = place.kind == "request"
        unknown = self._envelope.request_params if is_request else self._envelope.notification_params
        method = self._calls.get(name)
        if method is not None and method.kind == place.kind and method.params is not None:
            params = self._params(place, method, params, null=admits_null(unknown))
        elif params is not UNSET:
            place.read(unknown, params, INVALID_PARAMS, "/params")
        if is_request:
            return Request(place.id, name, params, extra=members or None)
        return Notification(name, params, extra=members or None)

    def _params(self, place: _Place, method: Method, params: object, *, null: bool) -> object:
        """The params of a method that is known; with `null`, null is as good as nothing."""
        if method not in self._ordinary:
            self._ordinary.add(method, optional=self._may_omit_params(method))
            self._read = self._ordinary.validator.validate_json
        if params is not UNSET and not (params is None and null):
            return place.read(method.params, params, INVALID_PARAMS, "/params")
        if not self._may_omit_params(method):
            raise place.fault(INVALID_PARAMS, "/params", "must not be left out")
        return params

    def _may_omit_params(self, method: Method) -> bool:
        try:
            validator(method.params)({})
        except ValidationError:
            return False
        return method.name not in self._envelope.needs_params

    def _result(self, place: _Place, result: object, methods: _Methods) -> object:
        type_ = self._results.get(methods(place.id) or "")
        if type_ is not None:
            return place.read(type_, result, INVALID_REQUEST, "/result")
        place.read(self._envelope.result, result, INVALID_REQUEST, "/result")
        return result

    def _error(self, place: _Place, error: object, extra: dict[str, object]) -> ErrorResponse:
        read: _ErrorMembers = place.read(_ErrorMembers, error, INVALID_REQUEST, "/error")
        data = read.data if present(read, "data") else UNSET
        reason = Error(int(read.code), read.message, data, extra=read.model_extra or None)
        return ErrorResponse(reason, place.id, extra=extra or None)


def _method(id_: RequestId, results: Results | None) -> str | None:
    """The method of the request that an id belongs to."""
    if results is None:
        return None
    return results(id_) if callable(results) else results.get(id_)


def _asked_once(results: Results | None) -> _Methods:
    """The same; for no id is it asked twice."""
    known: dict[RequestId, str | None] = {}

    def method(id_: RequestId) -> str | None:
        if id_ not in known:
            known[id_] = _method(id_, results)
        return known[id_]

    return method


def _read(validator: SchemaValidator, json: Any) -> Any:
    return validator.validate_json(json) if json.__class__ is bytes else validator.validate_python(json)


def _likely_id(text: bytes) -> RequestId:
    """The id of what looks like a response, by how peers write one: it then is parsed only once. None for all else."""
    found = _HEAD.match(text)
    if found is None and text.startswith(_RESULT):
        found = _TAIL.search(text, len(text) - _LONGEST_TAIL)
    return None if found is None else cast("RequestId", from_json(found[1]))


def _id_kind(value: object) -> IdKind | None:
    if value is UNSET:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "string" if _is_text(value) else None
    return "integer" if isinstance(value, int) and not isinstance(value, bool) else None


def _is_text(value: str) -> bool:
    """Whether a string can be written: half of a surrogate pair cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _roughly_parsed(text: bytes) -> object:
    """The value of JSON text with any numbers, and halves of surrogate pairs in its strings; None for other text."""
    import json  # noqa: PLC0415  (hardly ever needed)

    try:
        return json.loads(text.decode(), parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < _LONGEST_INTEGER else inf
