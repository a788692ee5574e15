"""The tables of the three domino games: what lights up, what taps and drops do, what is refused, whose faces are seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from tabletin.app.table.camera import COMFORT, PLAIN, WORTH, fit, nearer
from tabletin.board.scene import Layout, Rect, Scene, Sight, card_key
from tabletin.games.dominoes.base import DominoRules
from tabletin.games.dominoes.board import EDGE, MARGIN, DominoBoard
from tabletin.games.dominoes.board_counted import FLIGHT, READABLE, counted_rows, hand_in_row
from tabletin.games.dominoes.board_pieces import drawing, hand_lies, hand_rows, rotation, wanted_half
from tabletin.games.dominoes.draft import CELL, HAND, LEAD_SPOT, TURN, DominoDraft
from tabletin.games.dominoes.layout import TilePlacement
from tabletin.games.dominoes.matador import Matador
from tabletin.games.dominoes.state import COUNTED, LEADING, OVER, PLAYING
from tabletin.games.dominoes.table import LEAD, LaidTile, tile_and_side
from tabletin.games.dominoes.tiles import HALVES, pips
from tabletin.kernel.options import Refusal
from tabletin.kernel.state import Event
from tabletin.kernel.table import Table
from tabletin.registry import rules_of
from tests.support.board_tables import DESK, LARGE_TEXT, PHONE, seated, sight
from tests.support.scene_checks import check_faces, check_flights, check_form, check_reach, drawn

GAMES = [("dominoes", 2), ("dominoes", 6), ("matador", 3), ("matador", 8), ("tiddle-a-wink", 6), ("tiddle-a-wink", 10)]
Found = tuple[Table, DominoBoard, Sight, DominoDraft]


def steps(game: str, seats: int, seed: int, most: int = 200, options: dict[str, int] | None = None) -> Iterator[Table]:
    """A match of random moves, step by step."""
    table = seated(game, seats, seed, options)
    rng = Random(seed)
    for _ in range(most):
        yield table
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            return
        seat = rng.choice(acting)
        table.move(seat, table.match.rules.random_move(table.match.state, seat, table.match.view((seat,)).faces, rng))


def drafted(table: Table, seat: int, board: DominoBoard | None = None) -> Found:
    """``board``: one that goes on from what it showed before, which costs little; None: a new one."""
    board = board or DominoBoard()
    seen = sight(table, seat)
    return table, board, seen, board.draft(seen)


def find(game: str, seats: int, wanted: Callable[[DominoDraft], object], phase: str = PLAYING) -> Found:
    """The first turn of some match that is ``wanted``."""
    for seed in range(40):
        board = DominoBoard()
        for table in steps(game, seats, seed):
            if table.match.state.phase == phase:
                for seat in table.match.rules.to_act(table.match.state):
                    if wanted(drafted(table, seat, board)[3]) and wanted((found := drafted(table, seat))[3]):
                        return found
    raise AssertionError("no such turn")


def places(scene: Scene) -> dict[str, str]:
    return {spot.key: spot.text for spot in scene.spots}


def primary(scene: Scene) -> str:
    return next((control.key for control in scene.controls if control.primary), "")


def card_with(draft: DominoDraft, count: int) -> int | None:
    return next((card for card, ways in draft.ways.items() if len(ways) == count), None)


def test_the_view_shows_what_lies_and_where_the_hand_goes_and_no_more() -> None:
    """So dominoes are as large as that lets them, and choosing one still moves nothing."""
    table, board, seen, draft = find("dominoes", 2, lambda draft: len(draft.state.tiles) > 6 and not draft.stuck)
    layout = board.layout(seen)
    ways = [way for card in draft.hand for way in draft.ways[card]]
    lies = [layout.slot(way[2]).lie(double=len(set(HALVES[draft.faces[way[1]]])) == 1).box for way in ways]
    lies += [lie.box for lie in layout.lies]
    scene = board.scene(seen, draft)
    bounds, window = scene.bounds, scene.window
    assert window is not None
    zoom = min(scene.closest, window.width / bounds.width, window.height / bounds.height)
    half, edge = (0.65 * seen.layout.rem + MARGIN) / zoom, EDGE * CELL
    shown = [(label.x - half, label.y - half, label.x + half, label.y + half) for label in scene.labels if label.plane]
    shown += [(box[0] * CELL - edge, box[1] * CELL - edge, box[2] * CELL + edge, box[3] * CELL + edge) for box in lies]
    lefts, tops, rights, bottoms = zip(*shown, strict=True)
    assert (bounds.x, bounds.y, bounds.right, bounds.bottom) == pytest.approx(
        (min(lefts), min(tops), max(rights), max(bottoms)), abs=1 / zoom)
    public = sight(table, None)
    everything = board.scene(public, None).bounds
    assert everything.width >= bounds.width and everything.height >= bounds.height, "without a hand, all that may come"


def test_an_empty_boneyard_leaves_its_room_to_the_hand() -> None:
    table = next(table for seed in range(20) for table in steps("dominoes", 6, seed)
                 if table.match.state.phase == PLAYING and not table.match.state.pile)
    seat = table.match.rules.to_act(table.match.state)[0]
    _, board, seen, draft = drafted(table, seat)
    scene = board.scene(seen, draft)
    assert not {"pile-place", "pile-count"} & {*(zone.key for zone in scene.zones), *(label.key for label in scene.labels)}
    middle = sum(piece.x for piece in scene.pieces if piece.row == "hand") / len(draft.hand)
    assert middle == pytest.approx(seen.layout.width / 2, abs=1)


def test_words_leave_their_room_to_the_table_where_text_is_so_large_that_it_has_little() -> None:
    """Six plates and text at 200 % on a phone: dominoes come first. The places themselves say their numbers."""
    table = next(table for table in steps("tiddle-a-wink", 6, 4) if len(table.match.state.tiles) > 4)
    small, large = (board_scene(table, Layout(390, 430, rem, touch=True)) for rem in (16, 32))
    assert {"ends", "dots"} <= {label.key for label in small.labels}
    assert not {"ends", "dots"} & {label.key for label in large.labels}
    assert large.window is not None and large.window.height > 120


def test_a_hand_is_large_on_a_desk_with_large_text_too() -> None:
    """Such a layout is low for its text, but not for dominoes."""
    table = next(table for table in steps("dominoes", 4, 4) if len(table.match.state.tiles) > 4)
    scene = board_scene(table, Layout(1280, 580, 32))
    assert scene.hand is not None and scene.hand.height > 110
    assert all(piece.width > 44 for piece in scene.pieces if piece.row == "hand")
    sideways = board_scene(table, Layout(640, 345, 16, touch=True))
    assert sideways.hand is not None and sideways.hand.height == pytest.approx(88)


def test_a_stage_on_which_seats_leave_the_table_no_room_is_drawn_all_the_same() -> None:
    table = next(table for table in steps("tiddle-a-wink", 10, 4) if len(table.match.state.tiles) > 1)
    scene = board_scene(table, Layout(240, 240, 32, touch=True))
    assert scene.window is not None and scene.window.height == 0
    assert not any(label.plane for label in scene.labels)


def test_the_line_over_the_table_is_no_longer_than_the_screen_is_wide() -> None:
    """However many numbers are open: then they stand there without words."""
    is_shortened, board = False, DominoBoard()
    for table in steps("dominoes", 6, 1, 90, {"set": 12}):
        scene = board.scene(sight(table, 0, Layout(390, 600, 16, touch=True)), None)
        labels = {label.key: label for label in scene.labels}
        if "ends" in labels:
            ends, letter = labels["ends"], 0.45 * 16  # px: as a browser sets it, on the average
            wide = len(ends.text) * letter
            is_shortened |= ends.text != ends.speech
            assert ends.x + wide / 2 <= 390 and ends.x - wide / 2 >= 0
            if "dots" in labels:
                assert labels["dots"].x + len(labels["dots"].text) * letter <= ends.x - wide / 2
                assert labels["dots"].y == ends.y, "not over what lies"
    assert is_shortened, "there was more to say than there is room for"


def board_scene(table: Table, layout: Layout) -> Scene:
    return DominoBoard().scene(sight(table, 0, layout), None)


def test_an_end_on_which_nothing_can_come_is_not_named_any_more() -> None:
    for table in (table for seed in range(20) for table in steps("dominoes", 6, seed)):
        state = table.match.state
        lie = [half for laid in state.tiles for half in {laid.inner, laid.outer}]
        dead = {number for number in state.open.values() if lie.count(number) == 10}
        live = set(state.open.values()) - dead
        if state.phase == PLAYING and dead and live:
            _, board, seen, draft = drafted(table, table.match.rules.to_act(state)[0])
            said = next(label.text for label in board.scene(seen, draft).labels if label.key == "ends")
            assert {int(word) for word in re.findall(r"\w+", said.replace("blank", "0")) if word.isdigit()} == live
            return
    raise AssertionError("no end was dead")


@pytest.mark.parametrize("game", ["dominoes", "tiddle-a-wink"])
def test_the_open_places_of_a_chosen_domino_light_up_with_their_numbers(game: str) -> None:
    _, board, seen, draft = find(game, 6, lambda draft: card_with(draft, 3) is not None)
    card = card_with(draft, 3)
    assert card is not None and not board.scene(seen, draft).spots
    bounds = board.scene(seen, draft).bounds
    assert draft.tap(card_key(card)) is None
    scene = board.scene(seen, draft)
    shown = {piece.key for piece in scene.pieces}
    assert places(scene) == {f"at{way[2]}": "" if f"trial{way[2]}" in shown else str(draft.state.open[way[2]])
                             for way in draft.ways[card]}
    assert scene.bounds == bounds, "choosing moves nothing"
    assert all(bounds.x <= spot.x - spot.width / 2 and spot.x + spot.width / 2 <= bounds.right for spot in scene.spots)
    assert draft.tap(card_key(card)) is None and not board.scene(seen, draft).spots, "a second tap puts it down"
    draft.tap(card_key(card))
    reply = draft.tap(scene.focus)
    assert reply in draft.ways[card]


def test_a_domino_that_fits_one_place_is_laid_by_a_second_tap_or_the_button() -> None:
    _, board, seen, draft = find("dominoes", 3, lambda draft: card_with(draft, 1) is not None)
    card = card_with(draft, 1)
    assert card is not None
    assert draft.tap(card_key(card)) is None
    assert primary(board.scene(seen, draft)) == "lay"
    assert draft.tap("lay") == draft.tap(card_key(card)) == draft.ways[card][0]


def test_open_ends_bear_their_numbers_and_those_are_lit_to_which_the_hand_goes() -> None:
    """However small dominoes are: the numbers keep their size, and lie where the view shows them whole."""
    table, board, seen, draft = find("dominoes", 6, lambda draft: len(draft.state.tiles) > 12 and card_with(draft, 2))
    goes = {way[2] for ways in draft.ways.values() for way in ways}
    scene = board.scene(seen, draft)
    numbers = {label.key: label for label in scene.labels if label.plane}
    live = {(place // 4, draft.state.open[place]) for place in board.layout(seen).open}
    signs = {(tile, str(number or "blank")) for tile, number in live}  # in the words of the line over the table
    assert {(int(key.removeprefix("end")) // 4, label.text) for key, label in numbers.items()} == signs
    assert {key for key, label in numbers.items() if label.kind == "lit"} == numbers.keys() & {f"end{place}" for place in goes}
    assert scene.window is not None
    zoom = min(scene.closest, scene.window.width / scene.bounds.width, scene.window.height / scene.bounds.height)
    assert all(scene.bounds.grow(-9 / zoom).holds((label.x, label.y)) for label in numbers.values() if label.kind == "lit")
    card = card_with(draft, 2)
    assert card is not None
    draft.tap(card_key(card))
    left = {label.key for label in board.scene(seen, draft).labels if label.plane}
    assert left == numbers.keys() - {f"end{place}" for place in draft.places(card)}, "a lit place says its number itself"
    assert not any(label.kind == "lit" for label in board.scene(sight(table, seen.seat), None).labels)


@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_every_open_side_of_a_double_bears_its_number(layout: Layout) -> None:
    table, board, seen, _ = find("dominoes", 2, lambda draft: len(draft.state.tiles) == 1)
    double = len(set(HALVES[table.match.knowledge[table.match.state.tiles[0].card]])) == 1
    scene = board.scene(replace(seen, layout=layout), None)
    assert double and len(board.layout(seen).open) == sum(label.plane for label in scene.labels) == 4


@pytest.mark.parametrize(("game", "seats"), [pair for pair in GAMES if pair[0] != "matador"])
@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_the_number_of_an_end_covers_no_dots(game: str, seats: int, layout: Layout) -> None:
    """It stands before its end. Only where that is walled in there is no room for it. The table grows, or is met as it is."""
    looked, growing = 0, DominoBoard()
    for number, table in enumerate(steps(game, seats, 2, 60)):
        board, seen = DominoBoard() if number % 6 == 0 else growing, sight(table, 0, layout)
        scene = board.scene(seen, None)
        if scene.window is None or table.match.state.phase != PLAYING:
            continue
        zoom = min(scene.closest, scene.window.width / scene.bounds.width, scene.window.height / scene.bounds.height)
        slots = board.layout(seen).open
        for label in scene.labels:
            place = int(label.key.removeprefix("end")) if label.plane else -1
            if place < 0 or all(slot.apart for other, slot in slots.items() if other // 4 == place // 4):
                continue
            left, top, right, bottom = board.layout(seen).lies[place // 4].box
            half, wide = 0.6 * layout.rem / zoom, (0.6 + 0.4 * (len(label.text) - 1) / 2) * layout.rem / zoom
            looked += 1
            assert (label.x + wide <= left * CELL or label.x - wide >= right * CELL
                    or label.y + half <= top * CELL or label.y - half >= bottom * CELL)
    assert looked > 20


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 2), ("matador", 3), ("tiddle-a-wink", 6)])
def test_the_only_domino_that_fits_is_named_and_laid_by_the_button(game: str, seats: int) -> None:
    _, board, seen, draft = find(game, seats, lambda draft: draft.candidate is not None)
    card = draft.candidate
    assert card is not None and [other for other, ways in draft.ways.items() if ways] == [card]
    scene = board.scene(seen, draft)
    assert scene.note == f"Only the {seen.words.card(card, draft.faces)} fits." and primary(scene) == "lay"
    assert draft.tap("lay") in draft.ways[card]
    _, board, seen, draft = find(game, seats, lambda draft: not draft.stuck and draft.only_card is None)
    scene = board.scene(seen, draft)
    assert primary(scene) != "lay" and "Only" not in scene.note


def test_a_domino_that_fits_several_numbers_is_laid_by_a_button_for_each() -> None:
    """So nobody has to hit a small place: ends with one number are all alike for the round."""
    def fitting(draft: DominoDraft, count: int) -> int | None:
        return next((card for card, ways in draft.ways.items()
                     if len(ways) > 1 and len({draft.state.open[way[2]] for way in ways}) == count), None)

    _, board, seen, draft = find("dominoes", 6, lambda draft: fitting(draft, 2) is not None)
    card = fitting(draft, 2)
    assert card is not None
    draft.tap(card_key(card))
    controls = board.scene(seen, draft).controls
    assert {control.key for control in controls} == {f"number{half}" for half in HALVES[draft.faces[card]]}
    for half in HALVES[draft.faces[card]]:
        move = draft.tap(f"number{half}")
        assert move in draft.ways[card] and isinstance(move, tuple) and draft.state.open[move[2]] == half
    _, board, seen, draft = find("dominoes", 6, lambda draft: fitting(draft, 1) is not None)
    card = fitting(draft, 1)
    assert card is not None
    draft.tap(card_key(card))
    assert primary(board.scene(seen, draft)) == "lay"
    layout, double = board.layout(seen), len(set(HALVES[draft.faces[card]])) == 1
    move = draft.tap("lay")
    assert isinstance(move, tuple) and layout.extent(layout.slot(move[2]).lie(double=double)) == min(
        layout.extent(layout.slot(way[2]).lie(double=double)) for way in draft.ways[card]), "where dominoes stay largest"


def anywhere(draft: DominoDraft) -> int | None:
    """A domino that goes to two different numbers with either half."""
    if len(set(draft.state.open.values())) < 2:
        return None
    return next((card for card, ways in draft.ways.items() if len(ways) == 4), None)


def test_a_matador_is_brought_to_an_end_by_a_button_that_says_what_it_leaves_open() -> None:
    _, board, seen, draft = find("matador", 3, lambda draft: anywhere(draft) is not None)
    card = anywhere(draft)
    assert card is not None
    draft.tap(card_key(card))
    assert [control.key for control in board.scene(seen, draft).controls] == [TURN], "on a phone its places lay it"
    buttons = [control for control in board.scene(replace(seen, layout=DESK), draft).controls if control.key.startswith("number")]
    assert len(buttons) == 2
    for button in buttons:
        move = draft.tap(button.key)
        assert isinstance(move, tuple) and move in draft.ways[card]
        outer = sum(HALVES[draft.faces[card]]) - move[3]
        assert button.label.endswith(f"leaves {outer or 'blank'}")


def test_a_matador_lies_first_with_the_half_that_makes_the_total_and_a_second_tap_turns_it_round() -> None:
    """So two taps lay it as it usually lies, three the other way round."""
    def either(draft: DominoDraft) -> bool:
        card = anywhere(draft)
        regular = {10 - end for end in draft.state.open.values() if end}
        return card is not None and bool(regular.intersection(HALVES[draft.faces[card]]))

    _, board, seen, draft = find("matador", 3, either)
    card = anywhere(draft)
    assert card is not None
    draft.tap(card_key(card))
    scene = board.scene(seen, draft)
    assert TURN in {control.key for control in scene.controls} and scene.note
    pale = {piece.key: piece.turn for piece in scene.pieces if piece.key.startswith("trial")}
    first = {place: draft.tap(f"at{place}") for place in draft.places(card)}
    for place, move in first.items():
        halves, need = HALVES[draft.faces[card]], 10 - draft.state.open[place]
        assert move == ("lay", card, place, need if draft.state.open[place] and need in halves else max(halves))
    assert draft.tap(card_key(card)) is None and draft.selection == card, "it stays chosen"
    turned = {piece.key: piece.turn for piece in board.scene(seen, draft).pieces if piece.key.startswith("trial")}
    assert all((turned[key] - pale[key]) % 360 == 180 for key in pale)
    for place, move in first.items():
        assert isinstance(move, tuple)
        assert draft.tap(f"at{place}") == (*move[:3], sum(HALVES[draft.faces[card]]) - move[3])
    assert draft.tap(TURN) is None and draft.tap(f"at{draft.places(card)[0]}") == first[draft.places(card)[0]]
    draft.tap(TURN)
    draft.step_back()
    draft.tap(card_key(card))
    assert draft.tap(f"at{draft.places(card)[0]}") == first[draft.places(card)[0]], "put down, it is as it was"


def test_a_hint_shows_a_matador_as_it_is_to_lie() -> None:
    _, board, seen, draft = find("matador", 3, lambda draft: anywhere(draft) is not None)
    card = anywhere(draft)
    assert card is not None
    for move in draft.ways[card]:
        draft.put_away()
        draft.compose(move)
        scene = board.scene(seen, draft)
        assert draft.tap(scene.focus) == draft.tap("lay") == move
        assert [spot.key for spot in scene.spots if "target" in spot.flags] == [f"at{move[2]}"]


def test_an_end_of_matador_says_what_it_needs() -> None:
    """At the end as a picture of the half that goes there, with a star where only a matador goes; over the table in words, on a
    phone too."""
    met: set[int] = set()
    for seed in range(20):
        board = DominoBoard()
        for table in steps("matador", 3, seed, 40):
            state = table.match.state
            if state.phase != PLAYING or met.issuperset(state.open.values()):
                continue
            scene = board.scene(sight(table, 0), None)
            shown = {piece.key: piece.drawing for piece in scene.pieces if piece.key.startswith("wanted")}
            assert shown == {f"wanted{place}": wanted_half(10 - end if end else None, held=False)
                             for place, end in state.open.items()}
            ends = next(label for label in scene.labels if label.key == "ends")
            for end in state.open.values():
                needs = f"{end} needs {10 - end}" if end else "blank needs a matador"
                assert needs in ends.text and needs in ends.speech
                met.add(end)
        if {0, 9} < met:
            return
    raise AssertionError(f"only {met} were met")


@pytest.mark.parametrize("layout", [PHONE, DESK, Layout(320, 330, 16, touch=True)])
def test_the_half_that_an_end_asks_for_is_seen_whole_and_covers_nothing(layout: Layout) -> None:
    """Where dots are too small to be counted, a sum stands there instead: “10+0” is three times as wide as a figure."""
    pictures = sums = 0
    for table in steps("matador", 4, 3, 120, options={"set": 12}):
        board, seen = DominoBoard(), sight(table, 0, layout)
        scene = board.scene(seen, None)
        if scene.window is None or table.match.state.phase != PLAYING:
            continue
        wanted_there = [piece for piece in scene.pieces if piece.key.startswith("wanted")]
        labels = [label for label in scene.labels if label.plane]
        assert bool(wanted_there) != bool(labels), "the one or the other"
        lies = [lie.box for lie in board.layout(seen).lies]
        for piece in wanted_there:
            left, top, right, bottom = piece.x - CELL, piece.y - CELL, piece.x + CELL, piece.y + CELL
            assert not any(left < x1 * CELL and right > x * CELL and top < y1 * CELL and bottom > y * CELL
                           for x, y, x1, y1 in lies)
            assert scene.bounds.grow(0.01 - EDGE * CELL).holds((left, top)), "and clear of the edge"
            assert scene.bounds.grow(0.01 - EDGE * CELL).holds((right, bottom))
            pictures += 1
        zoom = min(scene.closest, scene.window.width / scene.bounds.width, scene.window.height / scene.bounds.height)
        for label in labels:
            half = (0.65 + 0.45 * (len(label.text) - 1) / 2) * layout.rem / zoom
            sums += len(label.text) > 1
            assert scene.bounds.x <= label.x - half + 0.01 and label.x + half <= scene.bounds.right + 0.01
    assert pictures > 10 or sums > 10
    assert bool(sums) == (layout.width == 320)


def test_the_half_stands_out_that_somebody_holds_and_is_gone_where_a_domino_is_about_to_lie() -> None:
    _, board, seen, draft = find("matador", 3, lambda draft: card_with(draft, 1) is not None)
    pieces = {piece.key: piece.drawing for piece in board.scene(seen, draft).pieces}
    goes = {way[2] for ways in draft.ways.values() for way in ways}
    for place, end in draft.state.open.items():
        assert pieces[f"wanted{place}"] == wanted_half(10 - end if end else None, held=place in goes)
    card = card_with(draft, 1)
    assert card is not None
    draft.tap(card_key(card))
    left = {piece.key for piece in board.scene(seen, draft).pieces if piece.key.startswith("wanted")}
    assert left == {f"wanted{place}" for place in draft.state.open.keys() - set(draft.places(card))}


def test_an_end_that_needs_a_blank_and_one_that_is_too_high_say_so() -> None:
    rules = rules_of("matador")(3, {"set": 12})
    assert isinstance(rules, Matador)
    assert [rules.need(end) for end in (0, 1, 10, 11, 12)] == [None, 9, 0, None, None]


@pytest.mark.parametrize("game", ["dominoes", "matador"])
def test_a_chosen_domino_is_seen_where_it_would_lie(game: str) -> None:
    """Pale, and turned as it lies then; where dots are too small to be counted, a place says its number instead."""
    table, board, seen, draft = find(game, 3, lambda draft: len(draft.state.tiles) < 5 and card_with(draft, 2))
    card = card_with(draft, 2)
    assert card is not None and not any("trial" in piece.key for piece in board.scene(seen, draft).pieces)
    draft.tap(card_key(card))
    scene = board.scene(seen, draft)
    shown = {piece.key: piece for piece in scene.pieces if piece.key.startswith("trial")}
    assert shown.keys() == {f"trial{way[2]}" for way in draft.ways[card]}
    assert all("ghost" in piece.flags and not piece.label for piece in shown.values())
    assert all(not spot.text for spot in scene.spots)
    move = draft.ways[card][0]
    assert seen.seat is not None
    table.move(seen.seat, move)
    laid = next(piece for piece in board.scene(sight(table, None), None).pieces if piece.key == card_key(card))
    pale = shown[f"trial{move[2]}"]
    assert (laid.x, laid.y, laid.turn) == (pale.x, pale.y, pale.turn)


def test_what_is_laid_lies_where_its_place_was_lit_and_all_else_where_it_was() -> None:
    table, board, seen, draft = find("dominoes", 3, lambda draft: len(draft.state.tiles) > 6 and card_with(draft, 2))
    card = card_with(draft, 2)
    assert card is not None
    draft.tap(card_key(card))
    scene = board.scene(seen, draft)
    spot = scene.spots[0]
    move = draft.drop(card_key(card), spot.key)
    assert isinstance(move, tuple) and seen.seat is not None
    table.move(seen.seat, move)
    after = {piece.key: piece for piece in board.scene(sight(table, None), None).pieces if piece.plane}
    assert (after[card_key(card)].x, after[card_key(card)].y) == (spot.x, spot.y)
    lay = [piece for piece in scene.pieces if piece.plane and "ghost" not in piece.flags]
    assert all(after[piece.key].x == piece.x and after[piece.key].turn == piece.turn for piece in lay)


def test_the_view_of_a_phone_goes_near_the_places_of_the_chosen_domino() -> None:
    """As far as all of them are seen so; a single one is always hit."""
    board, near, alone = DominoBoard(), 0, 0
    for table in steps("dominoes", 6, 4, 110, {"set": 12}):
        state = table.match.state
        if state.phase != PLAYING or len(state.tiles) < 25:
            continue
        _, _, seen, draft = drafted(table, state.turn, board)
        for card in (card for card, ways in draft.ways.items() if ways):
            draft.put_away()
            draft.tap(card_key(card))
            scene = board.scene(seen, draft)
            assert scene.window is not None
            places = [Rect(spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height) for spot in scene.spots]
            whole = fit(scene.bounds, scene.window, scene.closest)
            camera = nearer(whole, places, scene.window, scene.place_size)
            side = min(min(place.width, place.height) for place in places)
            if camera is not whole and side * whole.zoom > PLAIN / WORTH:
                near += 1
            if len(places) == 1:
                alone += 1
                assert side * camera.zoom > (COMFORT / WORTH if camera is whole else COMFORT) - 1e-6
    assert near, "nearer than places need that are only to be hit"
    assert alone


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 2), ("matador", 3)])
def test_a_panel_that_is_closed_leaves_dominoes_where_they_lie(game: str, seats: int) -> None:
    beside, alone = Layout(944, 690), Layout(1280, 690)
    board = DominoBoard()
    most = 0
    for table in steps(game, seats, 4, 60):
        if table.match.state.phase != PLAYING:
            continue
        before, after = ({piece.key: (piece.x, piece.y, piece.turn) for piece in board.scene(sight(table, 0, layout), None).pieces
                          if piece.plane} for layout in (beside, alone))
        assert before == after
        most = max(most, len(table.match.state.tiles))
    assert most > 8


def test_a_large_hand_has_the_whole_tray_at_a_tablet() -> None:
    tablet = Layout(820, 1040, touch=True)
    table = next(table for seed in range(30) for table in steps("matador", 3, seed)
                 if table.match.state.phase == PLAYING and len(table.match.state.hands[0]) == 15 and table.match.state.pile)
    hand = [piece for piece in DominoBoard().scene(sight(table, 0, tablet), None).pieces if piece.row == "hand"]
    assert len({piece.y for piece in hand}) == 1 and all(piece.width > 40 for piece in hand)
    assert all(piece.x + piece.width / 2 <= tablet.width - 8 for piece in hand)


def test_many_left_in_hand_are_counted_on_a_phone_as_large_as_they_can_be_read() -> None:
    table = next(table for seed in range(30) for table in steps("dominoes", 3, seed)
                 if table.match.state.phase == COUNTED and max(map(len, table.match.state.hands)) == 9)
    scene = DominoBoard().scene(sight(table, 0), None)
    left = [piece for piece in scene.pieces if piece.owner is not None]
    assert min(piece.width for piece in left) > 19 and scene.window is not None


def test_drawing_is_a_tap_a_drag_or_a_button_and_refused_to_whoever_can_play() -> None:
    _, board, seen, draft = find("dominoes", 3, lambda draft: draft.stuck and draft.state.pile)
    scene = board.scene(seen, draft)
    top = card_key(draft.state.pile[0])
    assert primary(scene) == "draw"
    assert next(piece for piece in scene.pieces if piece.key == top).drag
    draft.pick(top)
    assert set(places(board.scene(seen, draft))) == {HAND}
    assert draft.drop(top, HAND) == draft.tap("draw") == draft.tap(top) == ("draw",)
    _, board, seen, draft = find("dominoes", 3, lambda draft: not draft.stuck and draft.state.pile)
    reply = draft.tap(card_key(draft.state.pile[0]))
    assert isinstance(reply, Refusal) and reply.key.startswith("dominoes.refuse.must_play")
    assert primary(board.scene(seen, draft)) == ""


def test_who_holds_a_matador_is_not_led_to_drawing() -> None:
    """It is one way, named otherwise once it was gone. Its button stays while a matador is chosen, and becomes no other one."""
    table, board, seen, draft = find("matador", 3, lambda draft: not draft.stuck and "draw" in draft.acts)
    scene = board.scene(seen, draft)
    draw = next(control for control in scene.controls if control.key == "draw")
    assert primary(scene) == "" and (draw.label, draw.shortcut) == ("Draw, keep the matador", "d")
    matador = next(card for card, ways in draft.ways.items() if ways)
    draft.tap(card_key(matador))
    assert board.scene(seen, draft).controls == scene.controls and board.scene(seen, draft).spots
    draft.compose(draft.ways[matador][0])
    assert primary(board.scene(seen, draft)) == "lay", "a hint is confirmed like any other turn"
    draft.compose(("draw",))
    assert primary(board.scene(seen, draft)) == "draw"
    draft.tap(card_key(matador))
    assert primary(board.scene(seen, draft)) == "", "it was one way of two"
    assert draft.tap(card_key(draft.state.pile[0])) == ("draw",), "the pile is still there"
    for _ in range(len(draft.state.pile)):
        table.move(draft.seat, ("draw",))
        _, _, seen, draft = drafted(table, draft.seat, board)
        if "draw" not in draft.acts:
            break
        labels = [control.label for control in board.scene(seen, draft).controls if control.key == "draw"]
        assert labels == ["Draw another"]
    else:
        raise AssertionError("a domino fits at last")


def test_the_place_that_the_button_would_choose_stands_out_among_others() -> None:
    def on_alike(draft: DominoDraft) -> int | None:
        """A domino that goes on several ends, all of one number."""
        places = {card: draft.places(card) for card in draft.hand}
        return next((card for card, at in places.items() if len(at) > 1 == len({draft.state.open[place] for place in at})), None)

    _, board, seen, draft = find("dominoes", 6, lambda draft: on_alike(draft) is not None)
    card = on_alike(draft)
    assert card is not None
    draft.tap(card_key(card))
    scene = board.scene(seen, draft)
    move = draft.tap("lay")
    assert isinstance(move, tuple) and scene.focus == f"at{move[2]}"
    assert [spot.key for spot in scene.spots if "target" in spot.flags] == [f"at{move[2]}"]


def test_the_button_says_at_which_of_several_ends_of_one_number() -> None:
    """Before the domino is chosen, too; where the end lies between others the number has to do."""
    said = set()
    for seed in range(4):
        board = DominoBoard()
        for table in steps("tiddle-a-wink", 6, seed):
            if table.match.state.phase != PLAYING:
                continue
            _, _, seen, draft = drafted(table, table.match.state.turn, board)
            place, candidate = draft.meant_place(), draft.candidate
            if place is None or candidate is None:
                continue
            label = next(control.label for control in board.scene(seen, draft).controls if control.key == "lay")
            at = {one: draft.layout.slot(one).plain for one in draft.places(candidate)}
            here = at.pop(place)
            for word, x, y in (("on the left", -1, 0), ("on the right", 1, 0), ("at the top", 0, -1), ("at the bottom", 0, 1)):
                if label.endswith(f" {word}"):
                    said.add(word)
                    assert at and all(x * here.x + y * here.y > x * one.x + y * one.y for one in at.values()), label
            assert at or label.split()[-2] == "the", label
    assert len(said) > 1


def test_who_cannot_match_says_g_and_is_seen_to_have_passed() -> None:
    table, board, seen, draft = find("tiddle-a-wink", 6, lambda draft: draft.stuck)
    scene = board.scene(seen, draft)
    assert primary(scene) == "pass" and "G" in scene.controls[-1].label
    assert draft.tap("pass") == ("pass",) and seen.seat is not None
    table.move(seen.seat, ("pass",))
    if table.match.state.phase == PLAYING:
        plate = board.scene(sight(table, None), None).plates[seen.seat]
        assert plate.note == "“G”" and "calls" in plate.flags


def test_who_has_passed_says_so_until_it_is_its_turn_again() -> None:
    """Also when somebody has laid since; who plays next is told instead."""
    told, board = 0, DominoBoard()
    for table in steps("tiddle-a-wink", 6, 3, 60):
        match = table.match
        if match.state.phase != PLAYING:
            continue
        last = {entry.statement.body["seat"]: entry.statement.body["do"][0] for entry in match.entries
                if entry.statement.kind == "move"}
        for plate in board.scene(sight(table, None), None).plates:
            if plate.note == "“G”":
                assert last[plate.seat] == "pass" and plate.seat != match.state.turn
                told += 1
            elif last.get(plate.seat) == "pass":
                assert plate.seat == match.state.turn or plate.note == "Next"
    assert told


def test_seats_that_stand_in_rows_tell_who_plays_next() -> None:
    """In a column it is the one below."""
    for layout, told in ((PHONE, True), (Layout(1240, 640), False)):
        table = next(table for table in steps("tiddle-a-wink", 6, 3) if len(table.match.state.tiles) == 5)
        state = table.match.state
        notes = {plate.seat: plate.note for plate in DominoBoard().scene(sight(table, 0, layout), None).plates}
        assert [seat for seat, note in notes.items() if note == "Next"] == [(state.turn + 1) % 6] * told


def test_who_plays_again_after_a_double_is_told_on_the_plate() -> None:
    told, board = 0, DominoBoard()
    for table in steps("tiddle-a-wink", 6, 3, 60):
        state = table.match.state
        plates = board.scene(sight(table, None), None).plates
        again = [plate.seat for plate in plates if plate.note == "Again!" and "calls" in plate.flags]
        double = state.tiles and len(set(HALVES[table.match.knowledge[state.tiles[-1].card]])) == 1
        assert again == ([state.turn] if state.phase == PLAYING and double and not state.passes else [])
        told += len(again)
    assert told


def test_who_plays_again_after_a_double_is_told_in_the_status_and_in_what_is_asked() -> None:
    """"Ann to play" once more after Ann has just laid would be read as a mistake."""
    asked, told, board = set(), set(), DominoBoard()
    for table in steps("tiddle-a-wink", 6, 3, 90):
        state = table.match.state
        again = bool(state.tiles) and not state.passes and state.tiles[-1].inner == state.tiles[-1].outer
        for seat in (0, state.turn) if state.phase == PLAYING else ():
            seen = replace(sight(table, seat), people=(seat,))
            draft = board.draft(seen) if seat == state.turn else None
            scene = board.scene(seen, draft)
            if draft is None:
                told.add((again, scene.status == f"{seen.words.seat(state.turn)} plays again"))
            elif not draft.stuck:
                asked.add((again, scene.ask))
                assert not scene.status
    assert told == {(True, True), (False, False)}
    assert asked == {(True, "lay another one"), (False, "lay a domino")}


@pytest.mark.parametrize(("game", "seats", "call"), [("tiddle-a-wink", 6, "Tiddle-A-Wink!"), ("dominoes", 2, "All laid!")])
def test_who_goes_out_calls_it_across_the_table_before_anything_is_counted(game: str, seats: int, call: str) -> None:
    table = next(table for seed in range(30) for table in steps(game, seats, seed)
                 if table.match.state.phase == COUNTED and table.match.state.first_out is not None)
    seen = sight(table, 0)
    laying, counted = (DominoBoard().scene(replace(seen, laying=laying), None) for laying in (True, False))
    assert [label.text for label in laying.labels if label.kind == "cry"] == [call]
    assert not any(zone.key.startswith("row") for zone in laying.zones)
    assert not any(label.kind == "cry" for label in counted.labels)


def test_the_lead_is_answered_with_one_named_act() -> None:
    _, board, seen, draft = find("dominoes", 3, lambda draft: draft.lead is not None, LEADING)
    scene = board.scene(seen, draft)
    assert primary(scene) == "lead" and set(places(scene)) == {LEAD_SPOT}
    assert draft.lead is not None
    key = card_key(draft.lead)
    assert draft.tap("lead") == draft.tap(key) == draft.drop(key, LEAD_SPOT) == ("lead", draft.lead)
    refusal = draft.tap("none")
    assert isinstance(refusal, Refusal) and refusal.key == "dominoes.refuse.holds_asked_double"
    other = next(card for card in draft.hand if card != draft.lead)
    assert isinstance(draft.tap(card_key(other)), Refusal)
    _, board, seen, draft = find("dominoes", 3, lambda draft: draft.lead is None, LEADING)
    assert primary(board.scene(seen, draft)) == "none" and draft.tap("none") == ("none",)


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 3), ("matador", 3), ("tiddle-a-wink", 6)])
def test_the_place_of_the_lead_is_as_large_as_the_domino_that_is_asked_for(game: str, seats: int) -> None:
    """It lies along its line in Matador, and elsewhere stands."""
    _, board, seen, draft = find(game, seats, lambda draft: draft.lead is not None, LEADING)
    scene = board.scene(seen, draft)
    (spot,), asked = scene.spots, next(piece for piece in scene.pieces if piece.key == "asked")
    assert (spot.width > spot.height) == (asked.turn % 180 == 90)


def test_who_may_answer_who_leads_sees_that_it_is_their_turn() -> None:
    """All are asked at once; whoever has answered sees who still has to."""
    table, board, seen, draft = find("dominoes", 3, lambda draft: draft.lead is None and len(draft.state.waiting) == 3, LEADING)
    assert [plate.active for plate in board.scene(seen, draft).plates] == [seat == seen.seat for seat in range(3)]
    assert seen.seat is not None
    table.move(seen.seat, ("none",))
    plates = board.scene(sight(table, seen.seat), None).plates
    assert [plate.active for plate in plates] == [seat != seen.seat for seat in range(3)]


def test_a_drop_where_it_does_not_fit_says_why() -> None:
    _, board, seen, draft = find("dominoes", 3, lambda draft: any(not ways for ways in draft.ways.values()) and not draft.stuck)
    card = next(card for card, ways in draft.ways.items() if not ways)
    place, number = next(iter(draft.state.open.items()))
    lie = board.layout(seen).slot(place).plain
    draft.pick(card_key(card))
    reply = draft.miss(card_key(card), (lie.x * CELL, lie.y * CELL), plane=True)
    assert isinstance(reply, Refusal) and reply.key.startswith("dominoes.refuse.no_match") and reply.params["number"] == number
    reply = draft.tap(card_key(card))
    assert isinstance(reply, Refusal) and seen.words.refusal(reply)
    good = next(card for card, ways in draft.ways.items() if ways)
    draft.pick(card_key(good))
    reply = draft.miss(card_key(good), (90_000, 0), plane=True)
    assert isinstance(reply, Refusal) and reply.key == "dominoes.refuse.not_open"
    assert draft.miss(card_key(good), (10, 500), plane=False) is None and draft.selection is None


def test_a_matador_is_marked_with_a_star() -> None:
    def two_ways(draft: DominoDraft) -> bool:
        return any(len(ways) > len(draft.places(card)) for card, ways in draft.ways.items())

    _, board, seen, draft = find("matador", 3, two_ways)
    card = next(card for card, ways in draft.ways.items() if len(ways) > len(draft.places(card)))
    scene = board.scene(seen, draft)
    assert f"star{card}" in {piece.key for piece in scene.pieces}
    assert "10" in next(label.text for label in scene.labels if label.key == "ends")


@pytest.mark.parametrize("width", [940, 1280, 1600])
def test_the_pile_stands_beside_the_hand_at_a_desk(width: int) -> None:
    """It stood an eighth of the width from the edge: far from seven dominoes in the middle."""
    _, _, seen, _ = find("matador", 3, lambda draft: draft.state.phase == PLAYING and len(draft.hand) == 7)
    seen = replace(seen, layout=Layout(width, 640))
    board = DominoBoard()
    scene = board.scene(seen, board.draft(seen))
    pile = [piece.x + piece.width / 2 for piece in scene.pieces if piece.row == "pile"]
    hand = [piece.x - piece.width / 2 for piece in scene.pieces if piece.row == "hand"]
    assert 8 < min(hand) - max(pile) < 60


def test_your_dots_are_counted_for_you_and_for_nobody_else() -> None:
    table, board, seen, draft = find("dominoes", 3, lambda draft: True)
    count = pips(seen.view.faces[card] for card in draft.hand)
    plates = board.scene(sight(table, seen.seat, DESK), None).plates
    assert [str(count) in plate.note for plate in plates] == [plate.seat == seen.seat for plate in plates]
    phone = board.scene(seen, draft)  # a narrow plate has no room for it
    assert not any(str(count) in plate.note for plate in phone.plates)
    assert [f"{count} dots" in plate.label for plate in phone.plates] == [True, False, False], "it is still heard there"
    assert [label.text for label in phone.labels if label.key == "dots"] == [f"You: {count} dots"], "one sees whose they are"


def test_the_double_that_is_asked_for_lies_pale_where_it_will_lie() -> None:
    table = seated("dominoes", 2, 5)
    assert table.match.state.phase == LEADING
    for seat in (None, 0, 1):
        seen = sight(table, seat)
        scene = DominoBoard().scene(seen, None)
        asked = next(piece for piece in scene.pieces if piece.key == "asked")
        rules = seen.view.rules
        assert isinstance(rules, DominoRules)
        assert asked.drawing.shows == rules.questions[table.match.state.question] and "ghost" in asked.flags
        assert asked.plane and scene.bounds.holds((asked.x, asked.y)) and not asked.tap


@pytest.mark.parametrize("told", ["dominoes.log.out", "matador.log.out", "tiddle-a-wink.log.out", "tiddle-a-wink.log.again"])
def test_the_domino_that_ends_a_round_or_lets_play_again_shines(told: str) -> None:
    laid = Event("dominoes.log.laid", 0, {"number": 3}, (7,))
    assert DominoBoard().flourish((laid, Event(told, 0))) == (7,)
    assert DominoBoard().flourish((laid,)) == ()


def test_a_hand_lies_the_larger_the_less_is_left_of_it() -> None:
    room = Rect(56, 0, 326, 132)
    widths = [hand_rows(count, room).piece_width for count in (9, 7, 5, 3, 1)]
    assert widths == sorted(widths) and widths[-1] > 1.3 * widths[1]


def test_few_dominoes_of_a_counted_hand_lie_on_their_sides_and_are_large() -> None:
    table = next(table for seed in range(30) for table in steps("tiddle-a-wink", 10, seed) if table.match.state.phase == COUNTED)
    scene = DominoBoard().scene(sight(table, None), None)
    shown = {piece.key: piece for piece in scene.pieces}
    rows = {zone.key: zone.rect for zone in scene.zones if zone.key.startswith("row")}
    for seat, hand in enumerate(table.match.state.hands):
        tiles, row = [shown[card_key(card)] for card in hand], rows[f"row{seat}"]
        for tile in tiles:
            high, wide = (tile.width, 2 * tile.width) if tile.turn else (2 * tile.width, tile.width)
            assert high <= row.height and tile.x - wide / 2 > row.x and tile.x + wide / 2 < row.right
        if len(hand) <= 2:
            assert all(tile.turn for tile in tiles)
        assert all(after.x - before.x >= (2 if after.turn else 1) * before.width for before, after in pairwise(tiles[:4]))


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 2), ("tiddle-a-wink", 10)])
def test_a_counted_round_shows_every_hand_its_dots_and_what_it_scored(game: str, seats: int) -> None:
    table = next(table for seed in range(30) for table in steps(game, seats, seed)
                 if table.match.state.phase == COUNTED and table.match.state.last_count.winner is not None)
    state = table.match.state
    board = DominoBoard()
    for seat in (None, 0):
        seen = sight(table, seat)
        scene = board.scene(seen, board.draft(seen) if seat is not None else None)
        shown = {piece.key: piece for piece in scene.pieces}
        for hand in state.hands:
            assert all(shown[card_key(card)].drawing.shows == state.public[card] for card in hand)
            assert all(0 < shown[card_key(card)].x < PHONE.width for card in hand)
        winner = state.last_count.winner
        texts = {label.key: label.text for label in scene.labels}
        assert texts[f"points{winner}"] == f"+{state.last_count.points[winner]}"
        assert all(str(left) in texts[f"dots{seat}"] for seat, left in enumerate(state.last_count.pips))
        scored = {seat for seat, points in enumerate(state.last_count.points) if points} | {winner}
        assert scene.won_at.keys() == scored, "what flies to a plate starts where it stands"
        if seat is None:
            assert scene.prompt is not None
            assert scene.prompt.answers[0].moves == tuple((waiting, ("ready",)) for waiting in state.waiting)
        else:
            assert primary(scene) == "ready"


@pytest.mark.parametrize(("game", "seats"), [("matador", 3), ("tiddle-a-wink", 6)])
def test_a_blocked_round_shows_from_what_its_points_come(game: str, seats: int) -> None:
    """Of each hand what it has more than the winner's, where these are scored one by one; else the sum in words (DO-4)."""
    table = next(table for seed in range(200) for table in steps(game, seats, seed) if table.match.state.phase == COUNTED
                 and table.match.state.last_count.ending == "blocked" and table.match.state.last_count.winner is not None)
    counted = table.match.state.last_count
    scene = DominoBoard().scene(sight(table, None), None)
    texts = {label.key: label.text for label in scene.labels}
    own, scored = counted.pips[counted.winner], counted.points[counted.winner]
    others = [seat for seat in range(seats) if seat != counted.winner]
    if game == "tiddle-a-wink":
        assert f"{sum(counted.pips) - own} − {own} = {scored}" in scene.note
        assert all(texts[f"dots{seat}"] == f"{counted.pips[seat]} dots" for seat in others if counted.pips[seat] != 1)
        return
    sums = [texts[f"dots{seat}"].split(" = ") for seat in others]
    assert [left for left, _ in sums] == [f"{counted.pips[seat]} − {own}" for seat in others]
    assert sum(int(more) for _, more in sums) == scored and "score the difference to every other hand" in scene.note
    spoken = {zone.key: zone.label for zone in scene.zones}
    assert all(f"{more} more than the winner" in spoken[f"row{seat}"] for seat, (_, more) in zip(others, sums, strict=True))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_hint_is_offered_where_there_is_something_to_choose(game: str, seats: int) -> None:
    """And what does not fit is pale beside what does: a hand of which nothing does looks as it is."""
    met: set[int] = set()
    board = DominoBoard()
    for table in steps(game, seats, 5, 40):
        state = table.match.state
        for seat in table.match.rules.to_act(state):
            _, _, seen, draft = drafted(table, seat, board)
            moves = len(list(table.match.rules.moves(state, seat, seen.view.faces)))
            assert draft.has_choice == (state.phase == PLAYING and moves > 1)
            hand = [piece for piece in board.scene(seen, draft).pieces if piece.row == "hand"]
            dim = sum("dim" in piece.flags for piece in hand)
            assert dim == (sum(not draft.ways[card] for card in draft.hand) if any(draft.ways.values()) else 0)
            met.add(min(moves, 2))
    assert met == {1, 2}


