"""Every language beside English: nothing that English lacks, the same parameters, complete where it says so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest

from tabletin.app.table.beats import SHORT
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import Event
from tabletin.registry import GAMES, HOMES, rules_of, text_of
from tabletin.words import SOURCE, Catalogue, figure, language_names, languages, load
from tabletin.words.plurals import CATEGORIES
from tabletin.words.wording import Wording
from tests.support.completeness import UNFINISHED
from tests.support.examples import declared
from workshop.paths import PACKAGE

OTHERS = [code for code in languages() if code != SOURCE]
ART = [f"{name}.art." for family in HOMES.values() for name in (family.name, *family.games)]
GAME = next(iter(GAMES))
YOU = "_you"  # a language may say another form of a sentence to whoever it is about


def flat(words: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in words.items():
        if isinstance(value, Mapping) and "other" not in value:
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def files_of(language: str) -> dict[str, dict[str, Any]]:
    """The words of a language by the package in whose folder they stand: the application's, and each family's."""
    texts = {"tabletin.words": text_of("tabletin.words", f"{language}.json")}
    texts |= {package: family.text(f"words.{language}.json") for package, family in HOMES.items()}
    return {package: words for package, text in texts.items() if text is not None and (words := read(text)) is not None}


def read(text: str) -> dict[str, Any] | None:
    """None for what is no JSON: ``tests/games/test_completeness.py`` names that file, and no other test fails for it."""
    try:
        words: dict[str, Any] = json.loads(text)
    except ValueError:
        return None
    return words


def words_of(language: str) -> dict[str, Any]:
    return {key: value for words in files_of(language).values() for key, value in flat(words).items()}


def forms(value: Any) -> list[str]:
    return list(value.values()) if isinstance(value, Mapping) else [value]


def parameters(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


ENGLISH = words_of(SOURCE)


def word_of(key: str) -> str:
    """The key of the word of which ``key`` is the form beside another word of its section: "red" for "red_cross"."""
    word, _, beside = key.rpartition("_")
    return word if f"{key.rpartition('.')[0]}.{beside}" in ENGLISH else key


@pytest.mark.parametrize("language", languages())
def test_every_text_can_be_filled(language: str) -> None:
    """Braces match, and each parameter has a name."""
    wrong = []
    for key, value in words_of(language).items():
        for form in forms(value):
            try:
                fits = all(name.isidentifier() for name in parameters(form))
            except ValueError:
                fits = False
            wrong += [] if fits else [f"{key}: {form}"]
    assert not wrong


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", ["kernel.malformed", "sealed.malformed"])
def test_what_a_decoder_says_is_told_to_nobody(language: str, key: str) -> None:
    """It is English, and about the program."""
    said = load(language).reason(Refusal(key, {"what": "no canonical base64", "entry": 3}))
    assert "3" in said and "base64" not in said


def test_there_is_a_second_language() -> None:
    assert languages()[0] == SOURCE
    assert len(languages()) > 1
    here = {path.stem for path in (PACKAGE / "words").glob("*.json")}
    assert here == set(languages())
    names = language_names()
    assert all(name != code for code, name in names.items()), "every language is offered under its own name"
    assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("language", OTHERS)
def test_every_key_is_one_of_english_with_the_same_parameters(language: str) -> None:
    for key, value in words_of(language).items():
        if key.startswith(("language.plural.", "language.and.")):
            continue  # each language has the categories that it has, and its own sounds
        source = ENGLISH.get(key, ENGLISH.get(key.removesuffix(YOU), ENGLISH.get(word_of(key))))
        assert source is not None, f"{key} stands in {language} alone"
        assert isinstance(value, Mapping) == isinstance(source, Mapping), f"{key}: one has forms for numbers, the other none"
        wanted = set().union(*map(parameters, forms(source)))
        for form in forms(value):
            own = parameters(form)
            assert own <= wanted, f"{key}: {own - wanted} is no parameter"
            missing = wanted - own - {"n"} - ({"seat"} if key.endswith(YOU) else set())
            assert not missing, f"{key} leaves {missing} out"


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_word(language: str) -> None:
    missing = sorted(key for key in ENGLISH.keys() - words_of(language).keys() if not key.startswith("language.plural."))
    if language in UNFINISHED and missing:
        pytest.skip(f"{len(missing)} texts are said in English: {', '.join(missing)}")
    assert missing == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_two_choices_read_alike(language: str) -> None:
    """Where English tells two things apart, so does every language."""
    own = words_of(language)
    for prefix in (*ART, "newmatch.who_choices.", "newmatch.presets.", "settings.theme.", "settings.pace."):
        said = [value for key, value in own.items() if key.startswith(prefix) and "." not in key.removeprefix(prefix)]
        assert len(said) == len(set(said)), prefix


def test_what_a_language_lacks_is_said_in_english() -> None:
    words = Catalogue({"table": {"cards": "Karten"}}, load(), "de")
    assert (words.text("table.cards", n=2), words.language_of("table.cards")) == ("Karten", "de")
    assert (words.text("shell.home"), words.language_of("shell.home")) == (load().text("shell.home"), SOURCE)
    with pytest.raises(KeyError):
        words.text("no.such.key")


def test_numbers_choose_their_form_in_german() -> None:
    words = load("de")
    assert words.text("table.cards", n=1) == "1 Karte"
    assert words.text("table.cards", n=0) == "0 Karten"
    assert words.text("table.cards", n=7) == "7 Karten"


def test_no_english_words_in_german_sentences() -> None:
    """What was forgotten while translating."""
    for key, value in words_of("de").items():
        for form in forms(value) if not key.startswith("language.") else ():
            assert not re.search(r"\b(the|your|and|cards?|match|you)\b", re.sub(r"{\w+}", "", form)), f"{key}: {form}"


def test_a_catalogue_knows_whose_words_it_says() -> None:
    words = Catalogue({"a": "A"}, Catalogue({"a": "a", "b": "b"}), "de")
    assert (words.language_of("a"), words.language_of("b")) == ("de", SOURCE)


@pytest.mark.parametrize("language", languages())
def test_a_section_is_not_taken_for_forms_of_a_number(language: str) -> None:
    """An object with "other" holds the forms of one sentence and nothing else: a section with such a key would vanish."""
    def look(words: Mapping[str, Any], where: str) -> None:
        if "other" in words:
            assert set(words) <= set(CATEGORIES), where
            assert all(isinstance(form, str) for form in words.values()), where
            return
        for key, value in words.items():
            if isinstance(value, Mapping):
                look(value, f"{where}{key}.")

    for package, words in files_of(language).items():
        look(words, f"{package}: ")


def test_numbers_below_zero_have_a_minus_and_no_hyphen() -> None:
    words = Catalogue({"scored": {"one": "{n} point", "other": "{n} points"}})
    assert words.text("scored", n=-30) == "−30 points"
    assert (figure("-30 ★"), figure(5, plus=True), figure("a-b")) == ("−30 ★", "+5", "a-b")


@pytest.mark.parametrize(("names", "english", "german"), [
    ((), "", ""), (("Ada",), "Ada", "Ada"), (("Ada", "Bo"), "Ada and Bo", "Ada und Bo"),
    (("Ada", "Bo", "Cleo"), "Ada, Bo and Cleo", "Ada, Bo und Cleo")])
def test_names_are_joined_by_the_languages_own_and(names: tuple[str, ...], english: str, german: str) -> None:
    assert (load().join_names(names), load("de").join_names(iter(names))) == (english, german)


@pytest.mark.parametrize(("last", "said"), [
    ("Leo", "Ana y Leo"), ("Inés", "Ana e Inés"), ("íñigo", "Ana e íñigo"), ("Hilda", "Ana e Hilda"), ("Hiela", "Ana y Hiela"),
    ("Yago", "Ana y Yago"), ("Bo Ina", "Ana y Bo Ina")])
def test_spanish_says_another_and_before_the_sound_of_i(last: str, said: str) -> None:
    """As the ICU joins lists: "e" before "i" and "hi", but "y" before "hie" and "hia"."""
    assert load("es").join_names(["Ana", last]) == said


def test_what_is_said_to_ones_own_other_device_stands_where_an_invitation_looks_for_it() -> None:
    """``JoinScreen.word`` looks below "invite.join": a form that stands elsewhere would never be said."""
    moved = [key for key in ENGLISH if key.endswith("_move") and key.removesuffix("_move") in ENGLISH]
    assert moved
    assert [key for key in moved if not key.startswith(("invite.", "advice."))] == []


def test_every_family_has_its_words_in_its_own_folder() -> None:
    for package, family in HOMES.items():
        own = files_of(SOURCE).get(package)
        if own is None:  # not written yet, or no JSON
            continue
        known = {family.name, *family.games}
        assert set(family.games) & set(own) or family.name in own
        assert all(any(section.startswith(name.split("-")[0].split("_")[0]) for name in known) for section in own), package


@pytest.mark.parametrize("section", ["table", next(iter(GAMES)).replace("-", "_")])
def test_a_section_of_another_owner_is_refused_by_file_and_key(section: str) -> None:
    """Reserved are the application's sections and those of another family, in every language."""
    for words in (load(), load("de")):
        with pytest.raises(Malformed, match=rf"cheat/words\.en\.json: .*\"{section}\""):
            words.add({"cheat": {"name": "Cheat"}, section: {"more": "More"}}, "games.cheat", "cheat/words.en.json")


