"""Data as Python source: whatever text holds, it comes back as it was and nothing else happens."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiregen import literals

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)

HOSTILE = [
    '"""',
    'ends with """',
    '""""',
    "ends with a backslash \\",
    '\\"""',
    '"""; import os; """',
    "'''",
    "#{% raw %}{{ x }}",
    "\n\n\n",
    "a\n\nb\n\n",
    "\r\n\t\x00\x1b[31m",
    "\u2028\u2029\x85",
    "\ud800",
    "naïve 日本 \U0001f600",
    "\\N{DIGIT ONE} \\u0041 \\x41 %s {0}",
    "x" * 300,
]


@given(JSON)
def test_a_literal_has_the_value(value: object) -> None:
    source = literals.literal(value)
    assert source.isascii()
    found = ast.literal_eval(source)
    assert found == value
    assert repr(found) == repr(value)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_string_is_the_text(text: str) -> None:
    source = literals.string(text)
    assert source.isascii()
    assert source.startswith('"')
    assert ast.literal_eval(source) == text