@pytest.mark.parametrize("count", [5, 8, 10])
def test_many_dominoes_of_a_counted_hand_get_smaller_before_they_cover_each_other(count: int) -> None:
    lies, width, turn = hand_in_row(count, Rect(90, 0, 170, 60))
    wide = 2 * width if turn else width
    assert min(after[0] - before[0] for before, after in pairwise(lies)) >= wide
    assert lies[0][0] - wide / 2 >= 90 and lies[-1][0] + wide / 2 <= 260


@pytest.mark.parametrize("count", [16, 24, 33])
def test_a_hand_that_drew_the_whole_pile_is_counted_in_lines_none_of_which_covers_another(count: int) -> None:
    """33 dominoes lay in one line of 170 px: of each the first column of its dots was seen."""
    room = Rect(90, 0, 170, 100)
    lies, width, turn = hand_in_row(count, room)
    assert not turn and width >= 11
    assert len({y for _, y in lies}) > 1
    for (x, y), (to_x, to_y) in combinations(lies, 2):
        assert abs(to_x - x) >= width or abs(to_y - y) >= 2 * width
    assert all(room.holds((x - width / 2, y - width)) and room.holds((x + width / 2, y + width)) for x, y in lies)


@pytest.mark.parametrize(("game", "seats", "added"), [("dominoes", 2, False), ("dominoes", 3, True), ("tiddle-a-wink", 6, True),
                                                      ("tiddle-a-wink", 10, True)])
