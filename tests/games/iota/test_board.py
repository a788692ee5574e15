"""Iota's table: composing a turn by taps, drops and takes-back, its live score, trading, recycling, what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from tabletin.app.table.camera import fit
from tabletin.board.scene import Layout, Rect, Scene, Sight, card_key
from tabletin.games.iota import art
from tabletin.games.iota.board import IotaBoard
from tabletin.games.iota.draft import PILE, IotaDraft
from tabletin.games.iota.plane import CARD, CELL
from tabletin.kernel.match import View
from tabletin.kernel.options import Refusal
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import Event
from tabletin.kernel.table import AUTHOR, Table
from tabletin.words import figure, languages
from tabletin.words.wording import Wording
from tests.games.iota.positions import Position
from tests.support.board_tables import DESK, PHONE, WORDS, seated, sight
from tests.support.scene_checks import check_flights, drawn

BOARD = IotaBoard()


def test_a_hint_puts_cards_away_that_were_chosen_and_laid() -> None:
    """Two answers on one table are none."""
    _, seen, draft = to_play(2)
    card = next(card for card in draft.turn.hand_left if draft.places(card))
    draft.pick(card_key(card))
    x, y = draft.places(card)[0]
    draft.tap(f"at{x},{y}")
    other = draft.turn.hand_left[0]
    draft.pick(card_key(other))
    taken = [len(draft.turn.lays), draft.hint_takes_back]
    draft.put_away()
    assert taken == [1, True] and (draft.selection, draft.turn.lays, draft.hint_takes_back) == (None, {}, False)
    assert BOARD.scene(seen, draft).pieces == BOARD.scene(seen, BOARD.draft(seen)).pieces


def to_play(seed: int, moves: int = 4, seats: int = 2) -> tuple[Table, Sight, IotaDraft]:
    """A match after ``moves`` random moves, seen by the seat to play."""
    table = seated("iota", seats, seed)
    rng = Random(seed)
    for _ in range(moves):
        seat = table.match.rules.to_act(table.match.state)[0]
        faces = table.match.view((seat,)).faces
        table.move(seat, table.match.rules.random_move(table.match.state, seat, faces, rng))
    seen = sight(table, table.match.rules.to_act(table.match.state)[0], Layout(390, 560, 16, touch=True))
    return table, seen, BOARD.draft(seen)


def test_small_cards_are_as_different_as_large_ones() -> None:
    assert all(len({art.small_front(face, language) for face in art.FACES}) == len(art.FACES) for language in languages())


def looked_at(position: Position) -> Sight:
    """``position`` as the seat to play sees it."""
    setup = Setup("iota", 1, {}, (Seat("person", AUTHOR, "Ann"), Seat("person", AUTHOR, "Ben")))
    return Sight(View(position.rules, position.state, (0,), position.faces), Wording(WORDS, setup), PHONE, 0, (0, 1))


def keys(scene: Scene) -> set[str]:
    return {spot.key for spot in scene.spots}


def primary(scene: Scene) -> str:
    return next((control.key for control in scene.controls if control.primary), "")


def usable(draft: IotaDraft) -> int:
    return next(card for card in draft.turn.hand_left if draft.places(card))


def test_choosing_a_card_lights_exactly_its_legal_places() -> None:
    _, seen, draft = to_play(1)
    assert not BOARD.scene(seen, draft).spots
    card = usable(draft)
    assert draft.tap(card_key(card)) is None
    lit = {key for key in keys(BOARD.scene(seen, draft)) if key.startswith("at")}
    assert lit == {f"at{x},{y}" for x, y in draft.turn.places(card)}
    draft.tap(card_key(card))
    assert not BOARD.scene(seen, draft).spots


@pytest.mark.parametrize("seed", range(6))
def test_a_composed_play_scores_what_the_button_says(seed: int) -> None:
    table, seen, draft = to_play(seed)
    card = usable(draft)
    draft.tap(card_key(card))
    spot = next(spot for spot in BOARD.scene(seen, draft).spots if spot.key.startswith("at"))
    assert draft.drop(card_key(card), spot.key) is None
    scene = BOARD.scene(seen, draft)
    points, _ = draft.turn.score()
    button = next(control for control in scene.controls if control.primary)
    assert str(points) in button.label and str(points) in scene.note
    assert f"{points} point" in spot.label and spot.points == f"+{points}"
    laid = next(piece for piece in scene.pieces if piece.key == card_key(card))
    assert laid.plane and "tentative" in laid.flags
    move = draft.tap("play")
    assert isinstance(move, tuple)
    before = table.match.state.scores
    assert seen.seat is not None
    table.move(seen.seat, move)
    assert table.match.state.scores[seen.seat] - before[seen.seat] == points


def test_taking_back_step_by_step_leads_to_where_it_began() -> None:
    _, seen, draft = to_play(1)
    empty = BOARD.scene(seen, draft)
    card = usable(draft)
    draft.tap(card_key(card))
    draft.tap(BOARD.scene(seen, draft).focus)
    assert draft.turn.lays
    assert draft.step_back() and not draft.step_back()
    assert BOARD.scene(seen, draft) == empty
    draft.tap(card_key(card))
    draft.tap(BOARD.scene(seen, draft).focus)
    draft.tap(card_key(card))  # a tap on a card on trial takes it back too
    assert not draft.turn.lays and BOARD.scene(seen, draft) == empty


def test_an_illegal_drop_says_why_and_changes_nothing() -> None:
    _, _, draft = to_play(1)
    card = usable(draft)
    reply = draft.miss(card_key(card), (40 * CELL, 0), plane=True)
    assert isinstance(reply, Refusal) and reply.key == "iota.refuse.not_touching"
    reply = draft.miss(card_key(card), (4.0, -7.0), plane=True)
    assert isinstance(reply, Refusal) and reply.key in ("iota.refuse.occupied", "iota.refuse.wild_for_wild",
                                                        "iota.refuse.recycle_misfit")
    assert not draft.turn.lays and draft.selection is None


def test_a_laid_card_dropped_beside_the_grid_is_taken_back() -> None:
    _, seen, draft = to_play(1)
    card = usable(draft)
    draft.tap(card_key(card))
    draft.tap(BOARD.scene(seen, draft).focus)
    assert draft.miss(card_key(card), (100, 500), plane=False) is None
    assert not draft.turn.lays


def test_trading_keeps_the_order_in_which_cards_were_chosen() -> None:
    table, seen, draft = to_play(2)
    one, two, three, _ = draft.turn.hand
    draft.tap("trade")
    for card in (three, one, two):
        draft.tap(card_key(card))
    draft.tap(card_key(one))  # not that one after all
    scene = BOARD.scene(seen, draft)
    assert primary(scene) == "do_trade" and "2" in scene.note
    assert draft.tap("do_trade") == ("pass", (), (three, two))
    assert seen.seat is not None
    table.move(seen.seat, ("pass", (), (three, two)))
    assert {three, two} <= set(table.match.state.pile)


def test_a_card_dropped_on_the_pile_begins_a_trade() -> None:
    _, seen, draft = to_play(2)
    card = draft.turn.hand[0]
    draft.pick(card_key(card))
    assert PILE in keys(BOARD.scene(seen, draft))
    assert draft.drop(card_key(card), PILE) is None
    assert draft.trade == [card]
    assert draft.step_back() and draft.trade == []
    assert draft.step_back() and draft.trade is None


def with_wild() -> tuple[Table, Sight, IotaDraft, int, int]:
    """A turn in which a card of the hand can take the place of a wild on the grid."""
    for seed in range(60):
        table, seen, draft = to_play(seed, moves=9)
        for card in draft.turn.hand:
            wilds = draft.turn.recyclable(card)
            if wilds:
                return table, seen, draft, card, wilds[0]
    raise AssertionError("no such turn in sixty matches")


def test_a_card_dropped_on_a_wild_takes_its_place_and_gives_it_to_the_hand() -> None:
    table, seen, draft, card, wild = with_wild()
    draft.pick(card_key(card))
    assert f"wild{wild}" in keys(BOARD.scene(seen, draft))
    assert draft.drop(card_key(card), f"wild{wild}") is None
    scene = BOARD.scene(seen, draft)
    places = {piece.key: piece for piece in scene.pieces}
    assert places[card_key(card)].plane and not places[card_key(wild)].plane
    assert places[card_key(wild)].row == "hand"
    move = draft.turn.trade(())
    assert seen.seat is not None
    table.move(seen.seat, move)
    assert wild in table.match.state.hands[seen.seat] and card not in table.match.state.hands[seen.seat]


def test_a_swapped_card_cannot_be_traded_too() -> None:
    _, _, draft, card, wild = with_wild()
    draft.drop(card_key(card), f"wild{wild}")
    draft.tap("trade")
    draft.tap(card_key(card))
    draft.drop(card_key(card), PILE)
    draft.tap(card_key(wild))
    assert draft.trade == [wild]


def test_a_swapped_card_can_be_taken_back() -> None:
    _, seen, draft, card, wild = with_wild()
    empty = BOARD.scene(seen, draft)
    draft.drop(card_key(card), f"wild{wild}")
    assert draft.step_back()
    assert BOARD.scene(seen, draft) == empty
    draft.drop(card_key(card), f"wild{wild}")
    draft.tap(card_key(card))
    assert not draft.turn.recycles


@pytest.mark.parametrize("seed", range(8))
def test_composing_a_hint_lays_out_the_whole_move(seed: int) -> None:
    _, seen, draft = to_play(seed, moves=6)
    assert seen.seat is not None
    move = seen.view.rules.random_move(seen.view.state, seen.seat, seen.view.faces, Random(seed))
    draft.compose(move)
    said = {piece.key: piece.place for piece in BOARD.scene(seen, draft).pieces}
    for card, x, y in move[2] if move[0] == "play" else ():
        assert said[card_key(card)].endswith(f"to column {figure(x)}, row {figure(y)}")
    composed = draft.tap(primary(BOARD.scene(seen, draft)))
    assert isinstance(composed, tuple) and composed[0] == move[0]
    assert set(composed[2]) == set(move[2])


def test_young_children_see_no_points() -> None:
    table = seated("iota", 2, 3, {"young_children": True})
    seen = sight(table, table.match.rules.to_act(table.match.state)[0])
    draft = BOARD.draft(seen)
    card = usable(draft)
    draft.tap(card_key(card))
    scene = BOARD.scene(seen, draft)
    assert not any(spot.points for spot in scene.spots)
    draft.tap(scene.focus)
    scene = BOARD.scene(seen, draft)
    assert primary(scene) == "play" and not any(label.key == "turn-points" for label in scene.labels)
    assert not any("point" in text for text in scene.texts())
    assert all(plate.score == "" for plate in scene.plates)


def test_a_covered_table_shows_no_hand() -> None:
    table, _, _ = to_play(1)
    scene = BOARD.scene(sight(table, None), None)
    hands = {card_key(card) for hand in table.match.state.hands for card in hand}
    assert not {piece.key for piece in scene.pieces} & hands
    assert not scene.controls and not scene.spots


def test_a_phone_held_sideways_has_the_hand_beside_the_grid_which_has_all_the_height() -> None:
    _, seen, draft = to_play(3, 9, 4)
    low = replace(seen, layout=Layout(668, 338, touch=True))
    scene = IotaBoard().scene(low, draft)
    hand = [piece for piece in scene.pieces if piece.row == "hand"]
    assert scene.window is not None and scene.window.height > 330
    assert all(piece.x + piece.width / 2 <= scene.window.x and piece.width >= 52 for piece in hand)
    assert all(after.y - before.y >= before.width for before, after in pairwise(hand))
    pile = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
    assert hand[-1].y + hand[-1].width / 2 + 8 <= pile.y and pile.bottom <= 338, "a finger means the one or the other"
    assert hand[0].y - hand[0].width / 2 > 7.9, "a chosen card has room, too"
    assert all(plate.rect.x >= scene.window.right for plate in scene.plates)
    card = next(card for card in draft.turn.hand_left if draft.usable(card))
    before = {piece.key: (piece.x, piece.y) for piece in hand}
    draft.tap(card_key(card))
    chosen = next(piece for piece in IotaBoard().scene(low, draft).pieces if piece.key == card_key(card))
    assert chosen.x > before[chosen.key][0] and chosen.y == before[chosen.key][1]


@pytest.mark.parametrize("seats", [2, 4])
def test_on_a_wide_stage_seats_hand_and_pile_stand_beside_the_grid_which_has_all_the_height(seats: int) -> None:
    """Above and below it they left a grid under way cards half as large as those of the hand."""
    layout = Layout(944, 636)
    _, seen, _ = to_play(3, 16, seats)
    wide = replace(seen, layout=layout)
    draft = BOARD.draft(wide)
    scene = IotaBoard().scene(wide, draft)
    assert scene.window is not None and scene.window.height == layout.height
    hand = [piece for piece in scene.pieces if piece.row == "hand"]
    pile = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
    beside = sorted([plate.rect for plate in scene.plates], key=lambda rect: rect.y)
    beside += [Rect(piece.x - piece.width / 2, piece.y - piece.width / 2, piece.width, piece.width) for piece in hand]
    assert len(hand) == 4 and all(piece.width >= 90 for piece in hand)
    assert len({piece.x for piece in hand}) == len({piece.y for piece in hand}) == 2, "two and two"
    beside.append(pile)
    assert all(scene.window.right <= rect.x and rect.right <= layout.width and rect.bottom <= layout.height for rect in beside)
    for one, other in combinations(beside, 2):
        assert one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y
    held = min(piece.width for piece in hand)
    assert CARD * fit(scene.bounds, scene.window, scene.closest).zoom > 0.55 * held
    card = next(card for card in draft.turn.hand_left if draft.usable(card))
    before = next(piece for piece in hand if piece.key == card_key(card))
    draft.tap(card_key(card))
    chosen = next(piece for piece in IotaBoard().scene(wide, draft).pieces if piece.key == card_key(card))
    assert chosen.x == before.x and chosen.y < before.y


def test_where_a_stage_is_wider_than_a_grid_needs_its_cards_of_the_hand_are_larger() -> None:
    _, seen, _ = to_play(3, 16, 3)
    sizes = {}
    for width, height in ((944, 620), (1280, 620), (1584, 880)):
        seen = replace(seen, layout=Layout(width, height))
        sizes[width] = min(piece.width for piece in BOARD.scene(seen, BOARD.draft(seen)).pieces if piece.row == "hand")
    assert sizes[1280] > 1.2 * sizes[944] and sizes[1584] > 1.2 * sizes[1280]


@pytest.mark.parametrize(("picture", "hand", "lays", "said"), [
    ("rc1 rc2", "rc4", (("rc4", 2, 0),), "Same colour and shape; different number. 7 points."),
    ("rc1 gs2", "bt3", (("bt3", 2, 0),), "Different colour, shape and number. 6 points."),
    ("rc1 wild", "gs2", (("gs2", 2, 0),), "Different colour, shape and number. 3 points."),
    ("wild", "gs2", (("gs2", 1, 0),), "A wild goes with any card. 2 points."),
    ("rc1 rc2/gc1 .", "gc2", (("gc2", 1, 1),),
     "Same colour and shape; different number. It counts in one more line. 3 + 4 = 7 points."),
])
def test_a_hint_says_what_is_the_same_and_what_differs_and_lights_the_line(
    picture: str, hand: str, lays: tuple[tuple[str, int, int], ...], said: str,
) -> None:
    position = Position(picture, hand)
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    draft.compose(("play", (), tuple((position.card(face), x, y) for face, x, y in lays)))
    reason = BOARD.reason(seen, draft)
    assert reason is not None and reason.sentence == said
    assert set(reason.cards) == set(position.state.grid.values()) - ({position.at(0, 0)} if "/" in picture else set())


ROW = (("rc2", 0, 1), ("gs2", 1, 1), ("bt2", 2, 1), ("yx2", 3, 1))


@pytest.mark.parametrize(("hand", "pile", "lays", "said"), [
    ("rc2 gs2 bt2 yx2", 20, ROW[:1], "3 points."),
    ("rc2 gs2 bt2", 20, ROW[:3], "6 + 3 = 9 points."),
    ("rc2 gs2 bt2 yx2", 20, ROW, "(8 + 3) × 2 (full line) × 2 (all four cards) = 44 points."),
    ("rc2 gs2 bt2 yx2", 0, ROW, "(8 + 3) × 2 (full line) × 2 (all four cards) × 2 (last card) = 88 points."),
    ("rc2", 0, ROW[:1], "3 × 2 (last card) = 6 points."),
])
def test_what_a_turn_adds_up_and_what_doubles_it_is_said_with_its_points(
    hand: str, pile: int, lays: tuple[tuple[str, int, int], ...], said: str,
) -> None:
    """IO-6: each line counts; twice as much for a full line, for all four cards and for the last card."""
    position = Position("rc1", hand, pile)
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    draft.compose(("play", (), tuple((position.card(face), x, y) for face, x, y in lays)))
    scene = BOARD.scene(seen, draft)
    assert scene.note == said
    points = int(said.split()[-2])
    shown = next(label for label in scene.labels if label.key == "turn-points")
    assert shown.text == f"+{points}" and shown.plane, "where one looks while laying: at the card that was laid last"
    last = next(piece for piece in scene.pieces if piece.key == card_key(list(draft.turn.lays)[-1]))
    assert min(abs(shown.x - last.x), abs(shown.y - last.y)) < 1 and max(abs(shown.x - last.x), abs(shown.y - last.y)) < 2 * CARD
    assert scene.window is not None
    zoom = min(scene.window.width / scene.bounds.width, scene.window.height / scene.bounds.height, scene.closest)
    half = 0.5 * 1.6 * 17 / zoom
    assert scene.bounds.y <= shown.y - half and shown.y + half <= scene.bounds.bottom, "and no edge cuts it"
    near = [piece for piece in scene.pieces if piece.plane and abs(piece.x - shown.x) < CARD / 2]
    assert all(abs(piece.y - shown.y) >= CARD / 2 for piece in near), "it covers the middle of no card"
    reason = BOARD.reason(seen, draft)
    assert reason is not None and reason.sentence.endswith(said)
    assert position.play(*lays) == points


def test_at_the_end_it_is_said_who_is_out_and_that_this_turn_counted_double() -> None:
    with_scores = "Ann is out of cards, so that last turn counted double: 3 × 2 = 6."
    for options, said in (({}, with_scores), ({"young_children": True}, "")):
        position = Position("rc1", "rc2", 0, **options)
        position.play(("rc2", 0, 1))
        assert position.state.end_reason == "iota.ended.out"
        seen = looked_at(position)
        assert BOARD.scene(seen, None).note == said
        assert BOARD.scene(replace(seen, landing=True), None).note == "", "not before it has been seen"
        assert not any(label.key == "turn-points" for label in BOARD.scene(seen, None).labels)


def test_the_story_tells_each_doubling_with_its_sum() -> None:
    position = Position("rc1", "rc2 gs2 bt2 yx2", 0)
    events: list[Event] = []
    position.state.events = events
    position.play(*ROW)
    told = [WORDS.text(event.key, seat="Ann", **event.params) for event in events if event.key in (
        "iota.log.lots_doubled", "iota.log.whole_hand", "iota.log.out_doubled")]
    assert told == ["A lot (four in a row): 11 × 2 = 22.", "All four cards at once: 22 × 2 = 44.",
                    "Ann is out of cards, so that last turn counted double: 44 × 2 = 88."]


SQUARE = "rc1 rc2/rc3 rc4"  # whatever is not red and a circle fits nowhere beside it


def test_what_ends_the_turn_stands_behind_what_leads_to_a_trade_and_back_again() -> None:
    """One button, which keeps its place: tapped twice it leads to where one was, and passes no turn."""
    position = Position("rc1", "bs4")
    seen = looked_at(position)
    draft = BOARD.draft(seen)

    def offered() -> list[tuple[str, bool]]:
        return [(control.key, control.primary) for control in BOARD.scene(seen, draft).controls if not control.why]

    assert offered() == [("trade", False)]
    assert draft.tap("trade") is None and offered() == [("trade", False), ("do_trade", False)]
    scene = BOARD.scene(seen, draft)
    assert [control.label for control in scene.controls] == ["Back", "Pass, trade nothing"]
    assert scene.ask == "choose cards to trade" and not any(control.shortcut == "c" for control in scene.controls)
    draft.tap(card_key(position.card("bs4")))
    assert offered() == [("trade", False), ("do_trade", True)]
    assert draft.tap("trade") is None and draft.trade is None and offered() == [("trade", False)]


def test_nobody_passes_by_tapping_twice_once_the_pile_is_empty() -> None:
    position = Position("rc1", "rc2", 0)
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    assert [control.label for control in BOARD.scene(seen, draft).controls] == ["Pass", "Lay cards"]
    assert draft.tap("trade") is None
    draft.tap(card_key(position.card("rc2")))
    scene = BOARD.scene(seen, draft)
    assert draft.trade == [] and "nothing to trade" in scene.note
    assert [control.label for control in scene.controls] == ["Back", "Pass"] and primary(scene) == "do_trade"
    assert draft.tap("do_trade") == ("pass", (), ())


def test_the_button_that_lays_says_what_is_to_be_done_first() -> None:
    for hand, said in (("rc2", "Pick a card, then a place."), ("bs4", "Nothing fits. Trade cards, or pass.")):
        position = Position(SQUARE, hand)
        seen = looked_at(position)
        draft = BOARD.draft(seen)
        assert BOARD.scene(seen, draft).controls[-1].why == BOARD.scene(seen, draft).note == said


def test_cards_to_be_traded_bear_their_numbers() -> None:
    position = Position("rc1", "bs4 gs2 yt1")
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    draft.tap("trade")
    for face in ("yt1", "bs4"):
        draft.tap(card_key(position.card(face)))
    scene = BOARD.scene(seen, draft)
    at = {piece.key: piece for piece in scene.pieces}
    numbers = [label for label in scene.labels if label.key.startswith("trade-order")]
    assert [(label.text, label.x) for label in numbers] == [
        (figure(n), at[card_key(position.card(face))].x) for n, face in ((1, "yt1"), (2, "bs4"))]


def test_a_chosen_card_that_fits_nowhere_can_be_traded_and_the_pile_says_so() -> None:
    for pile, said in ((20, "It fits nowhere, but you can trade it."), (0, "It fits nowhere now.")):
        position = Position(SQUARE, "bs4 rc3", pile)
        seen = looked_at(position)
        draft = BOARD.draft(seen)
        assert draft.tap(card_key(position.card("bs4"))) is None
        scene = BOARD.scene(seen, draft)
        assert scene.note == said
        assert [spot.text for spot in scene.spots if spot.key == PILE] == ["Trade"] * bool(pile)


@pytest.mark.parametrize(("picture", "hand", "lays", "other", "fault", "line"), [
    ("rt1", "rs3 rc2 yc1", (("rs3", 1, 0), ("rc2", 1, 1)), "yc1", "turn_colour", ("rs3", "rc2")),
    ("rc1", "gc2 bc3 yx4", (("gc2", 1, 0), ("bc3", 2, 0)), "yx4", "turn_shape", ("rc1", "gc2", "bc3")),
    ("rc1", "gs1 bt1 yx2", (("gs1", 1, 0), ("bt1", 2, 0)), "yx2", "turn_number", ("rc1", "gs1", "bt1")),
    ("rc1 rc2", "rc3 rc4 bs1", (("rc3", 2, 0), ("rc4", 3, 0)), "bs1", "turn_full", ("rc1", "rc2", "rc3", "rc4")),
    (". rc1 . . ./gs2 . . . gs3/gs1 . . . gs2", "rc2 rc3 rc4", (("rc2", 2, 0), ("rc3", 3, 0)), "rc4", "turn_nowhere", ()),
])
def test_a_card_that_goes_with_none_on_trial_stays_in_the_hand_and_it_is_said_why(
    picture: str, hand: str, lays: tuple[tuple[str, int, int], ...], other: str, fault: str, line: tuple[str, ...],
) -> None:
    position = Position(picture, hand)
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    for face, x, y in lays:
        assert draft.drop(card_key(position.card(face)), f"at{x},{y}") is None
    before = BOARD.scene(seen, draft)
    card = position.card(other)
    reply = draft.tap(card_key(card))
    assert reply == Refusal(f"iota.refuse.{fault}", rule="IO-3")
    scene = BOARD.scene(seen, draft)
    assert draft.selection is None and not any(spot.key.startswith("at") for spot in scene.spots)
    wrong = {piece.key for piece in scene.pieces if "wrong" in piece.flags}
    named = {position.faces[int(key[1:])] for key in wrong}
    assert named == {other, *line}
    assert draft.step_back() and not draft.misfit[1]
    draft.pick(card_key(position.card(lays[-1][0])))
    draft.tap(f"at{lays[-1][1]},{lays[-1][2]}")
    assert BOARD.scene(seen, draft) == before, "what comes next forgets it"


def test_no_line_is_explained_where_cards_are_traded() -> None:
    position = Position("rc1", "gs2")
    seen = looked_at(position)
    draft = BOARD.draft(seen)
    draft.compose(("pass", (), (position.card("gs2"),)))
    assert BOARD.reason(seen, draft) is None


def test_cards_on_a_small_grid_are_larger_than_in_the_hand() -> None:
    _, seen, draft = to_play(1, 0)
    scene = IotaBoard().scene(seen, draft)
    held = next(piece.width for piece in scene.pieces if piece.row == "hand")
    assert scene.window is not None
    assert CARD * fit(scene.bounds, scene.window, scene.closest).zoom > 1.3 * held


def test_cards_on_a_wide_grid_show_number_and_colour_large_whoever_plays() -> None:
    for columns, front in ((3, art.front), (12, art.small_front)):
        seen = looked_at(Position(" ".join(f"rc{1 + at % 4}" for at in range(columns)), "gs2 bt3"))
        for draft in (BOARD.draft(seen), None):
            shown = [piece for piece in BOARD.scene(seen, draft).pieces if piece.plane]
            assert len(shown) == columns
            assert all(piece.drawing.markup == front(str(piece.drawing.shows), "en") for piece in shown)
        held = [piece for piece in BOARD.scene(seen, None).pieces if piece.row == "hand"]
        assert len(held) == 2
        assert all(piece.drawing.markup == art.front(str(piece.drawing.shows), "en") for piece in held)


@pytest.mark.parametrize("seed", range(6))
def test_all_places_of_the_hand_are_in_view_before_a_card_is_chosen_and_choosing_moves_nothing(seed: int) -> None:
    _, seen, draft = to_play(seed, 12)
    board = IotaBoard()
    bounds = board.scene(seen, draft).bounds
    cells = [piece for piece in board.scene(seen, draft).pieces if piece.plane]
    for card in list(draft.turn.hand_left):
        draft.tap(card_key(card))
        scene = board.scene(seen, draft)
        assert scene.bounds == bounds
        inner = bounds.grow(-CELL * 0.6)
        assert all(inner.holds((piece.x, piece.y)) for piece in cells)
        assert all(inner.holds((spot.x, spot.y)) for spot in scene.spots if spot.plane)
        draft.tap(card_key(card))
    widest = max(thing.x for thing in cells) - min(thing.x for thing in cells)
    assert bounds.width <= widest + 3.4 * CELL, "no wider than a card at each side needs"


@pytest.mark.parametrize("language", languages())
def test_no_colour_mark_lies_over_a_shape(language: str) -> None:
    letter, arm = 0.66, art.CX + 30 * 0.94  # of its size, how wide a letter is at most; where a cross's upper arm ends
    for face in ("rx1", "gx1", "bx1", "yx1"):
        ((right, size, mark),) = re.findall(r'<text x="(\d+)" y="[\d.]+" font-size="([\d.]+)"[^>]*text-anchor="end">(\w+)<',
                                            art.front(face, language))
        assert float(right) - letter * float(size) * len(mark) >= arm, (face, mark)


@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_cards_that_others_draw_fly_beside_their_name_and_not_onto_it(layout: Layout) -> None:
    table = seated("iota", 3, 1)
    check_flights(drawn(IotaBoard(), sight(table, 0, layout)), layout)
