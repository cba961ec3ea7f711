"""Version negotiation: what a side answers, what a client makes of the answer, and when it uses `initialize`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fidelity.shared import SHARED, material

from wiregen.runtime import acp_negotiation as acp
from wiregen.runtime import mcp_negotiation as mcp
from wiregen.runtime.mcp_negotiation import Discover, GiveUp, Initialize, Step, UseVersion
from wiregen.runtime.negotiation import UnsupportedProtocolVersion, VersionMismatch

Json = dict[str, Any]
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ALL = (*LEGACY, "2026-07-28")
LATER = "2027-01-15"
NO_ACP_VERSIONS: list[object] = [
    "1",
    True,
    False,
    None,
    1.5,
    70000,
    -1,
    "2025-06-18",
    [1],
    {},
    float("nan"),
    float("inf"),
]
NO_MCP_VERSIONS: list[object] = [1, True, None, 2025.0, ["2025-06-18"]]


def error(code: int, **data: object) -> Json:
    """An error answer."""
    return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no", "data": data}}


def result(**members: object) -> Json:
    """An answer with a result."""
    return {"jsonrpc": "2.0", "id": 1, "result": members}


def unsupported(*supported: str, requested: str = "2026-07-28") -> Json:
    """The refusal of a version by an MCP server."""
    return error(-32022, requested=requested, supported=list(supported))


def handed(name: str) -> Json:
    """The input of a report."""
    file = next((SHARED / "reports").glob(f"{name}-*.json"), None)
    if file is None:
        pytest.skip("../shared/reports is absent")
    loaded: Json = json.loads(file.read_text(encoding="utf-8"))["input"]
    return loaded


@dataclass
class ErrorModel:
    """An error as a message class has it."""

    code: int
    message: str
    data: object = None


# --- ACP ---


@pytest.mark.parametrize(
    ("requested", "supported", "answer"),
    [
        (1, (1,), 1),
        (2, (1, 2), 2),
        (1, (1, 2), 1),
        (2, (1,), 1),
        (3, (1, 2), 2),
        (65535, (2, 1), 2),
        (0, (2,), 2),
        (1, (2,), 2),
    ],
)
def test_an_agent_answers_with_the_requested_version_or_its_latest(
    requested: int, supported: tuple[int, ...], answer: int
) -> None:
    assert acp.negotiate(requested, supported) == answer


@pytest.mark.parametrize("requested", NO_ACP_VERSIONS)
def test_an_agent_cannot_read_what_is_no_version(requested: Any) -> None:
    with pytest.raises(ValueError, match="is no ACP version"):
        acp.negotiate(requested, [1])


def test_a_whole_number_is_an_integer() -> None:
    answers: tuple[Any, Any] = (acp.negotiate(1.0, [1]), acp.accept(1, 1.0, [1]))  # type: ignore[arg-type]
    assert answers == (1, 1)
    assert {type(answer) for answer in answers} == {int}


@pytest.mark.parametrize("supported", [[], [True], ["1"], [1, None], [65536]])
def test_supported_versions_are_versions(supported: Any) -> None:
    with pytest.raises(ValueError, match="at least one"):
        acp.negotiate(1, supported)
    with pytest.raises(ValueError, match="at least one"):
        acp.accept(1, 1, supported)


def test_a_client_accepts_what_it_supports_whatever_it_offered() -> None:
    assert acp.accept(2, 2, [1, 2]) == 2
    assert acp.accept(2, 1, [1, 2]) == 1
    assert acp.accept(1, 2, [1, 2]) == 2


def test_a_client_ends_the_connection_over_a_version_that_it_does_not_support() -> None:
    with pytest.raises(VersionMismatch) as raised:
        acp.accept(1, 2, [1])
    assert (raised.value.supported, raised.value.answer) == ((2,), 2)
    assert raised.value.message == "the agent chose ACP version 2, this client offered 1 and supports 1"
    assert str(raised.value) == raised.value.message


@pytest.mark.parametrize("answer", NO_ACP_VERSIONS)
def test_a_client_takes_nothing_else_for_a_version(answer: object) -> None:
    with pytest.raises(VersionMismatch, match="is no ACP version") as raised:
        acp.accept(1, answer, [0, 1])
    assert raised.value.supported == ()


REFUSAL = {"code": -32022, "message": "Unsupported", "data": {"requested": 1, "supported": [2, 3]}}


@pytest.mark.parametrize(
    "answer",
    [REFUSAL, {"jsonrpc": "2.0", "id": 0, "error": REFUSAL}, ErrorModel(-32022, "Unsupported", REFUSAL["data"])],
    ids=["error", "response", "model"],
)
def test_a_refusal_names_the_versions_of_the_agent(answer: object) -> None:
    assert acp.unsupported_protocol_version(answer) == UnsupportedProtocolVersion(1, (2, 3))
    with pytest.raises(VersionMismatch) as raised:
        acp.accept(1, answer, [1])
    assert raised.value.supported == (2, 3)
    assert raised.value.message == "the agent supports ACP version 2, 3, this client offered 1 and supports 1"


def test_a_refusal_need_not_say_what_was_requested() -> None:
    answer = error(-32022, supported=[2])
    assert acp.unsupported_protocol_version(answer) == acp.UnsupportedProtocolVersion(None, (2,))
    with pytest.raises(VersionMismatch) as raised:
        acp.accept(1, answer, [1])
    assert raised.value.supported == (2,)
    refused = error(-32022, supported=["2026-07-28"])
    assert mcp.next_step(
        mcp.Discover("2027-01-01"), refused, ["2025-11-25", "2026-07-28", "2027-01-01"]
    ) == mcp.Discover("2026-07-28", ("2027-01-01",))


@pytest.mark.parametrize(
    "answer",
    [
        error(-32602),
        error(-32022),
        error(-32022, requested=1),
        error(-32022, requested=1, supported=["2"]),
        error(-32022, requested=1, supported=2),
    ],
)
def test_any_other_error_names_none(answer: Json) -> None:
    assert acp.unsupported_protocol_version(answer) is None
    with pytest.raises(VersionMismatch, match="refused to initialize: no") as raised:
        acp.accept(1, answer, [1])
    assert raised.value.supported == ()


@pytest.mark.parametrize("answer", [{"code": True, "message": ""}, {"code": "-32022"}, {"error": None}, {"error": 3}])
def test_what_is_no_error_is_none(answer: object) -> None:
    assert acp.unsupported_protocol_version(answer) is None
    assert mcp.unsupported_protocol_version(answer) is None
    assert mcp.missing_client_capability(answer) is None


def test_report_01_the_chosen_version_counts() -> None:
    given = handed("01")
    offered = given["sent"]["params"]["protocolVersion"]
    with pytest.raises(VersionMismatch):
        acp.accept(offered, given["received"]["result"]["protocolVersion"], [1])


def test_report_02_nothing_is_coerced() -> None:
    given = handed("02")
    for received in given["received_variants"]:
        with pytest.raises(VersionMismatch):
            acp.accept(1, received["result"]["protocolVersion"], [1])
    assert acp.accept(1, given["accepted_variant"]["result"]["protocolVersion"], [1]) == 1


# --- MCP: initialize ---


def test_versions_are_reached_by_initialize_or_by_server_discover() -> None:
    assert {mcp.opening_method(version) for version in LEGACY} == {"initialize"}
    assert mcp.opening_method("2026-07-28") == mcp.opening_method(LATER) == "server/discover"


@pytest.mark.parametrize(
    ("requested", "supported", "answer"),
    [
        ("2025-06-18", ALL, "2025-06-18"),
        ("2025-11-25", ("2025-06-18",), "2025-06-18"),
        ("1.0.0", LEGACY, "2025-11-25"),
        ("2024-10-07", ("2025-03-26", "2024-11-05"), "2025-03-26"),
        ("2026-07-28", ALL, "2025-11-25"),
    ],
)
def test_a_server_answers_initialize_with_the_requested_version_or_its_latest(
    requested: str, supported: tuple[str, ...], answer: str
) -> None:
    assert mcp.negotiate(requested, supported) == answer


def test_a_server_without_handshake_has_no_answer_to_initialize() -> None:
    with pytest.raises(VersionMismatch) as raised:
        mcp.negotiate("2025-11-25", ["2026-07-28"])
    assert raised.value.supported == ("2026-07-28",)


@pytest.mark.parametrize("version", NO_MCP_VERSIONS)
def test_what_is_no_string_is_no_mcp_version(version: Any) -> None:
    with pytest.raises(ValueError, match="is no MCP version"):
        mcp.negotiate(version, LEGACY)
    with pytest.raises(VersionMismatch, match="is no MCP version"):
        mcp.accept("2025-11-25", version, LEGACY)


@pytest.mark.parametrize("supported", [[], [1], ["1.0.0"], ["2025-6-18"], ["20250618"], ["2025-06-18", None]])
def test_supported_versions_are_dates(supported: Any) -> None:
    for call in (
        lambda: mcp.negotiate("2025-06-18", supported),
        lambda: mcp.accept("2025-06-18", "2025-06-18", supported),
        lambda: mcp.first_step(supported),
        lambda: mcp.next_step(Discover("2026-07-28"), None, supported),
    ):
        with pytest.raises(ValueError, match="have to be dates"):
            call()


def test_a_client_decides_over_the_answer_to_initialize() -> None:
    assert mcp.accept("2025-11-25", "2025-06-18", ALL) == "2025-06-18"
    with pytest.raises(VersionMismatch, match="chose MCP version 2024-11-05") as raised:
        mcp.accept("2025-11-25", "2024-11-05", ["2025-11-25"])
    assert raised.value.supported == ("2024-11-05",)
    with pytest.raises(VersionMismatch, match="which has no such handshake"):
        mcp.accept("2025-11-25", "2026-07-28", ALL)
    with pytest.raises(VersionMismatch, match="supports MCP version 2026-07-28, this client offered") as raised:
        mcp.accept("2025-11-25", unsupported("2026-07-28", requested="2025-11-25"), LEGACY)
    assert raised.value.supported == ("2026-07-28",)
    with pytest.raises(VersionMismatch, match="refused to initialize"):
        mcp.accept("2025-11-25", error(-32602), LEGACY)


def test_report_14_a_server_answers_with_a_version_of_its_own() -> None:
    given = handed("14")
    requested = given["request"]["params"]["protocolVersion"]
    assert mcp.negotiate(requested, given["server_supports"]) == "2025-06-18"
    with pytest.raises(VersionMismatch, match="refused"):
        mcp.accept(requested, given["wrong_answer"], ALL)


# --- MCP: which kind of server ---


def test_a_client_starts_with_server_discover_if_it_can() -> None:
    assert mcp.first_step(ALL) == Discover("2026-07-28")
    assert mcp.first_step([LATER, "2026-07-28"]) == Discover(LATER)
    assert mcp.first_step(LEGACY) == Initialize("2025-11-25")


PROBE = Discover("2026-07-28")


@pytest.mark.parametrize(
    ("sent", "answer", "supported", "expected"),
    [
        pytest.param(PROBE, result(supportedVersions=["2026-07-28"]), ALL, UseVersion("2026-07-28"), id="discovered"),
        pytest.param(
            Discover(LATER), unsupported("2026-07-28"), (*ALL, LATER), Discover("2026-07-28", (LATER,)), id="retry"
        ),
        pytest.param(
            Discover("2026-07-28", (LATER,)),
            result(supportedVersions=[LATER, "2026-07-28"]),
            (*ALL, LATER),
            UseVersion("2026-07-28"),
            id="refused-before",
        ),
        pytest.param(
            PROBE,
            unsupported("2025-06-18", "2025-11-25"),
            ALL,
            Initialize("2025-11-25", ("2026-07-28",)),
            id="names-a-version-with-handshake",
        ),
        pytest.param(
            PROBE,
            result(supportedVersions=["2025-06-18", "2025-11-25"]),
            ALL,
            Initialize("2025-11-25", ("2026-07-28",)),
            id="discovered-with-handshake",
        ),
        pytest.param(PROBE, error(-32601), ALL, Initialize("2025-11-25"), id="method-not-found"),
        pytest.param(PROBE, error(-32602), ALL, Initialize("2025-11-25"), id="invalid-params"),
        pytest.param(PROBE, error(-32000), ALL, Initialize("2025-11-25"), id="any-error"),
        pytest.param(PROBE, None, ALL, Initialize("2025-11-25"), id="silence"),
        pytest.param(PROBE, result(), ALL, Initialize("2025-11-25"), id="no-discover-result"),
        pytest.param(PROBE, result(supportedVersions="2026-07-28"), ALL, Initialize("2025-11-25"), id="no-list"),
        pytest.param(PROBE, result(supportedVersions=[1]), ALL, Initialize("2025-11-25"), id="no-versions"),
        pytest.param(PROBE, error(-32022), ALL, Initialize("2025-11-25"), id="refusal-without-data"),
        pytest.param(
            Initialize("2025-11-25"),
            result(protocolVersion="2025-03-26"),
            ALL,
            UseVersion("2025-03-26"),
            id="initialized",
        ),
        pytest.param(
            Initialize("2025-11-25"),
            unsupported("2026-07-28", requested="2025-11-25"),
            ALL,
            Discover("2026-07-28", ("2025-11-25",)),
            id="silent-before-but-without-handshake",
        ),
    ],
)
def test_the_next_step_follows_from_the_answer(
    sent: Discover | Initialize, answer: object, supported: tuple[str, ...], expected: Step
) -> None:
    assert mcp.next_step(sent, answer, supported) == expected


@pytest.mark.parametrize(
    ("sent", "answer", "supported", "text", "named"),
    [
        pytest.param(
            PROBE, result(supportedVersions=[LATER]), ALL, f"supports MCP version {LATER}", (LATER,), id="later"
        ),
        pytest.param(
            PROBE,
            result(supportedVersions=["2025-11-25"]),
            ("2025-06-18", "2026-07-28"),
            "supports MCP version 2025-11-25",
            ("2025-11-25",),
            id="a-discover-result-is-final",
        ),
        pytest.param(PROBE, unsupported(LATER), ALL, f"and supports {LATER}", (LATER,), id="disjoint"),
        pytest.param(
            PROBE,
            unsupported("2026-07-28"),
            ALL,
            "refused MCP version 2026-07-28 and supports 2026-07-28",
            ("2026-07-28",),
            id="contradiction",
        ),
        pytest.param(PROBE, error(-32021), ALL, "refused server/discover: no (-32021)", (), id="missing-capability"),
        pytest.param(PROBE, error(-32020), ALL, "refused server/discover: no (-32020)", (), id="header-mismatch"),
        pytest.param(PROBE, error(-32601), ("2026-07-28",), "without initialize", (), id="legacy-server"),
        pytest.param(PROBE, None, ("2026-07-28",), "without initialize", (), id="silent-legacy-server"),
        pytest.param(Initialize("2025-11-25"), None, ALL, "does not answer initialize", (), id="silence"),
        pytest.param(Initialize("2025-11-25"), error(-32602), ALL, "refused to initialize", (), id="error"),
        pytest.param(
            Initialize("2025-11-25"),
            result(protocolVersion="1.0"),
            ALL,
            "chose MCP version 1.0",
            ("1.0",),
            id="unknown",
        ),
        pytest.param(Initialize("2025-11-25"), result(), ALL, "is no MCP version", (), id="no-version"),
        pytest.param(
            Initialize("2025-11-25"),
            result(protocolVersion="2026-07-28"),
            ALL,
            "which has no such handshake",
            ("2026-07-28",),
            id="version-without-handshake",
        ),
    ],
)
def test_a_client_gives_up_and_says_why(
    sent: Discover | Initialize, answer: object, supported: tuple[str, ...], text: str, named: tuple[str, ...]
) -> None:
    step = mcp.next_step(sent, answer, supported)
    assert isinstance(step, GiveUp)
    assert text in step.message
    assert step.supported == named


@pytest.mark.parametrize("code", [-32022, -32601])
def test_negotiation_ends_whatever_a_server_answers(code: int) -> None:
    every = (*ALL, LATER)
    step: Step = mcp.first_step(every)
    steps = 0
    while isinstance(step, Discover | Initialize):
        step = mcp.next_step(step, error(code, requested=step.version, supported=list(every)), every)
        steps += 1
    assert isinstance(step, GiveUp)
    assert steps <= len(every)


def test_answers_may_be_models() -> None:
    @dataclass
    class DiscoverResult:
        supported_versions: list[str]

    @dataclass
    class InitializeResult:
        protocol_version: str

    @dataclass
    class RefusalData:
        requested: str
        supported: list[str]

    assert mcp.next_step(PROBE, DiscoverResult(["2026-07-28"]), ALL) == UseVersion("2026-07-28")
    initialized = InitializeResult("2025-06-18")
    assert mcp.next_step(Initialize("2025-11-25"), initialized, ALL) == UseVersion("2025-06-18")
    refusal = ErrorModel(-32022, "no", RefusalData(LATER, ["2026-07-28"]))
    assert mcp.next_step(Discover(LATER), refusal, [*ALL, LATER]) == Discover("2026-07-28", (LATER,))


def test_the_errors_are_values_with_their_data() -> None:
    refusal = unsupported("2026-07-28", requested=LATER)
    assert mcp.unsupported_protocol_version(refusal) == UnsupportedProtocolVersion(LATER, ("2026-07-28",))
    missing = error(-32021, requiredCapabilities={"elicitation": {}})
    assert mcp.missing_client_capability(missing) == mcp.MissingClientCapability({"elicitation": {}})
    assert mcp.missing_client_capability(missing["error"]) == mcp.MissingClientCapability({"elicitation": {}})
    assert mcp.missing_client_capability(refusal) is None
    assert mcp.unsupported_protocol_version(missing) is None


def test_report_16_there_is_no_initialize_after_a_discover_result() -> None:
    discover, discovered, initialize, refusal = (step["message"] for step in handed("16")["sequence"])
    meta = discover["params"]["_meta"]
    sent = mcp.first_step(ALL)
    assert sent == Discover(meta["io.modelcontextprotocol/protocolVersion"])
    assert mcp.next_step(sent, discovered, ALL) == UseVersion("2026-07-28")
    wrong = Initialize(initialize["params"]["protocolVersion"])
    assert mcp.next_step(wrong, refusal, ALL) == Discover("2026-07-28", ("2025-11-25",))
    assert isinstance(mcp.next_step(wrong, refusal, LEGACY), GiveUp)


# --- recorded peers ---


def exchanges(file: Path, *methods: str) -> Iterator[tuple[str, Json, Json]]:
    """Scenario, request and answer of each opening request in a recording that was answered."""
    pending: dict[tuple[str, str], Json] = {}
    for text in file.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if not isinstance(line.get("message"), dict):
            continue
        message: Json = line["message"]
        key = (line.get("scenario", ""), json.dumps(message.get("id")))
        if line["dir"] == "c2s" and message.get("method") in methods:
            pending[key] = message
        elif line["dir"] == "s2c" and "method" not in message and key in pending:
            yield key[0], pending.pop(key), message


@pytest.mark.parametrize("file", material("traffic", "acp-*.jsonl"))
def test_a_client_decides_over_what_recorded_agents_answered(file: Path) -> None:
    for scenario, request, answer in exchanges(file, "initialize"):
        requested: Any = request.get("params", {}).get("protocolVersion")
        chosen = answer.get("result", {}).get("protocolVersion", answer)
        if chosen in (1, 2):
            assert acp.accept(requested, chosen, [1, 2]) == chosen, scenario
            continue
        with pytest.raises(VersionMismatch) as raised:
            acp.accept(requested, chosen, [1, 2])
        code = answer["error"]["code"] if "error" in answer else None
        assert (raised.value.supported == (2,)) == (code == -32022), scenario


@pytest.mark.parametrize("file", material("traffic", "acp-*+ts-v1-negotiation.jsonl"))
def test_an_agent_answers_as_a_recorded_one_did(file: Path) -> None:
    answered = 0
    for scenario, request, answer in exchanges(file, "initialize"):
        requested = request.get("params", {}).get("protocolVersion")
        if "result" in answer:
            assert acp.negotiate(requested, [1]) == answer["result"]["protocolVersion"], scenario
            answered += 1
        elif not isinstance(requested, int):
            with pytest.raises(ValueError, match="no ACP version"):
                acp.negotiate(requested, [1])
    assert answered > 10


@pytest.mark.parametrize("file", [*material("traffic", "pyclient*.jsonl"), *material("traffic", "ts*.jsonl")])
def test_recorded_clients_took_the_same_steps(file: Path) -> None:
    """Each opening request that the recorded client sent is the step after the answer to the one before."""
    step: Step | None = None
    for _, request, answer in exchanges(file, "server/discover", "initialize"):
        if request["method"] == "server/discover":
            sent: Discover | Initialize = Discover(
                request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
            )
        else:
            sent = Initialize(request["params"]["protocolVersion"])
        assert step is None or step == sent
        step = mcp.next_step(sent, answer, ALL)
    assert step is None or isinstance(step, UseVersion)


@pytest.mark.parametrize("file", material("traffic", "raw+*-negotiation.jsonl"))
def test_what_a_client_does_after_the_answers_of_recorded_servers(file: Path) -> None:
    with_handshake = "ts-everything" in file.stem
    steps: dict[str, Step] = {}
    for scenario, request, answer in exchanges(file, "server/discover"):
        meta = request["params"].get("_meta", {})
        sent = Discover(meta.get("io.modelcontextprotocol/protocolVersion", "2026-07-28"))
        steps.setdefault(scenario, mcp.next_step(sent, answer, [*ALL, "2030-01-01"]))
    legacy = Initialize("2025-11-25")
    if with_handshake:
        assert set(steps.values()) == {legacy}
    else:
        assert steps["discover-2026"] == UseVersion("2026-07-28")
        assert steps["discover-unknown-version"] == Discover("2026-07-28", ("2030-01-01",))
        assert steps["discover-old-version"] == Discover("2026-07-28", ("2025-11-25",))
        assert steps["discover-no-meta"] == legacy
