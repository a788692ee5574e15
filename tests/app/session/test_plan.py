"""Planning a match: what a link asks for, what was chosen last time, who may sit where; settings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletin.app.session.plan import ME, PERSON, WHO, Place, Plan, read_value, reword, rotate, spell_value
from tabletin.app.settings import PACES, Settings, as_address
from tabletin.app.ui.html import game_key
from tabletin.bots.characters import NAMED_IN
from tabletin.kernel.options import Choice, Listing, Number, Option, Switch
from tabletin.kernel.setup import LEVELS
from tabletin.registry import GAMES, rules_of
from tabletin.words import languages, load
from tests.support.examples import ONE_DEAL, having

WORDS = load()
GAME = ONE_DEAL
KEYS = ["seats", "options", "open_hands", *(option.key for option in rules_of(GAME).options)]


@pytest.mark.parametrize("game", GAMES)
def test_the_usual_plan_of_every_game_can_be_played_at_once(game: str) -> None:
    plan = Plan.usual(game)
    assert plan.refusal() is None
    setup = plan.setup(WORDS)
    assert len(setup.seats) in rules_of(game).seat_counts
    assert [seat.kind for seat in setup.seats] == ["person", *["bot"] * (len(setup.seats) - 1)]
    assert all(seat.name for seat in setup.seats) and len({seat.name for seat in setup.seats}) == len(setup.seats)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_survives_being_spelled_in_a_link(game: str) -> None:
    for option in rules_of(game).options:
        for value in some_values(option):
            assert option.check(read_value(option, spell_value(option, value))) == value


def some_values(option: Option) -> tuple[object, ...]:
    if isinstance(option, Choice):
        return option.choices
    if isinstance(option, Number):
        return (option.low, option.high, option.default, *((None,) if option.off else ()))
    return (False, True) if isinstance(option, Switch) else (option.default,)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_a_list_is_read_and_written_in_the_readers_words(game: str, language: str) -> None:
    words = load(language)
    for option in rules_of(game).options:
        if isinstance(option, Listing) and option.words:
            theirs = {word: words.text(game_key(words, game, f"options.{option.key}.words.{word}")) for word in option.words}
            back = {said.lower(): word for word, said in theirs.items()}
            text = spell_value(option, option.default)
            said = reword(text, theirs)
            assert (said == text) == (language == "en")
            assert reword(said, back) == reword(said.upper(), back) == text


def test_only_whole_words_are_changed() -> None:
    assert reword("Satz 3 + Satzung", {"satz": "set"}) == "set 3 + Satzung"
    assert reword("Satz 3", {}) == "Satz 3"


@pytest.mark.parametrize("game", having("words"))
def test_every_option_has_words(game: str) -> None:
    for option in rules_of(game).options:
        assert game_key(WORDS, game, f"options.{option.key}.label") in WORDS
        if isinstance(option, Choice):
            for choice in option.choices:
                assert game_key(WORDS, game, f"options.{option.key}.choices.{choice}") in WORDS


def test_a_link_asks_for_seats_options_and_a_deal(swap: str) -> None:
    plan = Plan.usual(swap).adopt_query({"seats": "me,hard,person", "small_hands": "1", "first_seat": "2", "seed": "7"})
    assert [place.who for place in plan.places] == [ME, "hard", PERSON]
    assert plan.options == {"small_hands": True, "first_seat": "2"}
    assert plan.setup(WORDS).extra == {"me": 0, "seed": 7}


@pytest.mark.parametrize("query", [
    {"seats": "me"}, {"seats": "me,hard,hard,hard,hard"}, {"seats": "nobody,nothing"}, {"seats": ""},
    {"first_seat": "9"}, {"seed": "-1"}, {"seed": "x"}, {"unknown": "1"},
])
def test_what_a_link_asks_for_wrongly_changes_nothing(swap: str, query: dict[str, str]) -> None:
    assert Plan.usual(swap).adopt_query(query) == Plan.usual(swap)


def test_two_of_me_are_me_and_somebody_else() -> None:
    plan = Plan.usual(GAME).adopt_query({"seats": "me,me"})
    assert [place.who for place in plan.places] == [ME, PERSON]
    plan.put(1, ME)
    assert [place.who for place in plan.places] == [PERSON, ME]


def test_last_times_plan_comes_back_without_its_deal(swap: str) -> None:
    plan = Plan.usual(swap).adopt_query({"seats": "hard,person,me", "small_hands": "1", "seed": "3", "open_hands": "1"})
    plan.places[0].name = "Oma"
    again = Plan.from_text(swap, plan.to_json())
    plan.seed = None
    assert again == plan


@given(st.text())
def test_a_remembered_text_of_any_kind_is_survived(text: str) -> None:
    assert Plan.from_text(GAME, text).refusal() is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4)
                    | st.dictionaries(st.sampled_from(KEYS), inner)))
def test_a_remembered_value_of_any_form_is_survived(value: object) -> None:
    plan = Plan.from_text(GAME, json.dumps(value))
    assert all(place.who in WHO for place in plan.places)
    assert plan.refusal() is None


def test_seats_come_and_go_within_the_games_limits(swap: str) -> None:
    plan = Plan.usual(swap)
    for _ in range(5):
        plan.add()
    assert len(plan.places) == 4
    for _ in range(5):
        plan.drop(0)
    assert len(plan.places) == 2


def test_a_plan_that_cannot_be_played_says_why(swap: str) -> None:
    plan = Plan(swap, [Place(ME), Place(LEVELS[0])], {"first_seat": "4"})
    refusal = plan.refusal()
    assert refusal is not None and refusal.key == "swap.refuse.first_seat"


def test_i_am_you_only_where_nobody_else_sits_at_this_device() -> None:
    assert Plan.usual(GAME).names(WORDS) == ["You", "Ada"]
    assert Plan.usual(GAME).adopt_query({"seats": "hard,me,person"}).names(WORDS) == ["Ada", "Player 1", "Player 2"]
    assert Plan.usual(GAME).adopt_query({"seats": "person,person"}).names(WORDS) == ["Player 1", "Player 2"]


def test_open_hands_need_several_people() -> None:
    plan = Plan.usual(GAME)
    plan.open_hands = True
    assert "open_hands" not in plan.setup(WORDS).extra
    plan.put(1, PERSON)
    assert plan.setup(WORDS).extra["open_hands"] is True


def test_once_more_rotates_the_seats_and_deals_by_chance() -> None:
    setup = Plan.usual(GAME).adopt_query({"seats": "me,hard,easy", "seed": "3"}).setup(WORDS)
    again = rotate(setup)
    assert [seat.level for seat in again.seats] == ["hard", "easy", ""]
    habits = setup.extra.get(NAMED_IN, ["", "", ""])
    assert again.extra == {"me": 2} | ({NAMED_IN: [*habits[1:], habits[0]]} if any(habits) else {})
    assert again.nonce != setup.nonce


# ---- settings ----


@given(st.text())
def test_settings_survive_any_text(text: str) -> None:
    assert Settings.from_json(text).pace in PACES


def test_settings_come_back_as_they_were() -> None:
    settings = Settings("dark", "reduced", True, "150", "de", "quick")
    assert Settings.from_json(settings.to_json()) == settings
    assert settings.with_value("theme", "light").theme == "light"
    assert settings.with_value("theme", "pink") == Settings("auto", "reduced", True, "150", "de", "quick")


@pytest.mark.parametrize(("name", "typed", "address"), [
    ("turn", "turn.example.org", "turn:turn.example.org"), ("turn", "turns:example.org", "turns:example.org"),
    ("stun", "stun:example.org:3478", "stun:example.org:3478"), ("stun", "", ""), ("turn_user", "ada", "ada"),
    ("relay_url", "wss://example.org", "wss://example.org"),
])
def test_the_scheme_of_a_server_may_be_left_out(name: str, typed: str, address: str) -> None:
    assert as_address(name, typed) == address
    assert getattr(Settings().with_value(name, address), name) == address


@pytest.mark.parametrize("game", GAMES)
def test_an_option_offers_what_as_many_players_can_take(game: str) -> None:
    """Nobody on seat 6 begins where two sit; what more players cannot take either depends on something else."""
    for seats in rules_of(game).seat_counts:
        plan = Plan(game, [Place(PERSON) for _ in range(seats)])
        for option in rules_of(game).options:
            if isinstance(option, Choice):
                offered = plan.choices(option)
                assert offered == [one for one in option.choices if one in offered] and option.default in offered
                for value in set(option.choices) - set(offered):
                    plan.options = {option.key: value}
                    assert plan.refusal() is not None and value in plan.choices(option), "it is chosen, and can be seen"
                if option.key == "first_seat":
                    plan.options.clear()
                    assert [one for one in plan.choices(option) if one != "random"] == [str(n + 1) for n in range(seats)]


def test_whoever_sits_down_under_a_name_sits_on_one_seat() -> None:
    plan = Plan(GAME, [Place(ME, "Ada"), Place(PERSON)])
    plan.sit(1, "Bo")
    assert [place.name for place in plan.places] == ["Ada", "Bo"]
    plan.sit(0, "Bo")
    assert [place.name for place in plan.places] == ["Bo", "Ada"]
    plan.sit(0, "Bo")
    assert [place.name for place in plan.places] == ["", "Ada"], "and gets up again"
