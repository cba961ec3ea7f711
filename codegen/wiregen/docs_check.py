"""What the documentation tables lack, and what in them no longer matches anything."""

from collections.abc import Iterable, Iterator, Mapping

from wiregen import catalogue, docs, pipeline
from wiregen.bundled_rules import bundled_rules
from wiregen.catalogue import Target
from wiregen.docs import PAGES, Docs, Place, Slot
from wiregen.docs_attach import Need, needs
from wiregen.errors import Diagnostic
from wiregen.ir import Protocol
from wiregen.json_text import pointer


def check_bundled(protocol: str) -> list[Diagnostic]:
    """Findings about the tables of a protocol, over all its bundled versions.

    Raises:
        InvalidInput: the tables or the capability rules cannot be read.
    """
    versions, rules = catalogue.versions(protocol), bundled_rules(protocol)
    return check(
        docs.read(protocol),
        [pipeline.read(Target(protocol, version))[0] for version in versions],
        {version: [feature.name for feature in rules.of(version).features] for version in versions},
    )


def check(docs: Docs, protocols: Iterable[Protocol], features: Mapping[str, Iterable[str]]) -> list[Diagnostic]:
    """Findings about tables that serve some versions, given with their features: first what is missing in them."""
    missing: dict[Need, list[str]] = {}
    used: set[Place] = set()
    entries: dict[str, set[str]] = {}
    for protocol in protocols:
        version = protocol.version
        used.add((PAGES, version))
        wanted = dict.fromkeys([*needs(protocol), *((Slot(name, "doc"),) for name in features[version])])
        for need in wanted:
            found = docs.find(need, version)
            if found is None:
                missing.setdefault(need, []).append(version)
            else:
                used.add(found.place)
        named = dict.fromkeys(slot.entry for need in wanted for slot in need)
        entries[version] = set(named)
        extras = (docs.find([Slot(name, part)], version) for name in named for part in ("page", "deprecated"))
        used |= {found.place for found in extras if found is not None}
    return [
        *_without_address(docs, entries),
        *_missing(docs, missing),
        *_unmatched(docs, used),
        *_misplaced(docs, entries),
    ]


def _without_address(docs: Docs, versions: Iterable[str]) -> Iterator[Diagnostic]:
    for version in versions:
        if version not in docs.pages:
            message = f"there is no address of the specification of {version}"
            hint = "add it: the pages that entries name are found below it"
            yield Diagnostic("undocumented", message, docs.file, pointer((PAGES, version)), hint=hint)


def _missing(docs: Docs, missing: Mapping[Need, list[str]]) -> Iterator[Diagnostic]:
    for need, versions in missing.items():
        message = f"there is no text for this, which {', '.join(versions)} has"
        yield Diagnostic("undocumented", message, docs.file, pointer(need[-1].place()), hint="write one")


def _unmatched(docs: Docs, used: set[Place]) -> Iterator[Diagnostic]:
    for place in docs.places():
        if place not in used:
            message = "no version has what this text is about"
            hint = "remove it, or correct its key"
            yield Diagnostic("unmatched-text", message, docs.file, pointer(place), hint=hint)


def _misplaced(docs: Docs, entries: Mapping[str, set[str]]) -> Iterator[Diagnostic]:
    for name, entry in docs.entries.items():
        for versions in entry.versions:
            place = pointer((name, "versions", ",".join(versions)))
            for version in versions:
                if name not in entries.get(version, ()):
                    message = f"{version} has no {name}" if version in entries else f"there is no version {version}"
                    hint = "take the version out of the key"
                    yield Diagnostic("unmatched-text", message, docs.file, place, hint=hint)