def test_what_somebody_who_goes_out_wins_is_added_up_in_words(game: str, seats: int, added: bool) -> None:
    """One hand needs no sum; nine of them, too, are said in two lines of a phone."""
    table = next(table for seed in range(30) for table in steps(game, seats, seed) if table.match.state.phase in (COUNTED, OVER)
                 and table.match.state.last_count.ending == "out" and 0 not in sorted(table.match.state.last_count.pips)[1:])
    counted = table.match.state.last_count
    sum_ = " + ".join(str(left) for left in counted.pips if left)
    assert (f": {sum_} = {counted.points[counted.winner]}." in DominoBoard().scene(sight(table, 0), None).note) == added


@pytest.mark.parametrize(("game", "seats", "layout"), [("dominoes", 4, PHONE), ("tiddle-a-wink", 8, PHONE), ("matador", 3, DESK)])
def test_dominoes_of_all_hands_are_counted_in_one_size(game: str, seats: int, layout: Layout) -> None:
    """As long as they are read so with ease: a hand that drew the whole pile makes no others tiny."""
    for seed in range(6):
        table = next(table for table in steps(game, seats, seed) if table.match.state.phase in (COUNTED, OVER))
        widths = [piece.width for piece in DominoBoard().scene(sight(table, 0, layout), None).pieces
                  if piece.owner is not None and not piece.plane]
        assert len({round(width, 3) for width in widths if width != min(widths)}) <= (min(widths) < READABLE)


