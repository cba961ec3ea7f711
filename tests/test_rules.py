"""Capability rules: the bundled ones hold in every version, and each way of being wrong is found where it stands."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fidelity.shared import SHARED

from wiregen.catalogue import PROTOCOLS, Target, read_schema, read_table, table_name, versions
from wiregen.errors import Diagnostic, InvalidInput
from wiregen.rule_check import check_newer_schema, check_rules
from wiregen.rules import AnyGate, FieldGate, MemberGate, MessageGate, Rules, Side, ValueGate, read_rules

Data = dict[str, Any]
Step = str | int
Edit = Callable[[Data], object]
FILE = "capabilities.toml"


def schema(protocol: str, version: str) -> Data:
    """A fresh copy of a bundled schema."""
    loaded: Data = json.loads(read_schema(Target(protocol, version))[0])
    return loaded


def schemas(protocol: str) -> dict[str, Data]:
    """The bundled schemas of a protocol."""
    return {version: schema(protocol, version) for version in versions(protocol)}


def rules_of(protocol: str) -> Rules:
    """The bundled rules of a protocol."""
    return read_rules(read_table(protocol, "capabilities"), table_name(protocol, "capabilities"))


def diagnostics(protocol: str, edit: Edit) -> tuple[Diagnostic, ...]:
    """What is found in the bundled rules after an edit."""
    data = copy.deepcopy(read_table(protocol, "capabilities"))
    edit(data)
    try:
        return check_rules(read_rules(data, FILE), schemas(protocol), FILE)
    except InvalidInput as invalid:
        return invalid.diagnostics


# --- the bundled rules ---


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_bundled_rules_fit_every_bundled_schema(protocol: str) -> None:
    assert check_rules(rules_of(protocol), schemas(protocol), FILE) == ()


def test_one_feature_is_declared_differently_in_each_generation() -> None:
    image = next(feature for feature in rules_of("acp").features if feature.name == "prompt.image")
    assert [(way.versions, way.path, way.marker) for way in image.declared] == [
        (("v1", "v1-unstable"), ("promptCapabilities", "image"), "boolean"),
        (("v2", "v2-unstable"), ("session", "prompt", "image"), "object"),
    ]
    assert image.gates == (
        MemberGate(
            kind="member",
            sender="client",
            methods=("session/prompt",),
            at=("prompt", "*"),
            tag="type",
            members=("image",),
        ),
    )


def test_the_rules_of_one_version_hold_nothing_of_another() -> None:
    stable, unstable = rules_of("acp").of("v1"), rules_of("acp").of("v1-unstable")
    assert "session.fork" not in {feature.name for feature in stable.features}
    directories = {r: next(f for f in r.features if f.name.endswith("directories")) for r in (stable, unstable)}
    assert [gate.methods[0] for gate in directories[stable].gates] == ["session/new", "session/load", "session/list"]
    assert {gate.versions for gate in directories[unstable].gates} == {("v1-unstable",)}
    assert "session/fork" in {method for gate in directories[unstable].gates for method in gate.methods}
    v2 = rules_of("acp").of("v2")
    assert next(f for f in v2.features if f.name == "session.notices").gates == ()
    assert {way.by for f in v2.features if f.name == "session.list" for way in f.implied} == {("session",)}


def test_feature_names_are_by_side() -> None:
    rules = rules_of("mcp")
    assert {"tasks", "roots", "elicitation.form"} <= set(rules.feature_names("client"))
    assert {"tasks", "tools.list_changed"} <= set(rules.feature_names("server"))
    assert "roots" not in rules.feature_names("server")
    assert list(rules.feature_names("server")) == sorted(rules.feature_names("server"))


# --- against the list of facts ---


def facts(protocol: str) -> Data:
    """The list of what each capability of each version means."""
    file = SHARED / "facts" / f"{protocol}-capabilities.json"
    if not file.exists():
        pytest.skip("../shared/facts is absent")
    loaded: Data = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def facts_versions(fact: Data) -> tuple[str, ...]:
    """The versions that a fact holds for: what is in an ACP version is in its unstable form too."""
    if "stable" not in fact:
        return (fact["version"],)
    return (fact["version"], f"{fact['version']}-unstable") if fact["stable"] else (f"{fact['version']}-unstable",)


def capabilities(rules: Rules) -> Iterator[tuple[str, str, str, str | None]]:
    """Version, path from the side on, marker and feature of every rule."""
    for feature in rules.features:
        for way in feature.declared:
            marker = way.marker.removesuffix("ean")
            for version in way.versions:
                yield version, ".".join((feature.declared_by, *way.path)), marker, feature.name
    for marker, groupings in (("group", rules.groups), ("free", rules.free)):
        for grouping in groupings:
            for path in grouping.paths:
                for version in grouping.versions:
                    yield version, ".".join((grouping.declared_by, *path)), marker, None


@pytest.mark.parametrize(("protocol", "count"), [("acp", 68), ("mcp", 95)])
def test_there_is_a_rule_for_every_fact_and_none_beyond(protocol: str, count: int) -> None:
    listed = facts(protocol)["rules"]
    assert len(listed) == count
    expected = {(v, fact["path"], fact["marker"], fact["feature"]) for fact in listed for v in facts_versions(fact)}
    assert set(capabilities(rules_of(protocol))) == expected


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_version_gives_without_a_capability_is_as_listed(protocol: str) -> None:
    rules = rules_of(protocol)
    known = versions(protocol)
    for fact in facts(protocol)["derived_features"]:
        for version in (v for v in known if v.removesuffix("-unstable") == fact["version"]):
            ways = [feature for feature in rules.of(version).features if feature.name == fact["feature"]]
            assert len(ways) == 1, (version, fact)
            if fact["when"].startswith("always"):
                assert ways[0].baseline == (version,)
            elif fact["when"].startswith("authMethods"):
                assert [way.not_empty for way in ways[0].implied] == [("authMethods",)]
            else:
                assert [way.by for way in ways[0].implied] == [(fact["when"].split()[0],)]


def matches(gate: AnyGate, kind: str, name: str) -> bool:
    """Whether a gate is what a fact says in its short form."""
    match gate, kind:
        case MessageGate(kind="request"), "method" | "input":
            return name in gate.methods
        case MessageGate(kind="notification"), "notif" | "notification":
            return name in gate.methods
        case MemberGate(), "variant":
            return name.partition(".")[2] in gate.members
        case ValueGate(), "variant" | "mode":
            return name.partition(".")[2] in gate.values or any(f" {value}" in name for value in gate.values)
        case ValueGate(), "value":
            return name.split(maxsplit=1)[0].endswith("." + gate.at[-1]) and all(value in name for value in gate.values)
        case FieldGate(), "param":
            return name.partition(".")[2] == gate.at[-1]
        case _:
            return False


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_gate_of_the_facts_is_there(protocol: str) -> None:
    rules = rules_of(protocol)
    checked = 0
    for fact in facts(protocol)["rules"]:
        side: Side = fact["side"]
        for version in facts_versions(fact):
            features = [f for f in rules.of(version).features if f.declared_by == side]
            # A group may gate what its members declare: one of them allows it.
            prefix = fact["path"].partition(".")[2]
            own = [
                f for f in features if f.name == fact["feature"] or (not fact["feature"] and f.name.startswith(prefix))
            ]
            for text in fact["gates"]:
                if text.startswith("requires"):
                    assert [way.requires for f in own for way in f.declared] == [("session.list",)]
                    continue
                kind, _, rest = text.partition(":")
                if rest.endswith("(unstable)") and not version.endswith("unstable"):
                    continue
                name = re.sub(r" \((?!thisServer).*\)$| in (PromptRequest\.)?prompt$| inside .*$|; .*$", "", rest)
                assert any(matches(gate, kind, name) for f in own for gate in f.gates), (version, fact["path"], text)
                checked += 1
    assert checked > 80


def test_what_needs_no_capability_is_as_listed() -> None:
    for version, methods in facts("mcp")["ungated"].items():
        ungated = rules_of("mcp").of(version).ungated
        assert {method for entry in ungated for method in entry.methods} == set(methods)
    for generation, listed in facts("acp")["ungated"].items():
        ungated = rules_of("acp").of(f"v{generation}").ungated
        methods = {method for entry in ungated for method in entry.methods}
        assert {method.split()[0] for method in listed["baseline"]} - {"authenticate"} <= methods


# --- rules that are wrong ---


def entry(data: Data, path: tuple[Step, ...]) -> Any:
    """What stands in a file of rules; a feature is found by its name."""
    found: Any = data
    for step in path:
        array = is_array(found)
        found = next(item for item in found if item["name"] == step) if array and isinstance(step, str) else found[step]
    return found


def is_array(value: object) -> bool:
    """Whether it is an array of a file of rules."""
    return isinstance(value, list)


def put(*path: Step, **changes: object) -> Edit:
    """An edit that sets keys of a table."""

    def edit(data: Data) -> None:
        entry(data, path).update(changes)

    return edit


def append(value: object, *path: Step) -> Edit:
    """An edit that adds to an array."""

    def edit(data: Data) -> None:
        entry(data, path).append(value)

    return edit


def drop(value: Step, *path: Step) -> Edit:
    """An edit that takes a key out of a table, or an item out of an array."""

    def edit(data: Data) -> None:
        found = entry(data, path)
        if is_array(found) and isinstance(value, str):
            found.remove(value)
        else:
            found.pop(value)

    return edit


def index_of(name: str) -> int:
    """Where a feature stands in the ACP rules."""
    return [feature["name"] for feature in read_table("acp", "capabilities")["features"]].index(name)


@pytest.mark.parametrize(
    ("edit", "code", "where", "text"),
    [
        pytest.param(
            put("features", "session.fork", gate=[]),
            "unknown-key",
            "/features/{session.fork}/gate",
            "no such key",
            id="key",
        ),
        pytest.param(
            put("features", "session.fork", "gates", 0, params="x"),
            "unknown-key",
            "/features/{session.fork}/gates/0/params",
            "no such key",
            id="key-of-a-gate",
        ),
        pytest.param(
            drop("name", "features", "session.fork"),
            "missing-key",
            "/features/{session.fork}/name",
            "missing",
            id="missing",
        ),
        pytest.param(
            put("features", "session.fork", "gates", 0, methods="session/fork"),
            "wrong-value",
            "/features/{session.fork}/gates/0/methods",
            "array",
            id="type",
        ),
        pytest.param(
            put("features", "session.fork", "gates", 0, kind="requests"),
            "wrong-value",
            "/features/{session.fork}/gates/0",
            "'request'",
            id="kind",
        ),
        pytest.param(
            put("features", "prompt.image", "gates", 0, at="prompt"),
            "wrong-value",
            "/features/{prompt.image}/gates/0/at",
            "JSON pointer",
            id="pointer",
        ),
    ],
)
def test_a_file_of_the_wrong_form_is_refused(edit: Edit, code: str, where: str, text: str) -> None:
    (found,) = diagnostics("acp", edit)
    name = re.findall(r"\{(.*)\}", where)[0]
    assert (found.code, found.file, found.pointer) == (code, FILE, where.replace(f"{{{name}}}", str(index_of(name))))
    assert text in found.message


@pytest.mark.parametrize(
    ("edit", "code", "text"),
    [
        pytest.param(put("features", "plan", declared_by="server"), "foreign-side", "acp has no server", id="side"),
        pytest.param(put("features", "plan", baseline=["v3"]), "no-such-version", "no version 'v3'", id="version"),
        pytest.param(
            append({"name": "plan", "declared_by": "client", "baseline": ["v1"]}, "features"),
            "duplicate-feature",
            "has the feature 'plan' already",
            id="feature-twice",
        ),
        pytest.param(
            append("terminal", "groups", 0, "paths"),
            "duplicate-path",
            "capability 'terminal' of v1",
            id="path-twice",
        ),
        pytest.param(
            put("features", "plan", declared=[], gates=[]), "feature-without-way", "nothing gives", id="no-way"
        ),
        pytest.param(
            put("features", "plan", baseline=["v1-unstable"]), "baseline-declared", "baseline of v1-unst", id="both"
        ),
        pytest.param(
            put("features", "plan", "gates", 0, versions=["v2"]),
            "gate-version",
            "nothing declares 'plan'",
            id="gate-version",
        ),
        pytest.param(
            put("features", "session.list", "implied", 0, by=["sessions"]),
            "unknown-feature",
            "declares 'sessions' in v2, v2-unstable",
            id="implied-by",
        ),
        pytest.param(
            put("features", "session.archive", "declared", 0, requires=["auth.login"]),
            "unknown-feature",
            "declares 'auth.login' in v1-unstable",
            id="requires",
        ),
        pytest.param(
            drop(-1, "declarations"),
            "declaration-count",
            "0 entries say where the agent",
            id="undeclared",
        ),
    ],
)
def test_rules_at_odds_with_themselves_are_found(edit: Edit, code: str, text: str) -> None:
    found = diagnostics("acp", edit)
    assert {(one.code, one.file, one.severity) for one in found} == {(code, FILE, "error")}
    assert text in found[0].message
    assert found[0].hint


@pytest.mark.parametrize(
    ("edit", "code", "text"),
    [
        pytest.param(
            put("features", "session.load", "declared", 0, path="loadSessions"),
            "no-such-capability",
            "v1, v1-unstable: the agent has no capability 'loadSessions'",
            id="path",
        ),
        pytest.param(
            put("features", "session.load", "declared", 0, marker="object"),
            "wrong-marker",
            "v1, v1-unstable: the agent capability 'loadSession' is no object but boolean",
            id="marker",
        ),
        pytest.param(
            put("features", "auth.terminal", "declared", 1, marker="boolean"),
            "wrong-marker",
            "v2, v2-unstable: the client capability 'auth.terminal' is no boolean but null, object",
            id="marker-of-one-generation",
        ),
        pytest.param(
            put("features", "session.delete", "gates", 0, methods=["session/delete", "session/remove"]),
            "no-such-message",
            "the client sends no request 'session/remove'",
            id="method",
        ),
        pytest.param(
            put("features", "auth.status", "gates", 1, sender="client"),
            "no-such-message",
            "the client sends no notification 'auth/status_update'",
            id="sender",
        ),
        pytest.param(
            put("features", "prompt.image", "gates", 0, methods=["session/prompts"]),
            "no-such-message",
            "the client sends no message 'session/prompts'",
            id="method-of-a-place",
        ),
        pytest.param(
            put("features", "auth.terminal", "gates", 0, sender="client"),
            "no-such-message",
            "the agent sends no request 'initialize'",
            id="answerer",
        ),
        pytest.param(
            put("features", "prompt.image", "gates", 0, at="/prompt/content"),
            "no-such-place",
            "nothing at /prompt/content of the params of 'session/prompt'",
            id="place",
        ),
        pytest.param(
            put("features", "prompt.image", "gates", 0, members=["image", "video"]),
            "no-such-value",
            "no member with type 'video' at /prompt/* of the params of 'session/prompt'",
            id="member",
        ),
        pytest.param(
            put("features", "elicitation.url", "gates", 1, values=["link"]),
            "no-such-value",
            "no value 'link' at /mode of the params of 'elicitation/create'",
            id="value",
        ),
        pytest.param(
            put("features", "session.additional_directories", "gates", 0, at="/additionalRoots"),
            "no-such-place",
            "nothing at /additionalRoots of the params of 'session/new'",
            id="field",
        ),
        pytest.param(
            put("features", "session.additional_directories", "gates", 0, used="true"),
            "wrong-field-type",
            "what stands at /additionalDirectories of the params of 'session/new' is no boolean but array",
            id="use-of-a-field",
        ),
        pytest.param(
            put("features", "auth.login", "implied", 0, not_empty="/authentication"),
            "no-such-place",
            "nothing at /authentication/* of the result of 'initialize'",
            id="implying-list",
        ),
        pytest.param(
            put("declarations", 0, info="/info"),
            "no-such-place",
            "v1, v1-unstable: nothing at /info of the params of 'initialize'",
            id="info",
        ),
        pytest.param(
            drop("session.configOptions", "groups", 0, "paths"),
            "capability-without-rule",
            "v1, v1-unstable: no rule for the client capability 'session.configOptions'",
            id="capability-without-rule",
        ),
        pytest.param(
            drop("session/set_mode", "ungated", 0, "methods"),
            "message-without-rule",
            "v1, v1-unstable: no rule for the request 'session/set_mode' of the client",
            id="message-without-rule",
        ),
        pytest.param(
            append("session/load", "ungated", 0, "methods"),
            "gated-and-ungated",
            "'session/load' of the client needs a feature and needs none",
            id="gated-and-ungated",
        ),
        pytest.param(
            append("session/begin", "ungated", 0, "methods"),
            "no-such-message",
            "the client sends no message 'session/begin'",
            id="ungated-method",
        ),
        pytest.param(
            put("replaced", 0, method="session/prompt"),
            "replaced-message-exists",
            "v2, v2-unstable: 'session/prompt' of the client exists",
            id="replaced",
        ),
        pytest.param(
            put("replaced", 0, at="/replay"),
            "no-such-place",
            "nothing at /replay of the params of 'session/resume'",
            id="replaced-by",
        ),
    ],
)
def test_rules_at_odds_with_a_schema_are_found(edit: Edit, code: str, text: str) -> None:
    found = diagnostics("acp", edit)
    matching = [one for one in found if text in one.message]
    assert len(matching) == 1, found
    assert (matching[0].code, matching[0].file, bool(matching[0].hint)) == (code, FILE, True)


def test_a_wrong_rule_is_one_diagnostic_however_many_versions_it_names() -> None:
    (found,) = diagnostics("acp", put("features", "prompt.image", "gates", 0, members=["video"]))
    assert found.message.startswith("v1, v1-unstable, v2, v2-unstable: no member")
    assert found.pointer == f"/features/{index_of('prompt.image')}/gates/0/members"
    assert found.hint == "there are audio, image, resource, resource_link, text"


def test_input_requests_are_messages_where_they_travel_in_results() -> None:
    found = diagnostics("mcp", put("embedded", 0, at="/requests"))
    assert found[0].message == "2026-07-28: nothing at /requests of the result of 'prompts/get'"
    assert {one.code for one in found} == {"no-such-place", "no-such-message"}
    (found_map,) = {
        one.message
        for one in diagnostics("mcp", put("embedded", 0, at="/requestState"))
        if one.code == "no-such-place" and "'tools/call'" in one.message
    }
    assert found_map == "2026-07-28: no map of requests at /requestState of the result of 'tools/call'"


# --- schemas newer than the rules ---


@pytest.mark.parametrize(
    ("protocol", "version", "definition", "capability", "path"),
    [
        ("acp", "v2", "PromptCapabilities", {"type": ["object", "null"]}, "agent capability 'session.prompt.video'"),
        ("mcp", "2026-07-28", "ClientCapabilities", {"type": "object"}, "client capability 'video'"),
    ],
)
def test_a_capability_of_a_newer_schema_is_a_warning_by_path(
    protocol: str, version: str, definition: str, capability: Data, path: str
) -> None:
    newer = schema(protocol, version)
    newer["$defs"][definition]["properties"]["video"] = capability
    (found,) = check_newer_schema(rules_of(protocol), version, newer, FILE)
    assert (found.severity, found.code) == ("warning", "capability-without-rule")
    assert found.message == f"{version}: no rule for the {path}"


def test_the_same_schema_gives_no_warning() -> None:
    assert check_newer_schema(rules_of("acp"), "v2", schema("acp", "v2"), FILE) == ()


def test_a_recursive_schema_ends() -> None:
    newer = schema("acp", "v1")
    newer["$defs"]["PromptCapabilities"]["properties"]["more"] = {"$ref": "#/$defs/PromptCapabilities"}
    found = check_newer_schema(rules_of("acp"), "v1", newer, FILE)
    assert [one.message for one in found] == ["v1: no rule for the agent capability 'promptCapabilities.more'"]
