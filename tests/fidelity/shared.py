"""The shared material beside the repository: recorded traffic, messages of the specifications, reports."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def material(folder: str, pattern: str) -> list[object]:
    """The files of a folder as parameters of a test, which is skipped where there are none."""
    files = sorted((SHARED / folder).glob(pattern))
    if not files:
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"../shared/{folder} is absent"), id="absent")]
    return [pytest.param(file, id=file.stem) for file in files]
