"""What a shell is offered for what is typed so far."""

from wiregen import catalogue
from wiregen.parts import PARTS


def targets(incomplete: str) -> list[str]:
    """The versions that begin like this."""
    return [str(target) for target in catalogue.targets() if str(target).startswith(incomplete)]


def parts(incomplete: str) -> list[str]:
    """The parts of a package that begin like this."""
    return [part for part in PARTS if part.startswith(incomplete)]
