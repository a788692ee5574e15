"""A hint in a TooT game: which card to look at first, what is said of it, and where on the table the TooT goes."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.board.hints import HintStep, Nudge, nudges
from tabletin.board.scene import Layout, Scene
from tabletin.board.spelling import cards_in
from tabletin.games.toot.arrangement import single, stack
from tabletin.kernel.schema import Move
from tests.games.toot.boards import PHONE, Game, control, progressive, speed, tap, with_a_large_hand
from tests.games.toot.scene import parsed
from tests.support.board_tables import DESK


def steps(game: Game, move: Move, draft: Any = None, layout: Layout = PHONE) -> tuple[Scene, list[Nudge]]:
    """The table as it is, and the steps of a hint to ``move``."""
    seen, trial = game.sight(0, layout), game.draft(0)
    trial.compose(move)
    scene = game.scene(0, draft or game.draft(0), layout)
    reason = game.board.reason(seen, trial)
    return scene, nudges(scene, game.board.scene(seen, trial), cards_in(game.table.match.rules.verbs, move), reason)


def said(game: Game, found: list[Nudge]) -> list[str]:
    """The first card of each step, and what is said."""
    return [f"{game.sight(0).words.card(step.cards[0], game.sight(0).view.faces)} – {step.why}" if step.step is HintStep.LOOK
            else step.why for step in found]


@pytest.mark.parametrize(("hand", "toot", "look", "place"), [
    ("red blue 2", "2[table,red+blue]", "2 – The 2 goes on top at the end. Which 2 TooTs come under it?",
     "On top: 2. Under it: the TooT on the table and red with blue."),
    ("1 red", "1[table]", "1 – The 1 goes on top at the end. Which TooT comes under it?",
     "On top: 1. Under it: the TooT on the table."),
    ("3 1 green 2 purple orange", "3[2[purple,orange],table,1[green]]",
     "3 – The 3 goes on top at the end. Which 3 TooTs come under it?",
     "On top: 3. Under it: the TooT on the table, 1 on green and 2 on 2 TooTs."),
    ("2 3 green orange purple", "2[3[table,green,orange],purple]",
     "2 – The 2 goes on top at the end. Which 2 TooTs come under it?",
     "On top: 2. Under it: 3 on 3 TooTs (one lies on the table) and purple."),
    ("2 1 green", "2[1[table],green]", "2 – The 2 goes on top at the end. Which 2 TooTs come under it?",
     "On top: 2. Under it: 1 on the TooT on the table and green."),
    ("X red blue", "X=2[table,red+blue]", "X – The X as 2 goes on top at the end. Which 2 TooTs come under it?",
     "On top: X as 2. Under it: the TooT on the table and red with blue."),
])
def test_what_joins_the_toot_on_the_table_is_led_to_it(hand: str, toot: str, look: str, place: str) -> None:
    """TO-4: told from the top."""
    game, cards = with_a_large_hand(hand)
    for layout in (PHONE, DESK):
        scene, found = steps(game, ("play", _toots(game, cards, toot)), layout=layout)
        assert said(game, found) == [look, place]
        stack = next(zone for zone in scene.zones if zone.key == "stack-1")
        assert [zone.rect for zone in found[-1].places] == [stack.rect]


@pytest.mark.parametrize(("hand", "look", "place"), [
    ("red blue 2 3", "red – Start with this one: red. It is half a TooT – what goes with it?",
     "One TooT by itself: red with blue."),
    ("green 2 3 4", "green – ", "One TooT by itself: green."),
    ("X red 2 3", "red – Start with this one: red. It is half a TooT – what goes with it?",
     "One TooT by itself: red with X as red."),
])
def test_a_toot_of_its_own_is_led_to_the_empty_place(hand: str, look: str, place: str) -> None:
    for layout in (PHONE, DESK):
        game, _, _ = progressive(hand)
        scene, found = steps(game, ("done",), layout=layout)
        assert said(game, found) == [look, place]
        empty = next(zone for zone in scene.zones if zone.key == "place")
        assert [zone.rect for zone in found[-1].places] == [empty.rect], "and not to where cards of another size would lie"


def test_a_large_toot_is_told_in_parts_as_it_is_built() -> None:
    """TO-2: each part lights its own cards, and what lies on top of others those, too."""
    game, _, _ = progressive("2 3 4 4")
    for move in (("done",), ("show", ())):
        game.table.move(0, move)
    cards, draft = game.deal(0, "2 1 purple blue yellow"), game.draft(0)
    tap(draft, "next")
    _, found = steps(game, ("done",), draft)
    assert said(game, found) == [
        "2 – The 2 goes on top at the end. Which 2 TooTs come under it?",
        "First: 1 on purple.", "Then: blue with yellow.", "Then put the 2 on top of these 2 TooTs."]
    lit = [step.cards for step in found[1:]]
    assert sorted((*lit[0], *lit[1])) == sorted(set(cards) - {found[0].cards[0]}) and sorted(lit[2]) == sorted(cards)
    assert all(step.keys == frozenset(f"c{card}" for card in part) for step, part in zip(found[1:], lit, strict=True))


def test_against_the_clock_a_large_toot_is_told_at_once() -> None:
    game, _, cards = speed("2 1 1 purple blue yellow 2")
    _, found = steps(game, ("claim", _toots(game, cards, "2[1[purple],1[blue+yellow]]")))
    assert said(game, found)[1:] == ["On top: 2. Under it: 1 on purple and 1 on blue with yellow."]


def test_against_the_clock_each_card_is_lit_that_is_named_and_no_other() -> None:
    game, _, cards = speed("3 2 purple green red blue orange")
    _, found = steps(game, ("claim", _toots(game, cards, "3[2[purple,green],red+blue,orange]")))
    assert found[-1].why == "On top: 3. Under it: 2 on 2 TooTs, red with blue and orange."
    three, two, _, _, *named = cards
    assert found[-1].keys == {f"c{card}" for card in (three, two, *named)}


def test_what_lies_on_the_mat_stays_while_a_hint_looks_for_a_better_toot() -> None:
    """Only what was picked up goes back."""
    game, draft, (red, blue, two, three) = progressive("red blue 2 3")
    tap(draft, f"c{two}", "mat")
    draft.pick(f"c{red}")
    draft.put_away()
    assert (draft.selection, draft.turn.mat_cards) == (None, (two,))
    _, found = steps(game, ("done",), draft)
    assert found[-1].cards == (red, blue) and len(found[-1].places) == 1
    assert three in draft.turn.hand_left


def test_the_first_toot_of_a_table_is_led_to_the_frame_with_the_examples() -> None:
    """As large as the frame is, with all that is written in it."""
    game = Game("toot-pursuit", first_seat="1")
    game.table.move(0, ("draw",))
    (green,) = game.deal(0, "green")
    scene, (place,) = steps(game, ("play", ((((green, None),), ()),)))
    frame = next(zone for zone in scene.zones if zone.key == "first")
    assert [zone.rect for zone in place.places] == [frame.rect]
    assert place.light(scene).labels == scene.labels


def test_without_a_toot_there_is_nothing_to_tell() -> None:
    game, _ = with_a_large_hand("red 2")
    draft = game.draft(0)
    draft.compose(("pass",))
    assert game.board.reason(game.sight(0), draft) is None


def test_before_a_pass_the_1_is_looked_at_that_is_better_not_covered() -> None:
    """TO-7: and passing is what the button says that ends the turn, until something else is done."""
    game, cards = with_a_large_hand("2 yellow blue")
    (first, second), state = game.state.table_cards, game.state
    state.table, state.top_face = stack((second, None), single(first, "purple")), "1"
    state.public.update({first: "X", second: "1"})
    scene, (nudge,) = steps(game, ("pass",))
    assert (nudge.cards, nudge.why) == ((second,), "A 1 lies on top. Who would it help if you covered it now?")
    assert not control(scene, "pass").primary
    draft = game.draft(0)
    draft.compose(("pass",))
    assert [(found.key, found.primary) for found in game.scene(0, draft).controls] == [("pass", True), ("play", False)]
    tap(draft, f"c{cards[0]}")
    draft.undo()
    assert not control(game.scene(0, draft), "pass").primary


def _toots(game: Game, cards: list[int], text: str) -> Any:
    """``text`` laid with ``cards``."""
    faces, left = game.table.match.knowledge, list(cards)

    def held(face: str) -> int:
        card = next(card for card in left if faces[card] == face)
        left.remove(card)
        return card

    return parsed(text, held)
