"""The table of Teeth: what a seat sees of a column, and how a card is placed and a column called."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product
from random import Random

import pytest

from tabletin.board.scene import Layout, Piece, Scene, card_key
from tabletin.games.teeth import art
from tabletin.games.teeth.board import TALL, TeethBoard
from tabletin.games.teeth.draft import TeethDraft
from tabletin.games.teeth.feats import terms
from tabletin.games.teeth.state import COUNTED, ColumnScore, TeethState
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tabletin.words import figure, load
from tabletin.words.wording import Wording
from tests.support.board_tables import DESK, PHONE, SIDEWAYS, board_of, seated, sight
from tests.support.scene_checks import check_form


def looked(table: Table, seat: int | None) -> tuple[Scene, TeethDraft | None]:
    board = board_of("teeth")
    assert isinstance(board, TeethBoard)
    seen = sight(table, seat, PHONE)
    draft = board.draft(seen) if seen.may_act else None
    return board.scene(seen, draft), draft


def after_draw(table: Table) -> tuple[int, Callable[[str, str, str], None]]:
    """The seat whose turn it is, which draws; and what gives its own card of the first column, the middle card and the one drawn
    their faces."""
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    state: TeethState = table.match.state
    column, card = state.columns[0], state.drawn_card
    assert column is not None and card is not None

    def show(own: str, middle: str, drawn: str) -> None:
        table.match.knowledge.update({column.owns[seat]: own, card: drawn})
        state.public[column.middle] = middle

    return seat, show


def desk_scene(table: Table, seat: int, layout: Layout) -> Scene:
    seen = sight(table, seat, layout)
    return board_of("teeth").scene(seen, board_of("teeth").draft(seen))


def test_cards_grow_with_a_large_desk() -> None:
    table = under_way(columns=3)
    column, seat = table.match.state.columns[0], table.match.state.turn
    desks = Layout(944, 636), Layout(1584, 880)
    small, large = (piece_of(desk_scene(table, seat, layout), column.middle).width for layout in desks)
    assert large > 1.3 * small


def piece_of(scene: Scene, card: int | None) -> Piece:
    assert card is not None
    return next(piece for piece in scene.pieces if piece.key == card_key(card))


def test_each_seat_sees_its_own_row_and_nobody_the_other() -> None:
    table = seated("teeth", 2, 4)
    state: TeethState = table.match.state
    for seat in (0, 1, None):
        scene, _ = looked(table, seat)
        shown = {piece.key for piece in scene.pieces if piece.drawing.shows is not None}
        for column in state.columns:
            assert column is not None
            open_now = {column.middle} if seat is None else {column.middle, column.owns[seat]}
            assert {card for card in column.cards if card_key(card) in shown} == open_now
        said = [label.speech for label in scene.labels if label.key.startswith("mine")]
        other = table.match.setup.seats[1 - (seat or 0)].name
        assert len(said) == (0 if seat is None else 3)
        assert all(f", minus {other}’s card, limit 18" in speech for speech in said), said


def test_a_column_is_picked_before_it_is_called() -> None:
    table = seated("teeth", 2, 4)
    state: TeethState = table.match.state
    seat = state.turn
    scene, draft = looked(table, seat)
    assert draft is not None
    assert [control.label for control in scene.controls if control.primary] == ["Draw"]
    column = state.columns[0]
    assert column is not None
    assert isinstance(draft.tap(card_key(column.middle)), Refusal)
    assert draft.tap("call1") is None
    picked = board_of("teeth").scene(sight(table, seat), draft)
    assert [control.label for control in picked.controls if control.primary] == ["Call column 2"]
    assert draft.tap("call") == ("call", 1)
    while state.pile:
        for verb in ("draw", "discard"):
            table.move(table.match.state.turn, (verb,))
        state = table.match.state
    emptied, _ = looked(table, state.turn)
    assert not emptied.controls, "there is nothing to draw, and only places to call"


def test_the_place_to_call_a_column_holds_its_word_where_text_is_very_large() -> None:
    table = seated("teeth", 2, 4)
    seen = sight(table, table.match.state.turn, Layout(390, 430, 32, touch=True))
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    calls = [spot for spot in scene.spots if spot.text]
    assert len(calls) == 3
    for before, after in pairwise(calls):
        assert before.width >= 90 and before.x + before.width / 2 < after.x - after.width / 2


@pytest.mark.parametrize("layout", [DESK, Layout(944, 636), PHONE, Layout(390, 430, 32, touch=True)])
def test_the_closed_card_stands_in_each_sum_as_its_small_back_with_the_sign_that_it_bears(layout: Layout) -> None:
    """TE-1: before any card was placed, too, and never without saying that the other's card is still to be taken off."""
    table = seated("teeth", 2, 4)
    seen = sight(table, table.match.state.turn, layout)
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    mine, theirs = ([label.text for label in scene.labels if label.key.startswith(side)] for side in ("mine", "theirs"))
    assert len(mine) == len(theirs) == 3
    assert all(re.search(r"\d − ▯$", text) for text in mine)
    assert all(re.search(r"(^|: )▯( [+−] \d|$)", text) for text in theirs), "what is added to it comes after it"
    signs = {label.key: (label.x, label.y) for label in scene.labels if label.text == "?"}
    for at, column in enumerate(table.match.state.columns):
        closed = piece_of(scene, column.owns[1 - table.match.state.turn])
        assert signs.pop(f"unknown{at}") == (closed.x, closed.y)
    assert not signs


def test_the_sign_of_a_closed_card_stands_on_what_is_seen_of_it() -> None:
    """Other cards may lie on it; and once it is known nothing stands there."""
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    table.move(seat, ("double", 1))
    column = table.match.state.columns[1]
    scene = board_of("teeth").scene(sight(table, 1 - seat, PHONE), None)
    closed, added = piece_of(scene, column.owns[seat]), piece_of(scene, column.extras[seat][0])
    sign = next(label for label in scene.labels if label.key == "unknown1")
    assert closed.y - closed.width * TALL / 2 < sign.y < added.y - added.width * TALL / 2
    table.match.knowledge[column.owns[seat]] = "5C"
    assert not any(label.text == "?" for label in board_of("teeth").scene(sight(table, None, PHONE), None).labels)


def test_in_very_large_text_totals_leave_the_place_to_call_free() -> None:
    table = seated("teeth", 2, 4)
    scene = desk_scene(table, table.match.state.turn, Layout(390, 560, 32, touch=True))
    totals_at = [label.y for label in scene.labels if label.key.startswith("mine")]
    calls = [spot.y - spot.height / 2 for spot in scene.spots if spot.text]
    assert len(totals_at) == len(calls) == 3
    assert max(totals_at) + 0.055 * 390 / 2 <= min(calls) + 2, "letters are no higher than that there"


def test_the_drawn_card_has_its_places_and_only_its_drawer_sees_it() -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    drawn = card_key(table.match.state.drawn_card)
    scene, draft = looked(table, seat)
    assert draft is not None
    assert {spot.key for spot in scene.spots} == {"discard", *(f"{verb}{at}" for verb in ("replace", "double")
                                                              for at in range(3))}
    assert draft.drop(drawn, "double2") == ("double", 2)
    faces = {other: next(piece for piece in looked(table, other)[0].pieces if piece.key == drawn).drawing.shows
             for other in (seat, 1 - seat)}
    assert faces[seat] is not None and faces[1 - seat] is None


