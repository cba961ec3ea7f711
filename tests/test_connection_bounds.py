"""Bounds of what a connection takes, and what it costs to be busy."""

import asyncio
import gc

import pytest
from acp_pair import AcpPair, Agent, Client, connected, new_session, opened, opened_client, text_of, update
from wire import Wire, code, idle, in_loop, notification, request, result
from wiretypes.acp import AgentConnection, Limits, TooManyCalls, v2

MANY = 10_000


class Waiting(Agent):
    """Opens no session until a test lets it."""

    def __init__(self) -> None:
        self.release = asyncio.Event()

    async def session_new(self, params: v2.NewSessionRequest) -> v2.NewSessionResponse:
        await self.release.wait()
        return await super().session_new(params)


def test_the_defaults() -> None:
    limits = Limits()
    assert (limits.message_size, limits.nesting, limits.requests, limits.calls) == (1 << 26, 200, 16_384, 16_384)


@in_loop
async def test_a_message_that_is_too_long() -> None:
    wire = await opened(limits=Limits(message_size=1000))
    answer = await wire.answers(request("session/new", {"cwd": "x" * 1000}))
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    assert "1000 bytes" in answer["error"]["message"]
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}))


@pytest.mark.parametrize(
    ("meta", "is_taken"),
    [
        ("[" * 5 + "]" * 5, True),
        ("[" * 8 + "]" * 8, False),
        ('{"a":' * 8 + "1" + "}" * 8, False),
        ("[" + ",".join(["[]"] * 50) + "]", True),
        ('"' + "[{" * 50 + '"', True),
        (r'"\"' + "[{" * 50 + '"', True),
        (r'["\\",' + "[" * 8 + "]" * 9, False),
    ],
)
@in_loop
async def test_a_message_that_is_nested_too_deep(meta: str, is_taken: bool) -> None:
    wire = await opened(limits=Limits(nesting=9))
    text = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","_meta":{"x":' + meta + "}}}"
    answer = await wire.answers(text.encode())
    assert ("result" in answer) == is_taken
    if not is_taken:
        assert answer["error"]["code"] == -32700


@in_loop
async def test_too_many_requests_are_refused_and_the_others_served() -> None:
    handler = Waiting()
    wire = await opened(handler, limits=Limits(requests=3))
    for id_ in range(3):
        assert await wire.ask(request("session/new", {"cwd": f"/{id_}"}, id_)) == []
    for id_ in range(3, 6):
        answer = await wire.answers(request("session/new", {"cwd": "/"}, id_))
        assert (answer["id"], answer["error"]["code"]) == (id_, -32603)
    handler.release.set()
    await wire.connection.drain()
    assert [answer["id"] for answer in wire.sent[3:]] == [0, 1, 2]
    assert "result" in await wire.answers(request("session/new", {"cwd": "/"}, 9))


@in_loop
async def test_a_peer_that_reads_nothing_cannot_fill_the_memory() -> None:
    """Its answers count as long as they are unsent, and then `receive` waits for `send`."""
    hold = asyncio.Event()

    async def slowly(_: bytes) -> None:
        await hold.wait()

    wire = await opened(limits=Limits(requests=3))
    wire.take = slowly
    flooding = asyncio.ensure_future(flood(wire, 1000))
    await idle()
    assert not flooding.done()
    assert len(wire.connection._outbox) < 10  # pyright: ignore[reportPrivateUsage]  (what waits shows nowhere else)
    hold.set()
    await flooding
    await wire.connection.drain()


async def flood(wire: Wire[AgentConnection], count: int) -> None:
    for id_ in range(count):
        await wire.receive(request("session/new", {"cwd": "/"}, id_))
        await wire.receive(b"no")


@in_loop
async def test_too_many_calls_are_refused() -> None:
    wire = await opened_client(limits=Limits(calls=2))
    peer = wire.connection.peer
    calls = [asyncio.ensure_future(peer.session_new(new_session(f"/{n}"))) for n in range(2)]
    await idle()
    with pytest.raises(TooManyCalls):
        await peer.session_new(new_session())
    await wire.receive(result({"sessionId": "s"}, 2))
    await calls[0]
    calls[0] = asyncio.ensure_future(peer.session_new(new_session()))
    await idle()
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await idle()


@in_loop
async def test_many_requests_in_flight_are_answered_once_each_and_leave_nothing() -> None:
    """The tables that hold them, asyncio's among them, keep their size, so the last time counts."""
    handler = Waiting()
    pair = await connected(handler)
    left: list[int] = []
    for _ in range(3):
        await burst(pair, handler, MANY)
        ids = [message["id"] for sender, message in pair.log if sender == "answering"]
        assert len(set(ids)) >= MANY
        assert len(ids) == len(set(ids))
        pair.log.clear()
        del ids
        await idle()  # the loop itself holds what it has just done
        gc.collect()
        left.append(len(gc.get_objects()))
    assert left[2] - left[1] < MANY // 100
    await pair.close()


async def burst(pair: AcpPair[Waiting, Client], handler: Waiting, count: int) -> None:
    handler.release.clear()
    peer = pair.client.peer
    calls = [asyncio.ensure_future(peer.session_new(new_session(f"/{n}"))) for n in range(count)]
    while len(pair.answering.served.running()) < count:
        await asyncio.sleep(0)
    handler.release.set()
    assert [answer.session_id for answer in await asyncio.gather(*calls)] == [f"/{n}" for n in range(count)]
    await pair.answering.drain()
    assert len(pair.client.calls) == 0
    assert not pair.answering.served.running()


@in_loop
async def test_names_that_a_peer_invents_are_not_kept() -> None:
    wire = await opened()
    session = wire.connection.session
    assert session is not None
    known = dict(session._served)  # pyright: ignore[reportPrivateUsage]  (what is kept shows nowhere else)
    for number in range(100):
        assert code(await wire.answers(request(f"_x/{number}", {}, number))) == -32601
        await wire.ask(notification(f"_y/{number}"))
    assert session._served == known  # pyright: ignore[reportPrivateUsage]


@in_loop
async def test_a_flood_of_notifications_is_handled_in_order() -> None:
    class Slow(Client):
        async def session_update(self, params: v2.UpdateSessionNotification) -> None:
            if len(self.heard) % 100 == 0:
                await asyncio.sleep(0)
            self.heard.append(text_of(params))

    wire = await opened_client(Slow)
    for number in range(5000):
        await wire.receive(notification("session/update", update(str(number))))
    await wire.connection.drain()
    assert wire.connection.handler.heard == list(map(str, range(5000)))
