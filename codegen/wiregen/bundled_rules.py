"""The bundled capability rules, which hold for every bundled schema."""

import json
from functools import cache

from wiregen import catalogue
from wiregen.catalogue import Target
from wiregen.errors import InvalidInput
from wiregen.rule_check import check_rules
from wiregen.rules import Rules, read_rules


@cache
def bundled_rules(protocol: str) -> Rules:
    """The rules of a protocol; raises `InvalidInput` with all that is wrong with them."""
    file = catalogue.table_name(protocol, "capabilities")
    rules = read_rules(catalogue.read_table(protocol, "capabilities"), file)
    schemas = {v: json.loads(catalogue.read_schema(Target(protocol, v))[0]) for v in catalogue.versions(protocol)}
    if findings := check_rules(rules, schemas, file):
        raise InvalidInput(findings)
    return rules