@pytest.mark.parametrize(("hinted", "label"), [
    (("replace", 0), "Into column 1"), (("double", 2), "Under column 3"), (("discard",), "Discard")])
def test_the_place_that_a_hint_laid_out_is_the_primary_button(hinted: Move, label: str) -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    scene, draft = looked(table, seat)
    assert draft is not None and not any(control.primary for control in scene.controls)
    draft.compose(hinted)
    after = board_of("teeth").scene(sight(table, seat), draft)
    offered = [control for control in after.controls if control.primary]
    assert [control.label for control in offered] == [label]
    assert draft.tap(offered[0].key) == hinted


def test_a_place_shows_what_the_column_would_come_to() -> None:
    """TE-1: own side + middle − the other's closed card; an ace may be 1 or 11."""
    table = seated("teeth", 2, 4)
    seat, show = after_draw(table)
    for own, middle, drawn, doubled, replaced in (("6D", "9H", "7C", "22", "13"), ("6D", "9H", "AC", "16 or 26", "7 or 17"),
                                                  ("6D", "9H", "joker", "11", "2")):
        show(own, middle, drawn)
        scene, _ = looked(table, seat)
        found = {spot.key: spot for spot in scene.spots}
        shown = [found[key].points.split("\n")[0] for key in ("double0", "replace0")]
        assert [text.removeprefix("You: ").removeprefix("Ann: ").removeprefix("Ben: ") for text in shown] == [
            f"{total} − ▯" for total in (doubled, replaced)], "22 alone looks like bust"
        other = "Ann" if seat else "Ben"
        assert scene.note == f"Tap a place. The ? is {other}’s hidden card: it still comes off."
        assert f"You then have: {doubled}, minus {other}’s card. {other} then has: " in found["double0"].label
        assert not found["discard"].points


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("layout", [Layout(844, 636, touch=True), Layout(690, 590, touch=True)])
def test_on_a_tablet_held_sideways_seats_and_piles_stand_beside_the_columns_and_cards_are_larger(
    layout: Layout, columns: int,
) -> None:
    """With the log beside it the stage is hardly wider than high."""
    table = under_way(columns=columns)
    seat = table.match.state.turn
    scene = desk_scene(table, seat, layout)
    left = min(zone.rect.x for zone in scene.zones if zone.key.startswith("column"))
    assert all(plate.rect.right <= left for plate in scene.plates)
    column = table.match.state.columns[0]
    below = desk_scene(table, seat, replace(layout, width=layout.height * 1.1))
    assert piece_of(scene, column.middle).width > 1.1 * piece_of(below, column.middle).width


@pytest.mark.parametrize("layout", [Layout(944, 636), Layout(1280, 620)])
def test_on_a_desk_what_a_place_would_bring_stands_beside_it_and_covers_no_card(layout: Layout) -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    assert not [label for label in desk_scene(table, seat, layout).labels if label.key.startswith("after")]
    table.move(seat, ("draw",))
    table.match.knowledge[table.match.state.drawn_card] = "AC"
    scene, phone = desk_scene(table, seat, layout), looked(table, seat)[0]
    for at, verb in product(range(3), ("replace", "double")):
        label = next(label for label in scene.labels if label.key == f"after-{verb}{at}")
        spot = next(spot for spot in scene.spots if spot.key == f"{verb}{at}")
        mat = next(zone.rect for zone in scene.zones if zone.key == f"column{at}")
        right = label.x + len(label.text) * 9.9
        assert spot.x + spot.width / 2 < label.x and right < mat.right and abs(spot.y - label.y) < spot.height / 2
        assert not spot.points and label.text.endswith("− ▯")
        assert all(abs(other.y - label.y) > 18 for other in scene.labels if other is not label and label.x <= other.x <= right)
        assert next(found for found in phone.spots if found.key == spot.key).points


@pytest.mark.parametrize("layout", [Layout(390, 560, 16, touch=True), Layout(390, 688, 16, touch=True)])
def test_on_a_phone_what_a_place_would_bring_covers_no_card(layout: Layout) -> None:
    """It stands at the foot of its place, below the cards there, and all that moves for it stays in the mat."""
    table = seated("teeth", 2, 4)
    table.move(table.match.state.turn, ("call", 2))
    drawer = table.match.state.turn
    before = desk_scene(table, drawer, layout)
    table.move(drawer, ("draw",))
    scene = desk_scene(table, drawer, layout)
    for at, verb in product(range(2), ("replace", "double")):
        column = table.match.state.columns[at]
        card = piece_of(scene, column.middle if verb == "replace" else column.owns[drawer])
        spot = next(spot for spot in scene.spots if spot.key == f"{verb}{at}")
        foot = spot.y + spot.height / 2
        assert spot.points and foot - (card.y + card.width * TALL / 2) >= 22, "a line of small letters with its edges"
        assert spot.y - spot.height / 2 <= card.y - card.width * TALL / 2
        assert card.width == piece_of(before, column.middle).width
    was, now = ({label.key: label.text for label in found.labels} for found in (before, scene))
    assert [was["mine0"], was["mine1"]] == ["11 or 21 − ▯", "16 − ▯"]
    assert [now["mine0"], now["mine1"]] == ["now 11/21 − ▯", "now 16 − ▯"], "above it stands what it may become"
    below = [label for label in scene.labels if label.key.startswith(("mine", "won"))]
    assert len(below) == 4
    for label in below:
        mat = next(zone.rect for zone in scene.zones if zone.key == f"column{label.key[-1]}")
        assert label.y + 8 <= mat.bottom


def test_the_drawn_card_lies_beside_the_cards_of_the_first_column_on_a_desk() -> None:
    """It once lay at the other side of the table, words and all between it and its places."""
    table = seated("teeth", 2, 4)
    drawer = table.match.state.turn
    table.move(drawer, ("draw",))
    for layout in (Layout(944, 636), Layout(1280, 636), Layout(1600, 736)):
        scene = desk_scene(table, drawer, layout)
        drawn = piece_of(scene, table.match.state.drawn_card)
        near, far = (piece_of(scene, table.match.state.columns[at].middle) for at in (0, 2))
        assert drawn.x < near.x and near.x - drawn.x < 1.5 * drawn.width + 20
        assert far.x - drawn.x < layout.width * 0.72
        own = piece_of(scene, table.match.state.columns[0].owns[drawer])
        assert abs(drawn.y - own.y) < 0.5 * own.width * TALL, "beside one's own cards"
        bottom = drawn.y + drawn.width * TALL / 2
        assert scene.hand is not None and 1.5 * layout.rem < scene.hand.bottom - bottom < 2.5 * layout.rem, "over the buttons"


@pytest.mark.parametrize(("language", "mine", "theirs"), [
    ("en", "added by you in column 1", "added by {other} in column 1"),
    ("de", "von dir in Spalte 1 dazugelegt", "von {other} in Spalte 1 dazugelegt"),
])
def test_a_card_added_says_who_added_it(language: str, mine: str, theirs: str) -> None:
    """To the reader as well: it once said "added by You" and, in German, "von Du"."""
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    for _ in range(2):
        table.move(table.match.state.turn, ("draw",))
        table.move(table.match.state.turn, ("double", 0))
    seen = replace(sight(table, seat), words=Wording(load(language), table.match.setup, seat))
    said = [piece.label for piece in board_of("teeth").scene(seen, None).pieces]
    wanted = mine, theirs.format(other=seen.words.seat(1 - seat))
    assert [sum(label.endswith(words) for label in said) for words in wanted] == [1, 1]


