"""An MCP server of every version on `mcp`."""

from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve
from mcp_types import ListRootsResult
from pydantic import BaseModel

from peers.sessions import GREETING_URI

server = MCPServer("official", version="1", log_level="ERROR")
cancellations: list[str] = []


class Person(BaseModel):
    """The form of the tool "ask"."""

    name: str


def _person() -> Elicit[Person]:
    return Elicit("What is your name?", Person)


def _roots() -> ListRoots:
    return ListRoots()


@server.tool(structured_output=False)
def add(a: int, b: int) -> str:
    return str(a + b)


@server.tool(structured_output=False)
async def count(to: int, context: Context) -> str:
    for step in range(1, to + 1):
        await context.report_progress(step, to, f"step {step}")
    return f"counted to {to}"


@server.tool(structured_output=False)
def ask(person: Annotated[Person, Resolve(_person)]) -> str:
    return f"hello {person.name}"


@server.tool(name="roots", structured_output=False)
def first_root(found: Annotated[ListRootsResult, Resolve(_roots)]) -> str:
    return str(found.roots[0].uri)


@server.tool(structured_output=False)
async def wait(context: Context) -> None:
    await context.report_progress(1, 1, "waiting")
    try:
        await anyio.sleep_forever()
    finally:
        cancellations.append("wait")


@server.tool(name="cancellations", structured_output=False)
def count_cancellations() -> str:
    return str(len(cancellations))


@server.resource(GREETING_URI)
def greeting() -> str:
    return "hello"


@server.prompt()
def greet(who: str) -> str:
    return f"Greet {who}"


if __name__ == "__main__":
    server.run("stdio")