@pytest.mark.parametrize(("game", "seats"), [("matador", 3), ("tiddle-a-wink", 6)])
def test_hands_are_turned_up_one_after_another_and_the_sum_of_each_is_told_as_its_last_domino_lies(game: str, seats: int) -> None:
    """One's own goes first, and as a whole: it was seen already. What the round brought comes last, and is read before it
    flies."""
    table = next(table for seed in range(30) for table in steps(game, seats, seed) if table.match.state.phase in (COUNTED, OVER)
                 and table.match.state.last_count.winner is not None)
    hands = table.match.state.hands
    scene = DominoBoard().scene(sight(table, 0), None)
    after = {label.key: label.delay for label in scene.labels}
    closed = sum(map(len, hands[1:]))
    assert 0 < scene.count_seconds <= 0.2 * closed and scene.count_seconds < 3
    assert scene.in_view == set(map(card_key, hands[0]))
    assert [round(after[f"dots{seat}"], 6) for seat in range(seats)] == \
        [round(FLIGHT + scene.count_seconds * sum(map(len, hands[1:seat + 1])) / closed, 6) for seat in range(seats)]
    begin = {"points": FLIGHT + scene.count_seconds, "name": FLIGHT, "call": 0.0}
    assert all(seconds == begin[key.rstrip("0123456789")] for key, seconds in after.items() if not key.startswith("dots"))
    assert scene.won_after.keys() == scene.won_at.keys()
    assert all(seconds > FLIGHT + scene.count_seconds for seconds in scene.won_after.values())


