"""Texts that would do harm where text is taken for something else."""

from typing import Final

CANARY: Final = "hostile_canary"
"""Attribute of `builtins` that injected code sets."""

_SET: Final = f'__import__("builtins").__dict__.__setitem__("{CANARY}", 1)'
_SET_SINGLE: Final = _SET.replace('"', "'")

QUOTES: Final = (
    "'",
    '"',
    "'''",
    '"""',
    '""""',
    '\\"""',
    '\\\\"""',
    '"\'"\'"',
    'ends with "',
    'ends with ""',
    "ends with '",
    "ends with \\",
    'ends with \\"',
    "\\",
    "\\\\",
    "\\n\\r\\t",
    "\\x00\\u0000\\N{NULL}\\777",
    "\\'",
)

LINE_BREAKS: Final = (
    "a\nb",
    "a\rb",
    "a\r\nb",
    "a\tb",
    "a\x0bb",
    "a\x0cb",
    "a\x1cb\x1dc\x1ed",
    "a\x85b",
    "a\u2028b",
    "a\u2029b",
    "\n",
    "\n\n\n    indented\n  less\n",
)

UNSEEN: Final = (
    "",
    " ",
    "  spaces  ",
    "nul\0inside",
    "\0",
    "\x7f\x9b31m",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202eltr\u202c",
    "\u2066isolate\u2069",
    "zero\u200bwidth\u2060",
    "\ufeffbom",
    "\ue000private",
    "\U000e0041tag",
)

SURROGATES: Final = ("\ud800", "a\udfffb", "\udc00\ud800", "\ud83d")
"""Halves of pairs: JSON text can spell them, and no character is meant."""

TEMPLATES: Final = (
    "{{ 7 * 7 }}",
    "{{ cycler.__init__.__globals__.os.getcwd() }}",
    "{% raw %}",
    "{% for x in [] %}",
    "{#",
    "#}{{",
    "{%- include 'models.py.jinja2' -%}",
    "{0.__class__} %s %(x)d $HOME ${HOME} `id` {x!r:>{y}}",
)

CODE: Final = (
    f'"; {_SET}; "',
    f"'; {_SET_SINGLE}; '",
    f'""" + {_SET} + """',
    f'"""\n{_SET}\n"""',
    f'"""\n    {_SET}\n    """',
    f"\n{_SET}\n#",
    f"\r{_SET}\r#",
    f"# type: ignore\n{_SET}",
    f'"]; {_SET}; ["',
    f'"): {_SET}  #',
    f"Any] = {_SET}; x: list[Any",
    f"str = {_SET}",
    f"lambda: {_SET}",
    _SET,
    _SET_SINGLE,
    f'{{"a": {_SET}}}',
    f"f'{{{_SET}}}'",
    "import os; os._exit(3)",
    "(yield)",
)

NAMES: Final = (
    "class",
    "None",
    "async",
    "match",
    "self",
    "cls",
    "__init__",
    "__class__",
    "__pydantic_extra__",
    "__constants__",
    "model_config",
    "model_fields",
    "model_extra",
    "copy",
    "str",
    "int",
    "list",
    "dict",
    "Any",
    "Literal",
    "Annotated",
    "Field",
    "Model",
    "UNSET",
    "TYPES",
    "METHODS",
    "models",
    "_private",
    "_",
    "é",
    "e\u0301",
    "ﬁle",
    "\u2163",
    "\uff41\uff42",
    "名前",
    "🙂",
    "1",
    "1st",
    "a-b",
    "a b",
    "a.b",
    "a/b",
    "a$b",
    "/",
    "$",
    "-",
)

PLACES: Final = (
    "../../../../etc/passwd",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "\\\\server\\share\\x",
    "file:///etc/passwd",
    "http://127.0.0.1:9/x.json",
    "https://example.invalid/schema.json#/$defs/A",
    "#/$defs/Target",
    "#",
    "..",
    ".",
    "CON",
    "models.py",
)

LONG: Final = ("x" * 5000, '"' * 3000, "word " * 1000, "\\" * 2001, "é" * 2000, "a\n" * 500)

PAYLOADS: Final = (
    *QUOTES,
    *LINE_BREAKS,
    *UNSEEN,
    *SURROGATES,
    *TEMPLATES,
    *CODE,
    *NAMES,
    *PLACES,
    *LONG,
)