@pytest.mark.parametrize("wrong", [{"other": {"x": "y"}}, {"other": "a", "more": "b"}, 3, ["a"], None])
def test_what_is_no_text_and_no_section_is_refused_by_file_and_key(wrong: object) -> None:
    with pytest.raises(Malformed, match=r'cheat/words\.en\.json: "cheat\.log\.laid"'):
        Catalogue({}).add({"cheat": {"log": {"laid": wrong}}}, "games.cheat", "cheat/words.en.json")


def test_a_parameter_may_be_called_key() -> None:
    assert Catalogue({"lock": "The {key} fits."}).text("lock", key="red") == "The red fits."


def test_a_number_is_said_in_the_words_of_a_section_and_else_in_figures() -> None:
    behind = Catalogue({"half": {"0": "blank"}, "laid": "to the {number:half}", "left": "{number} left"})
    words = Catalogue({"half": {"0": "blanc"}, "laid": "contre le {number:half}"}, behind, "fr")
    assert [behind.text("laid", number=number) for number in (0, 6, -6)] == ["to the blank", "to the 6", "to the −6"]
    assert [words.text("laid", number=number) for number in (0, 6)] == ["contre le blanc", "contre le 6"]
    assert words.text("left", number=0) == "0 left"
    lacking = Catalogue({"laid": "an die {number:half}"}, behind, "de")
    assert lacking.text("laid", number=0) == "an die blank", "as English says it"


