"""The methods of a version, read from its schema alone: who sends what, and where params and results are described."""

from collections.abc import Iterator
from dataclasses import dataclass

from .oracle import Oracle, Schema

SENDERS = {"acp": ("client", "agent"), "mcp": ("client", "server")}


@dataclass(frozen=True, slots=True)
class SchemaMethod:
    """A method as one side sends it; params and result are pointers into the document."""

    name: str
    sender: str
    kind: str
    params: str | None
    result: str | None


def schema_methods(oracle: Oracle) -> dict[tuple[str, str], SchemaMethod]:
    """Every method that one side sends the other, by name and sender."""
    found = _acp(oracle) if oracle.protocol == "acp" else _mcp(oracle)
    return {(method.name, method.sender): method for method in found}


def _acp(oracle: Oracle) -> Iterator[SchemaMethod]:
    """A definition says its method in `x-method` and who receives it, or sends the answer, in `x-side`."""
    receivers = {"agent": ("client",), "client": ("agent",), "protocol": ("client", "agent")}
    for name, schema in oracle.definitions.items():
        kind = "request" if name.endswith("Request") else "notification" if name.endswith("Notification") else None
        if kind is None or schema.get("x-side") not in receivers:
            continue
        method, side = schema["x-method"], schema["x-side"]
        results = [
            f"#/{oracle.root}/{other}"
            for other, answer in oracle.definitions.items()
            if other.endswith("Response") and (answer.get("x-method"), answer.get("x-side")) == (method, side)
        ]
        for sender in receivers[side]:
            yield SchemaMethod(
                method, sender, kind, f"#/{oracle.root}/{name}", results[0] if kind == "request" else None
            )


def _mcp(oracle: Oracle) -> Iterator[SchemaMethod]:
    """The unions of each side list its messages; a message names its method by a constant."""
    for sender in SENDERS["mcp"]:
        for kind in ("request", "notification"):
            for name in _members(oracle, f"{sender.capitalize()}{kind.capitalize()}"):
                schema = oracle.definitions[name]
                params = f"#/{oracle.root}/{name}/properties/params" if "params" in schema["properties"] else None
                result = _mcp_result(oracle, name) if kind == "request" else None
                yield SchemaMethod(schema["properties"]["method"]["const"], sender, kind, params, result)


def _members(oracle: Oracle, union: str) -> list[str]:
    """The definitions in a union of messages, which may be missing, or be the only message itself."""
    schema = oracle.definitions.get(union)
    if schema is None:
        return []
    return [member["$ref"].rsplit("/", 1)[1] for member in schema["anyOf"]] if "anyOf" in schema else [union]


def _mcp_result(oracle: Oracle, request: str) -> str:
    """A result is called like its request, or it is empty."""
    stem = request.removesuffix("Request")
    response: Schema | None = oracle.definitions.get(f"{stem}ResultResponse")
    if response is not None:
        return f"#/{oracle.root}/{stem}ResultResponse/properties/result"
    return f"#/{oracle.root}/{f'{stem}Result' if f'{stem}Result' in oracle.definitions else 'EmptyResult'}"
