"""What it costs to import a version and to decode the first message, in a fresh process.

pydantic is loaded before the clock starts: everybody here needs it. The first message makes deferred work count.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, Key
from benchmarks.measure import in_turns, run

BENCHMARK: Final = "import"

IMPORT: Final = "import"
WITH_DECODE: Final = "import and first decode"
MEMORY: Final = "peak memory"

NOTHING: Final = "pydantic alone"
ACP_SCHEMA: Final = "acp.schema"
ACP_VERSIONS: Final = ("wiretypes.acp.v1", "wiretypes.acp.v2")
MCP_VERSIONS: Final = ("2025-11-25", "2026-07-28")
_BOTH: Final = "both versions"

_PROGRAM: Final = """
import json, time
from pathlib import Path
from pydantic import BaseModel
from pydantic_core import from_json
class Loaded(BaseModel):
    field: int
Loaded(field=1)
times = [time.process_time()]
{imports}
times.append(time.process_time())
{decode}
times.append(time.process_time())
status = Path("/proc/self/status")
if status.exists():
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) * 1024
else:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([times[1] - times[0], times[2] - times[0], peak]))
"""


@dataclass(frozen=True, slots=True)
class Opening:
    """The message that opens a session."""

    module: str
    type_name: str
    text: bytes
    method: str = "initialize"
    version: str = ""


_ACP_1: Final = Opening(
    "acp.v1",
    "InitializeRequest",
    b'{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true},'
    b'"clientInfo":{"name":"inkwell","version":"4.2.0"}}',
)
_ACP_2: Final = Opening(
    "acp.v2",
    "InitializeRequest",
    b'{"protocolVersion":2,"capabilities":{"auth":{"terminal":{}}},"info":{"name":"inkwell","version":"4.2.0"}}',
)
_MCP_2025: Final = Opening(
    "mcp.v2025_11_25",
    "InitializeRequestParams",
    b'{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},'
    b'"clientInfo":{"name":"inkwell","version":"4.2.0"}}',
    version="2025-11-25",
)
# This version has no initialize.
_MCP_2026: Final = Opening(
    "mcp.v2026_07_28",
    "RequestParams",
    b'{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":'
    b'{"sampling":{}},"io.modelcontextprotocol/clientInfo":{"name":"inkwell","version":"4.2.0"}}}',
    method="server/discover",
    version="2026-07-28",
)


@dataclass(frozen=True, slots=True)
class Program:
    """What a process imports, and how it decodes its first message."""

    imports: str
    decode: str

    def measure(self) -> tuple[float, float, float]:
        """CPU seconds of the import, the same with the first decode, and the peak memory in bytes."""
        source = _PROGRAM.format(imports=self.imports, decode=self.decode)
        imported, decoded, peak = json.loads(run([sys.executable, "-c", source], Path()))
        return imported, decoded, peak


def _wiretypes(*openings: Opening) -> Program:
    imports = [f"import wiretypes.{opening.module}" for opening in openings]
    decode = [f"decode(wiretypes.{opening.module}.{opening.type_name}, {opening.text!r})" for opening in openings]
    return Program("\n".join(["from wiretypes import decode", *imports]), "\n".join(decode))


def _acp_schema(opening: Opening) -> Program:
    return Program("from acp import schema", f"schema.{opening.type_name}.model_validate_json({opening.text!r})")


def _mcp_types(*openings: Opening) -> Program:
    decode = [f"parse({opening.method!r}, {opening.version!r}, from_json({opening.text!r}))" for opening in openings]
    return Program("from mcp_types.methods import parse_client_request as parse", "\n".join(decode))


def mcp_titles(version: str) -> tuple[str, str]:
    """Titles of our case for an MCP version and of what it is compared with."""
    return f"wiretypes.mcp, {version}", f"mcp_types.methods, {version}"


def _programs() -> dict[str, Program]:
    programs = {
        NOTHING: Program("pass", "pass"),
        ACP_SCHEMA: _acp_schema(_ACP_1),
        ACP_VERSIONS[0]: _wiretypes(_ACP_1),
        ACP_VERSIONS[1]: _wiretypes(_ACP_2),
    }
    openings = {**dict(zip(MCP_VERSIONS, [[_MCP_2025], [_MCP_2026]], strict=True)), _BOTH: [_MCP_2025, _MCP_2026]}
    for version, opening in openings.items():
        ours, theirs = mcp_titles(version)
        programs |= {ours: _wiretypes(*opening), theirs: _mcp_types(*opening)}
    return programs


def measure(*, quick: bool) -> list[Figure]:
    """Figures of all programs."""
    turns = {title: program.measure for title, program in _programs().items()}
    figures: list[Figure] = []
    for title, values in in_turns(turns, 3 if quick else 21).items():
        imported, decoded, peak = zip(*values, strict=True)
        figures += [
            Figure(Key(BENCHMARK, title, IMPORT), "seconds", imported),
            Figure(Key(BENCHMARK, title, WITH_DECODE), "seconds", decoded),
            Figure(Key(BENCHMARK, title, MEMORY), "bytes", peak),
        ]
    return figures