def under_way(own: str = "6D", middle: str = "9H", *, columns: int = 1) -> Table:
    """The first columns with a middle card that was put there; the seat that begins is to draw or call again."""
    table = seated("teeth", 2, 4, options={"columns": 2 if columns == 2 else 3})
    seat = table.match.state.turn
    for at in range(columns):
        for verb in (("replace", at), ("discard",)):
            table.move(table.match.state.turn, ("draw",))
            table.move(table.match.state.turn, verb)
    state: TeethState = table.match.state
    assert state.turn == seat
    for column in state.columns:
        assert column is not None
        table.match.knowledge.update({column.owns[seat]: own, column.middle: middle})
        state.public[column.middle] = middle
    return table


def totals(scene: Scene) -> list[str]:
    return [label.key for label in scene.labels if label.key.startswith(("mine", "theirs"))]


@pytest.mark.parametrize("layout", [PHONE, Layout(944, 636), Layout(668, 342, 16, touch=True)])
def test_what_both_have_stands_in_every_column_whenever_it_is_decided(layout: Layout) -> None:
    """From the first turn on, and while a card is placed: a sum that had to be worked out in the head was a riddle to a child."""
    fresh, board = seated("teeth", 2, 4), board_of("teeth")
    wanted = {f"{side}{at}" for at in range(3) for side in ("mine", "theirs")}
    seat = fresh.match.state.turn
    for verb, note in ((None, "Only you see your cards. Draw, or call a column."), ("draw", None), ("discard", None)):
        if verb:
            fresh.move(seat, (verb,))
        seen = sight(fresh, seat, layout)
        scene = board.scene(seen, board.draft(seen) if seen.may_act else None)
        assert set(totals(scene)) == wanted
        assert note is None or scene.note == note
    table = under_way()
    seen = sight(table, table.match.state.turn, layout)
    draft = board.draft(seen)
    assert isinstance(draft, TeethDraft)
    assert " discarded " in board.scene(seen, draft).note
    draft.tap("call1")
    assert board.scene(seen, draft).note.startswith("You win if ")


@pytest.mark.parametrize(("own", "drawn", "lines"), [
    ("6D", "7C", ["22 − ▯", "▯ must be 4+", "{other}: ▯ − 4"]),
    ("6D", "4C", ["19 − ▯", "{other}: ▯ − 1"]),  # a joker alone would be too little
    ("6D", "3C", ["18 − ▯", "{other}: ▯"]),
])
@pytest.mark.parametrize("layout", [Layout(390, 732, touch=True), PHONE, Layout(944, 636)])
def test_a_place_tells_what_both_would_have_and_from_which_hidden_card_it_is_not_bust(
        layout: Layout, own: str, drawn: str, lines: list[str]) -> None:
    """TE-1, TE-2: to push the other over the limit is a good move, too, and could not be seen."""
    table = seated("teeth", 2, 4)
    seat, show = after_draw(table)
    show(own, "9H", drawn)
    scene = desk_scene(table, seat, layout)
    place = next(spot for spot in scene.spots if spot.key == "double0")
    told = place.points.split("\n") if place.points else [label.text for label in scene.labels
                                                          if label.key.partition(".")[0] == "after-double0"]
    me, other = ("Ben", "Ann") if seat else ("Ann", "Ben")
    few = 2 if layout is PHONE else 3  # in little room three lines would be too small to be read
    assert [told[0].removeprefix(f"{me}: "), *told[1:]] == [line.format(other=other) for line in lines][:few]


@pytest.mark.parametrize("joker", ["-4", "5"])
def test_a_place_that_is_bust_whatever_the_hidden_card_is_says_so(joker: str) -> None:
    table = seated("teeth", 2, 4, options={"joker": int(joker)})
    seat, show = after_draw(table)
    show("KD", "9H", "KC")
    place = next(spot for spot in desk_scene(table, seat, PHONE).spots if spot.key == "double0")
    assert place.points.split("\n")[0] == "35 − ▯" and place.points.split("\n")[1] == "bust"


@pytest.mark.parametrize(("layout", "needs"), [(PHONE, "▯ must be 7+"), (SIDEWAYS, "needs 7+"), (DESK, "▯ must be 7+")])
def test_a_total_over_the_limit_says_so_before_its_column_is_called(layout: Layout, needs: str) -> None:
    """25 looked splendid."""
    table = seated("teeth", 2, 4)
    seat, column = table.match.state.turn, table.match.state.columns[0]
    assert column is not None
    table.match.knowledge.update({column.owns[seat]: "KD", column.middle: "QH"})
    table.match.state.public[column.middle] = "QH"
    said = {label.key: label for label in desk_scene(table, seat, layout).labels}
    assert said["remark-mine0"].text == needs
    assert said["remark-mine0"].y > said["mine0"].y


def test_a_best_turn_is_a_sum_of_cards_with_their_signs() -> None:
    """"Q 2 3 K 8" did not tell whose they were."""
    state = under_way().match.state
    state.last = ColumnScore(1, 0, 0, 1, "2H", (("3S", "KS"), ("QH", "8D")), (-6, 6), (False, False))
    assert terms(state) == [("", "QH"), ("+", "2H"), ("+", "8D"), ("−", "3S"), ("−", "KS")]


def test_two_columns_on_a_phone_have_their_words_beside_larger_cards() -> None:
    """As in the guide, where cards were smaller than with three columns."""
    layout = Layout(390, 590, 16.0, touch=True)
    widths, rights = [], []
    for columns in (2, 3):
        table = under_way(columns=columns)
        scene = desk_scene(table, table.match.state.turn, layout)
        column = table.match.state.columns[0]
        assert column is not None
        card = piece_of(scene, column.middle)
        widths.append(card.width)
        rights.append(next(spot for spot in scene.spots if spot.key == "call0").x > card.x + card.width / 2)
    assert rights == [True, False] and widths[0] > 1.2 * widths[1]


def crowded(counts: tuple[int, int], columns: int = 3) -> Table:
    """A match in which so many cards were added on either side of the first column, and one on the second."""
    table = seated("teeth", 2, 4, options={"columns": columns})
    left = {seat: [0] * counts[seat] + [1] for seat in range(2)}
    while any(left.values()):
        seat = table.match.state.turn
        table.move(seat, ("draw",))
        table.move(seat, ("double", left[seat].pop()) if left[seat] else ("discard",))
    return table


@pytest.mark.parametrize("layout", [PHONE, Layout(390, 732, touch=True), Layout(944, 636), Layout(668, 342, 16, touch=True)])
@pytest.mark.parametrize("counts", [(13, 11), (3, 12), (5, 5)])
def test_however_many_cards_lie_in_a_column_the_corner_of_each_is_seen(layout: Layout, counts: tuple[int, int]) -> None:
    """They were stripes of 3 px on a phone, and so were those of other columns."""
    table = crowded(counts)
    scene = board_of("teeth").scene(sight(table, 0, layout), None)
    mats = {zone.key[-1]: zone.rect for zone in scene.zones if zone.key.startswith("column")}
    for at, column in enumerate(table.match.state.columns):
        assert column is not None
        for seat in range(2):
            cards = [piece_of(scene, card) for card in (column.owns[seat], *column.extras[seat])]
            for number, card in enumerate(cards):
                left, top = card.x - card.width / 2, card.y - card.width * TALL / 2
                for over in cards[number + 1:]:
                    right, down = over.x - over.width / 2 - left, over.y - over.width * TALL / 2 - top
                    assert right >= 0.39 * card.width or down >= 0.199 * card.width * TALL
                mat = mats[str(at)]
                assert mat.x <= left and left + card.width <= mat.right
    few = table.match.state.columns[1]
    assert few is not None
    own, added = piece_of(scene, few.owns[0]), piece_of(scene, few.extras[0][0])
    assert added.x == own.x and added.y - own.y >= 0.27 * own.width * TALL, "a column has its own step"


