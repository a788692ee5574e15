"""Options: each kind takes what it declares and refuses all else, with a reason that names the option."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.options import Choice, Listing, Number, Option, Refusal, Refused, Switch, fill, refused

CHOICE, OFF = Choice("who", ("first", 2), 2), Number("limit", 3, 9, None, off=True)
NUMBER, SWITCH, LISTING = Number("turns", 3, 9, 5), Switch("fast"), Listing("words", ("a", "b"), 3, 2)


@pytest.mark.parametrize(("option", "value"), [
    (CHOICE, "first"), (CHOICE, 2), (NUMBER, 3), (NUMBER, 6), (NUMBER, 9), (OFF, None), (OFF, 3), (SWITCH, True), (SWITCH, False),
    (LISTING, ("a", "b")), (LISTING, ("x" * 200, "", "c"))])
def test_what_is_declared_is_taken(option: Option, value: Any) -> None:
    taken = option.check(value)
    assert taken == value and type(taken) is type(value)
    assert fill((option,), {option.key: value}) == {option.key: value}


@pytest.mark.parametrize(("option", "value", "key", "params"), [
    *[(CHOICE, value, "choice", {"choices": "first, 2"}) for value in ("second", 2.0, True, None, "2", ["first"])],
    *[(NUMBER, value, "number", {"low": 3, "high": 9}) for value in (2, 10, "5", 5.0, True, None)],
    (OFF, 10, "number", {"low": 3, "high": 9}),
    *[(SWITCH, value, "switch", {}) for value in (1, 0, "True", None)],
    *[(LISTING, value, "listing", {"least": 2, "most": 3}) for value in (
        ("a",), ("a",) * 4, "ab", None, {"a": 1, "b": 2}, ("a", 1), (1, "a"), ("a", "x" * 201), ((), "a"))]])
def test_all_else_is_refused_and_says_what_there_is(option: Option, value: Any, key: str, params: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        option.check(value)
    assert caught.value.refusal == Refusal(f"kernel.option.{key}", {"option": option.key, **params})


def test_a_list_becomes_a_tuple() -> None:
    assert LISTING.check(["a", "b"]) == ("a", "b")


def test_what_is_not_given_is_as_printed() -> None:
    declared = (CHOICE, NUMBER, SWITCH, OFF)
    assert fill(declared, {}) == {"who": 2, "turns": 5, "fast": False, "limit": None}
    assert fill(declared, {"turns": 7}) == {"who": 2, "turns": 7, "fast": False, "limit": None}


def test_an_option_that_there_is_not_is_refused() -> None:
    for declared, known in (((CHOICE, SWITCH), "who, fast"), ((), "–")):
        with pytest.raises(Refused) as caught:
            fill(declared, {"nonsense": 1})
        assert caught.value.refusal == Refusal("kernel.option.unknown", {"option": "nonsense", "known": known})


def test_what_a_game_leaves_out_of_its_declaration() -> None:
    assert (CHOICE.advanced, NUMBER.advanced, SWITCH.advanced, LISTING.advanced) == (False, False, False, True)
    assert (NUMBER.off, NUMBER.step) == (False, 1)
    assert fill((SWITCH, Listing("words", (), 3)), {"words": ()}) == {"fast": False, "words": ()}


def test_a_refusal_names_its_key_and_parameters() -> None:
    error = refused("kernel.no_seat", rule="TT-9", seat=3)
    assert (error.key, error.refusal, str(error)) == ("kernel.no_seat", Refusal("kernel.no_seat", {"seat": 3}, "TT-9"),
                                                      "kernel.no_seat(seat=3)")