@pytest.mark.parametrize(("game", "seats", "ending"), [("dominoes", 3, "out"), ("tiddle-a-wink", 6, "out"),
                                                       ("matador", 3, "blocked")])
def test_while_hands_are_counted_it_is_told_how_the_round_ended_then_the_sum_and_then_who_wins(game: str, seats: int,
                                                                                             ending: str) -> None:
    table = next(table for seed in range(30) for table in steps(game, seats, seed) if table.match.state.phase == COUNTED
                 and table.match.state.last_count.winner is not None and table.match.state.last_count.ending == ending)
    state = table.match.state
    for reader in (None, 0):
        seen = sight(table, reader)
        counting, flying = (DominoBoard().scene(replace(seen, landing=True, counting=is_counting), None)
                            for is_counting in (True, False))
        landed = DominoBoard().scene(seen, None)
        name = seen.words.seat(state.last_count.winner)
        said = "Blocked!" if ending == "blocked" else "You laid them all!" if state.first_out == reader else \
            f"{name} laid them all!"
        assert (counting.status, counting.note) == (said, "")
        assert (flying.status, flying.note) == (said, landed.note) and landed.note
        assert f"+{state.last_count.points[state.last_count.winner]}" in landed.status
        assert counting.prompt is flying.prompt is None and (landed.prompt is None) == (reader == 0)


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 3), ("matador", 3), ("tiddle-a-wink", 6)])
def test_with_large_text_counted_hands_lie_under_their_names_and_no_word_covers_a_dot(game: str, seats: int) -> None:
    """Beside words of twice the size dominoes were a few px wide, and under the words."""
    table = next(table for seed in range(30) for table in steps(game, seats, seed) if table.match.state.phase in (COUNTED, OVER))
    scene = DominoBoard().scene(sight(table, None, LARGE_TEXT), None)
    shown = {piece.key: piece for piece in scene.pieces}
    rows = {zone.key: zone.rect for zone in scene.zones if zone.key.startswith("row")}
    for seat, hand in enumerate(table.match.state.hands):
        words = [label.y for label in scene.labels if label.key in (f"name{seat}", f"dots{seat}")]
        for tile in (shown[card_key(card)] for card in hand):
            high = tile.width if tile.turn else 2 * tile.width
            assert tile.y - high / 2 >= max(words) + 10 and tile.y + high / 2 <= rows[f"row{seat}"].bottom
            assert tile.width >= 12