@pytest.mark.parametrize("layout", [Layout(390, 732, touch=True), Layout(944, 636)])
def test_columns_bear_the_numbers_by_which_sentences_call_them_clear_of_cards_and_words(layout: Layout) -> None:
    table = under_way(columns=3)
    seen = sight(table, table.match.state.turn, layout)
    scene = board_of("teeth").scene(seen, None)
    mats = {zone.key[-1]: zone.rect for zone in scene.zones if zone.key.startswith("column")}
    numbers = {label.text: label for label in scene.labels if label.key.startswith("number")}
    assert list(numbers) == ["1", "2", "3"]
    for text, number in numbers.items():
        mat = mats[str(int(text) - 1)]
        assert mat.x < number.x - 5 and number.x + 5 < mat.right and mat.y < number.y < mat.bottom
        for piece in scene.pieces:
            beside = abs(piece.x - number.x) >= piece.width / 2 + 4
            assert beside or abs(piece.y - number.y) >= piece.width * TALL / 2 + 8, piece.key
        assert all(abs(other.y - number.y) >= 14 for other in scene.labels if other.key.startswith(("mine", "theirs")))


def test_the_rule_stands_where_the_drawn_card_comes_to_lie() -> None:
    table, board = seated("teeth", 2, 4), board_of("teeth")
    drawer = table.match.state.turn
    other = "Ann" if drawer else "Ben"
    wanted = ["Your cards + middle", f"minus {other}’s cards", "The higher sum wins", "Over 18 is bust"]
    for layout, more in ((PHONE, []), (DESK, ["Think you’ll win? Call!"])):
        scene = board.scene(sight(table, drawer, layout), None)
        assert [label.text for label in scene.labels if label.key.startswith("rule")] == [*wanted, *more]
    for layout, look, closer in ((PHONE, "small", 0.9), (DESK, "plain", 1.0)):  # a desk has room for words of a usual size
        table.match.state.round = 1
        rule = [label for label in board.scene(sight(table, drawer, layout), None).labels if label.key.startswith("rule")]
        table.match.state.round = 2
        known = [label for label in board.scene(sight(table, drawer, layout), None).labels if label.key.startswith("rule")]
        assert [label.text for label in known] == [label.text for label in rule]
        assert {label.kind for label in known} == {look}
        assert known[-1].y - known[0].y <= closer * (rule[-1].y - rule[0].y)
    table.match.state.round = 1
    for language in ("de", "fr", "es"):
        for layout in (Layout(390, 732, touch=True), Layout(944, 636)):
            seen = replace(sight(table, drawer, layout), words=Wording(load(language), table.match.setup, drawer))
            lines = sum(label.key.startswith("rule") for label in board.scene(seen, None).labels)
            assert lines == (4 if layout.touch else 5), language
    tiny = board.scene(sight(table, drawer, Layout(390, 430, 32, touch=True)), None)
    assert [label.text for label in tiny.labels if label.key in ("limit", "rule0")] == ["Limit 18"]


@pytest.mark.parametrize("layout", [PHONE, Layout(390, 640, 16, touch=True), DESK, Layout(1000, 640)])
def test_no_words_lie_where_a_drawn_card_lies(layout: Layout) -> None:
    """From when it is drawn, as it is on its way then: for who draws, for the other, and for who looks on."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    table.move(table.match.state.turn, ("draw",))
    for seat in (0, 1, None):
        scene = board.scene(sight(table, seat, layout), None)
        card = piece_of(scene, table.match.state.drawn_card)
        half = card.width * TALL / 2
        for label in scene.labels:
            beside = abs(label.x - card.x) > card.width / 2 + 20
            assert beside or label.y + 8 <= card.y - half or label.y - 8 >= card.y + half, (seat, label)


@pytest.mark.parametrize("layout", [Layout(944, 636), Layout(1280, 636), Layout(390, 732, touch=True)])
@pytest.mark.parametrize("own", ["6D", "AC"])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_a_column_comes_to_stands_within_its_mat(language: str, own: str, layout: Layout) -> None:
    """TE-1: an ace is 1 or 11, so there are two totals then."""
    table = under_way(own, columns=3)
    seen = sight(table, table.match.state.turn, layout)
    seen = replace(seen, words=Wording(load(language), table.match.setup))
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    mats = {zone.key[-1]: zone.rect for zone in scene.zones if zone.key.startswith("column")}
    shown = [label for label in scene.labels if label.key.startswith(("mine", "theirs", "made"))]
    assert sum(label.key.startswith("mine") for label in shown) == len(mats) == 3
    for label in shown:
        mat = mats[label.key.removeprefix("made-").removeprefix("mine").removeprefix("theirs")[0]]
        letter = {"big": 17.6, "total": 9.9, "plain": 6.9}.get(label.kind, 7.5)  # px, as measured on a page
        wide = len(label.text) * letter
        left = label.x - wide / (1 if label.anchor == "end" else 2)
        assert mat.x <= left and left + wide <= mat.right, label
    assert all(before.right + 5 <= after.x for before, after in pairwise(sorted(mats.values())))


def test_both_totals_of_an_ace_stand_in_words() -> None:
    """TE-1: an ace is 1 or 11; where there is no room for a word between the two, a stroke stands there."""
    for layout, columns, said in ((Layout(1000, 640, 16), 3, "10 or 20 − ▯"), (Layout(390, 560, 16), 3, "10 or 20 − ▯"),
                                  (Layout(390, 560, 16), 6, "10/20 − ▯")):
        table = seated("teeth", 2, 4, options={"columns": columns})
        seat, state = table.match.state.turn, table.match.state
        column = state.columns[0]
        assert column is not None
        table.match.knowledge.update({column.owns[seat]: "AC", column.middle: "9H"})
        state.public[column.middle] = "9H"
        seen = sight(table, seat, layout)
        scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
        assert " ".join(label.text for label in scene.labels if label.key in ("first-mine0", "mine0")) == said


@pytest.mark.parametrize(("own", "middle", "mine", "theirs"), [
    ("AC", "3H", "14 − ▯", "▯ + 2"),  # 14 and a joker are 18; what is added to it may be no more than 15
    ("AC", "4H", "5 or 15 − ▯", "▯ + 3"),
    ("3C", "AH", "14 − ▯", "▯ − 2 or + 8"),
])
def test_of_an_ace_two_totals_stand_there_only_where_the_closed_card_may_make_either_the_better_one(
        own: str, middle: str, mine: str, theirs: str) -> None:
    """TE-1: "0/10 − ?" was a riddle, as 10 is always the better one."""
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    with_faces(table, seat, 0, {"mine": own, "middle": middle, "theirs": "5H"})
    del table.match.knowledge[table.match.state.columns[0].owns[1 - seat]]
    shown = {label.key: label.text for label in looked(table, seat)[0].labels}
    assert (shown["mine0"], shown["theirs0"].partition(": ")[2] or shown["theirs0"]) == (mine, theirs)


def test_a_column_that_was_won_stays_to_be_seen_with_its_winner_until_the_round_is_over() -> None:
    """It once was an empty mat. While another column is played for it stands back."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    for at in range(3):
        caller = table.match.state.turn
        table.move(caller, ("call", at))
        scene = board.scene(sight(table, 0, PHONE), None)
        won = {label.key: label.text for label in scene.labels if label.key.startswith("won") and "." not in label.key}
        assert list(won) == [f"won{earlier}" for earlier in range(at + 1)]
        last = table.match.state.last
        assert last is not None and won[f"won{at}"] == f"{('Ann', 'Ben')[last.winner]} won"
        assert f"Column {at + 1}: {won[f'won{at}']}" in [label.speech for label in scene.labels]
        dim = {piece.key[3] for piece in scene.pieces if piece.key.startswith("was") and "past" in piece.flags}
        assert dim == ({str(earlier) for earlier in range(at)} if at < 2 else set())
        mine = next(label for label in scene.labels if label.key == f"mine{at}")
        assert mine.text == figure(last.totals[0]) + (" (bust)" if last.bust[0] else "")
    assert table.match.state.phase == COUNTED


