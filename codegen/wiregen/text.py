"""Text as it can be shown."""


def printable(text: str) -> str:
    """`text` with control characters, direction marks and lone surrogates shown as escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def shortened(text: str, limit: int = 400) -> str:
    """`text` with its middle left out if it has more than `limit` characters."""
    half = (limit - 5) // 2
    return text if len(text) <= limit else f"{text[:half]} ... {text[-half:]}"