def test_the_row_of_a_hand_that_drew_the_whole_pile_is_higher() -> None:
    table = next(table for seed in range(30) for table in steps("matador", 3, seed)
                 if table.match.state.phase in (COUNTED, OVER) and max(map(len, table.match.state.hands)) > 16)
    scene = DominoBoard().scene(sight(table, None), None)
    rows = [zone.rect for zone in scene.zones if zone.key.startswith("row")]
    longest = max(range(3), key=lambda seat: len(table.match.state.hands[seat]))
    assert rows[longest].height > 1.5 * min(row.height for row in rows)
    assert all(above.bottom < below.y for above, below in pairwise(rows)) and rows[-1].bottom <= PHONE.height


def test_a_counted_row_is_no_wider_at_a_desk_than_what_lies_in_it() -> None:
    """The longest hand lies whole between the name and the dots, and ends near them."""
    table = next(table for seed in range(30) for table in steps("tiddle-a-wink", 6, seed) if table.match.state.phase == COUNTED)
    scene = DominoBoard().scene(sight(table, None, DESK), None)
    shown = {piece.key: piece for piece in scene.pieces}
    rows = {zone.key: zone.rect for zone in scene.zones if zone.key.startswith("row")}
    tiles = [shown[card_key(card)] for card in max(table.match.state.hands, key=len)]
    dots = next(label for label in scene.labels if label.key == "dots0")
    assert all(after.x - before.x >= before.width for before, after in pairwise(tiles))
    assert tiles[-1].x + tiles[-1].width / 2 < dots.x
    assert rows["row0"].width < 640 and rows["row0"].right - dots.x < 120