def reckonings(scene: Scene) -> dict[str, str]:
    """What is told of how a column was counted, by look."""
    return {label.kind: label.text for label in scene.labels if label.key.startswith("reckoned")}


@pytest.mark.parametrize("layout", [PHONE, Layout(360, 500, 16, touch=True), Layout(390, 732, touch=True)])
def test_where_no_sum_stands_beside_its_cards_the_tray_tells_how_the_column_just_scored_came_about(layout: Layout) -> None:
    """TE-1: an ace counts 11 here and 1 there, which nobody saw from 17 to 7. It stays until somebody draws."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    caller = table.match.state.turn
    with_faces(table, caller, 1, {"mine": "JS", "middle": "7D", "theirs": "AH"})
    table.move(caller, ("call", 1))
    me, other = (("Ann", "Ben")[seat] for seat in (caller, 1 - caller))
    told = {"head": f"{me}: 11 + 7 − 1 = 17", "plain": f"{other}: 11 + 7 − 11 = 7"}
    scene = board.scene(sight(table, caller, layout), None)
    assert reckonings(scene) == told
    assert not any(label.key.startswith("rule") for label in scene.labels)
    assert not reckonings(board.scene(sight(table, caller, DESK), None)), "there it stands beside the cards"
    table.move(table.match.state.turn, ("draw",))
    assert not reckonings(board.scene(sight(table, caller, layout), None))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_is_told_of_a_column_lies_between_the_piles(language: str) -> None:
    table, board, layout = seated("teeth", 2, 4), board_of("teeth"), Layout(360, 500, 16, touch=True)
    caller = table.match.state.turn
    with_faces(table, caller, 0, {"mine": "KS", "middle": "QD", "theirs": "2H"})
    table.move(caller, ("call", 0))
    seen = replace(sight(table, caller, layout), words=Wording(load(language), table.match.setup, caller))
    scene = board.scene(seen, None)
    piles = {zone.key: zone.rect for zone in scene.zones if zone.key in ("pile-place", "heap-place")}
    lines = [label for label in scene.labels if label.key.startswith("reckoned")]
    assert [line.text.split("=")[0].strip()[-11:] for line in lines] == ["2 + 12 − 13", "13 + 12 − 2"]
    for line in lines:
        half = len(line.text) * (9 if line.kind == "head" else 7.5) / 2
        assert piles["pile-place"].right <= line.x - half and line.x + half <= piles["heap-place"].x
    assert 20 <= lines[1].y - lines[0].y <= 40 and all(abs(line.y - scene.hand.centre[1]) < 30 for line in lines if scene.hand)


def test_in_very_large_text_who_won_stands_in_two_lines_right_below_each_other() -> None:
    """Letters grow no further there than the width allows; there was a gap of a line between "Ada" and "gewinnt"."""
    table = seated("teeth", 2, 4)
    table.move(table.match.state.turn, ("call", 0))
    last = table.match.state.last
    assert last is not None
    for reader, told in ((None, ["Ann" if last.winner == 0 else "Ben", "gewinnt"]), (last.winner, ["Du", "gewinnst"])):
        seen = replace(sight(table, reader, Layout(320, 560, 32, touch=True)),
                       words=Wording(load("de"), table.match.setup, reader))
        lines = [label for label in board_of("teeth").scene(seen, None).labels if label.key.startswith("won0")]
        assert [line.text for line in lines] == told
        assert 16 <= lines[1].y - lines[0].y <= 27


def test_a_called_column_lies_open_with_both_totals() -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("call", 1))
    last = table.match.state.last
    assert last is not None
    scene = board_of("teeth").scene(sight(table, None, DESK), None)
    assert {piece.drawing.shows for piece in scene.pieces if piece.key.startswith("was")} == {
        last.middle, *last.sides[0], *last.sides[1]}
    assert last.sentence == "teeth.log.one_bust"
    name, (own, theirs) = ("Ann", "Ben")[last.winner], (last.totals[last.winner], last.totals[1 - last.winner])
    joker = " A joker counts −4 – taken off, that makes +4."
    assert scene.note == f"{name} won column 2 with {figure(own)}: {figure(theirs)} is bust." + joker
    assert "joker" in (*last.sides[0], *last.sides[1])
    shown = {label.key: label.text for label in scene.labels}
    mine, beyond = (figure(total) + (" (bust)" if bust else "") for total, bust in zip(last.totals, last.bust, strict=True))
    told = [" ".join(filter(None, (shown[side], shown.get(f"remark-{side}")))) for side in ("mine1", "theirs1")]
    assert [shown["name-mine1"], told[0], shown["name-theirs1"], told[1]] == ["Ann", mine, "Ben", beyond]


def with_faces(table: Table, seat: int, at: int, faces: dict[str, str]) -> None:
    """Column ``at`` with these faces: ``mine`` and ``middle``, and ``theirs`` and ``extra`` of the other seat."""
    state: TeethState = table.match.state
    column = state.columns[at]
    assert column is not None
    known = table.match.knowledge
    known.update({column.owns[seat]: faces["mine"], column.owns[1 - seat]: faces["theirs"]})
    state.public[column.middle] = known[column.middle] = faces["middle"]
    if "extra" in faces:
        extra = column.extras[1 - seat][0]
        state.public[extra] = known[extra] = faces["extra"]


@pytest.mark.parametrize(("layout", "said"), [
    (PHONE, {"theirs0": "Ben: ▯ + 3", "mine0": "15 − ▯"}),
    (Layout(944, 636), {"name-theirs0": "Ben", "made-theirs0.0": "5", "made-theirs0.1": "+ 9", "made-theirs0.2": "− 11",
                        "theirs0": "▯ + 3", "name-mine0": "Ann", "made-mine0.0": "11", "made-mine0.1": "+ 9",
                        "made-mine0.2": "− 5", "mine0": "15 − ▯"}),
    (Layout(944, 340), {"made-mine0.0": "11", "made-mine0.1": "+ 9", "made-mine0.2": "− 5", "mine0": "15 − ▯"}),
])
def test_the_closed_card_is_added_on_its_own_side_and_taken_off_on_the_other(layout: Layout, said: dict[str, str]) -> None:
    """TE-1: both sums with the one card that is not known, so that they can be compared. "−1 to 16" told nobody how it came."""
    table = seated("teeth", 2, 5)
    first = table.match.state.turn
    if first == 0:
        table.move(0, ("draw",))
        table.move(0, ("discard",))
    for verb in ("draw", "double"):
        table.move(1, (verb, 0) if verb == "double" else (verb,))
    with_faces(table, 0, 0, {"mine": "JS", "middle": "9C", "extra": "5D", "theirs": "QC"})
    seen = sight(table, 0, layout)
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    shown = {label.key: label.text for label in scene.labels}
    assert {key: shown.get(key) for key in said} == said
    spoken = next(label.speech for label in scene.labels if label.key == "theirs0")
    assert spoken == "Column 1, Ben: 3, plus Ben’s card, limit 18"


@pytest.mark.parametrize("layout", [PHONE, Layout(944, 636), Layout(668, 342, 16, touch=True), Layout(390, 560, 32, touch=True)])
@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_column_that_was_lost_by_a_tie_says_so_where_it_lies(language: str, layout: Layout) -> None:
    """TE-2: "Ada won" below a 4 and a 4 was a riddle; why stood in the log alone."""
    for faces, is_tie in (({"mine": "JS", "middle": "4D", "theirs": "JH"}, True),
                          ({"mine": "JS", "middle": "4D", "theirs": "7H"}, False)):
        table = seated("teeth", 2, 4)
        caller = table.match.state.turn
        with_faces(table, caller, 0, faces)
        table.move(caller, ("call", 0))
        last = table.match.state.last
        assert last is not None and last.is_lost_by_caller == is_tie and (last.winner != caller) == is_tie
        catalogue = load(language)
        seen = replace(sight(table, caller, layout), words=Wording(catalogue, table.match.setup, caller))
        scene = board_of("teeth").scene(seen, None)
        shown = {label.key: label.text for label in scene.labels}
        total = catalogue.text("teeth.board.tie", total="4") if is_tie else figure(last.totals[caller])
        for side in ("mine0", "theirs0") if is_tie else ("mine0",):
            assert " ".join(filter(None, (shown[side], shown.get(f"remark-{side}")))).endswith(total)
        below = [label for label in scene.labels if label.key.startswith("won0.")]
        lost = " " + catalogue.text("teeth.board.caller_loses") if is_tie else ""
        told = " ".join(label.text for label in scene.labels if label.key.startswith("won0"))
        won = seen.say("teeth.board.won", seat=last.winner)
        assert told == won + lost or (layout.low and told == won), "on a phone held sideways there may be no room for it"
        mat = next(zone.rect for zone in scene.zones if zone.key == "column0")
        above = next(label for label in scene.labels if label.key == "won0")
        mine = next(label for label in scene.labels if label.key == "mine0")
        assert above.y - mine.y >= 18 and all(label.y + 8 <= mat.bottom for label in below)
        assert all(after.y - before.y >= 15 for before, after in pairwise((above, *below)))


@pytest.mark.parametrize("layout", [Layout(390, 540, 32, touch=True), Layout(944, 636), PHONE])
def test_no_line_below_a_column_lies_on_another(layout: Layout) -> None:
    """Letters there are no higher than 0.055 of the width, where text is very large for it."""
    table = seated("teeth", 2, 4)
    caller = table.match.state.turn
    with_faces(table, caller, 0, {"mine": "JS", "middle": "4D", "theirs": "JH"})
    table.move(caller, ("call", 0))
    labels = board_of("teeth").scene(sight(table, caller, layout), None).labels
    lines = sorted(label.y for label in labels if label.key.startswith(("mine0", "remark-mine0", "won0")))
    assert len(lines) >= 2
    assert all(below - above >= min(layout.rem * 0.85, 0.055 * layout.width) for above, below in pairwise(lines))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_bust_sum_on_a_desk_is_as_large_as_any_other(language: str) -> None:
    """The word for it has a line of its own."""
    table = seated("teeth", 2, 4)
    caller = table.match.state.turn
    with_faces(table, caller, 0, {"mine": "KS", "middle": "KD", "theirs": "2H"})
    table.move(caller, ("call", 0))
    seen = sight(table, caller, Layout(944, 636))
    seen = replace(seen, words=Wording(load(language), table.match.setup, caller))
    shown = {label.key: label for label in board_of("teeth").scene(seen, None).labels}
    assert shown["mine0"].kind == shown["theirs0"].kind == "big"
    told = [shown[key].text for key in ("mine0", "remark-mine0") if key in shown]
    assert " ".join(told) == load(language).text("teeth.board.bust", total="24")


@pytest.mark.parametrize("layout", [PHONE, Layout(944, 636)])
def test_a_call_is_turned_up_and_counted_before_the_column_goes_to_its_winner(layout: Layout) -> None:
    """Who won stood there in the same moment as the other's card."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    caller = table.match.state.turn
    with_faces(table, caller, 1, {"mine": "JS", "middle": "7D", "theirs": "AH"})
    column = table.match.state.columns[1]
    assert column is not None
    table.move(caller, ("call", 1))
    seen = sight(table, caller, layout)
    counted = replace(seen, landing=True, resting=True)
    laying, counting = board.scene(replace(counted, laying=True), None), board.scene(counted, None)
    shown = [[piece_of(scene, card).drawing.shows for card in column.cards] for scene in (laying, counting)]
    assert shown[1][1 - caller] == "AH" and shown[0] == [None if face == "AH" else face for face in shown[1]]
    assert "ace" not in piece_of(laying, column.owns[1 - caller]).label
    for scene in (laying, counting):
        assert next(zone for zone in scene.zones if zone.key == "column1").flags
        assert not scene.note and not any("won" in plate.flags for plate in scene.plates)
        assert [plate.note for plate in scene.plates] == ["0 columns", "0 columns"]
        lying = {card_key(card) for card in column.cards}
        assert not any(lying & heap.keys for heap in scene.resting)
    assert not any(label.key.startswith(("won", "reckoned")) for label in laying.labels)
    assert {label.key: label.text for label in laying.labels}["mine1"].endswith("18 − ▯")
    delays = {label.key: label.delay for label in counting.labels if label.delay}
    assert 0 < delays["theirs1"] < delays["mine1"] < delays["won1"] < counting.count_seconds
    after = board.scene(replace(seen, resting=True), None)
    assert after.status == f"{('Ann', 'Ben')[caller]} wins column 2, 17 to 7"
    assert sorted(plate.note for plate in after.plates) == ["0 columns", "1 column"]
    assert not board.scene(seen, None).status


