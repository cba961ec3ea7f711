"""Scalars and free JSON values that a careless reader or writer would change."""

from dataclasses import dataclass
from random import Random

from .json_values import JSON


@dataclass(frozen=True, slots=True)
class Pool:
    """Ordinary values and odd ones of a type."""

    plain: tuple[JSON, ...]
    odd: tuple[JSON, ...]


INTEGERS = Pool(
    (0, 1, 2, 7, 42, 443),
    (1.0, 0.0, -1, -0.0, 65535, 2**31, 2**53 + 1, 2**63 - 1, 2**63 + 1, -(2**63) - 1, 2**64, 10**25, 1e15, 3.0),
)
NUMBERS = Pool(
    (0, 1, 0.5, 0.25),
    (1.0, 0.1, 1e-7, 0.30000000000000004, -2.5, 1e300, 5e-324, 2**53 + 1, 2**63 + 1, -(2**63) - 1, 10**25),
)
STRINGS = Pool(
    ("a", "text", "some words", "x-1"),
    (
        "",
        " ",
        "100",
        "true",
        "null",
        "1.0",
        "[]",
        '{"a":1}',
        "ünïcödé 日本語 🎉",
        "line\nbreak\ttab",
        '"quoted\\"',
        "\x00\x7f",
        "é",
    ),
)
_FORMATS = {
    "uri": ("https://Example.com?a=1", "HTTP://EXAMPLE.com:80", "file:///w/a b.txt", "mem:x", "no url at all", ""),
    "uri-template": ("mem://note/{n}", "file:///{+path}{?q}", "{"),
    "byte": ("iVBORw0KGgo=", "iVBORw0KGgo", "not base64!", "-_-_", ""),
    "date-time": ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000+00:00", "yesterday", "2026-13-45"),
    "regex": ("^a+$", "(", "\\p{L}"),
}
KEYS = [
    "vendor",
    "x-vendor/ext",
    "_vendor",
    "$vendor",
    "",
    "self",
    "class",
    "model_extra",
    "model_fields_set",
    "model_config",
    "__class__",
    "__dict__",
    "field_meta",
    "data_",
    "ключ",
    "a.b c",
]
"""Names of fields that no schema declares."""

JUNK: tuple[JSON, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.5,
    70000,
    2**63 + 1,
    "",
    "x",
    "1",
    "true",
    [],
    [1],
    [None],
    {},
    {"type": "x"},
)
"""Values that are wrong at most places."""


def strings(formats: list[str]) -> Pool:
    """The strings to try under the named formats, none of which may assert."""
    return Pool(STRINGS.plain, STRINGS.odd + tuple(odd for name in formats for odd in _FORMATS.get(name, ())))


def anything(random: Random, depth: int = 0) -> JSON:
    """Any JSON value."""
    kind = random.randrange(8 if depth < 2 else 5)
    if kind == 0:
        return random.choice((None, True, False))
    if kind in (1, 2):
        pool = random.choice((INTEGERS, NUMBERS))
        return random.choice(pool.plain + pool.odd)
    if kind in (3, 4):
        return random.choice(STRINGS.plain + STRINGS.odd)
    if kind == 5:
        return [anything(random, depth + 1) for _ in range(random.randrange(3))]
    return {random.choice(KEYS): anything(random, depth + 1) for _ in range(random.randrange(3))}
