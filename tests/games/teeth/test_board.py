"""The table of Teeth: what a seat sees of a column, and how a card is placed and a column called."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from tabletin.board.scene import Layout, Piece, Scene, card_key
from tabletin.games.teeth.board import TALL, TeethBoard
from tabletin.games.teeth.draft import TeethDraft
from tabletin.games.teeth.state import COUNTED, TeethState
from tabletin.kernel.options import Refusal
from tabletin.kernel.schema import Move
from tabletin.kernel.table import Table
from tabletin.words import figure, load
from tabletin.words.wording import Wording
from tests.support.board_tables import DESK, PHONE, board_of, seated, sight
from tests.support.scene_checks import check_form


def looked(table: Table, seat: int | None) -> tuple[Scene, TeethDraft | None]:
    board = board_of("teeth")
    assert isinstance(board, TeethBoard)
    seen = sight(table, seat, PHONE)
    draft = board.draft(seen) if seen.may_act else None
    return board.scene(seen, draft), draft


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
        names = [zone.label for zone in scene.zones if zone.key.startswith("column")]
        assert all("face-down card, limit 18" in name for name in names) == (seat is not None), "by ear its totals are there"


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


@pytest.mark.parametrize(("rem", "short"), [(16, False), (32, True)])
def test_a_total_names_the_closed_card_only_where_its_words_fit(rem: int, short: bool) -> None:
    table = under_way(columns=2)
    seen = sight(table, table.match.state.turn, Layout(390, 430, rem, touch=True))
    totals = [label.text for label in board_of("teeth").scene(seen, None).labels if label.key.startswith("mine")]
    assert len(totals) == 2 and all(("hidden" not in total) is short for total in totals)


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
    seat = table.match.state.turn
    table.move(seat, ("draw",))
    state: TeethState = table.match.state
    column = state.columns[0]
    assert column is not None and state.drawn_card is not None
    for own, middle, drawn, doubled, replaced in (("6D", "9H", "7C", "22", "13"), ("6D", "9H", "AC", "16/26", "7/17"),
                                                  ("6D", "9H", "joker", "11", "2")):
        table.match.knowledge.update({column.owns[seat]: own, state.drawn_card: drawn})
        state.public[column.middle] = middle
        scene, _ = looked(table, seat)
        found = {spot.key: spot for spot in scene.spots}
        assert (found["double0"].points, found["replace0"].points) == (doubled, replaced)
        said = doubled.replace("/", " or ")
        assert scene.note == f"Tap a place. {'Ann' if seat else 'Ben'}’s hidden card is still taken off the sum you see."
        assert found["double0"].label.endswith(f"You then have: {said} less the other’s face-down card")
        assert not found["discard"].points


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


def test_a_total_says_that_the_hidden_card_is_taken_off() -> None:
    """TE-1: in the column where there is room for the words, else beside the hand."""
    table = under_way()
    other = "Ann" if table.match.state.turn else "Ben"
    short = f"The ? is {other}’s hidden card: it is taken off your sum. Draw, or call."
    for layout, said, note in ((Layout(1000, 640, 16), "15 − hidden card", "Draw a card, or call a column."),
                               (Layout(390, 560, 16), "15 − ?", short)):
        seen = sight(table, table.match.state.turn, layout)
        scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
        assert next(label.text for label in scene.labels if label.key == "mine0") == said
        assert scene.note == note


def test_a_total_stands_only_where_a_column_is_under_way() -> None:
    """What two open cards come to is seen; three sums with a ? at once say nothing."""
    table, board = under_way(), board_of("teeth")
    seat = table.match.state.turn
    seen = sight(table, seat, Layout(390, 560, 16))
    draft = board.draft(seen)
    assert isinstance(draft, TeethDraft)
    assert totals(board.scene(seen, draft)) == ["theirs0", "mine0"]
    draft.tap("call1")
    called_too = board.scene(seen, draft)
    assert totals(called_too) == ["theirs0", "mine0", "theirs1", "mine1"]
    assert called_too.note.startswith("Both cards are turned up, and ")
    table.move(seat, ("draw",))
    placing = board.scene(sight(table, seat, PHONE), board.draft(sight(table, seat, PHONE)))
    assert not totals(placing), "the places tell"
    fresh = seated("teeth", 2, 4)
    seen = sight(fresh, fresh.match.state.turn, PHONE)
    scene = board.scene(seen, board.draft(seen))
    assert not totals(scene) and scene.note == "Draw a card, or call a column."


@pytest.mark.parametrize("layout", [PHONE, Layout(390, 640, 16, touch=True), DESK, Layout(1000, 640)])
def test_no_words_lie_where_a_drawn_card_lies(layout: Layout) -> None:
    """Before it is drawn and after, as it is on its way then: for who draws, for the other, and for who looks on."""
    table, board = seated("teeth", 2, 4), board_of("teeth")
    drawer = table.match.state.turn
    before = {seat: board.scene(sight(table, seat, layout), None) for seat in (0, 1, None)}
    table.move(drawer, ("draw",))
    for seat, earlier in before.items():
        scene = board.scene(sight(table, seat, layout), None)
        card = piece_of(scene, table.match.state.drawn_card)
        half = card.width * TALL / 2
        for label in (*earlier.labels, *scene.labels):
            beside = abs(label.x - card.x) > card.width / 2 + 20
            assert beside or label.y + 8 <= card.y - half or label.y - 8 >= card.y + half, (seat, label)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_a_column_comes_to_stands_within_its_mat(language: str) -> None:
    table = under_way(columns=3)
    seen = sight(table, table.match.state.turn, Layout(940, 636, 16))
    seen = replace(seen, words=Wording(load(language), table.match.setup))
    scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
    mats = [zone.rect for zone in scene.zones if zone.key.startswith("column")]
    totals = [label for label in scene.labels if label.key.startswith("mine")]
    assert len(totals) == len(mats) == 3
    for label, mat in zip(totals, mats, strict=True):
        letter = {"total": 9.6, "title": 7.8}[label.kind]  # px, as measured on a page
        assert len(label.text) * letter <= mat.width, label.text
    assert all(before.right + 8 <= after.x for before, after in pairwise(mats))


def test_both_totals_of_an_ace_stand_within_their_column() -> None:
    """TE-1: an ace is 1 or 11; on a phone there is no room for a word between the two."""
    table = under_way("AC")
    seat = table.match.state.turn
    for layout, said in ((Layout(1000, 640, 16), "10 or 20 − ?"), (Layout(390, 560, 16), "10/20−?")):
        seen = sight(table, seat, layout)
        scene = board_of("teeth").scene(seen, board_of("teeth").draft(seen))
        assert next(label.text for label in scene.labels if label.key == "mine0") == said


def test_a_called_column_lies_open_with_both_totals() -> None:
    table = seated("teeth", 2, 4)
    seat = table.match.state.turn
    table.move(seat, ("call", 1))
    last = table.match.state.last
    assert last is not None
    scene = board_of("teeth").scene(sight(table, None, DESK), None)
    assert {piece.drawing.shows for piece in scene.pieces if piece.key.startswith("last-")} == {
        last.middle, *last.sides[0], *last.sides[1]}
    assert last.sentence == "teeth.log.one_bust"
    name, (own, theirs) = ("Ann", "Ben")[last.winner], (last.totals[last.winner], last.totals[1 - last.winner])
    assert scene.note == f"{name} won column 2 with {figure(own)}: {figure(theirs)} is bust."
    shown = {label.key: label.text for label in scene.labels}
    assert [shown["mine1"], shown["theirs1"]] == [figure(last.totals[0]), f"Ben: {figure(last.totals[1])}"]


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
        assert ("last-middle" in keys) == rests
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
        assert all(not (rect.right > tray.x and rect.bottom > tray.y) for rect in columns)
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
    assert not any(label.text.endswith("hidden card") for label in scene.labels), "short words: there is a note that tells"


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