@pytest.mark.parametrize(("faces", "told"), [
    ({"mine": "6D", "middle": "3C", "theirs": "AH"}, "The ace counts 1 for {} and 11 for {}."),
    ({"mine": "AD", "middle": "9C", "theirs": "AH"}, ""),
    ({"mine": "AD", "middle": "3C", "theirs": "AH"}, "For each of you an ace counts 1 or 11, whichever helps more."),
    ({"mine": "6D", "middle": "3C", "theirs": "2H"}, ""),
])
def test_where_an_ace_counts_differently_to_both_the_note_says_so(faces: dict[str, str], told: str) -> None:
    """TE-1: a sum took off 1 for the very card that the other sum added as 11."""
    table = seated("teeth", 2, 4)
    caller = table.match.state.turn
    with_faces(table, caller, 0, faces)
    table.move(caller, ("call", 0))
    note = board_of("teeth").scene(sight(table, caller, PHONE), None).note
    names = [seat.name for seat in table.match.setup.seats]
    expected = told.format(names[caller], names[1 - caller])
    assert note.endswith(expected) if told else "ace" not in note, note


def test_what_several_cards_of_a_side_add_up_to_stands_on_them() -> None:
    """In sums they are one number. Beside the closed card that is said from two more on; at one's own, while a card is placed, it
    stands what that would bring."""
    table = crowded((2, 2))
    seat = table.match.state.turn
    column = table.match.state.columns[0]
    assert column is not None
    for card, face in zip((column.owns[seat], *column.extras[seat], *column.extras[1 - seat]), ("5S", "joker", "9H", "KD", "AC"),
                          strict=True):
        table.match.knowledge.update({card: face})
        if card != column.owns[seat]:
            table.match.state.public[card] = face

    def sums() -> dict[str, str]:
        seen = sight(table, seat, Layout(412, 732, touch=True))
        labels = board_of("teeth").scene(seen, board_of("teeth").draft(seen)).labels
        return {label.key: label.text for label in labels if label.key.startswith("pile-sum0")}

    assert sums() == {f"pile-sum0-{seat}": "5 − 4 + 9 = 10", f"pile-sum0-{1 - seat}": "▯ + A + 13"}
    table.move(seat, ("draw",))
    assert list(sums()) == [f"pile-sum0-{1 - seat}"]


