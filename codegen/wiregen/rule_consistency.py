"""Capability rules checked against themselves: names, versions and sides that do not fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiregen.errors import Diagnostic
from wiregen.rules import SIDES, pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from wiregen.rules import (
        Declaration,
        Embedding,
        Feature,
        Grouping,
        Replacement,
        Rules,
        Side,
        Ungated,
        VersionedEntry,
    )


def contradictions(rules: Rules, versions: Set[str]) -> Iterator[Diagnostic]:
    """What in the rules is at odds, with pointers into their file; `versions` are all of the protocol."""
    own = SIDES[rules.protocol]
    for side, at in _sides(rules):
        if side not in own:
            yield Diagnostic(
                "foreign-side",
                f"{rules.protocol} has no {side}",
                pointer=at,
                hint=f"the sides are {own[0]!r} and {own[1]!r}",
            )
    for named, at in _versions(rules):
        for version in named:
            if version not in versions:
                yield Diagnostic(
                    "no-such-version",
                    f"{rules.protocol} has no version {version!r}",
                    pointer=at,
                    hint=f"the versions are {', '.join(sorted(versions))}",
                )
    for version in sorted(versions):
        for side in own:
            count = sum(d.declared_by == side and version in d.versions for d in rules.declarations)
            if count != 1:
                yield Diagnostic(
                    "declaration-count",
                    f"{count} entries say where the {side} declares its capabilities in {version}",
                    pointer=pointer("declarations"),
                    hint="keep one for each side and version",
                )
    yield from _duplicates(rules)
    for index, feature in enumerate(rules.features):
        at = pointer("features", index)
        yield from _ways(feature, at)
        yield from _named_features(rules, feature, at)


def _sides(rules: Rules) -> Iterator[tuple[Side, str]]:
    """Each side that is named, and where."""
    declaring: dict[str, tuple[Declaration | Grouping, ...]] = {
        "declarations": rules.declarations,
        "groups": rules.groups,
        "free": rules.free,
    }
    for table, entries in declaring.items():
        for index, entry in enumerate(entries):
            yield entry.declared_by, pointer(table, index, "declared_by")
    sending: dict[str, tuple[Embedding | Ungated | Replacement, ...]] = {
        "embedded": rules.embedded,
        "ungated": rules.ungated,
        "replaced": rules.replaced,
    }
    for table, messages in sending.items():
        for index, message in enumerate(messages):
            yield message.sender, pointer(table, index, "sender")
    for index, feature in enumerate(rules.features):
        yield feature.declared_by, pointer("features", index, "declared_by")
        for number, gate in enumerate(feature.gates):
            yield gate.sender, pointer("features", index, "gates", number, "sender")


def _versions(rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each list of versions, and where it stands; those of gates are among those of their feature."""
    tables: dict[str, tuple[VersionedEntry, ...]] = {
        "declarations": rules.declarations,
        "groups": rules.groups,
        "free": rules.free,
        "embedded": rules.embedded,
        "ungated": rules.ungated,
        "replaced": rules.replaced,
    }
    for table, entries in tables.items():
        for index, entry in enumerate(entries):
            yield entry.versions, pointer(table, index, "versions")
    for index, feature in enumerate(rules.features):
        yield feature.baseline, pointer("features", index, "baseline")
        for key, ways in (("declared", feature.declared), ("implied", feature.implied)):
            for number, way in enumerate(ways):
                yield way.versions, pointer("features", index, key, number, "versions")


def _capability_paths(rules: Rules) -> Iterator[tuple[Side, str, str, str]]:
    """Side, version and dotted path of each capability, and where its rule stands."""
    for index, feature in enumerate(rules.features):
        for number, capability in enumerate(feature.declared):
            at = pointer("features", index, "declared", number, "path")
            for version in capability.versions:
                yield feature.declared_by, version, ".".join(capability.path), at
    for table, groupings in (("groups", rules.groups), ("free", rules.free)):
        for index, grouping in enumerate(groupings):
            for number, path in enumerate(grouping.paths):
                for version in grouping.versions:
                    yield grouping.declared_by, version, ".".join(path), pointer(table, index, "paths", number)


def _duplicates(rules: Rules) -> Iterator[Diagnostic]:
    names: set[tuple[Side, str]] = set()
    for index, feature in enumerate(rules.features):
        if (feature.declared_by, feature.name) in names:
            yield Diagnostic(
                "duplicate-feature",
                f"the {feature.declared_by} has the feature {feature.name!r} already",
                pointer=pointer("features", index, "name"),
                hint="join the two entries",
            )
        names.add((feature.declared_by, feature.name))
    paths: set[tuple[Side, str, str]] = set()
    for side, version, path, at in _capability_paths(rules):
        if (side, version, path) in paths:
            yield Diagnostic(
                "duplicate-path",
                f"the {side} capability {path!r} of {version} has a rule already",
                pointer=at,
                hint="keep one of the two",
            )
        paths.add((side, version, path))


def _ways(feature: Feature, at: str) -> Iterator[Diagnostic]:
    if not (feature.declarable or feature.baseline):
        yield Diagnostic(
            "feature-without-way",
            f"nothing gives the feature {feature.name!r}",
            pointer=at,
            hint="add `declared`, `implied` or `baseline`",
        )
    for version in feature.baseline:
        if version in feature.declarable:
            yield Diagnostic(
                "baseline-declared",
                f"{feature.name!r} is in the baseline of {version} and declared there too",
                pointer=f"{at}/baseline",
                hint="keep one of the two",
            )
    for number, gate in enumerate(feature.gates):
        for version in gate.versions or ():
            if version not in feature.declarable:
                yield Diagnostic(
                    "gate-version",
                    f"a gate for {version}, where nothing declares {feature.name!r}",
                    pointer=f"{at}/gates/{number}/versions",
                    hint="drop the version, or say how the feature is declared there",
                )


def _named_features(rules: Rules, feature: Feature, at: str) -> Iterator[Diagnostic]:
    """A feature may name others of its side that are declared in the same version: so there are no chains to follow."""
    declared = {
        (other.name, version)
        for other in rules.features
        if other.declared_by == feature.declared_by
        for capability in other.declared
        for version in capability.versions
    }
    named = [(way.requires, way.versions, f"{at}/declared/{i}/requires") for i, way in enumerate(feature.declared)]
    for i, way in enumerate(feature.implied):
        named += (
            (way.by, way.versions, f"{at}/implied/{i}/by"),
            (way.unless, way.versions, f"{at}/implied/{i}/unless"),
        )
    for names, versions, where in named:
        for name in names:
            if missing := [version for version in versions if (name, version) not in declared]:
                yield Diagnostic(
                    "unknown-feature",
                    f"no {feature.declared_by} capability declares {name!r} in {', '.join(missing)}",
                    pointer=where,
                    hint="name a feature that is declared there",
                )
