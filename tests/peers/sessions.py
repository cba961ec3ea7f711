"""What is said in a session, and the record that a client makes of it.

Every serving program (agent, server) and every client program of `peers` follows the same script, whatever it is
written with, so any client can be run against any of them and its record compared with the one expected here. A client
prints its record on standard output, one JSON array a line: what happened and its details, in the order in which it
happened. The script of each protocol is what the functions below spell out.
"""

import json

Record = list[list[object]]
"""What happened in a session, in order."""

FILE = "/w/a.txt"
FILE_TEXT = "text of the file"
ROOT = "file:///w"
GREETING_URI = "demo://greeting"
EVERYTHING_RESOURCE = "demo://resource/dynamic/text/1"
LONG_TOOL = "trigger-long-running-operation"
ELICITATION_TOOL = "trigger-elicitation-request"
SAMPLING_TOOL = "trigger-sampling-request"
TOOLS = ["add", "ask", "cancellations", "count", "roots", "wait"]

NOT_FOUND = -32002
METHOD_NOT_FOUND = -32601
CANCELLED = -32800


def note(what: str, *details: object) -> None:
    """Adds a line to the record on standard output."""
    print(json.dumps([what, *details]), flush=True)


def read_record(text: str) -> Record:
    """The record that a client printed."""
    return [json.loads(line) for line in text.splitlines()]


def acp_v1(*, cancels_requests: bool) -> Record:
    """The record of an ACP v1 session. Not every peer sends or knows `$/cancel_request`."""
    withdrawn: Record = [["permission asked", "withdrawn"], ["message", "withdrawn"], ["stopped", "end_turn"]]
    return [
        ["initialized", 1],
        ["session opened"],
        # prompt "count": three updates, then the answer
        ["message", "one"],
        ["message", "two"],
        ["message", "three"],
        ["stopped", "end_turn"],
        # prompt "edit": a tool call that asks for permission, reads a file through the client, and completes
        ["tool call", "pending"],
        ["permission asked", "edit"],
        ["file read", FILE],
        ["tool call", "completed", FILE_TEXT],
        ["stopped", "end_turn"],
        # prompt "wait": runs until the client sends session/cancel
        ["message", "waiting"],
        ["stopped", "cancelled"],
        # prompt "fail": the agent's own error
        ["error", NOT_FOUND],
        # prompt "withdraw": a permission that the agent asks for and then takes back with $/cancel_request
        *(withdrawn if cancels_requests else []),
        # methods of the peers' own
        *_extensions(cancels_requests=cancels_requests),
        ["closed"],
    ]


def acp_v2() -> Record:
    """The record of an ACP v2 session."""
    return [
        ["initialized", 2],
        ["session opened"],
        # prompt "count"
        ["state", "running"],
        ["message", "one"],
        ["message", "two"],
        ["message", "three"],
        ["state", "idle", "end_turn"],
        # prompt "edit": permission and a form
        ["state", "running"],
        ["tool call", "pending"],
        ["state", "requires_action"],
        ["permission asked", "edit"],
        ["state", "running"],
        ["form asked", "What is your name?", ["name"]],
        ["tool call", "completed", "hello Ann"],
        ["state", "idle", "end_turn"],
        # prompt "wait"
        ["state", "running"],
        ["message", "waiting"],
        ["state", "idle", "cancelled"],
        # prompt "fail"
        ["error", NOT_FOUND],
        # prompt "withdraw"
        ["state", "running"],
        ["permission asked", "withdrawn"],
        ["message", "withdrawn"],
        ["state", "idle", "end_turn"],
        *_extensions(cancels_requests=True),
        ["session closed"],
        ["closed"],
    ]


def echo_v1() -> Record:
    """The record of an ACP v1 session with an agent that says back what it is told: one prompt of three blocks."""
    messages: Record = [["message", "one"], ["message", "two"], ["message", "three"]]
    return [
        ["initialized", 1],
        ["session opened"],
        *messages,
        ["stopped", "end_turn"],
        ["error", METHOD_NOT_FOUND],
        ["closed"],
    ]


def echo_v2() -> Record:
    """The same in ACP v2."""
    messages: Record = [["message", "one"], ["message", "two"], ["message", "three"]]
    return [
        ["initialized", 2],
        ["session opened"],
        ["state", "running"],
        *messages,
        ["state", "idle", "end_turn"],
        ["error", METHOD_NOT_FOUND],
        ["closed"],
    ]


def counting(version: str) -> Record:
    """The record of an MCP session with a server whose one tool counts down, a number a second."""
    return [
        ["opened", version],
        ["tools", ["count"]],
        ["progress", 0, 2, None],
        ["progress", 1, 2, None],
        ["result", "count", "counted down from 2"],
        # once more, cancelled at its first progress
        ["progress", 0, 60, None],
        ["cancelled"],
        ["error", METHOD_NOT_FOUND],
        ["closed"],
    ]


def _extensions(*, cancels_requests: bool) -> Record:
    """The methods of the peers' own.

    `_peers/echo` gives its params back, `_peers/hang` runs until it is cancelled with `$/cancel_request`, and
    `_peers/cancellations` tells how often it was.
    """
    cancelled: Record = [["cancelled"], ["cancellations", 1]]
    return [["echo", {"text": "x"}], *(cancelled if cancels_requests else []), ["error", METHOD_NOT_FOUND]]


def mcp(version: str, *, elicits: bool) -> Record:
    """The record of an MCP session of a version. Versions before 2025-06-18 have no elicitation."""
    asked: Record = [["form asked", "What is your name?", ["name"]], ["result", "ask", "hello Ann"]]
    return [
        ["opened", version],
        ["tools", TOOLS],
        ["result", "add", "5"],
        # tool "count": three steps of progress, then the result
        ["progress", 1, 3, "step 1"],
        ["progress", 2, 3, "step 2"],
        ["progress", 3, 3, "step 3"],
        ["result", "count", "counted to 3"],
        # tools "ask" and "roots" need something from the client
        *(asked if elicits else []),
        ["roots asked"],
        ["result", "roots", ROOT],
        ["resource", "hello"],
        ["prompt", "Greet Ann"],
        # tool "wait" reports progress once and runs until it is cancelled; "cancellations" says how often it was
        ["progress", 1, 1, "waiting"],
        ["cancelled"],
        ["result", "cancellations", "1"],
        ["error", METHOD_NOT_FOUND],
        ["closed"],
    ]


def everything(version: str) -> Record:
    """The record of a session with the reference server of many features, which follows no script of ours."""
    return [
        ["opened", version],
        ["result", "echo", "Echo: hi"],
        ["progress", 1, 3],
        ["progress", 2, 3],
        ["progress", 3, 3],
        ["result", LONG_TOOL, "Long running operation completed. Duration: 0.3 seconds, Steps: 3."],
        ["form asked", "Please provide inputs for the following fields:", 13],
        ["result", ELICITATION_TOOL, "✅ User provided the requested information!"],
        ["sampling asked", "Resource trigger-sampling-request context: hi"],
        ["result", SAMPLING_TOOL, "LLM sampling result: "],
        ["resource", EVERYTHING_RESOURCE],
        ["prompt", "What's weather in Ulm?"],
        ["completion", ["Text"]],
        # the long operation again, cancelled at its first step; the server goes on to send progress
        ["progress", 1, 600],
        ["cancelled"],
        ["result", "echo", "Echo: still here"],
        ["error", METHOD_NOT_FOUND],
        ["closed"],
    ]
