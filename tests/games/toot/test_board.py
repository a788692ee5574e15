"""TooT's tables: turns composed by taps and drops, what a stack says of itself, results, renewed drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, groupby, pairwise
from random import Random
from typing import Any

import pytest

from tabletin.board.scene import Layout, Piece, Rect, Scene, card_key
from tabletin.games.toot.arrangement import single
from tabletin.games.toot.board_examples import makeable
from tabletin.games.toot.board_hand import ABOVE, closed_up
from tabletin.games.toot.board_results import result_places
from tabletin.games.toot.board_stacks import LEAST_STRIP, RATIO, STRIP, TootStack, arrange, drawing, lines
from tabletin.games.toot.cards import SECONDARIES, WILD
from tabletin.games.toot.draft import AS, HAND, MAT, TootDraft
from tabletin.games.toot.draft_games import TableDraft
from tabletin.games.toot.onetable import OneTable
from tabletin.kernel.match import EVERYBODY
from tabletin.kernel.options import Refusal
from tabletin.kernel.state import Event
from tests.games.toot.boards import (
    PHONE,
    SMALL,
    Game,
    control,
    piece,
    progressive,
    speed,
    spots,
    tap,
    verdicts,
    with_a_large_hand,
)
from tests.games.toot.scene import parsed

# ---- composing ----

def test_a_stack_is_built_by_taps_in_any_order() -> None:
    """TO-2: a 1 laid first waits for its TooT; a red alone is half of one."""
    game, draft, (one, red, blue, two) = progressive("1 red blue 2")
    tap(draft, card_key(one), MAT)
    assert verdicts(game.scene(0, draft)) == ["needs a TooT"]
    tap(draft, card_key(red), MAT)
    assert "half a TooT" in verdicts(game.scene(0, draft))
    tap(draft, card_key(blue))
    assert {f"on{red}", f"on{one}", MAT} <= spots(game.scene(0, draft)), "a pair can be made, or the 1 gets its first half"
    tap(draft, f"on{red}")
    tap(draft, card_key(blue), f"on{one}")
    scene = game.scene(0, draft)
    assert verdicts(scene) == ["one TooT"]
    assert draft.turn.hand_left == [two]
    assert scene.note == "One TooT; 1 card is left over."
    under, top = piece(scene, red), piece(scene, one)
    assert under.y < top.y and under.z < top.z, "the number covers what lies under it and shows in full"


def test_one_tap_lays_a_card_that_has_one_place_and_the_others_close_up() -> None:
    game, draft, (green, purple, one, two) = progressive("green purple 1 2")
    before = game.scene(0, draft)
    for laid, tapped, why in (([green], green, "there is only the mat"), ([green, purple], purple, "it joins nothing"),
                              ([green, purple], one, "there is a choice")):
        tap(draft, card_key(tapped))
        assert list(draft.turn.mat_cards) == laid, why
    assert draft.selection == one
    after = game.scene(0, draft)
    assert piece(after, one).x + piece(after, two).x == PHONE.width and piece(after, two).y == piece(before, two).y
    assert abs(piece(after, one).x - piece(after, two).x) == abs(piece(before, one).x - piece(before, two).x)
    tap(draft, card_key(one), card_key(green), HAND, card_key(purple), HAND)
    assert piece(game.scene(0, draft), green).x == piece(before, green).x, "it comes back to where it was"


@pytest.mark.parametrize(("hand", "taps", "laid"), [
    ("2 red yellow blue", 4, "2[red+yellow, blue]"),
    ("green 1 2 1 purple X", 3, "2[1[green]]"),
    ("green 1 1", 3, "1[green], 1"),  # TO-3: a 1 may not touch a 1
    ("green purple 2", 3, "2[green, purple]"),  # a number takes all that it can carry
    ("green purple 3 orange", 4, "3[green, purple, orange]"),
    ("green purple 2 X", 4, "1[2[green, purple]]"),
])
def test_where_one_place_makes_sense_a_tap_lays_a_card_there(hand: str, taps: int, laid: str) -> None:
    """TO-2: without a second tap, and in one step that is taken back as one."""
    _, draft, cards = progressive(hand) if len(hand.split()) == 4 else speed(f"{hand} {'4 ' * (7 - len(hand.split()))}".strip())
    for card in cards[:taps]:
        tap(draft, card_key(card))
        assert draft.selection is None and card in draft.turn.mat_cards
    held = list(cards)
    assert draft.turn.groups == list(parsed(laid, lambda face: next(held.pop(at) for at, card in enumerate(held)
                                                                  if draft.faces[card] in (face, WILD))))
    for _ in range(taps):
        assert draft.step_back()
    assert not draft.begun


def test_a_tap_on_the_empty_place_takes_what_was_just_laid_there() -> None:
    game, draft, (two, red, blue, _) = progressive("2 red blue 4")
    tap(draft, card_key(two), card_key(red))
    assert spots(game.scene(0, draft)) == {MAT} and len(draft.turn.groups) == 1
    tap(draft, MAT)
    assert len(draft.turn.groups) == 2 and spots(game.scene(0, draft)) == set()
    assert draft.step_back() and list(draft.turn.mat_cards) == [two], "it is one step, and one to take back"
    tap(draft, card_key(red), card_key(blue))
    assert draft.step_back() and list(draft.turn.mat_cards) == [red, two]
    tap(draft, MAT)
    assert list(draft.turn.mat_cards) == [red, two], "what was taken back is not laid once more"


def test_against_the_clock_a_tap_chooses_where_there_is_a_choice() -> None:
    """A half makes a pair before it begins another TooT, and a number goes where most lies."""
    _, draft, (red, one, blue, green, other, _, _) = speed("red 1 blue green 1 4 4")
    tap(draft, card_key(red), MAT, card_key(one), MAT, card_key(blue))
    assert draft.turn.groups == [(((red, None), (blue, None)), ()), (((one, None),), ())]
    tap(draft, card_key(green), card_key(other))
    assert draft.turn.groups[1] == (((one, None),), ((((green, None),), ()),)), "the bare number is filled first"
    assert draft.turn.groups[0] == (((other, None),), ((((red, None), (blue, None)), ()),)), "and a 1 touches no 1"
    game, draft, (first, second, *_) = speed("X X 1 2 4 4 4")
    tap(draft, card_key(first), card_key(second))
    assert game.scene(0, draft).prompt is None, "nothing is asked against the clock"
    assert draft.step_back() and draft.drop(card_key(second), f"on{first}") is None
    assert game.scene(0, draft).prompt is not None


def test_only_groups_that_go_together_are_lit() -> None:
    game, draft, (green, purple, two, one) = progressive("green purple 2 1")
    tap(draft, card_key(green))
    draft.pick(card_key(purple))
    assert f"on{green}" not in spots(game.scene(0, draft)), "two secondary colours do not join"
    reply = draft.tap(f"on{green}")
    assert isinstance(reply, Refusal) and reply.key == "toot.refuse.no_join"
    draft.pick(card_key(two))
    assert f"on{green}" in spots(game.scene(0, draft))
    tap(draft, f"on{green}")
    assert verdicts(game.scene(0, draft)) == ["needs one more"]
    tap(draft, card_key(purple), f"on{two}", card_key(one), f"on{two}")
    assert draft.showing() is not None and not draft.turn.hand_left


def test_what_is_missing_inside_a_stack_goes_inside() -> None:
    """A number may be laid on half a TooT first; the other half finds its place, and a bare number what it needs."""
    game, draft, (red, one, blue, two) = progressive("red 1 blue 2")
    tap(draft, card_key(red), card_key(one))
    draft.pick(card_key(blue))
    assert f"on{one}" in spots(game.scene(0, draft))
    tap(draft, f"on{one}")
    assert verdicts(game.scene(0, draft)) == ["one TooT"] and len(draft.turn.groups) == 1
    tap(draft, "clear", card_key(one), MAT, card_key(two), f"on{one}", card_key(red), f"on{two}", card_key(blue), f"on{two}")
    assert draft.turn.groups == list(parsed("2[1, red+blue]", lambda face: {"1": one, "2": two, "red": red, "blue": blue}[face]))


def test_a_drop_does_what_taps_do_and_a_miss_lays_by_itself() -> None:
    game, draft, (red, blue, two, one) = progressive("red blue 2 1")
    game.scene(0, draft)
    assert draft.room is not None
    assert draft.miss(card_key(red), draft.room.centre, plane=False) is None
    draft.pick(card_key(red))
    assert draft.miss(card_key(red), draft.room.centre, plane=False) is None
    assert draft.turn.mat_cards == (red,)
    assert draft.drop(card_key(blue), f"on{red}") is None
    assert verdicts(game.scene(0, draft)) == ["one TooT"]
    draft.pick(card_key(two))
    assert draft.miss(card_key(two), (200, 5000), plane=False) is None
    assert two in draft.turn.hand_left, "let go over the hand it stays there"
    assert draft.drop(card_key(red), HAND) is None
    assert set(draft.turn.hand_left) == {red, two, one}


def test_a_part_is_taken_off_a_stack_and_every_step_taken_back() -> None:
    game, draft, (one, red, blue, green) = progressive("1 red blue green")
    empty = game.scene(0, draft)
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}", card_key(one), f"on{blue}")
    tap(draft, card_key(blue), MAT)
    assert len(draft.turn.groups) == 2
    tap(draft, card_key(green), MAT)
    for _ in range(5):
        assert draft.step_back()
    assert not draft.step_back()
    assert game.scene(0, draft) == empty


def test_an_x_is_stated_by_its_place_or_when_asked() -> None:
    game, draft, (first, second, one, two) = progressive("X X 1 2")
    tap(draft, card_key(first), MAT)
    scene = game.scene(0, draft)
    assert piece(scene, first).drawing is not drawing("X"), "it shows what it stands for"
    tap(draft, card_key(second), f"on{first}")
    question = game.scene(0, draft).prompt
    assert question is not None and {answer.key for answer in question.answers} == {f"{AS}:pair", f"{AS}:over"}
    tap(draft, f"{AS}:over")
    assert verdicts(game.scene(0, draft)) == ["one TooT"] and draft.turn.states(second) == "1"
    assert piece(game.scene(0, draft), second).label == "X as 1, on the mat"
    tap(draft, card_key(second), "state")
    question = game.scene(0, draft).prompt
    assert question is not None and len(question.answers) == 11
    tap(draft, f"{AS}:2")
    assert draft.turn.states(second) == "2" and verdicts(game.scene(0, draft)) == ["needs one more"]
    assert {one, two} <= set(draft.turn.hand_left)


def test_what_is_wrong_is_said_in_the_rulebooks_words() -> None:
    """TO-3: a 2 may not touch a 2."""
    game, draft, cards = speed("2 2 red blue purple 1 1")
    two, other, red, blue, purple, one, last = cards
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}")
    tap(draft, card_key(one), f"on{blue}", card_key(last), card_key(last), f"on{one}")
    scene = game.scene(0, draft)
    assert verdicts(scene) == ["may not touch"]
    assert scene.warning and scene.note == "A 1 may not be placed on a 1."
    claim = control(scene, "claim")
    assert claim.why == scene.note and not claim.primary
    assert isinstance(draft.tap("claim"), Refusal)
    assert {two, other, purple} <= set(draft.turn.hand_left)


def shown_by_itself(scene: Scene) -> bool:
    return control(scene, "show").seconds is not None


@pytest.mark.parametrize(("faces", "laid", "note"), [
    ("green 1 red 3", (0, 1), "Show it: the 2 cards left over cost you 2 points. The fewest points win."),
    ("green 1 1 3", (0,), "Show it: the 3 cards left over cost you 3 points. The fewest points win."),
    ("green 1 red 3", (), "Build a TooT and show it. Without one your 4 cards cost you 4 points."),
    ("1 2 3 red", (), "Your cards make no TooT, so all 4 cost you a point each."),
    ("1 green 2 purple", (1, 0, 2, 3), "Show it: all your cards are in it, so it costs you nothing!"),
])
def test_what_it_costs_is_said_where_a_toot_is_to_be_shown(faces: str, laid: tuple[int, ...], note: str) -> None:
    """TO-5: each card outside the TooT shown counts 1."""
    game, draft, cards = progressive(faces)
    game.table.move(0, ("done",))
    assert draft.renew(game.sight(0))
    for index in laid:
        tap(draft, card_key(cards[index]))
        if draft.selection is not None:
            tap(draft, f"on{cards[laid[laid.index(index) - 1]]}")
    scene = game.scene(0, draft)
    assert (scene.status, scene.ask, scene.note) == ("", "show it", note)


def test_what_was_said_to_be_done_is_shown_without_another_tap() -> None:
    """TO-5: all show once all are done; with nothing laid, and after a change, it is asked."""
    game, draft, (green, one, red, blue) = progressive("green 1 red blue", seats=2)
    tap(draft, card_key(green))
    assert draft.tap("done") == ("done",)
    game.table.move(0, ("done",))
    game.table.move(1, ("done",))
    assert draft.renew(game.sight(0)) and shown_by_itself(game.scene(0, draft))
    tap(draft, card_key(one))
    assert not shown_by_itself(game.scene(0, draft)), "the seat goes on building"
    tap(draft, f"on{green}", "clear")
    assert control(game.scene(0, draft), "none").seconds is None
    first, *_ = game.deal(1, "green 1 red blue")
    other = game.draft(1)
    tap(other, card_key(first))
    assert not shown_by_itself(game.scene(1, other)), "it was done before anything lay there"
    assert {red, blue} <= set(draft.hand)


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(1280, 620)])
@pytest.mark.parametrize("count", [4, 7, 10])
def test_a_card_on_the_mat_is_larger_than_in_the_hand_and_two_lines_do_not_hide_each_other(count: int, layout: Layout) -> None:
    game = Game("toot-progressive", 1, last_round=12)
    while game.state.size < count:
        game.table.move(0, ("done",))
        game.table.move(0, ("show", ()))
    draft = game.draft(0)
    tap(draft, "next")
    hand = [found for found in game.scene(0, draft, layout).pieces if found.row == "hand"]
    lines_of_hand = sorted({found.y for found in hand})
    assert all(below - above >= 0.9 * RATIO * hand[0].width for above, below in pairwise(lines_of_hand))
    tap(draft, hand[-1].key)
    scene = game.scene(0, draft, layout)
    assert piece(scene, draft.turn.mat_cards[0]).width >= 1.2 * hand[0].width
    (place,) = (zone for zone in scene.zones if zone.key == "place")
    assert min(place.rect.width, place.rect.height) >= 44


@pytest.mark.parametrize(("game_id", "count", "least"), [
    ("toot-progressive", 4, 76), ("toot-progressive", 7, 66), ("toot-progressive", 10, 57), ("toot-speed", 7, 66),
    ("toot-pursuit", 4, 62),
])
def test_on_a_phone_held_sideways_a_hand_is_as_large_as_one_toot_of_it_could_be(game_id: str, count: int, least: float) -> None:
    layout = Layout(668, 345, 16, touch=True)
    options: dict[str, Any] = {"last_round": 12} if game_id == "toot-progressive" else {}
    game = Game(game_id, 1 if game_id != "toot-pursuit" else 2, **options)
    state = game.state
    more = count - len(state.hands[0])
    state.hands, state.pile = ((*state.hands[0], *state.pile[:more]), *state.hands[1:]), state.pile[more:]
    state.public.update(dict.fromkeys(state.hands[0], "red"))
    scene = game.scene(0, game.draft(0), layout)
    hand = [each for each in scene.pieces if each.row == "hand"]
    assert len(hand) == count and min(each.width for each in hand) >= least
    assert all(left.x + left.width <= right.x + 0.01 for left, right in pairwise(hand)), "none covers another"


def test_what_lies_on_the_table_of_a_phone_stands_in_its_middle() -> None:
    game, _ = with_a_large_hand("red 1")
    scene = game.scene(0, None)
    seats, tray = max(plate.rect.bottom for plate in scene.plates), next(zone for zone in scene.zones if zone.key == "tray").rect
    stack = next(zone.rect for zone in scene.zones if zone.key == "stack-1")
    assert abs(stack.centre[1] - (seats + tray.y) / 2) < 45


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(668, 346, 16, touch=True), Layout(944, 636),
                                    Layout(820, 1000, touch=True)])
def test_the_place_for_a_card_has_the_shape_of_a_card_at_every_moment(layout: Layout) -> None:
    """Also beside several stacks, where a flat one would leave the cards a little larger."""
    game, cards = with_a_large_hand("red 1 blue 2 green 1")
    draft = game.draft(0)
    for card in (None, *cards[:4]):
        if card is not None:
            draft.pick(card_key(card))
            tap(draft, MAT)
        zones = {zone.key: zone.rect for zone in game.scene(0, draft, layout).zones}
        place = zones["place"]
        assert place.height == pytest.approx(RATIO * place.width) and place.width >= 44
        assert card is not None or place.x >= zones["stack-1"].right, "a single stack has it at its right"


def test_how_many_fit_and_then_how() -> None:
    game, draft, _ = progressive("1 red blue 4")
    tap(draft, "best")
    scene = game.scene(0, draft)
    assert scene.note == "3 of your 4 cards fit in one TooT."
    tap(draft, "best_show")
    assert len(draft.turn.mat_cards) == 3 and draft.showing() is not None


def test_a_second_tap_on_how_many_fit_says_it_again() -> None:
    game, draft, _ = progressive("1 red blue 4")
    before = [control.key for control in game.scene(0, draft).controls]
    tap(draft, "best")
    told = game.scene(0, draft)
    assert before == ["best", "clear", "done"] and [control.key for control in told.controls] == ["best", "best_show", "done"]
    tap(draft, "best")
    assert game.scene(0, draft) == told and not draft.begun
    tap(draft, "best_show")
    assert [control.key for control in game.scene(0, draft).controls] == ["best", "clear", "done"], "nothing has moved"


def test_the_solution_is_offered_as_long_as_more_can_be_shown_than_lies_there() -> None:
    game, draft, (one, red, blue, _) = progressive("1 red blue 4")
    offered = []
    for tapped in ([], [card_key(red), MAT], [card_key(blue), f"on{red}"], [card_key(one)]):
        tap(draft, *tapped)
        tap(draft, "best")
        assert draft.has_choice == any(each.key == "best_show" for each in game.scene(0, draft).controls)
        offered.append(draft.has_choice)
    assert offered == [True, True, True, False]
    assert draft.step_back() and draft.has_choice


def test_where_nothing_fits_that_is_said_and_no_help_offered() -> None:
    game, draft, _ = progressive("red 2 4 3")
    assert game.scene(0, draft).note == "None of your cards fits in a TooT." and not draft.has_choice


TALL_PHONE = Layout(390, 680, 16, touch=True)


def hand_lines(game: Game, layout: Layout) -> list[list[Piece]]:
    """The own hand, line by line."""
    hand = [each for each in game.scene(0, None, layout).pieces if each.row == "hand"]
    return [[each for each in hand if each.y == y] for y in sorted({each.y for each in hand})]


@pytest.mark.parametrize("layout", [TALL_PHONE, SMALL])
def test_in_a_large_hand_equal_cards_cover_each_other_before_others_do(layout: Layout) -> None:
    """Any of them does the same. So two lines on a phone are enough for twenty cards, and all indices are seen."""
    game, _ = with_a_large_hand("1 1 1 1 2 2 2 X X red red red red red yellow yellow blue blue blue purple")
    lines = hand_lines(game, layout)
    assert [len(line) for line in lines] == [10, 10]
    width = lines[0][0].width
    seen = {True: set[float](), False: set[float]()}
    for line in lines:
        for before, after in pairwise(line):
            seen[before.drawing.shows == after.drawing.shows].add(after.x - before.x)
        assert line[0].x - width / 2 >= 5.9 and line[-1].x + width / 2 <= layout.width - 5.9
    assert min(seen[True]) >= 0.36 * width and min(seen[False]) >= 0.65 * width > max(seen[True])


def test_where_two_lines_show_too_little_there_is_a_third() -> None:
    game, _ = with_a_large_hand("1 1 1 1 2 2 2 3 3 X X red red red red yellow yellow yellow blue blue blue purple"
                                " orange green green")
    lines = hand_lines(game, TALL_PHONE)
    assert [len(line) for line in lines] == [9, 9, 7]
    assert all(after.x - before.x >= 24 for line in lines for before, after in pairwise(line))


def test_what_is_left_of_a_hand_closes_up_in_a_tray_that_stays_as_it_is() -> None:
    game, cards = with_a_large_hand("1 " * 7 + "purple " * 7 + "green " * 6)
    draft = game.draft(0)

    def left_of(count: int) -> tuple[Rect, list[list[Piece]]]:
        draft.turn.clear()
        for card in cards[:count]:
            draft.turn.lay(card)
        scene = game.scene(0, draft, TALL_PHONE)
        hand = sorted((each for each in scene.pieces if each.row == "hand"), key=lambda each: (each.y, each.x))
        (tray,) = (zone.rect for zone in scene.zones if zone.key == "tray")
        return tray, [list(line) for _, line in groupby(hand, key=lambda each: each.y)]

    whole, lines = left_of(0)
    assert [len(line) for line in lines] == [10, 10]
    kept, near = left_of(9)
    assert [len(line) for line in near] == [1, 10] and near[0][0].x == pytest.approx(TALL_PHONE.width / 2)
    assert [(each.x, each.y) for each in near[1]] == [(each.x, each.y) for each in lines[1]], "each line by itself"
    last, (line,) = left_of(10)
    assert len(line) == 10 and ABOVE + last.y < line[0].y - line[0].width * RATIO / 2
    assert line[0].y == pytest.approx((lines[0][0].y + lines[1][0].y) / 2), "one line lies in the middle"
    assert whole == kept == last == left_of(19)[0]


def test_what_is_left_of_two_lines_lies_in_one_as_soon_as_it_fits() -> None:
    assert closed_up(["abcd", "efg"], "adefg") == [["a", "d"], ["e", "f", "g"]]
    assert closed_up(["abcd", "efg"], "aefg") == [["a", "e", "f", "g"]]
    assert closed_up(["abcd", "efg"], "") == [[]]


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(844, 320, 16, touch=True), Layout(900, 700, 16)])
@pytest.mark.parametrize("count", [4, 8, 12])
def test_a_hand_lies_inside_its_tray_also_where_a_card_is_raised(count: int, layout: Layout) -> None:
    game = Game("toot-progressive", 1, last_round=12)
    hand = game.state.hands[0]
    more = count - len(hand)
    game.state.hands, game.state.pile = ((*hand, *game.state.pile[:more]),), game.state.pile[more:]
    game.state.public.update(dict.fromkeys(game.state.hands[0], "red"))
    draft = game.draft(0)
    for card in draft.hand:
        draft.selection = card
        scene = game.scene(0, draft, layout)
        assert scene.hand is not None
        for each in (found for found in scene.pieces if found.row == "hand"):
            half = each.width * RATIO / 2
            assert scene.hand.y + 2 <= each.y - half and each.y + half <= scene.hand.bottom - 2


@pytest.mark.parametrize("count", range(7, 13))
def test_a_long_hand_takes_a_second_line_before_its_cards_hide_each_other(count: int) -> None:
    game = Game("toot-progressive", 1, last_round=12)
    more = count - len(game.state.hands[0])
    game.state.hands, game.state.pile = ((*game.state.hands[0], *game.state.pile[:more]),), game.state.pile[more:]
    game.state.public.update(dict.fromkeys(game.state.hands[0], "red"))
    lies = sorted((each.y, each.x, each.width) for each in game.scene(0, game.draft(0), Layout(390, 600, 16, touch=True)).pieces
                  if each.row == "hand")
    beside = [right[1] - left[1] for left, right in pairwise(lies) if left[0] == right[0]]
    assert min(beside) >= 0.7 * lies[0][2]


# ---- Pursuit and Fluke ----

def pursuit() -> tuple[Game, int]:
    game = Game("toot-pursuit", first_seat="1")
    game.table.move(0, ("draw",))
    game.deal(0, "purple")
    return game, 0


def test_an_x_on_the_table_is_called_what_it_stands_for() -> None:
    """TO-4: for good."""
    game, _ = pursuit()
    game.deal(0, "X")
    (card,) = game.state.hands[0]
    game.table.move(0, ("play", ((((card, "orange"),), ()),)))
    for seat in range(2):
        assert piece(game.scene(seat), card).label == "X as orange, in the TooT on the table"
        opened = game.board.scene(replace(game.sight(seat), opened=True), None)
        assert piece(opened, card).label == "X as orange, in the TooT on the table"
    game.table.move(1, ("draw",))
    game.deal(1, "1")
    draft = game.draft(1)
    assert piece(game.scene(1, draft), card).label == "X as orange, in the TooT on the table"
    tap(draft, "look")
    assert piece(game.scene(1, draft), card).label == "X as orange, in the TooT on the table"


def test_pursuit_is_played_by_taps() -> None:
    """TO-7: draw, lay, a point."""
    game = Game("toot-pursuit", first_seat="1")
    draft = game.draft(0)
    scene = game.scene(0, draft)
    top = piece(scene, game.state.pile[0])
    assert control(scene, "draw").primary and scene.focus == top.key and top.tap and top.drawing.shows is None
    assert draft.tap(top.key) == ("draw",)
    game.table.move(0, ("draw",))
    (card,) = game.deal(0, "purple")
    assert draft.renew(game.sight(0))
    tap(draft, card_key(card), MAT)
    play = control(game.scene(0, draft), "play")
    assert play.primary and play.label == "Lay 1 card for a point"
    move = draft.tap("play")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    assert game.state.points == (1, 0)
    scene = game.scene(0)
    assert piece(scene, card).drawing.shows == "purple" and verdicts(scene) == ["1 card"]
    assert not draft.renew(game.sight(0)), "the table has changed: a new turn begins anew"


@pytest.mark.parametrize("game_id", ["toot-pursuit", "toot-speed"])
def test_the_top_card_of_the_pile_is_carried_to_the_hand(game_id: str) -> None:
    """As a tap on it does; let go anywhere else it goes back."""
    if game_id == "toot-pursuit":
        game = Game(game_id, first_seat="1")
        draft = game.draft(0)
    else:
        game, draft, _ = speed("2 2 red blue purple 1 1", seats=2)
    top = piece(game.scene(0, draft), game.state.pile[0])
    assert top.tap and top.drag and top.drawing.shows is None and HAND not in spots(game.scene(0, draft))
    draft.pick(top.key)
    assert spots(game.scene(0, draft)) == {HAND}
    assert draft.miss(top.key, (200, 100), plane=False) is None and spots(game.scene(0, draft)) == set()
    draft.pick(top.key)
    assert draft.drop(top.key, HAND) == ("draw",)
    below = piece(game.scene(0, draft), game.state.pile[1])
    assert not below.tap and not below.drag


def test_a_pile_that_is_not_drawn_from_now_is_no_button() -> None:
    game, seat = pursuit()
    draft = game.draft(seat)
    top = piece(game.scene(seat, draft), game.state.pile[0])
    assert not (top.tap or top.drag) and draft.tap(top.key) is None


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(844, 300, 16), Layout(1000, 640, 16)])
def test_the_pile_of_a_bare_table_stays_while_the_first_toot_is_composed(layout: Layout) -> None:
    """TO-7: choosing and laying a card moves neither the pile nor what is laid under it."""
    game, seat = pursuit()
    (card,) = game.state.hands[seat]
    draft = game.draft(seat)
    seen = []
    for keys in ((), (card_key(card),), (MAT,)):
        tap(draft, *keys)
        scene = game.scene(seat, draft, layout)
        place = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
        seen.append(place)
        assert draft.room is not None and draft.room.x >= place.right, "what is composed lies beside the pile"
        assert draft.room.width >= 0.45 * layout.width
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [PHONE, Layout(668, 346, 16, touch=True), Layout(1280, 760), Layout(820, 1000, touch=True)])
def test_the_pile_stands_beside_the_toot_half_way_up(game_id: str, layout: Layout) -> None:
    game, draft = _with_table(game_id)
    scene = game.scene(0, draft, layout)
    place = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
    stack = next(zone.rect for zone in scene.zones if zone.key == "stack-1")
    lowest = max([place.bottom, *(each.y + each.width / 2 for each in scene.pieces if each.key == "die")])
    assert (place.y + lowest) / 2 == pytest.approx(stack.centre[1], abs=12)
    held = next(each for each in scene.pieces if each.row == "hand")
    assert place.right < min(zone.rect.x for zone in scene.zones if zone.key in ("stack-1", "beneath-place"))
    if layout is not PHONE:
        assert place.width >= 1.05 * held.width


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [Layout(668, 346, 16, touch=True), Layout(944, 636)])
def test_what_is_chosen_and_laid_by_itself_leaves_the_toot_where_it_lies(game_id: str, layout: Layout) -> None:
    game, draft = _with_table(game_id)
    rules = game.table.match.rules
    assert isinstance(rules, OneTable)
    game.table.move(0, (rules.draw_verb,))
    draft = game.draft(0)
    seen = []
    for keys in ((), (card_key(draft.hand[0]),), (MAT,)):
        draft.selection = None if not keys else draft.selection
        if keys == (MAT,):
            draft.tap(MAT)
        elif keys:
            draft.pick(keys[0])
        scene = game.scene(0, draft, layout)
        stack = next(zone.rect for zone in scene.zones if zone.key == "stack-1")
        seen.append((round(stack.x), round(stack.width)))
    assert seen[0] == seen[1], "a card that is chosen moves nothing"
    assert seen[2][1] == seen[0][1], "one laid beside it leaves it as large"


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [Layout(668, 346, 16, touch=True), Layout(944, 636), Layout(1280, 640),
                                    Layout(820, 1000, touch=True)])
def test_on_a_wide_table_pile_and_toot_have_its_middle_and_make_room_for_what_is_laid(game_id: str, layout: Layout) -> None:
    """With the place for another TooT they are in the middle at every moment; what is laid moves all together, if at all."""
    game = Game(game_id, 3, first_seat="1", seed=3)
    rules, rng = game.table.match.rules, Random(3)
    assert isinstance(rules, OneTable)
    looked_at = 0
    while game.state.pile and len(game.state.table_cards) < 16:
        (seat,) = rules.to_act(game.state)
        if not game.state.drawn:
            game.table.move(seat, (rules.draw_verb,))
            continue
        draft, before = game.draft(seat), dict[str, Rect](none=Rect(0, 0, 0, 0))
        if game.state.table is not None:
            for card in (None, *draft.hand[:2]):
                if card is not None and card in draft.turn.hand_left:
                    draft.pick(card_key(card))
                    tap(draft, MAT)
                scene = game.scene(seat, draft, layout)
                zones = {zone.key: zone.rect for zone in scene.zones}
                pile, toot = zones["pile-place"], zones["stack-1"]
                right = min(plate.rect.x for plate in scene.plates) if layout.low else layout.width
                before = before if before.keys() <= zones.keys() else zones
                looked_at += 1
                if not draft.begun:
                    assert (pile.x + zones["place"].right) / 2 == pytest.approx(right / 2, abs=7)
                assert 0 <= before["pile-place"].x - pile.x == pytest.approx(before["stack-1"].x - toot.x, abs=1)
                assert max(rect.right for key, rect in zones.items() if key != "tray") <= right
        moves = list(rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, max(moves, key=len) if rng.random() < 0.7 else moves[0])
    assert looked_at > 6


def _grows_by_turns(game_id: str, layout: Layout, most: int) -> Iterator[Scene]:
    """Scenes of seat 0 before and after it draws, from the bare table on, as its hand grows to ``most`` cards."""
    game = Game(game_id, 3, first_seat="1", seed=3)
    rules, rng = game.table.match.rules, Random(3)
    assert isinstance(rules, OneTable)
    while len(game.state.hands[0]) < most:
        (seat,) = rules.to_act(game.state)
        if seat == 0:
            yield game.scene(0, game.draft(0), layout)
        if not game.state.drawn:
            game.table.move(seat, (rules.draw_verb,))
            continue
        moves = list(rules.moves(game.state, seat, game.sight(seat).view.faces))
        passes = seat == 0 and game.state.table_cards
        game.table.move(seat, ("pass",) if passes else moves[0] if rng.random() < 0.5 else moves[-1])


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [PHONE, SMALL, TALL_PHONE])
def test_on_a_phone_the_pile_stays_however_many_lines_the_hand_takes(game_id: str, layout: Layout) -> None:
    """From the bare table on."""
    piles, dice, trays = set(), set(), set()
    for scene in _grows_by_turns(game_id, layout, 8):
        zones = {zone.key: zone.rect for zone in scene.zones}
        piles.add(tuple(round(number, 3) for number in zones["pile-place"]))
        dice |= {(round(each.x, 3), round(each.y, 3), round(each.width, 3)) for each in scene.pieces if each.key == "die"}
        trays.add(round(zones["tray"].y))
    assert max(trays) - min(trays) > 100 and len(piles) == 1 and len(dice) <= 1


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
def test_on_a_tall_phone_the_toot_is_as_large_as_the_table_and_the_pile_stands_at_its_left(game_id: str) -> None:
    drawn = 0
    for scene in _grows_by_turns(game_id, TALL_PHONE, 16):
        zones = {zone.key: zone.rect for zone in scene.zones}
        if "stack-1" not in zones:
            continue
        pile, stack, high = zones["pile-place"], zones["stack-1"], zones["tray"].y - scene.plates[0].rect.bottom
        assert pile.width >= 44 and 0 <= pile.x < pile.right < stack.x
        assert stack.centre[0] == pytest.approx(TALL_PHONE.width / 2, abs=20), "in the middle, or as near as the pile lets it"
        width = max(each.width for each in scene.pieces if each.label.endswith("in the TooT on the table"))
        right = stack.right + 66  # and the place for another one
        assert width > 185 or stack.height > 0.8 * high or right > 0.95 * TALL_PHONE.width
        if "place" in zones:
            drawn += 1
            assert 0 <= zones["place"].x - stack.right < 20 and zones["place"].width >= 44
            assert stack.y < zones["place"].y < zones["place"].bottom <= stack.bottom and zones["place"].right <= TALL_PHONE.width
    assert drawn > 1


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
def test_the_toot_lies_as_large_in_one_turn_as_in_another(game_id: str) -> None:
    game, draft = _with_table(game_id)
    game.table.move(0, (game.board.scene(game.sight(0), draft).controls[-1].key,))
    seen = []
    for tried in (game.draft(0), None):
        scene = game.scene(0, tried)
        (stack,) = (zone.rect for zone in scene.zones if zone.key == "stack-1")
        seen.append(stack)
    assert seen[0] == seen[1]


def test_without_a_hand_the_tray_is_a_line_and_the_seats_stay() -> None:
    for layout in (PHONE, Layout(668, 346, 16, touch=True), Layout(944, 636)):
        game = Game("toot-fluke", 3, first_seat="1")
        scene = game.scene(0, game.draft(0), layout)
        (tray,) = (zone.rect for zone in scene.zones if zone.kind == "tray")
        assert tray.height <= 3 * layout.rem and tray.bottom == layout.height
        game.table.move(0, ("roll",))
        after = game.scene(0, game.draft(0), layout)
        assert [plate.rect for plate in after.plates] == [plate.rect for plate in scene.plates]
        (full,) = (zone.rect for zone in after.zones if zone.kind == "tray")
        assert full.height >= 1.6 * tray.height


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [PHONE, Layout(668, 346, 16, touch=True), Layout(944, 636), Layout(1280, 640)])
def test_the_first_hand_leaves_the_pile_as_large_as_it_was(game_id: str, layout: Layout) -> None:
    game = Game(game_id, 3, first_seat="1", seed=5)
    rules = game.table.match.rules
    assert isinstance(rules, OneTable)

    def width() -> float:
        return next(zone.rect.width for zone in game.scene(0, game.draft(0), layout).zones if zone.key == "pile-place")

    before = width()
    game.table.move(0, (rules.draw_verb,))
    assert 1 <= len(game.state.hands[0]) <= 4
    assert width() == pytest.approx(before)


@pytest.mark.parametrize("rem", [16, 32])
def test_words_under_a_stack_leave_those_of_its_neighbour_alone(rem: float) -> None:
    """In text as large as can be set they lay over each other; the note says what is wrong."""
    game, cards = with_a_large_hand("1 1 red red blue blue green")
    draft = game.draft(0)
    for card in cards[:2]:
        draft.pick(card_key(card))
        tap(draft, MAT)
    labels = [label.key for label in game.scene(0, draft, Layout(390, 640, rem, touch=True)).labels]
    assert all((f"verdict{card}" in labels) == (rem == 16) for card in cards[:2])


def test_where_every_card_is_new_none_is_marked() -> None:
    game, draft, cards = progressive("green purple 2 1")
    for fresh, marked in ((cards, []), (cards[:1], cards[:1])):
        seen = replace(game.sight(0), fresh=frozenset(fresh))
        new = [found.key for found in game.board.scene(seen, draft).pieces if "new" in found.flags]
        assert new == [card_key(card) for card in marked]
    tap(draft, card_key(cards[0]))
    laid = piece(game.board.scene(replace(game.sight(0), fresh=frozenset(cards[:1])), draft), cards[0])
    assert "new" not in laid.flags, "what the player has just laid is known to be new"


def test_the_place_of_laying_is_kept_by_a_button_that_says_why_it_cannot_be_used() -> None:
    """TO-7: passing never stands where the card was drawn."""
    game, seat = pursuit()
    draft = game.draft(seat)
    off = control(game.scene(seat, draft), "play")
    assert off.why == "Lay at least one card." and not off.primary
    assert [found.key for found in game.scene(seat, draft).controls] == ["pass", "play"]
    tap(draft, *(card_key(card) for card in draft.hand))
    assert not control(game.scene(seat, draft), "play").why


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
def test_while_cards_lie_on_the_mat_they_are_laid_or_cleared_and_no_button_passes(game_id: str) -> None:
    """TO-4, TO-7: what is laid out is not passed with by a slip of the finger."""
    game, _ = _with_table(game_id)
    rules = game.table.match.rules
    assert isinstance(rules, OneTable)
    game.table.move(0, (rules.draw_verb,))
    draft = game.draft(0)
    for layout in (PHONE, TALL_PHONE, Layout(944, 600)):
        for card in draft.hand:
            draft.turn.lay(card)
            assert [found.key for found in game.scene(0, draft, layout).controls] == ["clear", "play"]
        assert draft.tap("clear") is None and not draft.begun
        assert "pass" in {found.key for found in game.scene(0, draft, layout).controls}


@pytest.mark.parametrize("layout", [PHONE, TALL_PHONE, SMALL])
def test_the_button_that_opens_the_toot_covers_none_of_its_cards(layout: Layout) -> None:
    game, seat = grown()
    scene = game.scene(seat, game.draft(seat), layout)
    look = next(spot for spot in scene.spots if spot.key == "look")
    seen = look.y - look.height / 2 + 4  # a finger hits more of it than is seen
    table = {card_key(card) for card in game.state.table_cards}
    assert max(each.y + RATIO * each.width / 2 for each in scene.pieces if each.key in table) <= seen
    assert all(each.y - RATIO * each.width / 2 > look.y + look.height / 2 - 4 for each in scene.pieces if each.row == "hand")


def test_the_toot_on_a_phone_stays_large_as_the_hand_takes_a_second_line() -> None:
    game, _ = with_a_large_hand("red 1 blue 2 green 1 purple X 1")
    scene = game.scene(0, game.draft(0), TALL_PHONE)
    hand = [each for each in scene.pieces if each.row == "hand"]
    assert len({each.y for each in hand}) == 2
    assert piece(scene, game.state.table_cards[0]).width >= 1.6 * hand[0].width


def test_cards_that_a_seat_draws_come_to_its_count_and_cover_no_name() -> None:
    game, _ = _with_table("toot-pursuit")
    scene = game.scene(0, None)
    plate = scene.plates[1].rect
    (own,) = (heap for heap in scene.resting if heap.keys == frozenset(map(card_key, game.state.hands[1])) and heap.keys)
    assert own.point[0] - own.width / 2 > plate.centre[0]


def test_a_number_says_how_many_toots_it_still_needs() -> None:
    """TO-2."""
    game, draft, (three, purple, green, red) = progressive("3 purple green red")
    draft.pick(card_key(three))
    tap(draft, MAT, card_key(purple), f"on{three}")
    assert game.scene(0, draft).note == "The 3 needs 2 more TooTs under it."
    tap(draft, card_key(green), f"on{three}")
    assert game.scene(0, draft).note == "The 3 needs one more TooT under it."
    tap(draft, card_key(red), f"on{three}")
    assert "half a TooT" in verdicts(game.scene(0, draft))


def test_what_a_place_would_score_covers_no_verdict() -> None:
    game, draft, (red, blue, purple, one) = progressive("red blue purple 1")
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}", card_key(purple), card_key(one))
    scene = game.scene(0, draft)
    scored = {spot.key.removeprefix("on") for spot in scene.spots if spot.points}
    assert scored and not scored & {label.key.removeprefix("verdict") for label in scene.labels}


def test_no_empty_place_lies_beside_the_toot_before_something_was_drawn() -> None:
    game, draft = _with_table("toot-pursuit")
    assert "place" not in {zone.key for zone in game.scene(0, draft).zones}
    draft.pick(next(each.key for each in game.scene(0, draft).pieces if each.row == "hand"))
    assert "place" in {zone.key for zone in game.scene(0, draft).zones}, "a card that is chosen may go there"
    game.table.move(0, ("draw",))
    scene = game.scene(0, game.draft(0))
    place = next(zone.rect for zone in scene.zones if zone.key == "place")
    words = [label for label in scene.labels if label.key.startswith("another")]
    assert [label.text for label in words] == ["+", "new", "TooT"], "what it is for stands there"
    assert all(place.y < label.y < place.bottom and label.x == place.centre[0] for label in words)
    assert [label.y for label in words] == sorted(label.y for label in words)
    large = game.scene(0, game.draft(0), Layout(390, 620, 32, touch=True))
    assert [label.text for label in large.labels if label.key.startswith("another")] == ["+"], "large words would not fit"


def _with_table(game_id: str) -> tuple[Game, TootDraft[Any]]:
    """A match played at random until a TooT lies on the table and seat 0, with cards in hand, has not drawn yet."""
    game, rng = Game(game_id, 3, seed=3), Random(3)
    while game.state.table is None or game.state.turn or game.state.drawn or not game.state.hands[0]:
        match, seat = game.table.match, game.state.turn
        game.table.move(seat, match.rules.random_move(match.state, seat, match.view((seat,)).faces, rng))
    return game, game.draft(0)


def test_cards_are_joined_with_the_toot_on_the_table() -> None:
    """TO-4: a 2 on the TooT on the table and one more."""
    game, seat = pursuit()
    (purple,) = game.state.hands[seat]
    game.table.move(seat, ("play", ((((purple, None),), ()),)))
    game.table.move(1, ("draw",))
    (one,) = game.deal(1, "1")
    draft = game.draft(1)
    assert isinstance(draft, TableDraft)
    draft.pick(card_key(one))
    assert spots(game.scene(1, draft)) == {"on-1", MAT}
    draft.step_back()
    tap(draft, card_key(one))
    scene = game.scene(1, draft)
    assert verdicts(scene) == ["one TooT"], "one tap lays it there"
    assert piece(scene, purple).y < piece(scene, one).y
    assert draft.tap("play") == ("play", parsed("1[table]", lambda _: one))
    tap(draft, "clear")
    assert draft.tap("pass") == ("pass",)


def test_one_tap_lays_a_card_where_it_makes_sense_on_a_shared_table() -> None:
    """TO-4: a number tops the TooT on the table, what is below it is filled; whoever means it otherwise taps the empty place."""
    game, (red, blue, two, one) = with_a_large_hand("red blue 2 1")
    draft = game.draft(0)
    tap(draft, card_key(red), card_key(blue))
    assert draft.names() == [-1, blue], "a pair"
    tap(draft, card_key(two))
    assert draft.names() == [two] and draft.turn.flaw() is None, "it carries both"
    tap(draft, card_key(one))
    assert draft.names() == [one]
    tap(draft, MAT)
    assert set(draft.names()) == {two, one}, "another tap has it by itself"
    tap(draft, "clear", card_key(one), card_key(red))
    assert draft.names() == [one, red], "a red does not go under what carries enough"
    tap(draft, card_key(two))
    assert draft.selection is None and draft.names() == [two]


def test_no_tap_lays_a_number_on_its_like_on_the_table() -> None:
    """TO-3: by itself it waits for what it may top."""
    game, (one, two) = with_a_large_hand("1 2")
    game.state.top_face = "1"
    draft = game.draft(0)
    tap(draft, card_key(one))
    assert draft.names() == [-1, one]
    tap(draft, card_key(two))
    assert draft.names() == [two], "a 2 carries both"


def points(scene: Scene) -> dict[str, str]:
    """What each place would score, by its key."""
    return {spot.key: spot.points for spot in scene.spots}


def test_a_place_in_pursuit_shows_the_point_that_it_brings() -> None:
    """TO-7: a point for what leaves one TooT, none for what does not yet."""
    game, seat = pursuit()
    (purple,) = game.state.hands[seat]
    game.table.move(seat, ("play", ((((purple, None),), ()),)))
    game.table.move(1, ("draw",))
    for face, onto in (("1", "+1"), ("2", "")):
        (card,) = game.deal(1, face)
        draft = game.draft(1)
        draft.pick(card_key(card))
        scene = game.scene(1, draft)
        assert points(scene) == {"on-1": onto, MAT: ""}
        assert all((": +1 point" in spot.label) == bool(spot.points) for spot in scene.spots)


def test_a_place_says_what_would_be_made_there_and_keeps_its_name() -> None:
    """TO-2, TO-4: where a 1 may go onto the TooT on the table or another one, neither of which leaves one TooT."""
    game, (red, blue, one, two) = with_a_large_hand("red blue 1 2")
    draft = game.draft(0)
    tap(draft, card_key(red), card_key(blue), card_key(one))
    scene = game.scene(0, draft, TALL_PHONE)
    assert scene.note == "Where does the 1 go?" and spots(scene) == {"on-1", f"on{blue}", MAT}
    assert verdicts(scene) == ["one TooT", "one TooT"]
    assert any(label.key == "another" for label in scene.labels), "what the empty place is for"
    tap(draft, "clear", card_key(one))
    tap(draft, MAT)
    draft.pick(card_key(two))
    assert sorted(verdicts(game.scene(0, draft, TALL_PHONE))) == ["needs a TooT", "needs one more"]


def test_a_question_where_a_card_goes_stays_while_another_one_is_laid() -> None:
    game, (red, blue, one, yellow) = with_a_large_hand("red blue 1 yellow")
    draft = game.draft(0)
    tap(draft, card_key(red), card_key(blue), card_key(one), card_key(yellow))
    assert yellow in draft.turn.mat_cards and draft.selection == one
    assert game.scene(0, draft).note == "Where does the 1 go?"
    tap(draft, "on-1")
    assert draft.selection is None and one in draft.turn.mat_cards


def test_a_button_that_cannot_be_used_yet_promises_no_point() -> None:
    """TO-7: it says what is missing."""
    game, (two, _) = with_a_large_hand("2 1")
    draft = game.draft(0)
    tap(draft, card_key(two))
    off = control(game.scene(0, draft), "play")
    assert off.label == "Not one TooT yet" and off.why


def test_a_hint_for_what_lies_there_already_takes_nothing_back() -> None:
    game, (red, blue, one, two) = with_a_large_hand("red blue 1 2")
    draft = game.draft(0)
    move = ("play", parsed("2[table, red+blue]", lambda face: {"2": two, "red": red, "blue": blue}[face]))
    assert not draft.holds(move)
    tap(draft, card_key(red), card_key(blue), card_key(two))
    assert draft.holds(move) and not draft.holds(("pass",))
    tap(draft, card_key(one))
    assert not draft.holds(move)


def test_an_empty_pile_leaves_its_room_to_the_toot() -> None:
    game, seat = grown()
    before = game.scene(seat, game.draft(seat), Layout(944, 700))
    game.state.pile, game.state.closing = (), True
    scene = game.scene(seat, game.draft(seat), Layout(944, 700))
    assert not {"pile-place", "pile-count"} & ({zone.key for zone in scene.zones} | {label.key for label in scene.labels})

    def widest(found: Scene) -> float:
        return max(piece(found, card).width for card in game.state.table_cards)

    assert widest(scene) >= max(170, widest(before))
    (beneath,) = (zone.rect for zone in scene.zones if zone.key == "beneath-place")
    assert beneath.width <= 0.36 * 944


def test_who_can_only_pass_is_told_so() -> None:
    game, _ = with_a_large_hand("3")
    sight = replace(game.sight(0), people=(0,))
    assert game.board.scene(sight, game.draft(0)).status == "You can only pass"


def test_a_place_in_fluke_shows_how_many_cards_it_gets_rid_of() -> None:
    """TO-6: few cards win, so every card laid is one less."""
    for seed in range(40):
        game = Game("toot-fluke", seed=seed, first_seat="1")
        game.table.move(0, ("roll",))
        if len(game.state.hands[0]) == 2:
            break
    red, blue = game.deal(0, "red blue")
    draft = game.draft(0)
    draft.pick(card_key(red))
    assert points(game.scene(0, draft)) == {MAT: ""}, "half a TooT is none"
    tap(draft, MAT)
    draft.pick(card_key(blue))
    scene = game.scene(0, draft)
    assert points(scene) == {f"on{red}": "−2", MAT: ""}
    assert [spot.label for spot in scene.spots] == ["Join the blue with red – one TooT from 2 of your cards",
                                                    "Lay the blue by itself"], "cards are no points"


def test_a_stack_is_spoken_in_one_sentence() -> None:
    """What lies in it and what is written under it; where it may be joined, what lies in it is enough."""
    game, (red, blue, two) = with_a_large_hand("red blue 2")
    draft = game.draft(0)
    tap(draft, card_key(red), MAT)
    scene = game.scene(0, draft)
    assert {zone.label for zone in scene.zones if zone.key.startswith("stack")} == {
        "red: half a TooT", "The TooT on the table, 2 cards"}
    draft.pick(card_key(two))
    assert [spot.label for spot in game.scene(0, draft).spots if spot.key.startswith("on")] == [
        "Join the 2 with the TooT on the table", "Join the 2 with red"]
    tap(draft, "on-1")
    draft.pick(card_key(blue))
    assert [spot.label for spot in game.scene(0, draft).spots if spot.key.startswith("on")] == [
        "Join the blue with 2 and the TooT on the table", "Join the blue with red"]
    assert {zone.label for zone in game.scene(0, draft).zones if zone.key.startswith("stack")} == {
        "red: half a TooT", "2 and the TooT on the table: needs one more"}


def test_a_place_in_progressive_shows_the_points_that_its_toot_spares() -> None:
    """TO-5: every card in the largest TooT is a point that is not counted."""
    game, draft, (red, blue, purple, one) = progressive("red blue purple 1")
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}")
    draft.pick(card_key(purple))
    assert points(game.scene(0, draft)) == {MAT: "−2"}, "a purple by itself is one TooT, and the smaller"
    tap(draft, MAT, card_key(one))
    assert points(game.scene(0, draft)) == {f"on{blue}": "−3", f"on{purple}": "−2", MAT: "−2"}


def test_a_large_toot_shows_its_top_and_opens_for_a_look() -> None:
    game = Game("toot-pursuit", first_seat="1")
    rules, seats = game.table.match.rules, 2
    for step in range(40):  # as the bots would: the first proposal there is
        seat = step % seats
        game.table.move(seat, ("draw",))
        moves = [move for move in rules.moves(game.state, seat, game.table.match.view((seat,)).faces) if move[0] == "play"]
        game.table.move(seat, moves[-1] if moves else ("pass",))
        if len(game.state.table_cards) > 12:
            break
    assert len(game.state.table_cards) > 12
    seat = game.state.turn
    draft = game.draft(seat)
    scene = game.scene(seat, draft)
    laid = {card_key(card) for card in game.state.table_cards}
    seen = {found.key for found in scene.pieces} & laid
    hidden = {key for rest in scene.resting for key in rest.keys} & laid
    assert seen and hidden and seen | hidden == laid and not seen & hidden
    tap(draft, "look")
    assert {found.key for found in game.scene(seat, draft).pieces} >= laid
    tap(draft, "look")
    assert not draft.looking


@pytest.mark.parametrize(("game_id", "seats"), [("toot-pursuit", 3), ("toot-fluke", 6)])
@pytest.mark.parametrize("layout", [Layout(820, 1000, touch=True), Layout(768, 860, touch=True), Layout(1180, 650, touch=True)])
def test_a_tablet_shows_all_of_the_toot_held_either_way(game_id: str, seats: int, layout: Layout) -> None:
    game = Game(game_id, seats, first_seat="1")
    rules, most = game.table.match.rules, 0
    while not game.state.end_reason:
        (seat,) = rules.to_act(game.state)
        if not game.state.drawn:
            game.table.move(seat, ("roll" if game_id == "toot-fluke" else "draw",))
            continue
        scene = game.scene(seat, game.draft(seat), layout)
        assert {card_key(card) for card in game.state.table_cards} <= {found.key for found in scene.pieces}
        assert "look" not in spots(scene)
        most = max(most, len(game.state.table_cards))
        game.table.move(seat, max(rules.moves(game.state, seat, game.sight(seat).view.faces), key=len))
    assert most > 20


def test_before_drawing_in_pursuit_it_is_said_what_would_make_a_point() -> None:
    game = Game("toot-pursuit", 2, first_seat="1")
    assert game.scene(0, game.draft(0)).note == "With purple, orange or green you make a point!"
    game, hand = with_a_large_hand("red blue")
    game.state.drawn = False
    assert game.scene(0, game.draft(0)).note == "With a 1 or a 2 you make a point!"
    game.table.match.knowledge[hand[0]] = "2"
    assert game.scene(0, game.draft(0)).note == "With a 1 or any colour you make a point!"
    game.table.match.knowledge[hand[0]] = "1"
    assert game.scene(0, game.draft(0)).note == "Add to the TooT: 1 point!", "something fits already"


def test_one_looks_inside_only_where_more_lies_than_is_shown() -> None:
    game, seat = pursuit()
    (purple,) = game.state.hands[seat]
    game.table.move(seat, ("play", ((((purple, None),), ()),)))
    game.table.move(1, ("draw",))
    assert "look" not in spots(game.scene(1, game.draft(1))), "a single card hides nothing"


def grown() -> tuple[Game, int]:
    """A table of Pursuit after many turns, and whose turn it is, who has drawn and holds cards."""
    game = Game("toot-pursuit", first_seat="1")
    rules = game.table.match.rules
    for step in range(200):
        seat = step % 2
        game.table.move(seat, ("draw",))
        if step > 40 and len(game.state.hands[seat]) > 1:
            return game, seat
        proposals = list(rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, max(proposals, key=len))
    raise AssertionError("nobody keeps a card")


@pytest.mark.parametrize("layout", [PHONE, SMALL])
def test_while_a_turn_is_composed_on_a_phone_the_pile_leaves_its_room(layout: Layout) -> None:
    game, seat = grown()
    draft = game.draft(seat)
    before = game.scene(seat, draft, layout)
    pile = {card_key(card) for card in game.state.pile}
    assert pile & {found.key for found in before.pieces}
    draft.pick(card_key(draft.hand[0]))
    draft.tap(MAT)
    after = game.scene(seat, draft, layout)
    assert draft.begun and not pile & {found.key for found in after.pieces}
    assert pile <= set().union(*(rest.keys for rest in after.resting)), "they rest where the pile was"
    draft.compose(("play", ((((draft.hand[0], None),), (((), ()),)),)))
    assert pile & {found.key for found in game.scene(seat, draft, layout).pieces}, "a hint points where the table is now"
    wide = game.scene(seat, draft, Layout(1280, 620))
    assert pile & {found.key for found in wide.pieces}, "a desk has room for it"


def test_with_every_card_laid_the_mat_takes_the_empty_tray() -> None:
    game, draft, (red, blue, purple, one) = progressive("red blue purple 1")
    tap(draft, card_key(red), card_key(blue), MAT, card_key(purple), card_key(one), MAT)
    full = game.scene(0, draft)
    assert not any(zone.kind == "tray" for zone in full.zones)
    assert max(found.y for found in full.pieces) > 400
    hint = game.draft(0)
    hint.compose(("done",))
    assert any(zone.kind == "tray" for zone in game.scene(0, hint).zones), "a hint points at places of the table as it is"
    tap(draft, card_key(one))
    assert any(zone.kind == "tray" for zone in game.scene(0, draft).zones), "a card may be taken back"
    assert HAND in spots(game.scene(0, draft))


def played_out(game_id: str, seats: int = 2) -> Game:
    """A match of ``game_id`` to its end, in which everybody lays the most."""
    game = Game(game_id, seats, first_seat="1")
    rules = game.table.match.rules
    while not game.state.end_reason:
        (seat,) = rules.to_act(game.state)
        proposals = list(rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, max(proposals, key=len))
    return game


ENDS = (PHONE, TALL_PHONE, Layout(844, 320, 16, touch=True), Layout(944, 690))


@pytest.mark.parametrize("layout", ENDS)
def test_at_the_end_of_fluke_the_cards_that_are_left_are_laid_out_and_counted(layout: Layout) -> None:
    """TO-6: each is a point. Faces that a reader does not know stay closed."""
    game = played_out("toot-fluke", 3)
    scene = game.scene(0, None, layout)
    rows = {zone.key: zone for zone in scene.zones if zone.key.startswith("row")}
    outcome = game.table.match.outcome
    assert outcome is not None
    for seat, hand in enumerate(game.state.hands):
        row = rows[f"row{seat}"]
        lies = [found for found in scene.pieces if found.owner == seat]
        assert {found.key for found in lies} == set(map(card_key, hand))
        assert all(row.rect.holds((found.x, found.y)) and found.width >= 20 for found in lies)
        assert all((found.drawing.shows is not None) == (seat == 0) for found in lies)
        (total,) = (label.text for label in scene.labels if label.key == f"total{seat}")
        assert total == str(len(hand)) and ("legal" in row.flags) == (seat in outcome.winners)
    assert sum(map(len, game.state.hands)) > 3
    everybody = replace(game.sight(0, layout), view=replace(game.sight(0).view, faces=game.table.match.view(None).faces))
    assert all(found.drawing.shows for found in game.board.scene(everybody, None).pieces if found.owner is not None)


@pytest.mark.parametrize(("seats", "columns", "least"), [(3, 1, 30), (4, 2, 50), (6, 2, 40)])
def test_at_the_end_of_fluke_at_a_desk_many_rows_stand_in_two_columns_with_cards_to_be_read(seats: int, columns: int,
                                                                                           least: float) -> None:
    game = played_out("toot-fluke", seats)
    scene = game.scene(0, None, Layout(944, 690))  # beside an open panel
    rows = [zone.rect for zone in scene.zones if zone.key.startswith("row")]
    assert len({row.x for row in rows}) == columns and len(rows) == seats
    assert min(found.width for found in scene.pieces if found.owner is not None) >= least
    assert all(not (one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom)
               for at, one in enumerate(rows) for other in rows[at + 1:])
    for seat in range(seats):
        lies = [found for found in scene.pieces if found.owner == seat]
        assert all(rows[seat].x < found.x - found.width / 2 and found.x + found.width / 2 < rows[seat].right for found in lies)
    narrow = game.scene(0, None, Layout(820, 1000, touch=True))
    assert len({zone.rect.x for zone in narrow.zones if zone.key.startswith("row")}) == 1


@pytest.mark.parametrize("layout", ENDS)
def test_at_the_end_of_pursuit_each_turn_that_scored_is_a_coin_of_its_seat(layout: Layout) -> None:
    """TO-7: a point a turn. The TooT comes turn by turn, and each point from where its cards lie."""
    game = played_out("toot-pursuit", 3)
    scene = game.scene(0, None, layout)
    coins = [found for found in scene.pieces if found.key.startswith("point")]
    assert [sum(coin.owner == seat for coin in coins) for seat in range(3)] == list(game.state.points)
    assert [coin.key for coin in coins] == [f"point{turn}" for turn in range(len(coins))], "in the order of turns"
    assert all(zone.rect.holds((coin.x, coin.y)) for coin in coins for zone in scene.zones if zone.key == f"row{coin.owner}")
    for seat in range(3):
        own = [coin for coin in coins if coin.owner == seat]
        assert all(right.y > left.y or right.x - left.x >= 0.75 * left.width for left, right in pairwise(own)), "each 1 is seen"
    assert all(zone.rect.x >= 8 or layout.low for zone in scene.zones if zone.key.startswith("row"))
    order = [found.key for found in scene.pieces if found.key.startswith(("c", "point")) and not found.key.startswith("column")]
    (first_seat, count) = game.state.layings[0]
    assert order[:count + 1] == [*map(card_key, game.state.table_cards[:count]), "point0"] and coins[0].owner == first_seat
    assert scene.count_seconds > 1
    lying = game.board.scene(replace(game.sight(0, layout), laying=True), None)
    assert not [zone for zone in lying.zones if zone.key.startswith("row")], "first it is seen how it ended"
    places = {piece.key: (piece.x, piece.y) for piece in scene.pieces}
    comes = {key: heap.point for heap in lying.resting for key in heap.keys if key.startswith("point")}
    assert comes.keys() == {coin.key for coin in coins}
    assert set(comes.values()) <= {places[card_key(card)] for card in game.state.table_cards}


def test_the_whole_toot_is_seen_at_the_end() -> None:
    game = played_out("toot-pursuit")
    for layout in (PHONE, Layout(844, 320, 16, touch=True), Layout(1280, 620)):
        scene = game.scene(None, None, layout)
        assert {card_key(card) for card in game.state.table_cards} <= {found.key for found in scene.pieces}
        assert all(found.x - found.width / 2 >= 0 and found.x + found.width / 2 <= layout.width for found in scene.pieces)
        laid = sorted((found for found in scene.pieces if found.owner is None and found.drawing.shows), key=lambda found: found.z)
        shows = [below.y - above.y for above, below in pairwise(laid)
                 if below.y > above.y and abs(below.x - above.x) < laid[0].width]
        assert min(shows) >= 0.15 * RATIO * laid[0].width, "enough of each covered card is seen to read it"
        assert any(label.text == f"The TooT on the table, {len(game.state.table_cards)} cards" for label in scene.labels)
        cards = [found for found in scene.pieces if found.key.startswith("c") and found.key[1:].isdigit()]
        signs = sorted((found for found in scene.pieces if found.key.startswith("column")), key=lambda found: found.x)
        assert signs, "what follows on what is shown"
        for sign in signs:
            assert sign.z > 0, "over the area of the stack, whichever came first"
            high = sign.width / sign.drawing.width * sign.drawing.height / 2
            assert not any(abs(card.x - sign.x) < (card.width + sign.width) / 2 - 1
                           and abs(card.y - sign.y) < RATIO * card.width / 2 + high - 1 for card in cards), "and covers nothing"
        assert scene.note == "No cards are left to draw. Each turn that added to the TooT was 1 point; most points win."


def test_the_die_shows_what_was_rolled() -> None:
    """TO-6: roll, then draw as many."""
    game = Game("toot-fluke", first_seat="1", seed=4)
    draft = game.draft(0)
    waiting = next(found for found in game.scene(0, draft).pieces if found.key == "die")
    assert waiting.tap and control(game.scene(0, draft), "roll").primary
    assert draft.tap("die") == ("roll",)
    game.table.move(0, ("roll",))
    rolled = next(found for found in game.scene(0, game.draft(0)).pieces if found.key == "die")
    assert rolled.drawing is not waiting.drawing and rolled.label == f"The die shows {game.state.roll}"
    assert len(game.state.hands[0]) == game.state.roll
    assert rolled.turn - waiting.turn > 360, "it has turned"


def test_whoever_passed_says_so_until_it_is_their_turn_again() -> None:
    game = Game("toot-fluke", 3, first_seat="1", seed=4)

    def notes() -> list[str]:
        return [plate.note for plate in game.scene(0).plates]

    for passed in (["Passed", "", ""], ["Passed", "Passed", ""], ["lowest wins", "Passed", "Passed"]):
        seat = game.state.turn
        game.table.move(seat, ("roll",))
        game.table.move(seat, ("pass",))
        assert notes() == passed


# ---- Progressive ----

SECRET = "What others have left over stays secret: only how many counts."  # said in the first round

def test_the_results_of_a_round_are_shown_side_by_side() -> None:
    """TO-5: what each showed, what it costs; then on to one card more."""
    game, draft, (one, red, blue, four) = progressive("1 red blue 4", seats=2)
    tap(draft, "best_show")
    assert draft.tap("done") == ("done",)
    game.table.move(0, ("done",))
    game.table.move(1, ("done",))
    assert draft.renew(game.sight(0)), "what was built is still there when it is to be shown"
    show = control(game.scene(0, draft), "show")
    assert show.primary and show.label == "Show my TooT (3 cards)"
    move = draft.tap("show")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    scene = game.scene(1)
    assert {card_key(one), card_key(red), card_key(blue)} <= {found.key for found in scene.pieces}
    assert card_key(four) not in {found.key for found in scene.pieces}
    assert "no TooT" not in {label.text for label in game.scene(0).labels}, "Ben has not shown anything yet"
    assert next(zone.label for zone in game.scene(0).zones if zone.key == "result1") == "Ben: not shown yet; …"
    game.table.move(1, ("show", ()))
    assert draft.renew(game.sight(0)) and draft.last == (3, 3, None) and not draft.turn.mat_cards
    left = [found for found in game.scene(0, draft).pieces if found.key.startswith("left")]
    others = sorted(game.table.match.knowledge[card] for card in game.state.left_over[1])
    assert left[0].drawing.shows == "4" and sorted(str(found.drawing.shows) for found in left[1:]) == others
    assert left[0].label == "left over: 4" and all(found.label for found in left)
    assert game.scene(0, draft).note == "More was not possible. Well done!"
    later = game.draft(0)
    assert later.last is None
    scene = game.scene(0, later)
    texts = [label.text for label in scene.labels]
    assert {"Ann", "Ben", "1 left over: 1 point", "4 left over: 4 points", "no TooT"} <= set(texts)
    assert control(scene, "next").label == "On to 5 cards each"
    assert all(found.tap is False for found in scene.pieces)
    tap(later, "next")
    assert control(game.scene(0, later), "done").primary == (later.best() == 0)


def test_done_is_offered_first_only_once_nothing_more_fits() -> None:
    """Nobody taps it in passing while more could be used: that would cost points."""
    game, draft, (green, one, *_) = progressive("green 1 red 4", seats=2)
    assert not control(game.scene(0, draft), "done").primary
    tap(draft, card_key(green))
    assert not control(game.scene(0, draft), "done").primary
    tap(draft, card_key(one))
    assert len(draft.turn.mat_cards) == 2 and control(game.scene(0, draft), "done").primary
    game, draft, _ = progressive("1 2 1 2", seats=2)
    assert not draft.best() and control(game.scene(0, draft), "done").primary


def test_whoever_is_done_with_no_toot_is_asked_whether_that_is_meant() -> None:
    """TO-5: it is allowed, and costs a point for each card."""
    game, draft, (green, red, *_) = progressive("green red red 4", seats=1)
    tap(draft, card_key(red), "done")
    question = game.scene(0, draft).prompt
    assert question is not None and question.text == "Your 4 cards then cost you 4 points."
    assert [(answer.key, answer.primary) for answer in question.answers] == [("build_on", True), ("done_without", False)]
    assert not control(game.scene(0, draft), "done").primary, "half a TooT is none"
    for back in ("build_on", "step_back"):
        tap(draft, "done")
        assert draft.step_back() if back == "step_back" else draft.tap(back) is None
        assert game.scene(0, draft).prompt is None and draft.turn.mat_cards == (red,)
    tap(draft, "done")
    assert draft.tap("done_without") == ("done",)
    game.table.move(0, ("done",))
    assert draft.renew(game.sight(0)) and game.scene(0, draft).prompt is None
    assert control(game.scene(0, draft), "none").seconds is not None, "it is not asked once more"
    tap(draft, card_key(green))
    assert not any(found.key == "none" for found in game.scene(0, draft).controls)


def test_who_is_done_waits_and_does_not_see_the_round_before_again() -> None:
    game, _, _ = progressive("1 red blue 4", seats=2)
    for move in (("done",), ("show", ())):
        for seat in range(2):
            game.table.move(seat, move)
    game.table.move(0, ("done",))
    texts = [label.text for label in game.scene(0).labels]
    assert "Everybody is building" in texts and "Ann" not in texts


def test_what_is_shown_comes_from_whoever_shows_it() -> None:
    """TO-5: the reader's cards from where they lie, the others' from their seats, what lies in its place already from there."""
    game, draft, _ = progressive("1 red blue 4", seats=2)
    tap(draft, "best_show")
    for seat in range(2):
        game.table.move(seat, ("done",))
    assert draft.renew(game.sight(0))
    move, before = draft.tap("show"), game.scene(0, draft)
    assert isinstance(move, tuple)
    own = {found.drawing.shows: (found.x, found.y) for found in before.pieces}
    game.table.move(0, move)
    waiting = game.scene(0)
    game.table.move(1, ("show", ()))
    assert draft.renew(game.sight(0))
    results = [found.key for found in game.scene(0, draft).pieces if found.key.startswith(("r1-", "left"))]
    assert len(results) == 3 + 1 + 4

    def origin(scene: Scene, key: str) -> tuple[float, float]:
        (at,) = (heap.point for heap in scene.resting if key in heap.keys)
        return at

    after = {found.key: found.drawing.shows for found in game.scene(0, draft).pieces}
    for key in ("r1-0", "r1-1", "r1-2", "left0-0"):
        assert origin(before, key) == own[after[key]]
    assert origin(before, "left1-0") == before.plates[1].rect.centre == origin(waiting, "left1-0")
    shown = {found.drawing.shows: (found.x, found.y) for found in waiting.pieces}
    assert all(origin(waiting, f"r1-{index}") == shown[after[f"r1-{index}"]] for index in range(3))
    assert all(any(key in heap.keys for heap in waiting.resting) for key in results)


def coming(game: Game, seat: int | None, *, laying: bool) -> Scene:
    """The results of the round that has just ended, as they come: at first as it lay when it ended."""
    return game.board.scene(replace(game.sight(seat), landing=True, laying=laying), None)


def all_show(game: Game, faces: str, laid: int) -> None:
    """All seats hold ``faces``, are done, and show the first ``laid`` cards: a number on a colour, and a pair."""
    hands = [game.deal(seat, faces) for seat in range(len(game.state.hands))]
    for seat in range(len(hands)):
        game.table.move(seat, ("done",))
    for seat, (number, colour, *pair) in enumerate(hands):
        under: Any = (((colour, None),), ())
        under = (under, (tuple((card, None) for card in pair), ())) if laid > 2 else (under,)
        game.table.move(seat, ("show", ((((number, None),), under),)))


@pytest.mark.parametrize("last_round", [4, 10])
def test_results_come_seat_by_seat_each_with_what_it_costs_and_the_verdict_last(last_round: int) -> None:
    """TO-5: a TooT, what is left over counted, its points; at the end of the match, too."""
    game = Game("toot-progressive", 3, last_round=last_round)
    all_show(game, "1 purple 4 4", 2)
    first, then = coming(game, 1, laying=True), coming(game, 1, laying=False)
    lies = {found.key for found in first.pieces}
    assert {key for key in lies if key.startswith("r1-")} == {"r1-100", "r1-101"}, "the reader's own TooT lies there at once"
    assert not any(label.key.startswith("cost") for label in first.labels) and first.log_until == then.log_until
    keys = [found.key for found in then.pieces if found.key not in lies and found.key.startswith(("r1-", "left"))]
    owners = [owner for owner, _ in groupby(int(key[4]) if key.startswith("left") else int(key[3:]) // 100 for key in keys)]
    assert owners == [2, 0], "one seat after another, to the left of the reader"
    assert [key.startswith("left") for key in keys] == [False, False, True, True] * 2, "a TooT, then what is left over"
    ends = [then.won_after[seat] for seat in (1, 2, 0)]
    assert ends == sorted(set(ends)) and ends[-1] <= then.count_seconds
    costs = {label.key: label.delay for label in then.labels if label.key.startswith("cost")}
    assert costs == {f"cost{seat}": then.won_after[seat] for seat in range(3)}
    assert not any("legal" in zone.flags for zone in then.zones)
    assert then.status == "Everybody shows a TooT"
    seen = game.scene(1, game.draft(1)) if not game.state.end_reason else game.scene(1)
    assert all("legal" in zone.flags for zone in seen.zones if zone.key.startswith("result")) and not seen.won_after
    assert {(found.key, found.x, found.y) for found in then.pieces} == {(found.key, found.x, found.y) for found in seen.pieces}, \
        "nothing moves once all lies"


def test_a_round_is_counted_only_once_all_have_shown_their_cards() -> None:
    game, *_ = progressive("1 red blue 4", seats=2)
    for seat in range(2):
        game.table.move(seat, ("done",))
    shown = Event("toot.log.showed_none", 0)
    game.table.move(0, ("show", ()))
    assert not game.board.counted_events((shown,), game.state)
    game.table.move(1, ("show", ()))
    rest = Event("toot.log.round")
    assert game.board.counted_events((shown, rest), game.state) == (shown,) and not game.board.counted_events((rest,), game.state)


def test_what_the_reader_has_built_stands_while_others_still_build() -> None:
    game, draft, (one, purple, *_) = progressive("1 purple 4 4", seats=2)
    tap(draft, card_key(purple), card_key(one))
    before = game.scene(0, draft)
    game.table.move(0, ("done",))
    scene = game.scene(0)
    for card in (one, purple):
        was, now = piece(before, card), piece(scene, card)
        assert (now.x, now.y, now.width) == (was.x, was.y, was.width) and now.flags == ("past",)
    assert not any(found.tap or found.drag for found in scene.pieces) and scene.status == "Everybody is building"
    assert len([found for found in scene.pieces if found.row == "hand"]) == 2
    other = game.scene(None)
    assert not {card_key(one), card_key(purple)} & {found.key for found in other.pieces}, "nobody else sees it"


def test_who_could_have_used_more_is_shown_how() -> None:
    game, draft, (one, purple, two, green) = progressive("1 purple 2 green", seats=2)
    tap(draft, card_key(purple), card_key(one))
    for seat in range(2):
        game.table.move(seat, ("done",))
    assert draft.renew(game.sight(0))
    move = draft.tap("show")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    game.table.move(1, ("show", ()))
    assert draft.renew(game.sight(0))
    scene = game.scene(0, draft)
    assert scene.note == "You could have used 4 cards." and control(scene, "best_of_all").label == "Show me how"

    def own(scene: Scene) -> list[str]:
        return sorted(str(found.drawing.shows) for found in scene.pieces
                      if found.key.startswith("left0") or found.key in {f"r1-{index}" for index in range(100)})

    assert own(scene) == sorted(("1", "purple", "2", "green"))
    tap(draft, "best_of_all")
    better = game.scene(0, draft)
    assert len([found for found in better.pieces if found.key.startswith("r1-")]) == 4
    assert next(label.text for label in better.labels if label.key == "cost0") == "Possible: 0 points"
    tap(draft, "best_of_all")
    assert game.scene(0, draft) == scene
    assert {two, green} <= set(game.table.match.knowledge)


@pytest.mark.parametrize(("sealed", "set_aside"), [(False, False), (True, False), (False, True)])
def test_what_others_have_left_over_stays_closed_only_where_it_must(sealed: bool, set_aside: bool) -> None:
    """Among devices nobody else knows it; where cards are set aside it tells which are still to come."""
    game = Game("toot-progressive", 2, sealed=sealed, set_aside=set_aside)
    for verb in (("done",), ("show", ())):
        for seat in range(2):
            game.table.move(seat, verb)
    for reader in range(2):
        scene = game.scene(reader, game.draft(reader))
        shows = {seat: {each.drawing.shows for each in scene.pieces if each.key.startswith(f"left{seat}-")} for seat in range(2)}
        is_open = not (sealed or set_aside)
        assert None not in shows[reader] and (None in shows[1 - reader]) is not is_open
        assert (SECRET in scene.note) is not is_open


def test_of_several_toots_it_is_said_what_makes_them_one() -> None:
    game, draft, (purple, green, *_) = progressive("purple green 2 4", seats=2)
    tap(draft, card_key(purple))
    assert game.scene(0, draft).note == "One TooT; 3 cards are left over."
    tap(draft, card_key(green))
    assert game.scene(0, draft).note == "2 TooTs, but only one counts: a number on top joins them."


def test_results_lie_on_the_covered_table_too() -> None:
    game, *_ = progressive("1 red blue 4", seats=2)
    for verb in (("done",), ("show", ())):
        for seat in range(2):
            game.table.move(seat, verb)
    texts = [label.text for label in game.scene(None).labels]
    assert texts.count("4 left over: 4 points") == 2


def test_a_hand_that_makes_no_toot_is_shown_by_itself() -> None:
    """TO-5: there is nothing to decide."""
    for faces, forced in (("1 2 3 red", True), ("1 2 red blue", False)):
        game, draft, _ = progressive(faces)
        assert (draft.tap("done") == ("done",)) is forced
        game.table.move(0, ("done",))
        assert draft.renew(game.sight(0))
        assert (control(game.scene(0, draft), "none").seconds is not None) is forced


@pytest.mark.parametrize("layout", [TALL_PHONE, Layout(390, 700, touch=True), Layout(944, 636), Layout(1280, 640)])
def test_every_card_left_over_bears_its_point_or_one_number_counts_them(layout: Layout) -> None:
    """TO-5: who showed nothing has them where a TooT would lie; beside one they lie closer, and one number counts up."""
    game = Game("toot-progressive", 3, last_round=10, sealed=True)
    while not game.state.end_reason:
        for seat in range(3):
            game.table.move(seat, ("done",))
        singles = {seat: next((card for card in game.state.hands[seat] if game.table.match.knowledge[card] in SECONDARIES), None)
                   for seat in (1, 2)}
        for seat in range(3):
            card = singles.get(seat)
            game.table.move(seat, ("show", () if card is None else (single(card),)))
    assert game.state.rounds[-1] in ((10, 9, 9), (10, 9, 10), (10, 10, 9))
    scene = game.scene(0, None, layout)
    pieces = {each.key: each for each in scene.pieces}
    numbers = {label.key: label for label in scene.labels if label.key.startswith("number")}
    for seat, cost in enumerate(game.state.rounds[-1]):
        own = {key: label for key, label in numbers.items() if key.startswith(f"number{seat}-")}
        assert [label.text for label in own.values()] in (["+1"] * cost, [f"+{cost}"])
        for key, label in own.items():
            lies = pieces[key.replace("number", "left")]
            assert abs(label.y - lies.y) <= lies.width * RATIO / 2
            assert abs(label.x - lies.x) <= lies.width / 2 or len(own) == 1
    places = [(label.x, label.y) for label in numbers.values()]
    assert all(abs(x - other) >= 20 or abs(y - below) >= 20 for (x, y), (other, below) in combinations(places, 2))


def test_it_is_said_who_was_best_in_a_round_unless_all_were_alike() -> None:
    for laid, said in (((0,), "Ann did best"), ((0, 1), "Best: Ann and Ben"), ((), "Equally good")):
        game = Game("toot-progressive", 3)
        hands = [game.deal(seat, "purple 1 1 1") for seat in range(3)]
        for seat in range(3):
            game.table.move(seat, ("done",))
        for seat in range(3):
            game.table.move(seat, ("show", ((((hands[seat][0], None),), ()),) if seat in laid else ()))
        draft = game.draft(2)
        assert draft.reviewing and game.scene(0, draft).log_until == "toot.log.round", "the next round is told of later"
        scene = game.scene(2, draft)
        assert scene.status == said
        assert not any(plate.note == "done" for plate in scene.plates), "what the next round brings is not told yet"
        draft.tap("next")
        scene = game.scene(2, draft)
        assert (scene.status, scene.ask) == ("", "build a TooT"), "short enough for one line on a phone"
        (number,) = (label for label in scene.labels if label.key == "round")
        (place,) = (zone.rect for zone in scene.zones if zone.key == "place")
        assert number.text == "Round 2 of 7" and number.y < place.y
        draft.tap(card_key(draft.hand[0]))
        assert "round" not in {label.key for label in game.scene(2, draft).labels}


def test_the_last_results_show_what_is_left_over_and_who_was_best_in_places_no_higher_than_they_need() -> None:
    game = Game("toot-progressive", 2, last_round=4, sealed=True)
    for verb in (("done",), ("show", ())):
        for seat in range(2):
            game.table.move(seat, verb)
    assert game.state.end_reason and game.state.phase == "show"
    scene = game.scene(0)
    assert len([piece for piece in scene.pieces if piece.key.startswith("left")]) == 8
    zones = [zone for zone in scene.zones if zone.key.startswith("result")]
    assert all("legal" in zone.flags for zone in zones), "both had as many left"
    sight = game.sight(0)
    opened = game.board.scene(replace(sight, view=replace(sight.view, faces=game.table.match.view(EVERYBODY).faces)), None)
    shows = [[piece.drawing.shows for piece in found.pieces if piece.key.startswith("left1-")] for found in (scene, opened)]
    assert shows[0] == [None] * 4 and set(shows[1]) == {game.sight(1).face(card) for card in game.state.hands[1]}
    assert game.board.opens_hands, "at the end of a match a device shows all it knows"
    tall = game.scene(0, layout=Layout(400, 1600))
    assert max(zone.rect.height for zone in tall.zones if zone.key.startswith("result")) < 900


@pytest.mark.parametrize(("seats", "layout"), [(4, Layout(944, 640)), (5, Layout(390, 644, touch=True)), (2, Layout(944, 640))])
def test_results_have_the_whole_stage(seats: int, layout: Layout) -> None:
    """What makes no TooT larger goes to the cards left over, which cover each other only where they would be tiny."""
    game = Game("toot-progressive", seats)
    all_show(game, "1 purple 4 4", 2)
    draft = game.draft(0)
    assert draft.reviewing
    scene = game.scene(0, draft, layout)
    places = [zone.rect for zone in scene.zones if zone.key.startswith("result")]
    above = max(plate.rect.bottom for plate in scene.plates)
    taken = max(place.bottom for place in places) - min(place.y for place in places)
    assert scene.hand is not None and taken >= 0.9 * (scene.hand.bottom - above)
    left = [each for each in scene.pieces if each.key.startswith("left")]
    assert len(left) == 2 * seats and min(each.width for each in left) >= 40
    assert all(abs(one.x - other.x) >= one.width or abs(one.y - other.y) >= one.width * RATIO
               for one, other in combinations(left, 2))


def test_a_row_of_results_is_as_high_as_its_tallest_toot_needs() -> None:
    game = Game("toot-progressive", 5)
    hands = [game.deal(seat, "2 purple red blue") for seat in range(5)]
    for seat in range(5):
        game.table.move(seat, ("done",))
    for seat, (number, colour, *pair) in enumerate(hands):
        under: Any = (single(colour), (tuple((card, None) for card in pair), ()))
        game.table.move(seat, ("show", (((((number, None),), under),) if seat < 3 else (single(colour),))))
    scene = game.scene(0, game.draft(0), Layout(390, 644, touch=True))
    high = [zone.rect.height for zone in scene.zones if zone.key.startswith("result")]
    assert high[0] == high[1] == high[2] > high[3] == high[4]


@pytest.mark.parametrize(("seats", "said"), [(2, "4 left over: 4 points"), (6, "4 points")])
def test_a_result_says_what_its_points_are_where_there_is_room(seats: int, said: str) -> None:
    """TO-5: each card left over is a point."""
    game = Game("toot-progressive", seats)
    for verb in (("done",), ("show", ())):
        for seat in range(seats):
            game.table.move(seat, verb)
    costs = [label for label in game.scene(0, game.draft(0)).labels if label.key.startswith("cost")]
    assert [label.text for label in costs] == [said] * seats


def test_nothing_left_over_is_told_as_such() -> None:
    game, draft, cards = progressive("green 1 2 purple")
    draft.solve()
    game.table.move(0, ("done",))
    assert draft.renew(game.sight(0))
    move = draft.tap("show")
    assert isinstance(move, tuple) and len(draft.turn.mat_cards) == len(cards)
    game.table.move(0, move)
    assert "All used: 0 points" in [label.text for label in game.scene(0, game.draft(0)).labels]


def test_six_results_on_a_phone_held_sideways_are_no_smaller_than_needed() -> None:
    game = Game("toot-progressive", 6)
    for seat in range(6):
        game.table.move(seat, ("done",))
    for seat in range(6):
        moves = list(game.table.match.rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, max(moves, key=lambda move: len(str(move))))
    scene = game.scene(0, game.draft(0), Layout(668, 346, 16, touch=True))
    shown = [found.width for found in scene.pieces if found.key.startswith("r1-")]
    assert min(shown) >= 36


@pytest.mark.parametrize("toot", ["2[orange, 1[2[red+blue, 1[2[green, purple]]]]]", "2[orange, X=1[orange]]"])
def test_results_stand_closer_to_each_other_before_cards_are_tiny_or_not_shown(toot: str) -> None:
    cards = iter(range(100))
    shown = [TootStack(tuple(lines(parsed(toot, lambda _: next(cards))[0])))] * 5
    places = result_places(shown, [2] * 5, Rect(0, 0, 470, 330), Layout(668, 346, 16, touch=True), line=25, held=70)
    assert places.card >= 36 and places.strip_size and len({place.y for place in places.rects}) == 1


def test_what_is_left_over_lies_beside_tall_toots_that_are_larger_then() -> None:
    """TO-5: each card left over is a point, so all of them are seen."""
    game = Game("toot-progressive", 4, last_round=8)
    while game.state.size < 8:
        for verb in (("done",), ("show", ())):
            for seat in range(4):
                game.table.move(seat, verb)
    for seat in range(4):
        game.table.move(seat, ("done",))
    for seat in range(4):
        moves = list(game.table.match.rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, max(moves, key=lambda move: len(str(move))))
    assert game.state.end_reason
    scene = game.scene(0, layout=Layout(390, 650, 16, touch=True))
    places = [zone.rect for zone in scene.zones if zone.key.startswith("result")]
    left = [[found for found in scene.pieces if found.key.startswith(f"left{seat}-")] for seat in range(4)]
    assert [len(cards) for cards in left] == list(game.state.rounds[-1]) and any(left)
    shown = [found for found in scene.pieces if not found.key.startswith("left")]
    for seat, cards in enumerate(left):
        own = [found for found in shown if places[seat].holds((found.x, found.y))]
        for card in cards:
            assert places[seat].holds((card.x - card.width / 2, card.y - card.width * RATIO / 2))
            assert places[seat].holds((card.x + card.width / 2, card.y + card.width * RATIO / 2))
            assert all(found.x + found.width / 2 <= card.x - card.width / 2 for found in own), "none is covered"
    assert min(found.width for found in shown) >= 44


@pytest.mark.parametrize(("layout", "least"), [(Layout(820, 1000, touch=True), 140), (Layout(390, 560, 32, touch=True), 36)])
def test_four_results_are_large_on_a_tablet_and_show_their_toots_in_very_large_text(layout: Layout, least: float) -> None:
    game = Game("toot-progressive", 4)
    all_show(game, "2 purple red blue", 4)
    scene = game.scene(0, game.draft(0), layout)
    shown = [found.width for found in scene.pieces if found.key.startswith("r1-")]
    assert len(shown) == 16 and min(shown) >= least


def test_what_was_laid_is_a_step_to_take_back() -> None:
    _, draft, (green, *_) = progressive("green 1 red blue")
    had = [draft.has_steps]
    tap(draft, card_key(green))
    had.append(draft.has_steps)
    assert draft.step_back() and not draft.turn.mat_cards
    assert [*had, draft.has_steps] == [False, True, False]


@pytest.mark.parametrize("seats", [4, 6])
def test_six_results_fit_a_small_phone(seats: int) -> None:
    game = Game("toot-progressive", seats)
    for verb in (("done",), ("show", ())):
        for seat in range(seats):
            game.table.move(seat, verb)
    zones = [zone.rect for zone in game.scene(None, layout=SMALL).zones if zone.key.startswith("result")]
    assert len(zones) == seats
    assert all(zone.x >= 0 and zone.right <= 360 and zone.height > 60 for zone in zones)


# ---- stacks ----

def test_stacks_fit_their_room_and_strips_shrink_before_cards_get_tiny() -> None:
    def counted() -> Any:
        cards = iter(range(100))
        return lambda _: next(cards)

    deep = parsed("2[orange, 1[2[red+blue, 1[2[purple, 1[yellow+red]]]]]]", counted())[0]
    room = Rect(0, 0, 280, 330)
    how = arrange([TootStack(tuple(lines(deep))), TootStack(())], room, 80, 20)
    assert LEAST_STRIP <= how.strip <= STRIP and how.width >= 30
    for rect in how.rects:
        assert rect.x >= -0.5 and rect.right <= 280.5 and rect.y >= -0.5 and rect.bottom <= 330.5
    first, second = how.rects
    assert first.right <= second.x or first.bottom <= second.y


@pytest.mark.parametrize("game_id", ["toot-fluke", "toot-pursuit"])
@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(668, 346, 16, touch=True), Layout(1280, 640)])
def test_a_bare_table_shows_what_a_toot_is_and_where_cards_will_lie(game_id: str, layout: Layout) -> None:
    game = Game(game_id, 2)
    draft = game.draft(0)
    scene = game.scene(0, draft, layout)
    shown = [each for each in scene.pieces if "example" in each.flags]
    assert len(shown) == 7 and all(each.drawing.shows is None and not each.tap for each in shown)
    (first,) = (zone.rect for zone in scene.zones if zone.key == "first")
    assert all(first.holds((each.x + side * each.width / 2, each.y + side * each.width * RATIO / 2))
               for each in shown for side in (-1, 1))
    pile = max((each for each in scene.pieces if "example" not in each.flags and each.key != "die"), key=lambda each: each.width)
    assert pile.x + pile.width / 2 <= first.x
    assert "hand-empty" in {label.key for label in scene.labels} and not draft.has_choice
    assert len({round(each.width, 3) for each in shown}) == 1, "none looks as if it counted for more"
    if not layout.narrow:
        by_itself = {each.y for each in shown if each.key.startswith(("alone", "two"))}
        assert len(by_itself) == 1, "side by side on one line, however many lines of words there are"
        lowest = max(*(label.y for label in scene.labels if label.key.startswith("example-")),
                     *(each.y + each.width * RATIO / 2 for each in shown))
        assert first.bottom - lowest < 4 * layout.rem, "its frame is no higher than they are"


@pytest.mark.parametrize(("face", "bright"), [("purple", {"alone"}), ("red", set()), ("1", set())])
def test_an_example_that_the_hand_can_follow_is_bright(face: str, bright: set[str]) -> None:
    game = Game("toot-pursuit", first_seat="1")
    game.table.move(0, ("draw",))
    game.deal(0, face)
    scene = game.scene(0, game.draft(0))
    shown = [each for each in scene.pieces if "example" in each.flags]
    assert len(shown) == 7 and {each.key.rstrip("0123456789") for each in shown if "legal" in each.flags} == bright
    assert {label.key[8:-1] for label in scene.labels if label.key.startswith("example-") and label.kind == "title"} == bright
    others = game.scene(1)
    assert not any("legal" in each.flags for each in others.pieces), "it tells nobody what somebody holds"


def test_what_examples_a_hand_can_follow() -> None:
    assert makeable(["red", "blue", "1"]) == {"two", "number"}
    assert makeable(["green", "1"]) == {"alone", "number"}
    assert makeable(["1", "1", "red"]) == set()
    assert makeable(["X", "green"]) == {"alone", "wild"} and makeable(["X", "red"]) == set()


@pytest.mark.parametrize(("layout", "rows"), [(TALL_PHONE, 2), (Layout(944, 600), 1), (Layout(668, 346, 16, touch=True), 1)])
def test_what_a_toot_is_lies_where_the_first_cards_will_in_every_round_of_progressive(layout: Layout, rows: int) -> None:
    """TO-2: also what the own hand makes; it goes as soon as a card is chosen."""
    game, draft, _ = progressive("red blue 2 3")
    for faces in ("red blue 2 3", "red blue 2 3 3"):
        red, *_ = game.deal(0, faces)
        draft.renew(game.sight(0, layout))
        scene = game.scene(0, draft, layout)
        shown = [each for each in scene.pieces if "example" in each.flags]
        assert {each.key.rstrip("0123456789") for each in shown if "legal" in each.flags} == {"two"}
        assert len({each.y for each in shown if each.key.startswith(("alone", "two"))}) == 1
        assert (max(each.y for each in shown) - min(each.y for each in shown) > RATIO * shown[0].width) == (rows > 1)
        (place,) = (zone.rect for zone in scene.zones if zone.key == "place")
        (number,) = (label for label in scene.labels if label.key == "round")
        assert number.y < place.y and all(place.holds((each.x, each.y)) for each in shown)
        draft.pick(card_key(red))
        assert not any("example" in each.flags for each in game.scene(0, draft, layout).pieces)
        draft.selection = None
        for move in (("done",), ("show", ())):
            game.table.move(0, move)
            draft.renew(game.sight(0, layout))
        tap(draft, "next")


@pytest.mark.parametrize(("layout", "least"), [(Layout(390, 620, touch=True), 50), (Layout(390, 620, 32, touch=True), 50),
                                               (SMALL, 45), (Layout(820, 1000, touch=True), 140)])
def test_examples_are_as_large_as_their_room_allows_beside_a_hand_in_two_lines(layout: Layout, least: int) -> None:
    game = Game("toot-progressive", 3)
    for _ in range(2):
        for move in (("done",), ("show", ())):
            for seat in range(3):
                game.table.move(seat, move)
    draft = game.draft(0)
    tap(draft, "next")
    scene = game.scene(0, draft, layout)
    shown = [each for each in scene.pieces if "example" in each.flags]
    assert len(shown) == 7 and min(each.width for each in shown) >= least
    (place,) = (zone.rect for zone in scene.zones if zone.key == "place")
    for label in scene.labels:
        if label.key.startswith("example-"):
            assert place.y < label.y < place.bottom
            assert not any(abs(label.x - each.x) < each.width / 2 and abs(label.y - each.y) < each.width * RATIO / 2
                           for each in shown), "words lie on no picture"


@pytest.mark.parametrize(("layout", "are_beside"), [(Layout(1280, 640), True), (Layout(944, 640), True),
                                                    (Layout(1024, 380, 32), False), (Layout(390, 620, touch=True), False)])
def test_words_stand_beside_the_examples_where_there_is_room(layout: Layout, are_beside: bool) -> None:
    game = Game("toot-pursuit", 2)
    scene = game.scene(0, game.draft(0), layout)
    (first,) = (zone.rect for zone in scene.zones if zone.key == "first")
    shown = [each for each in scene.pieces if "example" in each.flags]
    said = [label for label in scene.labels if label.key.startswith("example-")]
    assert {label.anchor for label in said} <= {"start" if are_beside else ""}
    for label in said if are_beside else ():
        end = label.x + 8 * len(label.text)
        assert first.x < label.x and end < first.right
        assert not any(label.x < each.x + each.width / 2 and each.x - each.width / 2 < end
                       and abs(label.y - each.y) < each.width * RATIO / 2 for each in shown), "words lie on no picture"


def test_words_below_an_example_fill_their_lines_alike() -> None:
    game = Game("toot-pursuit", 2)
    said = [label.text for label in game.scene(0, game.draft(0), Layout(800, 500)).labels if label.key.startswith("example-two")]
    assert said == ["Two of red,", "yellow, blue"]


def test_the_words_of_examples_stay_in_their_frame_where_text_is_very_large() -> None:
    game = Game("toot-fluke", 2)
    scene = game.scene(0, game.draft(0), Layout(390, 430, 32, touch=True))
    (first,) = (zone.rect for zone in scene.zones if zone.key == "first")
    said = [label for label in scene.labels if label.key.startswith("example-")]
    assert said and all(first.y < label.y < first.bottom - 10 for label in said)


def test_words_below_an_empty_place_lie_below_it_where_the_table_is_low() -> None:
    game = Game("toot-progressive", 2)
    scene = game.scene(0, game.draft(0), Layout(390, 340, 32, touch=True))
    (place,) = (zone.rect for zone in scene.zones if zone.key == "place")
    (words,) = (label for label in scene.labels if label.key == "empty")
    assert words.y >= place.bottom + 12


def test_a_hand_that_is_laid_out_on_trial_does_not_lie_in_wait_for_cards() -> None:
    game, seat = pursuit()
    (card,) = game.state.hands[seat]
    draft = game.draft(seat)
    tap(draft, card_key(card), MAT)
    scene = game.scene(seat, draft)
    assert not [each for each in scene.pieces if each.row == "hand"]
    assert "hand-empty" not in {label.key for label in scene.labels}


@pytest.mark.parametrize("layout", [Layout(1280, 640), Layout(1280, 748), Layout(944, 748)])
def test_on_a_wide_table_all_of_the_toot_is_seen_and_nothing_that_is_laid_changes_that(layout: Layout) -> None:
    """TO-4: what lies under its topmost lines stands beside them, in smaller cards, before a turn and while one is composed."""
    game, seat = grown()
    laid = {card_key(card) for card in game.state.table_cards}
    assert len(laid) > 20
    draft: TootDraft[Any] = game.draft(seat)
    seen: list[dict[str, tuple[int, ...]]] = []
    for step in range(3):
        if step == 2:
            draft.pick(card_key(draft.hand[0]))
            draft.tap(MAT)
        scene = game.scene(seat, draft if step else None, layout)
        lies = {each.key: (each.x, each.y, each.width) for each in scene.pieces if each.key in laid}
        assert lies.keys() == laid and not any(laid & heap.keys for heap in scene.resting)
        assert all(each.label for each in scene.pieces if each.key in laid)
        assert "look" not in spots(scene), "there is nothing more to be seen"
        (beneath,) = (zone for zone in scene.zones if zone.key == "beneath-place")
        (top,) = (zone.rect for zone in scene.zones if zone.key == "stack-1")
        inside = [each for each in scene.pieces if each.key in laid and beneath.rect.holds((each.x, each.y)) and each.x < top.x]
        on_top = [each for each in scene.pieces if each.key in laid and each not in inside]
        assert beneath.label == f"{len(inside)} cards under it"
        edge = max(each.x + each.width / 2 for each in inside)
        assert edge <= beneath.rect.right < top.x <= min(each.x - each.width / 2 for each in on_top), "side by side"
        words = next(label for label in scene.labels if label.key == "beneath")
        assert words.text == beneath.label and beneath.rect.x <= words.x - 3.5 * len(words.text)
        assert words.x + 3.5 * len(words.text) <= beneath.rect.right, "nothing covers its words"
        assert all(width >= 44 and x - width / 2 >= 0 and x + width / 2 <= layout.width for x, _, width in lies.values())
        seen.append({key: tuple(map(round, place)) for key, place in lies.items()})
    moved = {key: (place[0] - seen[2][key][0], *place[1:]) for key, place in seen[1].items()}
    assert draft.begun and seen[0] == seen[1] and all(seen[2][key][1:] == place[1:] for key, place in moved.items())
    assert max(place[0] for place in moved.values()) - min(place[0] for place in moved.values()) <= 1, "all together, if at all"


def test_a_toot_too_large_for_a_table_leaves_its_undermost_cards_to_a_look_inside() -> None:
    game, seat = grown()
    laid = {card_key(card) for card in game.state.table_cards}
    draft = game.draft(seat)
    scene = game.scene(seat, draft, Layout(700, 420))
    hidden = laid - {each.key for each in scene.pieces}
    assert hidden and hidden == {key for heap in scene.resting for key in heap.keys} & laid
    (look,) = (spot for spot in scene.spots if spot.key == "look")
    (stack,) = (zone.rect for zone in scene.zones if zone.key == "stack-1")
    assert look.label == f"{len(laid)} cards – look inside" and look.text == f"{len(laid)} cards ›" and look.height >= 44
    assert stack.x <= look.x - look.width / 2 and look.y + look.height / 2 - 4 <= stack.bottom, "seen inside its frame"
    assert "look" not in {each.key for each in scene.controls}, "the TooT bears the button"
    large = game.scene(seat, draft, Layout(390, 640, 32, touch=True))
    (look,) = (spot for spot in large.spots if spot.key == "look")
    (stack,) = (zone.rect for zone in large.zones if zone.key == "stack-1")
    assert look.text.startswith(f"{len(laid)}") and look.width <= stack.width
    low = game.scene(seat, draft, Layout(668, 346, 16, touch=True))
    assert "look" not in spots(low) and control(low, "look"), "there the TooT has that room"
    tap(draft, "look")
    scene = game.scene(seat, draft, Layout(1280, 640))
    assert "beneath-place" not in {zone.key for zone in scene.zones} and laid <= {each.key for each in scene.pieces}