@pytest.mark.parametrize("layout", [Layout(390, 702, 16, touch=True), Layout(944, 688), Layout(1280, 688)])
@pytest.mark.parametrize(("game", "seats"), [("dominoes", 3), ("matador", 3), ("tiddle-a-wink", 6)])
def test_a_counted_round_leaves_the_table_about_as_large_as_it_was_played(game: str, seats: int, layout: Layout) -> None:
    """With rows below it or beside it, which cover nothing and leave the stage nowhere."""
    for seed in range(4):
        table = next(table for table in steps(game, seats, seed, most=400) if table.match.state.phase in (COUNTED, OVER))
        board, seen = DominoBoard(), sight(table, 0, layout)
        played, scene = (board.scene(replace(seen, laying=laying), None) for laying in (True, False))
        assert scene.window is not None and played.window is not None
        before, after = (min(one.closest, window.width / one.bounds.width, window.height / one.bounds.height)
                         for one, window in ((played, played.window), (scene, scene.window)))
        assert after > 0.8 * before
        for row in (zone.rect for zone in scene.zones):
            assert row.y >= scene.window.bottom or row.x >= scene.window.right
            assert row.right <= layout.width and row.bottom <= layout.height
            assert not any(row.overlaps(plate.rect) for plate in scene.plates)


@pytest.mark.parametrize("game", ["dominoes", "matador"])
def test_by_ear_each_domino_lies_at_the_one_said_before_it_or_at_the_one_it_names(game: str) -> None:
    """Else nobody who listens could tell where the next arm begins. All of a line of Matador lies end to end."""
    table = next(table for table in steps(game, 3, 2) if len(table.match.state.tiles) > 15)
    seen, tiles = sight(table, 0), table.match.state.tiles
    names = {seen.words.card(laid.card, seen.view.faces): tile for tile, laid in enumerate(tiles)}
    by_card = {card_key(laid.card): tile for tile, laid in enumerate(tiles)}
    said = [(by_card[piece.key], piece.label) for piece in DominoBoard().scene(seen, None).pieces if piece.key in by_card]
    joined = {tuple(sorted((tile, tile_and_side(laid.place)[0]))) for tile, laid in enumerate(tiles) if laid.place != LEAD}
    heard = {tuple(sorted((tile, names[label.split(", at the ")[1]] if ", at the " in label else before)))
             for (before, _), (tile, label) in pairwise(said)}
    assert heard == joined
    named = [label for _, label in said if ", at the " in label]
    assert bool(named) == (game == "dominoes") and len(named) < len(said) / 2


