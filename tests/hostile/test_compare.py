"""The comparison itself: it sees code that the twin does not have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hostile.compare import Different, compare
from hostile.watch import watching

TWIN = '''
from typing import Any
from ...model import Model

class Holder(Model):
    """Text."""

    harmless: Any = Field(default=UNSET, alias="harmless")
    value: list["Holder"]

Kind: TypeAlias = Literal["harmless"]
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"harmless"', '"; import os; "'),
        ('"""Text."""', "'other text'"),
        ('    """Text."""\n', ""),
        ("    harmless:", "    made:"),
        ("from typing import Any\n", "from typing import Any as _Any\n"),
        ("from typing import Any\n", "from typing import Any, Union\n"),
    ],
)
def test_literals_and_made_names_may_differ(old: str, new: str) -> None:
    assert old in TWIN
    compare(TWIN.replace(old, new), TWIN, frozenset({"made", "_Any"}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"harmless")', '"harmless", x=1)'),
        ('"harmless")', '"harm" + "less")'),
        ('"harmless")', 'f"harmless")'),
        ('"harmless")', 'b"harmless")'),
        ('"harmless")', "None)"),
        ('    """Text."""', "    exec"),
        ('    """Text."""', '    """Text.""" + "x"'),
        ("    harmless:", "    injected:"),
        ("    harmless: Any", "    made: made"),
        ('["Holder"]', '["exec()"]'),
        ("class Holder(Model)", "class Holder(Model, metaclass=Model)"),
        ("class Holder", "@Model\nclass Holder"),
        ("Kind:", "print()\nKind:"),
        ("from typing import Any", "import os"),
        ("from typing import Any", "from os import system"),
        ("from typing import Any", "from typing import Any as injected"),
    ],
)
def test_anything_else_is_told(old: str, new: str) -> None:
    assert old in TWIN
    with pytest.raises(Different):
        compare(TWIN.replace(old, new), TWIN, frozenset({"made"}))


def test_what_code_does_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with watching(str(tmp_path)) as seen:
        Path(__file__).read_bytes()
        assert not seen
        file.write_bytes(b"")
        file.read_bytes()
        os.remove(file)
        Path("/etc/hostname").exists()
        with pytest.raises(OSError, match="nowhere"):
            Path("/nowhere/at/all").read_bytes()
        subprocess.run([sys.executable, "-c", ""], check=True)
    told = " ".join(seen)
    assert len(seen) >= 4
    for event in ("open", "os.remove", "/nowhere/at/all", "subprocess.Popen"):
        assert event in told
