"""Text as it can be shown."""


def printable(text: str) -> str:
    """`text` with control characters, direction marks and lone surrogates shown as escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
