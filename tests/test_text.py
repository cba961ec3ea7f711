"""Text as it is shown, and names: the same whatever Unicode tables the running Python has."""

import pytest

from wiregen.text import is_python_name, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("Gr\xf6\xdfe \u2013 \u540d\u524d \u0438\u043c\u044f", "Gr\xf6\xdfe \u2013 \u540d\u524d \u0438\u043c\u044f"),
        ("\U0001f600\U0001f4c1\U0001f9ff", "\U0001f600\U0001f4c1\U0001f9ff"),
        ("\U0001fae8", "\\U0001fae8"),  # in the tables of Python 3.12, and not in those of 3.11
        ("\U0001fa70\u0870", "\\U0001fa70\\u0870"),
        ("a\nb\tc\x00\x7f", "a\\nb\\tc\\x00\\x7f"),
        ("\u202e\u200b\ufeff\u2028\xa0\xad", "\\u202e\\u200b\\ufeff\\u2028\\xa0\\xad"),
        ("\ud800\ue000", "\\ud800\\ue000"),
    ],
)
def test_what_cannot_be_seen_or_is_too_young_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_nothing_is_shown_that_this_python_cannot_print() -> None:
    every = map(chr, (*range(0xD800), *range(0xE000, 0x110000)))
    assert all(char.isprintable() for char in every if printable(char) == char)


@pytest.mark.parametrize("name", ["a", "_A9", "Gr\xf6\xdfe", "\u540d\u524d", "\u0438\u043c\u044f"])
def test_names(name: str) -> None:
    assert is_python_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "9a",
        "a b",
        "class",
        "\ufb01t",
        "a\u202e",
        "a\u30fbb",
        "a\u200c",
        "\U0001e5d0",
        "\u0870",
        "\U0001df25",
    ],
)
def test_what_is_no_name_everywhere(name: str) -> None:
    assert not is_python_name(name)


def test_every_python_takes_what_is_taken_for_a_name() -> None:
    every = ("a" + chr(code) for code in (*range(0x80, 0xD800), *range(0xE000, 0x110000)))
    assert all(name.isidentifier() for name in every if is_python_name(name))