def test_whoever_is_called_against_keeps_their_own_card_in_sight() -> None:
    table, board = seated("teeth", 2, 4), board_of("teeth")
    caller = table.match.state.turn
    column = table.match.state.columns[0]
    assert column is not None
    table.move(caller, ("call", 0))
    scene = board.scene(replace(sight(table, 1 - caller, PHONE), landing=True, laying=True), None)
    assert all(piece_of(scene, card).drawing.shows for card in column.owns)
    assert not any(label.key in ("mine0", "theirs0") for label in scene.labels), "it is counted in a moment"


def test_at_the_end_of_a_round_the_line_over_the_table_says_how_it_ended() -> None:
    """It said "Your turn"."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    for at in range(3):
        table.move(table.match.state.turn, ("call", at))
    state: TeethState = table.match.state
    assert state.phase == COUNTED
    taken = state.sheet[-1]
    seen = sight(table, 0, PHONE)
    name = "Ann" if taken[0] > taken[1] else "Ben"
    assert board.scene(seen, board.draft(seen)).status == f"{name} won this round {max(taken)} to {min(taken)}"
    assert not board.scene(replace(seen, landing=True), None).status


def test_a_card_of_the_other_side_says_whose_it_is_while_a_place_is_looked_for() -> None:
    table = seated("teeth", 2, 4)
    seat, column = table.match.state.turn, table.match.state.columns[1]
    table.move(seat, ("draw",))
    scene, draft = looked(table, seat)
    assert column is not None and draft is not None
    assert piece_of(scene, column.owns[1 - seat]).tap
    refused = draft.tap(card_key(column.owns[1 - seat]))
    assert isinstance(refused, Refusal)
    assert sight(table, seat).words.refusal(refused) == f"That side is {('Ann', 'Ben')[1 - seat]}’s."


@pytest.mark.parametrize(("face", "options", "worth"), [
    ("QH", {}, ">12<"), ("QH", {"court": "ten"}, ">10<"), ("joker", {}, ">−4<"), ("joker", {"joker": 5}, ">5<"),
    ("AS", {}, ">1 or 11<"), ("7C", {}, "")])
def test_a_card_bears_what_it_counts_where_its_rank_does_not_tell(face: str, options: dict[str, object], worth: str) -> None:
    """TE-1, TE-6: a joker's −4 stood in sums, and nowhere where it came from."""
    table = seated("teeth", 2, 4, options=options)
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    table.match.knowledge[table.match.state.drawn_card] = face
    card = piece_of(desk_scene(table, seat, PHONE), table.match.state.drawn_card).drawing
    assert card.shows == face
    assert (worth in card.markup) if worth else card.markup == art.front(face)


def test_six_columns_fit_a_phone_through_every_mode() -> None:
    board, rng = board_of("teeth"), Random(2)
    for mode in ("whole_deck", "continuous", "score_card"):
        table = seated("teeth", 2, 7, {"columns": 6, "mode": mode, "rounds": 2})
        for _ in range(60):
            acting = table.match.rules.to_act(table.match.state)
            for seat in (None, 0, 1):
                seen = sight(table, seat, PHONE)
                scene = board.scene(seen, board.draft(seen) if seen.may_act else None)
                check_form(scene, seen)
                assert all(spot.x - spot.width / 2 >= 0 and spot.x + spot.width / 2 <= PHONE.width for spot in scene.spots)
                if table.match.state.phase == COUNTED:
                    assert any(control.key.startswith("ready") for control in scene.controls) == (
                        seat is None or seat in acting)
            if not acting:
                break
            seen = sight(table, acting[0])
            table.move(acting[0], seen.view.rules.random_move(seen.view.state, acting[0], seen.view.faces, rng))


def called(mode: str, seed: int) -> Table:
    """A match in which the seat to move has just called the first column."""
    table = seated("teeth", 2, seed, {"mode": mode})
    table.move(table.match.state.turn, ("call", 0))
    return table


def test_a_column_that_was_scored_is_looked_at_before_the_next_lies_in_its_place() -> None:
    table = called("continuous", 4)
    state: TeethState = table.match.state
    new = state.columns[0]
    assert new is not None
    board = board_of("teeth")
    resting = board.scene(replace(sight(table, 1 - state.turn, PHONE), resting=True), None)
    later = board.scene(sight(table, 1 - state.turn, PHONE), None)
    for scene, rests in ((resting, True), (later, False)):
        keys = {piece.key for piece in scene.pieces}
        assert ("was0-middle" in keys) == rests
        assert any(card_key(card) in keys for card in new.cards) != rests
        assert "column 1" in scene.note
    assert {card_key(card) for card in new.cards} <= resting.resting[0].keys


def test_why_a_column_was_lost_is_said_until_the_next_act() -> None:
    told: dict[str, str] = {}
    for seed in range(60):
        table = called("whole_deck", seed)
        state: TeethState = table.match.state
        assert state.last is not None
        looking = sight(table, state.turn, PHONE)
        note = board_of("teeth").scene(looking, None).note
        equal = not any(state.last.bust) and state.last.totals[0] == state.last.totals[1]
        kind = "both" if all(state.last.bust) else "equal" if equal else "more"
        assert ("the caller loses ties" in note) == (kind == "equal")
        assert ("both were bust" in note) == (kind == "both")
        assert f"{looking.words.seat(state.last.winner)} won column 1" in note
        told[kind] = note
        if state.pile:
            table.move(state.turn, ("draw",))
            assert "column 1" not in board_of("teeth").scene(sight(table, 1 - state.turn, PHONE), None).note
    assert {"equal", "more"} <= told.keys(), told


@pytest.mark.parametrize(("verb", "told"), [
    (("discard",), "{name} discarded nine of clubs."),
    (("double", 1), "{name} added nine of clubs to column 2."),
    (("replace", 2), "{name} swapped six of diamonds for nine of clubs in the middle of column 3.")])
