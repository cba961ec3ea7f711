"""Replays one side of a recorded session into a connection of ours, which plays the other side.

What the recorded peer sent goes into the connection. What the other side sent then is what ours has to send now: its
handlers answer what was recorded, and calls are made when the recording comes to them. Whatever turns out otherwise is
a `Difference`.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypeAlias, cast

import wiretypes
from fidelity.json_values import JSON, same
from opened_sides import CONNECTIONS
from recordings import Members, Recording, Side, members
from wiretypes import RpcError, acp, encode, mcp
from wiretypes.acp import CapabilityError, Violation
from wiretypes.caller import Caller
from wiretypes.jsonrpc import METHOD_NOT_FOUND, UNSET
from wiretypes.served_versions import AnyHandler
from wiretypes.session import Enforcement

Handle: TypeAlias = Callable[[AnyHandler, object], Awaitable[object]]
"""A method of a handler class."""

SECONDS = 2
"""The longest to wait for a message that our side has to send."""

OTHER: dict[Side, Side] = {"client": "server", "server": "client"}
SIDES: dict[str, dict[Side, str]] = {
    "acp": {"client": "client", "server": "agent"},
    "mcp": {"client": "client", "server": "server"},
}
MADE_UP_SERVER: Members = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {
        "completions": {},
        "logging": {},
        "prompts": {"listChanged": True},
        "resources": {"listChanged": True, "subscribe": True},
        "tools": {"listChanged": True},
    },
    "cacheScope": "private",
    "ttlMs": 0,
}
"""What a server is taken for that a recorded client never asked."""
OPENINGS = ("initialize", "server/discover")
CANCELLATIONS = ("notifications/cancelled", "$/cancel_request")
ENVELOPE = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
PROTOCOL_VERSIONS = {"v1": 1, "v1-unstable": 1, "v2": 2, "v2-unstable": 2}


@dataclass(frozen=True)
class Difference:
    """Something that our side does otherwise than the recorded one did."""

    what: str
    """What kind of difference it is."""
    method: str
    """The method that it is about."""
    details: str


@dataclass
class Outbound:
    """What our side has sent."""

    waiting: list[Members] = field(default_factory=list[Members])
    """Messages that nobody has taken yet."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, data: bytes) -> None:
        message = json.loads(data)
        self.waiting += message if isinstance(message, list) else [message]
        self.changed.set()

    async def take(self, wanted: Callable[[Members], bool]) -> Members | None:
        """The first message that is wanted; None if none is sent in time."""
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    for message in self.waiting:
                        if wanted(message):
                            self.waiting.remove(message)
                            return message
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            return None


