"""Which form of a text goes with a number, by the plural rules of the Unicode CLDR.

A language's file states its rules under ``language.plural`` as CLDR writes them (``supplemental/plurals.xml``, in the
syntax of UTS #35, "Language Plural Rules"), without the samples. Only whole numbers are counted here, so the operands for
fractions and exponents are 0. Pure; knows no language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from tabletin.kernel.schema import Malformed

OTHER: Final = "other"
CATEGORIES: Final = ("zero", "one", "two", "few", "many", OTHER)
"""CLDR's categories. ``other`` needs no rule: it is for every number that no rule names."""

RELATION: Final = re.compile(r"([nivwftce])(?: % ([1-9]\d*))? (!?=) (\d+(?:\.\.\d+)?(?:,\d+(?:\.\.\d+)?)*)")


def category(number: int, rules: Mapping[str, str]) -> str:
    """The category of ``number`` by ``rules``, category → rule. Raises ``Malformed`` for a rule in another form.

    >>> polish = {"one": "i = 1 and v = 0", "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14"}
    >>> [category(number, polish) for number in (1, 3, 12, 22)]
    ['one', 'few', 'other', 'few']
    """
    return next((name for name, rule in rules.items() if _holds(rule, abs(number))), OTHER)


def _holds(rule: str, number: int) -> bool:
    return any(all(_relates(number, *relation) for relation in clause) for clause in _parsed(rule))


def _relates(number: int, operand: str, modulus: int, is_equal: bool, ranges: tuple[range, ...]) -> bool:
    value = number if operand in "ni" else 0
    return any((value % modulus if modulus else value) in one for one in ranges) == is_equal


@cache
def _parsed(rule: str) -> tuple[tuple[tuple[str, int, bool, tuple[range, ...]], ...], ...]:
    """The clauses of ``rule``, one of which has to hold; in each the relations that all have to."""
    return tuple(tuple(_relation(text) for text in clause.split(" and ")) for clause in rule.split(" or "))


def _relation(text: str) -> tuple[str, int, bool, tuple[range, ...]]:
    found = RELATION.fullmatch(text)
    if found is None:
        raise Malformed(f'"{text}" is no relation of a plural rule, such as "i % 10 = 2..4"')
    operand, modulus, sign, values = found.groups()
    bounds = [value.partition("..") for value in values.split(",")]
    return operand, int(modulus or 0), sign == "=", tuple(range(int(low), int(high or low) + 1) for low, _, high in bounds)