SAYS = {"cards": {"laid": "{seat} laid {n}.", "laid_you": "You laid {n}.", "asked": "{seat} asked {target}.",
                  "asked_target_you": "{seat} asked you.", "refused": "{seat} has none.", "refused_you": "You have none.",
                  "colour": "red", "shown": "{seat} showed {colour}."}, "kernel": {"you": "You"}}


def wording(me: int | None, words: Catalogue | None = None) -> Wording:
    return Wording(words or Catalogue(SAYS), Setup(GAME, 1, {}, (Seat("person", "a", "Ann"), Seat("person", "b", "Bo"))), me)


@pytest.mark.parametrize(("me", "event", "said"), [
    (0, Event("cards.laid", 0, {"n": 2}), "You laid 2."), (1, Event("cards.laid", 0, {"n": 2}), "Ann laid 2."),
    (None, Event("cards.laid", 0, {"n": 2}), "Ann laid 2."),
    (0, Event("cards.laid", None, {"seat": 0, "n": 2}), "You laid 2."),
    (0, Event("cards.asked", 0, {"target": 1}), "You asked Bo."),
    (1, Event("cards.asked", 0, {"target": 1}), "Ann asked you."),
    (0, Event("cards.shown", 0, {"colour": "cards.colour"}), "You showed red."),
])
def test_whoever_reads_is_spoken_to_wherever_a_seat_is_named(me: int | None, event: Event, said: str) -> None:
    assert wording(me).event(event, Faces()) == said


@pytest.mark.parametrize("language", languages())
def test_whoever_wins_is_told_so_and_not_listed(language: str) -> None:
    words, setup = load(language), Setup(GAME, 1, {}, (Seat("person", "a", "Ada"), Seat("person", "b", "Bo")))
    mine, theirs = Wording(words, setup, 0), Wording(words, setup, 1)
    outcome = Outcome((2, 1), (0,), "kernel.resigned")
    assert mine.outcome(outcome) == words.text("kernel.won_you")
    assert mine.outcome(outcome).endswith("!")
    assert "Ada" in theirs.outcome(outcome)
    assert words.text("kernel.you") not in theirs.outcome(outcome).split()


def test_somebody_who_gave_no_name_is_called_by_their_place() -> None:
    seats = tuple(Seat("person", author, name) for author, name in (("a", "?"), ("b", "? 2"), ("c", "Cleo"), ("d", "")))
    words = Wording(load("en"), Setup(GAME, 1, {}, seats))
    assert [words.seat(seat) for seat in range(4)] == ["Player 1", "Player 2", "Cleo", "Seat 4"]