@pytest.mark.parametrize(("game", "seats"), [("dominoes", 6), ("matador", 8), ("tiddle-a-wink", 6), ("tiddle-a-wink", 10)])
def test_rows_of_many_seats_are_high_at_a_desk(game: str, seats: int) -> None:
    """One under another below the table most of them were 28 px high, and the table was small for them."""
    table = next(table for table in steps(game, seats, 1, most=400) if table.match.state.phase in (COUNTED, OVER))
    scene = DominoBoard().scene(sight(table, 0, Layout(1280, 688)), None)
    assert scene.window is not None
    assert all(zone.rect.height > 34 for zone, hand in zip(scene.zones, table.match.state.hands, strict=True) if hand)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_counted_round_uses_the_width_of_a_desk(seats: int) -> None:
    """Under the seats, too, so that the hands that are counted are large."""
    table = next(table for table in steps("dominoes", seats, 1, most=400) if table.match.state.phase in (COUNTED, OVER))
    seen = sight(table, 0, Layout(944, 690))
    scene = DominoBoard().scene(seen, None)
    rows = [zone.rect for zone in scene.zones]
    assert max(row.right for row in rows) - min(row.x for row in rows) > 0.75 * 944
    assert ("other hands" in scene.note) == (seats > 2) and "other hand" in scene.note


def test_hands_of_eight_seats_are_counted_in_two_columns_beside_the_seats() -> None:
    table = next(table for table in steps("tiddle-a-wink", 8, 1, most=400) if table.match.state.phase in (COUNTED, OVER))
    scene = DominoBoard().scene(sight(table, 0, Layout(944, 690)), None)
    assert len({zone.rect.x for zone in scene.zones}) == 2 and min(zone.rect.height for zone in scene.zones) > 30


@pytest.mark.parametrize("seats", [6, 7, 10])
def test_rows_in_two_columns_are_read_down_one_and_then_the_other_and_stand_in_line(seats: int) -> None:
    """And what lies in each lies in its own."""
    game = "matador" if seats == 7 else "tiddle-a-wink"
    table = next(table for table in steps(game, seats, 1, most=400) if table.match.state.phase in (COUNTED, OVER))
    seen, room, deep = sight(table, 0, Layout(1280, 688)), Rect(0, 400, 1100, 280), (seats + 1) // 2
    rows = [zone.rect for zone in counted_rows(seen, room, 2, drawing).zones]
    assert len(rows) == seats and len({row.x for row in rows}) == 2
    assert all(above.bottom < below.y for column in (rows[:deep], rows[deep:]) for above, below in pairwise(column))
    assert all(left.y == right.y and left.right < right.x for left, right in zip(rows, rows[deep:], strict=False))
    assert all(row.x >= room.x and row.right <= room.right and row.y >= room.y and row.bottom <= room.bottom for row in rows)
    shown = {piece.key: piece for piece in counted_rows(seen, room, 2, drawing).pieces}
    assert all(row.holds((shown[card_key(card)].x, shown[card_key(card)].y))
               for row, hand in zip(rows, table.match.state.hands, strict=True) for card in hand)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_no_face_is_seen_by_who_may_not_know_it_through_whole_rounds(game: str, seats: int) -> None:
    board = DominoBoard()
    rounds = set()
    for table in steps(game, seats, seed=seats, most=130):
        rounds.add(table.match.state.phase)
        for seat in (None, *range(seats)):
            seen = sight(table, seat)
            scene = board.scene(seen, board.draft(seen) if seen.may_act else None)
            check_faces(scene, seen, table.match.knowledge)
            check_form(scene, seen)
            check_reach(scene, seen)
    assert PLAYING in rounds


def test_ten_seats_leave_room_for_the_table_on_a_small_phone() -> None:
    _, board, seen, draft = find("tiddle-a-wink", 10, lambda draft: True)
    scene = board.scene(seen, draft)
    assert len(scene.plates) == 10 and scene.window is not None and scene.window.height > 200
    assert max(plate.rect.bottom for plate in scene.plates) <= scene.window.y
    assert all(piece.y > scene.window.bottom for piece in scene.pieces if piece.row == "hand")


@pytest.mark.parametrize("count", [1, 5, 9, 14, 22, 40, 60])
@pytest.mark.parametrize("width", [290.0, 600.0])
def test_a_hand_of_any_size_lies_on_the_tray(count: int, width: float) -> None:
    room = Rect(60, 400, width, 120)
    rows = hand_rows(count, room)
    wide, lies = rows.piece_width, hand_lies(count, room, rows)
    assert len(lies) == count == len({(lie.x, lie.y) for lie in lies})
    for lie in lies:
        across, down = (wide, wide / 2) if lie.turn else (wide / 2, wide)
        assert room.x - 1 <= lie.x - across and lie.x + across <= room.right + 1
        assert room.y - 8 <= lie.y - down and lie.y + down <= room.bottom + 12


def test_many_dominoes_of_a_hand_lie_on_their_sides_where_they_are_larger_so() -> None:
    """Their high halves are left then; few stand upright."""
    room = Rect(44, 0, 340, 118)
    few, many = hand_rows(7, room), hand_rows(14, room)
    assert few.turn == 0 and few.rows == 1
    assert many.turn == 270 and many.rows > 1 and many.width > 1.1 * 24, "upright they would be 24 px"
    lies = hand_lies(14, room, many)
    gaps = [after.x - before.x for before, after in pairwise(lies) if after.y == before.y]
    assert min(gaps) > 2 * many.width


def test_a_hand_is_not_turned_round_and_round_as_it_gets_smaller_and_larger() -> None:
    """On a phone, many that lie on their sides go on doing so however few they get; few stand until their dots could not be
    counted any more."""
    room = Rect(44, 0, 338, 118)
    assert hand_rows(8, room).turn == hand_rows(2, room).turn == 0, "without a hand before"
    turn, turns = 0.0, []
    for count in (*range(5, 15), *range(13, 1, -1)):
        rows = hand_rows(count, room, turn)
        turn = rows.turn
        turns.append(turn)
        assert rows.width > 29
    assert (turns[0], turns[-1]) == (0, 270) and sum(one != other for one, other in pairwise(turns)) == 1
    assert hand_rows(6, Rect(44, 0, 560, 80), 0).turn == 270, "on a phone held sideways they would be half as large"


def test_a_board_remembers_through_a_round_how_a_hand_lay() -> None:
    """And begins anew with a screen of another width: a hand that lay small would stay so on a large one."""
    upright, lying, higher = (Layout(*size, 16, touch=True) for size in ((390, 600), (844, 300), (844, 560)))
    table = next(table for table in steps("dominoes", 2, 5) if table.match.state.phase == PLAYING
                 and len(table.match.state.hands[0]) == 6)

    def turn(board: DominoBoard, layout: Layout) -> float:
        scene = board.scene(sight(table, 0, layout), None)
        return next(piece.turn for piece in scene.pieces if piece.row == "hand")
    board = DominoBoard()
    assert [turn(DominoBoard(), layout) for layout in (upright, lying)] == [0, 270]
    assert turn(DominoBoard(), higher) == 0
    assert [turn(board, layout) for layout in (lying, higher)] == [270, 270], "nearly as large, so it need not turn"
    assert turn(board, upright) == 0
    table.match.state.round += 1
    assert turn(board, higher) == 0, "a new round begins anew"


def test_a_hand_of_nine_is_large_on_a_phone() -> None:
    table = next(table for table in steps("dominoes", 2, 4, options={"set": 12}) if table.match.state.phase == PLAYING
                 and len(table.match.state.hands[0]) == 9)
    scene = DominoBoard().scene(sight(table, 0, Layout(390, 600, 16, touch=True)), None)
    assert min(piece.width for piece in scene.pieces if piece.row == "hand") > 33


def test_a_domino_is_turned_so_that_its_touching_half_touches() -> None:
    right = TilePlacement(0, 0, (1, 0))
    assert rotation(LaidTile(0, 0, 6, 2), right) == 270, "the high half, drawn above, points back to the left"
    assert rotation(LaidTile(0, 0, 2, 6), right) == 90
    assert rotation(LaidTile(0, 0, 6, 2), TilePlacement(0, 0, (0, 1))) == 0
    assert Layout(390, 600).narrow


@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_cards_that_others_draw_fly_beside_their_name_and_not_onto_it(layout: Layout) -> None:
    table = seated("dominoes", 3, 1)
    check_flights(drawn(DominoBoard(), sight(table, 0, layout)), layout)