class Replay:
    """One side of a recording, as it is replayed."""

    def __init__(self, recording: Recording, ours: Side, versions: Sequence[str], capabilities: Enforcement) -> None:
        """Prepare to play a side with handlers of some versions, given by their names."""
        self.recording = recording
        self.ours: Side = ours
        self.peer: Side = OTHER[ours]
        self.differences: list[Difference] = []
        self.outbound = Outbound()
        self._released: dict[str, asyncio.Event] = {}
        self._calls: dict[str, asyncio.Task[object]] = {}
        self._our_ids: dict[str, JSON] = {}
        self._inputs = _inputs(recording)
        self._heard: list[tuple[str, JSON]] = []
        self._handlers = [self._handler(version) for version in versions]
        connection = CONNECTIONS[recording.protocol, SIDES[recording.protocol][ours]]
        self._connection = connection(
            self._handlers, self.outbound.send, capabilities=capabilities, on_violation=self._violated
        )

    async def run(self) -> list[Difference]:
        """Replay all of it; what turns out otherwise than recorded."""
        try:
            for step in self.recording.steps:
                if step.sender == self.peer:
                    await self._feed(step.message)
                else:
                    await self._perform(members(step.message))
            for event in self._released.values():
                event.set()
            await self._connection.drain()
            self._compare_heard()
            for message in self.outbound.waiting:
                method = message.get("method") or self._method(self.peer, message.get("id"))
                self._note("sent besides", str(method), json.dumps(message))
        finally:
            for task in self._calls.values():
                task.cancel()
            await self._connection.close()
        return self.differences

    # --- what the peer sent ---

    async def _feed(self, message: JSON) -> None:
        given = members(message)
        if "method" in given:
            self._released[_key(given.get("id"))] = asyncio.Event()
        elif "id" in given:
            message = {**given, "id": self._our_ids.get(_key(given["id"]), given["id"])}
        await self._connection.receive(json.dumps(message).encode())
        await asyncio.sleep(0)  # a request that is cancelled with the next message has begun
        if given and "method" not in given:
            await self._compare_result(given)

    async def _compare_result(self, recorded: Members) -> None:
        """What our side's call made of an answer."""
        task = self._calls.get(_key(recorded.get("id")))
        result = recorded.get("result")
        if task is None or self._goes_on(task.get_name(), recorded):
            return
        await asyncio.wait([task], timeout=SECONDS)
        method = task.get_name()
        if not task.done():
            self._note("no end of the call", method, json.dumps(recorded))
        elif task.cancelled():
            return
        elif (error := task.exception()) is not None:
            code = error.code if isinstance(error, RpcError) else None
            if code is None or code != members(recorded.get("error")).get("code"):
                self._note("the call failed", method, repr(error))
        elif not same(json.loads(encode(task.result())), result):
            self._note("another result", method, encode(task.result()).decode())

    def _goes_on(self, method: str, answer: Members) -> bool:
        """Whether the connection follows an answer up by itself: it gives the input asked for, or falls back."""
        falls_back = method == "server/discover" and "error" in answer and len(self._handlers) > 1
        return falls_back or members(answer.get("result")).get("resultType") == "input_required"

    def _compare_heard(self) -> None:
        """Whether the handlers heard every notification of the peer, in order."""
        fed = [members(step.message) for step in self.recording.steps if step.sender == self.peer]
        told = [(str(given["method"]), given.get("params")) for given in fed if "method" in given and "id" not in given]
        for (method, params), (heard, heard_params) in zip_longest(told, self._heard, fillvalue=("nothing", None)):
            if method != heard or not same(params or {}, heard_params or {}):
                self._note("another notification was heard", method, f"{params} became {heard} {heard_params}")
                return

    # --- what our side sends ---

    async def _perform(self, message: Members) -> None:
        if "method" not in message:
            await self._answer(message)
        elif "id" in message:
            await self._call(message)
        else:
            await self._tell(message)

    async def _answer(self, recorded: Members) -> None:
        id_ = recorded.get("id")
        if _key(id_) in self._released:
            self._released[_key(id_)].set()
        sent = await self.outbound.take(lambda found: "method" not in found and found.get("id") == id_)
        method = self._method(self.peer, id_)
        if sent is None:
            self._note("not answered", method, json.dumps(recorded))
        elif members(sent.get("error")).get("code") != members(recorded.get("error")).get("code"):
            self._note("another answer", method, f"{json.dumps(sent)} in the place of {json.dumps(recorded)}")
        elif not same(sent.get("result"), recorded.get("result")):
            self._note("another result", method, json.dumps(sent))

    async def _open(self) -> None:
        """Open a connection whose recorded client just began to ask: ours finds out first what the server is."""
        assert isinstance(self._connection, mcp.ClientConnection)
        opening = asyncio.ensure_future(self._connection.discover())
        sent = await self.outbound.take(lambda found: found.get("method") == "server/discover")
        answer = {"jsonrpc": "2.0", "id": members(sent).get("id"), "result": MADE_UP_SERVER}
        await self._connection.receive(json.dumps(answer).encode())
        await opening

    async def _call(self, recorded: Members) -> None:
        method, params, id_ = str(recorded["method"]), recorded.get("params"), _key(recorded["id"])
        if self.ours == "client" and not self._calls and method not in OPENINGS:
            await self._open()
        task = self._followed_up(method, params)
        if task is None:
            task = asyncio.ensure_future(self._request(method, params))
            task.set_name(method)
        self._calls[id_] = task
        sent = await self._sent_or_failed(method, task)
        if sent is not None:
            self._our_ids[id_] = sent["id"]
            self._compare_params(method, sent, params)

    def _followed_up(self, method: str, params: JSON) -> asyncio.Task[object] | None:
        """The call that the connection follows up with this request by itself; None if it is a call of its own."""
        for task in reversed(self._calls.values()):
            if "inputResponses" in members(params) and task.get_name() == method:
                return task
            if method == "initialize" and not task.done():
                return task
        return None

    async def _sent_or_failed(self, method: str, task: asyncio.Task[object]) -> Members | None:
        taken = asyncio.ensure_future(self.outbound.take(lambda found: found.get("method") == method and "id" in found))
        await asyncio.wait([taken, task], return_when=asyncio.FIRST_COMPLETED)
        if task.done() and not task.cancelled() and task.exception() is not None:
            taken.cancel()
            self._note("not sent", method, repr(task.exception()))
            return None
        return await taken

    async def _request(self, method: str, params: JSON) -> object:
        if method not in OPENINGS:
            return await self._peer.request(method, params)
        client = self._connection
        if isinstance(client, acp.ClientConnection):
            return await client.initialize()
        assert isinstance(client, mcp.ClientConnection)
        if len(self._handlers) > 1:
            return await client.open()
        return await (client.initialize() if method == "initialize" else client.discover())

    async def _tell(self, recorded: Members) -> None:
        method, params = str(recorded["method"]), recorded.get("params")
        if method in CANCELLATIONS:
            cancelled = _key(members(params).get("requestId"))
            # Why it was cancelled, a call cannot say.
            params = {"requestId": self._our_ids.get(cancelled)}
            self._calls[cancelled].cancel()
        elif method != "notifications/initialized":
            try:
                await self._peer.notify(method, params)
            except CapabilityError as error:
                self._note("not sent", method, str(error))
                return
        sent = await self.outbound.take(lambda found: found.get("method") == method and "id" not in found)
        self._compare_params(method, sent or {}, params)

    def _compare_params(self, method: str, sent: Members, recorded: JSON) -> None:
        if method not in OPENINGS and not same(_bare(sent.get("params")), _bare(recorded)):
            self._note("other params", method, f"{json.dumps(sent)} in the place of {json.dumps(recorded)}")

    @property
    def _peer(self) -> Caller:
        return self._connection.peer

    # --- our handlers ---

    def _handler(self, version: str) -> AnyHandler:
        module: Any = wiretypes.load(self.recording.protocol, version)
        side = SIDES[self.recording.protocol][self.ours]
        base = getattr(module, f"{side.capitalize()}Handler")
        content: dict[str, object] = {
            "info": module.Implementation(name="replay", version="1"),
            "features": self._declared(version),
            "extension_request": self._extension,
            "extension_notification": self._extension_heard,
        }
        peer_name = SIDES[self.recording.protocol][self.peer]
        for method, attribute in base.role.methods.items():
            entry = module.METHODS.get((method, peer_name))
            if entry is not None and entry.kind == "notification":
                content[attribute] = self._hearing(method)
            elif self._is_served(method):
                content[attribute] = self._answering(method, getattr(base, attribute))
        made: AnyHandler = type(f"Replayed{base.__name__}", (base,), content)()
        return made

    def _declared(self, version: str) -> frozenset[str]:
        """What the recorded client declared; a server's declaration is in what it answers."""
        if self.ours == "server":
            return frozenset()
        read = acp.ClientPeer if self.recording.protocol == "acp" else mcp.ClientPeer
        for step in self.recording.steps:
            message = members(step.message)
            params = members(message.get("params"))
            if step.sender != "client":
                continue
            if message.get("method") == "initialize" and version != MODERN:
                params = {**params, "protocolVersion": PROTOCOL_VERSIONS.get(version, version)}
                return frozenset(read.from_initialize(params, version=version).features)
            if "_meta" in params and version == MODERN:
                return frozenset(mcp.ClientPeer.from_request(params, version=version).features)
        return frozenset()

    def _is_served(self, method: str) -> bool:
        """Whether the recorded side served a method."""
        if method in self._inputs:
            return True
        for step in self.recording.steps:
            message = members(step.message)
            if step.sender == self.peer and message.get("method") == method and "id" in message:
                answer = self.recording.answer(self.peer, message["id"])
                if answer is None or members(answer.get("error")).get("code") != METHOD_NOT_FOUND:
                    return True
        return False

    def _answering(self, method: str, by_itself: Handle) -> Handle:
        async def answer(handler: AnyHandler, params: object) -> JSON:
            if method in self._inputs:
                return self._inputs[method].pop(0)
            id_ = handler.request.get().id
            if method in OPENINGS:
                return self._opened(id_, json.loads(encode(await by_itself(handler, params))))
            return await self._recorded(method, id_)

        return answer

    def _opened(self, id_: JSON, by_itself: Members) -> JSON:
        """What the recorded side answered to an opening request: but for the version, which ours has settled."""
        recorded = members(members(self.recording.answer(self.peer, id_)).get("result"))
        if "protocolVersion" in recorded:
            return {**recorded, "protocolVersion": by_itself["protocolVersion"]}
        return recorded or by_itself

    async def _recorded(self, method: str, id_: JSON) -> JSON:
        """What the recorded side answered, when the recording comes to it."""
        recorded = self.recording.answer(self.peer, id_)
        try:
            if method not in OPENINGS:
                await self._released[_key(id_)].wait()
        except asyncio.CancelledError:
            # Cancelled, a request may still be answered.
            if recorded is None or "error" in recorded:
                raise
        if recorded is None:
            await asyncio.Event().wait()
        error = members(members(recorded).get("error"))
        if error:
            if self.recording.is_probe:
                self._note("handed over", method, json.dumps(recorded))
            raise RpcError(cast("int", error["code"]), str(error["message"]), error.get("data", UNSET))
        return members(recorded).get("result")

    def _hearing(self, method: str) -> Handle:
        async def hear(_: AnyHandler, params: object) -> None:
            self._heard.append((method, json.loads(encode(params))))

        return hear

    async def _extension(self, method: str, _: JSON) -> JSON:
        return await self._recorded(method, self._connection.handler.request.get().id)

    async def _extension_heard(self, method: str, params: JSON) -> None:
        self._heard.append((method, params))

    # --- differences ---

    def _method(self, sender: Side, id_: JSON) -> str:
        for step in self.recording.steps:
            message = members(step.message)
            if step.sender == sender and "method" in message and message.get("id", "") == id_:
                return str(message["method"])
        return "unknown"

    def _violated(self, violation: Violation) -> None:
        self._note("violation", violation.method, violation.message)

    def _note(self, what: str, method: str, details: str) -> None:
        self.differences.append(Difference(what, method, details))


def _key(id_: JSON) -> str:
    """An id as a key: 1 and "1" are two."""
    return json.dumps(id_)


def _bare(params: JSON) -> Members:
    """Params without what a connection adds to those of 2026."""
    given = dict(members(params))
    meta = {name: value for name, value in members(given.pop("_meta", None)).items() if not name.startswith(ENVELOPE)}
    return {**given, "_meta": meta} if meta else given


def _inputs(recording: Recording) -> dict[str, list[JSON]]:
    """What a recorded client answered to the requests inside results, by method and in order."""
    found: dict[str, list[JSON]] = {}
    asked: Members = {}
    for step in recording.steps:
        message = members(step.message)
        asked = {**asked, **members(members(message.get("result")).get("inputRequests"))}
        for key, answer in members(members(message.get("params")).get("inputResponses")).items():
            found.setdefault(str(members(asked[key])["method"]), []).append(answer)
    return found