def test_what_the_other_did_stands_there_until_the_own_act_and_its_card_is_marked_until_the_turn_is_over(
        verb: Move, told: str) -> None:
    """It was gone after a second, and what had lain there before was in the log alone."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    state: TeethState = table.match.state
    first = state.turn
    column = state.columns[2]
    assert column is not None
    state.public[column.middle] = table.match.knowledge[column.middle] = "6D"
    table.move(first, ("draw",))
    table.match.knowledge[table.match.state.drawn_card] = "9C"
    placed = table.match.state.drawn_card
    table.move(first, verb)
    scene, draft = looked(table, 1 - first)
    assert draft is not None and scene.note == told.format(name=("Ann", "Ben")[first])
    draft.tap("call1")
    assert board.scene(sight(table, 1 - first, PHONE), draft).note.startswith("You win if")
    table.move(1 - first, ("draw",))
    assert "new" in piece_of(looked(table, 1 - first)[0], placed).flags
    table.move(1 - first, ("double", 0))
    assert "new" not in piece_of(looked(table, 1 - first)[0], placed).flags


@pytest.mark.parametrize(("options", "left"), [
    ({}, "{n} cards are left: too few for another round."),
    ({"mode": "continuous"}, "{n} cards are left: too few for a new column."),
    ({"mode": "score_card", "rounds": 1}, "That was the last round.")])
def test_at_the_end_it_is_said_why_nothing_more_is_dealt_though_cards_are_left(options: dict[str, object], left: str) -> None:
    """TE-5: a pile lay there, and nothing happened."""
    for drawn in range(3):
        table = seated("teeth", 2, 4, options=options)
        for _ in range(drawn):
            table.move(table.match.state.turn, ("draw",))
            table.move(table.match.state.turn, ("discard",))
        while table.match.outcome is None:
            state: TeethState = table.match.state
            if state.phase == COUNTED:
                for seat in state.waiting:
                    table.move(seat, ("ready",))
            else:
                table.move(state.turn, ("call", next(at for at, column in enumerate(state.columns) if column)))
        state = table.match.state
        note = board_of("teeth").scene(sight(table, 0, PHONE), None).note
        assert (left.format(n=len(state.pile)) in note) == (len(state.pile) > 1), (note, len(state.pile))
        if len(state.pile) > 1:
            return
    raise AssertionError("no card was left")


def test_at_the_end_it_is_said_why_as_many_columns_were_enough() -> None:
    found = set()
    for seed in range(40):
        table = seated("teeth", 2, seed, {"mode": "score_card", "rounds": 1, "columns": 2})
        first = table.match.state.turn
        table.move(first, ("draw",))
        table.move(first, ("double", 0))
        table.move(1 - first, ("call", 0))
        table.move(first, ("call", 1))
        outcome, looking = table.match.outcome, sight(table, first, PHONE)
        assert outcome is not None
        note = board_of("teeth").scene(looking, None).note
        reason = outcome.reason.rpartition(".")[2]
        name = looking.words.seat(outcome.winners[0])
        assert note.endswith(f"1 column each – but {name} captured more cards: 4 to 3.") == (reason == "cards")
        assert "column each" not in board_of("teeth").scene(replace(looking, landing=True), None).note
        found.add(reason)
    assert {"cards", "columns"} <= found


def test_on_a_phone_held_sideways_nothing_overlaps_and_cards_are_no_smaller_than_a_thumbnail() -> None:
    layout = Layout(612, 338, 16, touch=True)
    table = seated("teeth", 2, 4)
    board = board_of("teeth")
    for step in range(2):
        seat = table.match.state.turn
        seen = replace(sight(table, seat, PHONE), layout=layout)
        scene = board.scene(seen, board.draft(seen))
        check_form(scene, seen)
        tray = next(zone.rect for zone in scene.zones if zone.key == "tray")
        columns = [zone.rect for zone in scene.zones if zone.key.startswith("column")]
        assert all(rect.x >= tray.right for rect in columns)
        assert all(rect.y >= 0 and rect.bottom <= layout.height + 1 for rect in columns)
        assert all(plate.rect.right <= layout.width and plate.rect.bottom <= tray.y for plate in scene.plates)
        middles = [piece for piece in scene.pieces if "in the middle" in piece.label]
        assert len(middles) == 3 and all(piece.width >= 44 for piece in middles)
        if step == 0:
            table.move(seat, ("draw",))


def test_on_a_phone_held_sideways_totals_and_calls_stand_beside_the_cards() -> None:
    """So that the cards have the whole height; nothing covers them."""
    table = seated("teeth", 2, 4)
    state: TeethState = table.match.state
    seen = sight(table, state.turn, Layout(668, 342, 16, touch=True))
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    cards = {card_key(card) for column in state.columns if column for card in column.cards}
    laid = [piece for piece in scene.pieces if piece.key in cards]
    assert len(laid) == len(cards) and min(piece.width for piece in laid) >= 60
    beside = [(spot.x - spot.width / 2, spot.x + spot.width / 2) for spot in scene.spots if spot.key.startswith("call")]
    assert len(beside) == 3
    for left, right in beside:
        assert all(right <= piece.x - piece.width / 2 or left >= piece.x + piece.width / 2 for piece in laid)


def test_below_a_guide_in_large_text_words_stand_beside_the_cards() -> None:
    """Above and below them they would leave cards of 28 px in columns three times as wide."""
    table = seated("teeth", 2, 4, options={"columns": 2})
    seen = sight(table, table.match.state.turn, Layout(390, 455, 32, touch=True))
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    check_form(scene, seen)
    cards = {card_key(card) for column in table.match.state.columns if column for card in column.cards}
    laid = [piece for piece in scene.pieces if piece.key in cards]
    assert len(laid) == 6 and min(piece.width for piece in laid) >= 44
    mats = [zone.rect for zone in scene.zones if zone.key.startswith("column")]
    beside = [spot for spot in scene.spots if spot.key.startswith("call")]
    assert len(beside) == len(mats) == 2
    for spot, mat in zip(sorted(beside, key=lambda one: one.x), sorted(mats), strict=True):
        left, right = spot.x - spot.width / 2, spot.x + spot.width / 2
        assert mat.x <= left and right <= mat.right
        assert all(right <= piece.x - piece.width / 2 or left >= piece.x + piece.width / 2 for piece in laid)


def test_on_a_tablet_held_upright_words_stand_beside_the_cards() -> None:
    """Above and below them they would be small, and a fourth of the width empty."""
    table = seated("teeth", 2, 4)
    state: TeethState = table.match.state
    seat = state.turn
    for step in range(2):
        seen = sight(table, seat, Layout(820, 1010, 16, touch=True))
        scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
        check_form(scene, seen)
        laid = [piece for piece in scene.pieces if "column" in piece.label]
        assert len(laid) == 9 and min(piece.width for piece in laid) >= 145
        mats = sorted(zone.rect for zone in scene.zones if zone.key.startswith("column"))
        assert mats[0].x < 24 and mats[-1].right > 796
        words = [label for label in scene.labels if label.key.startswith(("after", "mine"))]
        beside = [spot.x - spot.width / 2 for spot in scene.spots if spot.key.startswith("call")] or \
            [label.x for label in words]
        assert len(beside) >= 3 and all(x > min(piece.x + piece.width / 2 for piece in laid) for x in beside)
        for x in beside:
            assert not any(piece.x - piece.width / 2 < x < piece.x + piece.width / 2 for piece in laid)
        if step == 0:
            table.move(seat, ("draw",))
