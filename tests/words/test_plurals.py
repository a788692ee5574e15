"""The plural rules of the languages, beside those of the ICU that Node brings, which are CLDR's own."""

from __future__ import annotations

import json
import subprocess

import pytest

from tabletin.kernel.schema import Malformed
from tabletin.words import Catalogue, languages, load
from tabletin.words.plurals import CATEGORIES, category
from workshop.setup import node

NUMBERS = (*range(125), 199, 200, 201, 1000, 1001, 99_999)  # as far as a game counts, and further
ASK = """
const [language, numbers] = JSON.parse(process.argv[1]);
const rules = new Intl.PluralRules(language);
console.log(JSON.stringify(numbers.map((number) => rules.select(number))));
"""


def by_icu(language: str) -> list[str]:
    """The category of each of ``NUMBERS``, as a browser has it."""
    done = subprocess.run([node(), "-e", ASK, json.dumps([language, NUMBERS])], text=True, capture_output=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("language", languages())
def test_a_language_counts_by_the_rules_of_the_cldr(language: str) -> None:
    words = load(language)
    words.add({"counted": {one: one for one in CATEGORIES}}, "tests", "")
    assert [words.text("counted", n=number) for number in NUMBERS] == by_icu(language)


@pytest.mark.parametrize(("language", "rules"), [
    ("ar", {"zero": "n = 0", "one": "n = 1", "two": "n = 2", "few": "n % 100 = 3..10", "many": "n % 100 = 11..99"}),
    ("ru", {"one": "v = 0 and i % 10 = 1 and i % 100 != 11", "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
            "many": "v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14"}),
    ("lt", {"one": "n % 10 = 1 and n % 100 != 11..19", "few": "n % 10 = 2..9 and n % 100 != 11..19", "many": "f != 0"}),
])
def test_rules_that_no_language_here_has_yet_count_as_well(language: str, rules: dict[str, str]) -> None:
    assert [category(number, rules) for number in NUMBERS] == by_icu(language)


@pytest.mark.parametrize("rule", ["", "n is 1", "n = 1 or", "x = 1", "n % 0 = 1", "n = 1..", "n=1"])
def test_what_is_no_rule_of_the_cldr_is_refused(rule: str) -> None:
    with pytest.raises(Malformed, match="plural rule"):
        Catalogue({"language": {"plural": {"few": rule}}})


def test_other_stands_in_for_a_form_that_is_not_there() -> None:
    words = Catalogue({"language": {"plural": {"one": "n = 1", "two": "n = 2"}}, "cards": {"two": "both", "other": "{n} cards"}})
    assert [words.text("cards", n=number) for number in (0, 1, 2, -2)] == ["0 cards", "1 cards", "both", "both"]


def test_a_text_in_english_is_counted_by_the_rules_of_english() -> None:
    words = Catalogue({"language": {"plural": {"one": "i = 0,1"}}, "a": {"one": "{n} carte", "other": "{n} cartes"}},
                      Catalogue({"b": {"one": "{n} card", "other": "{n} cards"}}), "fr")
    assert [words.text(key, n=0) for key in "ab"] == ["0 carte", "0 cards"]


def test_what_is_no_whole_number_has_the_usual_form() -> None:
    words = Catalogue({"scored": {"one": "{n} point", "other": "{n} points"}})
    assert [words.text("scored", n=number) for number in (1, "1 ★", -1)] == ["1 point", "1 ★ points", "−1 point"]
