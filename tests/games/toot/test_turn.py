"""Composing TooTs on the mat: dropping groups on one another, stating X, taking cards back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabletin.games.toot.arrangement import as_faces, flaw, write
from tabletin.games.toot.cards import COUNTS
from tabletin.games.toot.solver import solve
from tabletin.games.toot.turn import ON_TABLE, TootTurn
from tabletin.kernel.faces import Faces
from tabletin.words import load

WORDS = load()


class Mat:
    """A turn whose cards are named by face, a second one of a face with a stroke: ``red``, ``red'``."""

    def __init__(self, hand: str, shown: str | None = None) -> None:
        self.names = {name: card for card, name in enumerate(hand.split())} | {"table": ON_TABLE}
        self.faces = Faces((card, name.rstrip("'")) for name, card in self.names.items() if card >= 0)
        self.turn = TootTurn(self.faces, self.faces, shown)

    def lay(self, name: str, onto: str | None = None) -> str | None:
        found = self.turn.lay(self.names[name], None if onto is None else self.names[onto])
        return None if found is None else found.key.removeprefix("toot.refuse.")

    def join(self, name: str, onto: str) -> str | None:
        found = self.turn.join(self.names[name], self.names[onto])
        return None if found is None else found.key.removeprefix("toot.refuse.")

    @property
    def written(self) -> str:
        return " / ".join(write(as_faces(node, self.faces)) for node in self.turn.toots())

    def flaw(self) -> str | None:
        found = self.turn.flaw()
        return None if found is None else found.key.removeprefix("toot.refuse.")


def test_cards_join_as_they_are_dropped() -> None:
    mat = Mat("red blue 2 green 1 yellow")
    assert mat.lay("red") is None
    assert mat.flaw() == "lone_primary"
    assert mat.lay("blue", "red") is None
    assert mat.lay("1", "red") is None
    assert mat.lay("green") is None
    assert mat.flaw() == "not_one"
    assert mat.lay("2", "green") is None
    assert mat.join("red", "2") is None
    assert mat.written == "2[1[red+blue], green]"
    assert mat.flaw() is None
    assert mat.lay("green") == "not_held"
    assert mat.lay("yellow", "green") == "no_join"
    assert mat.turn.hand_left == [mat.names["yellow"]]


def test_an_order_that_can_be_mended_is_mended() -> None:
    """TO-3: whichever is dropped first, the one that a 2 may touch comes uppermost."""
    mat = Mat("2 2' green orange red blue")
    mat.lay("green")
    mat.lay("2", "green")
    mat.lay("orange", "2")
    mat.lay("red")
    mat.lay("blue", "red")
    mat.lay("2'", "red")
    assert mat.join("2", "2'") is None
    assert mat.written == "2[2[green, orange], red+blue]"
    assert mat.flaw() is None


def test_an_x_takes_the_place_it_is_dropped_on() -> None:
    """TO-2: what is evident is stated; what is not can be."""
    mat = Mat("X X' red green orange")
    mat.lay("red")
    mat.lay("X", "red")
    mat.lay("green")
    assert mat.join("green", "X") == "no_join"
    assert mat.lay("X'", "green") is None
    assert mat.turn.states(mat.names["X'"]) == "1"
    assert mat.join("X'", "red") is None
    assert mat.written == "X=2[X=red+red, green]"
    assert mat.flaw() is None
    mat.turn.state(mat.names["X"], "blue")
    assert mat.written == "X=2[X=blue+red, green]"
    alone = Mat("X")
    alone.lay("X")
    assert alone.written == "X=purple"
    assert alone.flaw() is None
    alone.turn.state(0, "red")
    assert alone.flaw() == "lone_primary"


def test_building_on_the_table() -> None:
    """TO-4."""
    mat = Mat("1 2 green", "1")
    assert mat.flaw() == "nothing_laid"
    assert mat.lay("1", "table") is None
    assert mat.flaw() == "touch_one"
    mat.turn.take_back(mat.names["1"])
    assert mat.turn.groups == [((), ())]
    mat.lay("green")
    assert mat.flaw() == "not_one_table"
    mat.lay("2", "green")
    assert mat.join("2", "table") is None
    assert mat.written == "2[table, green]"
    assert mat.flaw() is None


def test_taking_back_and_lifting_out() -> None:
    mat = Mat("2 1 green red blue")
    for name, onto in (("green", None), ("1", "green"), ("red", None), ("blue", "red"), ("2", "red")):
        mat.lay(name, onto)
    mat.join("1", "2")
    assert mat.written == "2[1[green], red+blue]"
    mat.turn.lift(mat.names["1"])
    assert mat.written == "2[red+blue] / 1[green]"
    mat.turn.take_back(mat.names["2"])
    mat.turn.take_back(mat.names["blue"])
    assert sorted(mat.written.split(" / ")) == ["1[green]", "red"]
    mat.turn.clear()
    assert mat.turn.hand_left == list(mat.turn.hand)


@given(hand=st.lists(st.sampled_from(sorted(COUNTS)), min_size=1, max_size=12), data=st.data())
def test_no_card_is_lost_or_doubled(hand: list[str], data: st.DataObject) -> None:
    """Whatever is dropped where, each card is in hand or on the mat once, and what the mat spells can be judged."""
    faces = Faces(enumerate(hand))
    turn = TootTurn(faces, faces, data.draw(st.sampled_from([None, "1", "green"])))
    for _ in range(20):
        card, onto = data.draw(st.sampled_from(list(faces))), data.draw(st.sampled_from(list(faces)))
        laid = set(turn.mat_cards)
        if card not in laid:
            turn.lay(card, onto if onto in laid else None)
        elif onto in laid and data.draw(st.booleans()):
            turn.join(card, onto)
        elif data.draw(st.booleans()):
            turn.take_back(card)
        else:
            turn.lift(card)
        assert sorted((*turn.mat_cards, *turn.hand_left)) == sorted(faces)
        found = turn.flaw()
        assert found is None or found.key in WORDS
    best = solve(faces.items())
    if best is not None:
        turn.clear()
        turn.groups = [best]
        assert flaw(turn.toots(), faces) is None