def test_refusals_and_labels_speak_to_the_reader_as_well() -> None:
    refusal = Refusal("cards.refused", {"seat": 1})
    assert (wording(1).refusal(refusal), wording(0).refusal(refusal)) == ("You have none.", "Bo has none.")
    assert wording(1).phrase("cards.laid", {"seat": 1, "n": 3}) == "You laid 3."


def test_a_form_that_the_language_lacks_is_not_taken_from_english() -> None:
    words = Catalogue({"cards": {"laid": "{seat} legte {n}."}}, Catalogue(SAYS), "de")
    assert wording(0, words).event(Event("cards.laid", 0, {"n": 2}), Faces()) == "You legte 2."


@pytest.mark.parametrize(("colour", "shape", "said"), [
    ("rojo", "circle", "círculo rojo"), ("rojo", "cross", "cruz roja"), ("verde", "cross", "cruz verde")])
def test_a_word_may_have_another_form_beside_another_word(colour: str, shape: str, said: str) -> None:
    words = Catalogue({"art": {"card": "{shape} {colour}", "circle": "círculo", "cross": "cruz", "rojo": "rojo", "verde": "verde",
                               "rojo_cross": "roja"}})
    assert wording(None, words).phrase("art.card", {"shape": f"art.{shape}", "colour": f"art.{colour}"}) == said


def test_a_form_beside_another_word_is_not_taken_from_another_language() -> None:
    behind = Catalogue({"art": {"card": "{colour} {shape}", "cross": "cross", "red": "red", "red_cross": "reddish"}})
    words = Catalogue({"art": {"card": "{shape} {colour}", "cross": "cruz", "red": "rojo"}}, behind, "es")
    assert wording(None, words).phrase("art.card", {"shape": "art.cross", "colour": "art.red"}) == "cruz rojo"


OF_OTHERS = ("peer_match.", "parting.", "room.", "table.ask.agree.", "kernel.shared",
             *(key for family in HOMES.values() for key in declared(family.name, "OF_OTHERS", ())))  # never said of the reader
THIRD_PERSON = re.compile(r"\{(seat|target|other|to_seat)\} (has|is|was|goes|does|wins|loses|plays|draws|takes|says) ")
ACT = re.compile(r"\{seat\} [^\W\d_]")  # "Ada lays", as it stands over the table


def test_no_sentence_says_that_you_has() -> None:
    """What is said of somebody in the present has a form for the reader. (In the past English says "You drew" anyway.)"""
    for key, value in ENGLISH.items():
        for form in forms(value):
            found = THIRD_PERSON.search(form)
            if found is not None and not key.startswith(OF_OTHERS):
                assert f"{key}{YOU}" in ENGLISH, f"{key}: {form}"


@pytest.mark.parametrize("language", languages())
def test_an_act_over_the_table_has_a_form_for_the_reader_in_each_language(language: str) -> None:
    """What comes by itself is told of one's own seat, too: "You lay five–two", never "You lays five–two"."""
    words = words_of(language)
    acts = [key for key, value in words.items() if key.endswith(SHORT) and any(map(ACT.match, forms(value)))]
    assert acts and [key for key in acts if f"{key}{YOU}" not in words] == []


def test_a_game_for_one_number_of_players_names_that_number_once() -> None:
    game = next(game for game in GAMES if len(rules_of(game).seat_counts) == 1)
    with pytest.raises(Refused) as refused:
        rules_of(game)(11)
    assert load("en").reason(refused.value.refusal) == f"This game is for {rules_of(game).seat_counts[0]} players."


@pytest.mark.parametrize(("me", "said"), [(0, "But you have 20"), (1, "But Ada has 20"), (None, "But Ada has 20")])
def test_why_it_ended_so_is_said_with_what_decided_it(me: int | None, said: str) -> None:
    words = Catalogue({"cards": {"ended": "But {seat} has {most}.", "ended_you": "But you have {most}."}}, load())
    setup = Setup(GAME, 1, {}, (Seat("person", "a", "Ada"), Seat("person", "b", "Bo")))
    outcome = Outcome((3, 3), (0,), "cards.ended", params={"seat": 0, "most": 20})
    assert Wording(words, setup, me).ending(outcome) == f"{said}."
    assert Wording(words, setup, me).ending(replace(outcome, reason="cards.other")) == ""
