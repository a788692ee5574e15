"""Every word the rules can ask for is in the catalogue, and every ruling a refusal names has a place in the rules page."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tabletin.games.teeth_time.rules import TeethTime
from tabletin.kernel.faces import Faces
from tabletin.kernel.setup import Setup
from tabletin.play import begin
from tabletin.words import languages, load
from tabletin.words.wording import Wording

WORDS = load()
FOLDER = files("tabletin.games.teeth_time")
SOURCE = "\n".join(entry.read_text("utf-8") for entry in FOLDER.iterdir() if entry.name.endswith(".py"))
RULES_PAGE = FOLDER.joinpath("rulebook.md").read_text("utf-8")
RULINGS = [f"TT-{number}" for number in range(1, 18)]


def test_every_key_named_in_the_code_has_words() -> None:
    keys = set(re.findall(r'"(teeth_time\.(?:log|refuse|ended|sheet|why)\.\w+)"', SOURCE))
    assert len(keys) > 60
    assert [key for key in keys if key not in WORDS] == []


def test_keys_made_up_of_parts_have_words() -> None:
    parts = {"log.needs": ("set", "run"), "log.laid": ("set", "run"), "log.hit": ("set", "run", "run_wild"),
             "refuse.contract": ("set", "run"), "why.discard": ("safe", "useless")}
    for stem, endings in parts.items():
        assert all(f"teeth_time.{stem}_{ending}" in WORDS for ending in endings)
    for moment in ("window_first", "already_drawn", "answer_first", "deal_first", "not_now", "draw_first"):
        assert f"teeth_time.refuse.{moment}" in WORDS
    for verb in ("group", "hit", "swap"):
        assert f"teeth_time.why.{verb}" in WORDS


@pytest.mark.parametrize(("contract", "said"), [
    ("set 3", "To go down you need a set of 3."),
    ("set 3 + set 3", "To go down you need 2 sets of 3."),
    ("set 3 + run 4", "To go down you need a set of 3 and a run of 4."),
    ("run 3 + set 4 + run 3 + set 3", "To go down you need 2 runs of 3, a set of 4 and a set of 3."),
])
def test_a_contract_is_told_in_one_sentence(contract: str, said: str) -> None:
    """TT-6: the hand's groups once asked for one after the other, two sets of 3 in the same words twice."""
    match = begin("teeth-time", seats=2, seed=3, options={"contracts": "custom", "custom": [contract]}).match
    wording = Wording(WORDS, match.setup)
    told = [wording.event(event, Faces()) for _, _, events in match.story() for event in events]
    assert [sentence for sentence in told if sentence.startswith("To go down")] == [said]


@pytest.mark.parametrize("option", TeethTime.options, ids=lambda option: option.key)
def test_options_have_words(option: object) -> None:
    """TT-16: a label, a sentence, and a name for every choice."""
    stem = f"teeth_time.options.{option.key}"  # type: ignore[attr-defined]
    assert f"{stem}.label" in WORDS
    assert f"{stem}.help" in WORDS
    assert all(f"{stem}.choices.{choice}" in WORDS for choice in getattr(option, "choices", ()))


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_has_its_place_in_the_rules_page(ruling: str) -> None:
    assert RULES_PAGE.count(f"{{#{ruling}}}") == 1


def test_refusals_name_rulings_that_exist() -> None:
    named = set(re.findall(r'rule="(TT-\d+)"', SOURCE))
    assert named
    assert named <= set(RULINGS)


def test_rulings_of_our_own_are_marked() -> None:
    assert RULES_PAGE.lower().count("our ruling") > 10


@pytest.mark.parametrize("language", languages())
def test_cards_in_a_list_keep_apart(language: str) -> None:
    """A tooth's own name has a comma in it: in a sentence about several cards nobody could tell where one ends."""
    words = load(language)
    wording = Wording(words, Setup("teeth-time", 1, {}, ()))
    two = words.text("teeth_time.board.tooth", rank="2", colour=words.text("teeth_time.art.colour.red"))
    told = wording.cards((1, 2, 3), Faces({1: "r2", 2: "r2", 3: "bridge"}))
    assert told == words.join_names([two, two, words.text("teeth_time.art.face.bridge")])
    assert wording.face("r2").startswith(f"{two},")
