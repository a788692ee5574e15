"""Teeth Time's table as plain data: what lies where, what may be done, and what taps come to."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest

from tabletin.board.scene import Drawing, Layout, Piece, Scene, Sight, card_key, card_of
from tabletin.games.teeth_time import art, board_field, board_pieces, face_cards
from tabletin.games.teeth_time.board import LETTER, TeethTimeBoard
from tabletin.games.teeth_time.board_actions import Actions
from tabletin.games.teeth_time.board_counted import counted_cards, is_counted
from tabletin.games.teeth_time.board_field import CARD, CUT, STEP, plan
from tabletin.games.teeth_time.cards import IN_HAND, deck
from tabletin.games.teeth_time.draft import DISCARDS, TeethTimeDraft
from tabletin.games.teeth_time.groups import Contract
from tabletin.games.teeth_time.scoring import hand_items
from tabletin.games.teeth_time.state import COUNTER, NOBODY, OVER, PLAY, REPLY, SCORED, WINDOW, Penalty, TeethTimeState
from tabletin.kernel.faces import Faces
from tabletin.kernel.options import Refusal
from tabletin.kernel.table import Table
from tabletin.words import figure, load
from tabletin.words.wording import Wording
from tests.games.teeth_time.looks import NAMES, looked_at
from tests.games.teeth_time.scene import Scene as Position
from tests.support.board_tables import DESK, LARGE_TEXT, PHONE, seated, sight
from tests.support.random_matches import between_bots
from tests.support.scene_checks import check_flights, drawn

BOARD = TeethTimeBoard()
WORDS = load()
FACES = tuple(dict.fromkeys(deck(1)))
LOW = Layout(530, 300, touch=True)
SET_AND_RUN: Contract = (("set", 3), ("run", 4))


def counted(seats: int) -> Table:
    """A table of so many seats at the end of its first hand."""
    for seed in range(9):
        table = seated("teeth-time", seats, seed, {"contracts": "one", "one": 1})
        rng = Random(seed)
        while table.match.rules.to_act(table.match.state):
            state = table.match.state
            assert isinstance(state, TeethTimeState)
            if is_counted(state):
                return table
            seat = rng.choice(table.match.rules.to_act(state))
            table.move(seat, table.match.rules.random_move(state, seat, table.match.view((seat,)).faces, rng))
    raise AssertionError("no hand is counted")


def drafted(position: Position, seat: int = 0) -> tuple[Sight, TeethTimeDraft]:
    seen = looked_at(position, seat)
    return seen, BOARD.draft(seen)


def key(position: Position, seat: int, face: str) -> str:
    """The key of a card of a hand by its face."""
    return card_key(next(card for card in position.state.hands[seat] if position.world[card] == face))


def primary(scene: Scene) -> str:
    return next((control.key for control in scene.controls if control.primary), "")


# ---- laying ----


def test_the_contract_is_picked_out_changed_and_laid() -> None:
    position = Position("r6 b6 g6 y6 r2 b3 g4 y5 rA", "b1", contract=SET_AND_RUN).drawn()
    seen, draft = drafted(position)
    assert primary(BOARD.scene(seen, draft)) == "propose"
    assert draft.tap("propose") is None
    assert primary(BOARD.scene(seen, draft)) == "lay"
    before = set(draft.selection)
    assert len(before) == 7, "exactly what is asked for"
    for card in position.state.hands[0]:  # the fourth 6 goes with it
        if position.world[card].endswith("6") and card not in draft.selection:
            draft.tap(card_key(card))
    move = draft.tap("lay")
    assert isinstance(move, tuple) and move[0] == "down"
    assert sorted((kind, rank, len(cards)) for kind, rank, cards in move[1]) == [("run", "2", 4), ("set", "6", 4)]


def test_a_card_of_what_can_go_down_is_no_reason_to_discard_it() -> None:
    """With one 6 of three picked, the only large button threw it away."""
    position = Position("r6 b6 g6 rA", "b1").drawn()
    seen, draft = drafted(position)
    draft.tap(key(position, 0, "b6"))
    scene = BOARD.scene(seen, draft)
    assert primary(scene) == "propose" and [control.key for control in scene.controls] == ["discard", "propose"]
    assert draft.tap("propose") is None and primary(BOARD.scene(seen, draft)) == "lay"
    draft.tap("clear")
    draft.tap(key(position, 0, "rA"))
    assert primary(BOARD.scene(seen, draft)) == "discard"


def test_cards_that_make_nothing_cannot_be_laid_and_the_button_says_why() -> None:
    position = Position("r6 b6 g6 r2 b3 g4 y5 rA", "b1", contract=SET_AND_RUN).drawn()
    seen, draft = drafted(position)
    for face in ("r6", "b6", "rA"):
        draft.tap(key(position, 0, face))
    scene = BOARD.scene(seen, draft)
    lay = next(control for control in scene.controls if control.key == "lay")
    assert lay.why
    assert draft.tap("lay") is None
    assert not any(spot.key == "mine" for spot in scene.spots)


def test_a_wild_beside_two_teeth_can_be_read_in_every_way() -> None:
    position = Position("r4 b5 implant yA g8", "b1", down=(0,)).drawn()
    seen, draft = drafted(position)
    for face in ("r4", "b5", "implant"):
        draft.tap(key(position, 0, face))
    offered = set()
    for _ in range(2):
        move = draft.tap("lay")
        assert isinstance(move, tuple)
        offered.add(move[:3])
        draft.tap("otherwise")
    assert offered == {("group", "run", "3"), ("group", "run", "4")}
    assert any(control.key == "otherwise" for control in BOARD.scene(seen, draft).controls)


def test_a_place_shows_what_the_hand_counts_less_with_the_card_there() -> None:
    """TT-15: a number counts 10 in hand, a letter 5, a wild 20: taking one costs what it saves later."""
    position = Position("r6 bC yD", "b1", down=(0,)).drawn()
    position.run_on_field("3", "r3 b4 y5")
    position.run_on_field("A", "gA gB implant")
    seen, draft = drafted(position)
    for face, told in (("r6", "10 off"), ("bC", "15 more"), ("yD", "5 off")):
        draft.selection.clear()
        draft.tap(key(position, 0, face))
        places = [spot for spot in BOARD.scene(seen, draft).spots if spot.plane]
        assert [spot.points for spot in places] == [told], face
        assert places[0].label.endswith(f": {told}")


def test_what_is_laid_before_oneself_shows_what_the_hand_counts_less() -> None:
    position = Position("rC bC yC g8", "b1", down=(0,)).drawn()
    seen, draft = drafted(position)
    for face in ("rC", "bC", "yC"):
        draft.tap(key(position, 0, face))
    (mine,) = [spot for spot in BOARD.scene(seen, draft).spots if spot.key == "mine"]
    assert mine.text == "Lay here: 15 off" and mine.label == "Lay here: set of C’s, 15 off"


@pytest.mark.parametrize("hands", [("b1",), ("b1", "b2")])
@pytest.mark.parametrize("laid", [0, 2, 5])
def test_the_place_before_oneself_covers_no_card_and_no_words_on_a_phone(laid: int, hands: tuple[str, ...]) -> None:
    position = Position("rC bC yC g8", *hands, down=(0,)).drawn()
    for number in range(laid):
        rank = "12345"[number]
        position.set_on_field(rank, f"r{rank} b{rank} y{rank}", owner=number % 2)
    seen, draft = drafted(position)
    for face in ("rC", "bC", "yC"):
        draft.tap(key(position, 0, face))
    scene = BOARD.scene(seen, draft)
    (mine,) = [spot for spot in scene.spots if spot.key == "mine"]
    assert scene.window is not None and scene.closest
    top = scene.window.y if laid else 0.0
    lowest = [top + (piece.y + 0.7 * piece.width) * scene.closest for piece in scene.pieces if piece.plane]
    assert max(lowest, default=0.0) <= mine.y - mine.height / 2
    assert mine.width >= 144 and mine.height >= 44 and mine.x + mine.width / 2 <= PHONE.width
    assert mine.y + mine.height / 2 < min(piece.y - 0.7 * piece.width for piece in scene.pieces if piece.row == "hand")
    coming = [label.y for label in scene.labels if label.key == "next"]
    assert len(coming) == len(hands) - 1
    assert all(abs(y - mine.y) >= mine.height / 2 + PHONE.rem * 0.5 for y in coming)


@pytest.mark.parametrize("layout", [Layout(390, 680, touch=True), Layout(360, 560, touch=True), Layout(944, 636)])
@pytest.mark.parametrize("laid", [0, 3, 9])
def test_a_place_at_an_end_of_a_run_lies_over_no_card(laid: int, layout: Layout) -> None:
    """It lay over half of the last card: the cards of the run make room for it."""
    position = Position("implant r7 b2", "b1", "b2", down=(0,)).drawn()
    run = position.run_on_field("3", "r3 b4 y5 g6", owner=1)
    for number in range(laid):
        rank = "12345678"[number % 8]
        position.set_on_field(rank, f"r{rank} g{rank} y{rank}", owner=number % 3)
    seen = looked_at(position, layout=layout)
    draft = BOARD.draft(seen)
    draft.tap(key(position, 0, "implant"))
    scene = BOARD.scene(seen, draft)
    spots = [spot for spot in scene.spots if spot.key in (f"hit.{run}.2", f"hit.{run}.7")]
    assert len(spots) == 2
    for spot in spots:
        assert spot.width >= 0.6 * CARD
        for piece in scene.pieces:
            if piece.plane and abs(piece.y - spot.y) < spot.height / 2:
                assert abs(piece.x - spot.x) >= (piece.width + spot.width) / 2, piece.label
        assert spot.x - spot.width / 2 >= 0 and spot.x + spot.width / 2 <= scene.bounds.right + 0.01


def test_hits_light_up_and_are_made_by_tap_and_by_drop() -> None:
    position = Position("r6 b1 yD", "b1", down=(0,)).drawn()
    run = position.run_on_field("3", "r3 b4 y5")
    many = position.set_on_field("6", "g6 y6 b6", owner=1)
    seen, draft = drafted(position)
    card = key(position, 0, "r6")
    assert draft.tap(card) is None
    keys = {spot.key for spot in BOARD.scene(seen, draft).spots if spot.plane}
    assert keys == {f"hit.{run}.6", f"hit.{many}.6"}
    handle = card_of(card)
    assert draft.tap(f"hit.{run}.6") == ("hit", run, "6", handle)
    other = BOARD.draft(seen)
    assert other.drop(card, f"hit.{many}.6") == ("hit", many, "6", handle)


def test_a_wild_is_taken_where_its_tooth_fits() -> None:
    position = Position("r4 b1 yD", "b1", down=(0,)).drawn()
    run = position.run_on_field("3", "r3 implant y5")
    seen, draft = drafted(position)
    draft.tap(key(position, 0, "r4"))
    spots = {spot.key: spot for spot in BOARD.scene(seen, draft).spots}
    assert f"swap.{run}.4" in spots
    assert draft.tap(f"swap.{run}.4") == ("swap", run, "4", card_of(key(position, 0, "r4")))
    wild = next(piece for piece in BOARD.scene(seen, draft).pieces if piece.drawing.shows == "implant")
    assert "4" in wild.label, "a wild in a run says what it stands for"


def test_before_going_down_a_card_let_go_on_the_field_is_told_why_not() -> None:
    position = Position("r6 b1 yD", "b1").drawn()
    _, draft = drafted(position)
    refused = draft.miss(key(position, 0, "r6"), (10, 10), plane=True)
    assert isinstance(refused, Refusal) and refused.rule == "TT-8"


# ---- face cards ----


def test_a_penalty_lights_every_target_once() -> None:
    position = Position("cavity toothache b1", "b2", "b3", "b4").drawn()
    seen, draft = drafted(position)
    position.state.targeted_mask = 1 << 2
    seen, draft = drafted(position)
    card = key(position, 0, "cavity")
    draft.tap(card)
    scene = BOARD.scene(seen, draft)
    assert {spot.key for spot in scene.spots} == {"discards", "at1", "at3"}
    assert draft.tap("at3") == ("penalty", card_of(card), 3)
    assert primary(scene) == "at1", "the next to play is the likeliest"


def test_with_one_other_a_penalty_is_for_them() -> None:
    for others, said in ((1, "Give it to Ben, or discard it."), (2, "Who gets it? Tap a player.")):
        position = Position("cavity r1", *["b1"] * others, down=tuple(range(others + 1))).drawn()
        seen, draft = drafted(position)
        draft.tap(key(position, 0, "cavity"))
        assert BOARD.scene(seen, draft).note == said


def test_the_whammy_is_asked_of_everybody_and_who_has_none_is_told_so() -> None:
    for hand, ready in (("prevention b1", True), ("b2 b1", False)):
        position = Position("cavity y1 y2", hand).drawn()
        position.do(0, "penalty", "cavity", 1)
        assert position.state.phase == REPLY
        seen = looked_at(position, 1)
        scene = BOARD.scene(seen, BOARD.draft(seen))
        assert scene.prompt is not None and scene.prompt.lapse == "accept"
        assert scene.prompt.seconds
        assert [(answer.key, answer.primary) for answer in scene.prompt.answers] == \
            ([("accept", False), ("whammy", True)] if ready else [("accept", True)])
        assert ("You have no Prevention card." in scene.prompt.text) != ready and ("Whammy" in scene.ask) == ready
        assert (f"sends it back to {seen.words.seat(0)}" in scene.prompt.text) == ready
        in_hand = [(card_of(piece.key), piece) for piece in scene.pieces if piece.row == "hand"]
        held = {seen.face(card): piece for card, piece in in_hand if card is not None}
        assert [face for face, piece in held.items() if "legal" in piece.flags] == ["prevention"] * ready
        if ready:
            assert held["prevention"].y < held["b1"].y, "what is asked about is raised"
        other = looked_at(position, 0)
        assert BOARD.scene(other, None).prompt is None


def test_on_a_phone_a_question_finds_the_hand_raised() -> None:
    """It is higher than the buttons that it stands over, and hid the names of the second line."""
    position = Position("cavity y1 y2", "prevention b1 r4 b5 yA g8 rB b2 y3 gC").drawn()
    lowest = []
    for is_asked in (False, True):
        if is_asked:
            position.do(0, "penalty", "cavity", 1)
        seen = looked_at(position, 1)
        scene = BOARD.scene(seen, BOARD.draft(seen) if is_asked else None)
        assert (scene.prompt is not None) == is_asked
        lowest.append(max(piece.y + 0.7 * piece.width for piece in scene.pieces if piece.row == "hand"))
    assert lowest[1] <= lowest[0] - PHONE.rem and lowest[1] <= PHONE.height - 1.5 * PHONE.rem


def test_who_may_prevent_a_penalty_that_was_sent_back_is_told_that_it_is_out_of_play_then() -> None:
    """TT-11."""
    position = Position("cavity y1 prevention", "prevention b1").drawn()
    position.do(0, "penalty", "cavity", 1).do(1, "whammy", "prevention")
    seen = looked_at(position, 0)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    assert scene.prompt is not None and scene.prompt.text.endswith("Your Prevention takes it out of play.")
    position.do(0, "whammy", "prevention")
    assert position.state.dead


def test_a_penalty_that_was_carried_out_makes_no_hand_smaller() -> None:
    """It lies on the field no more; the field was taken for full then, and the hand was as small as below one."""
    position = Position("r4 b5 implant yA g8 rB b2 y3 gC cavity", "b1").drawn()
    layout = Layout(390, 706, touch=True)
    tray = BOARD.scene(looked_at(position, layout=layout), None).hand
    position.do(0, "penalty", "cavity", 1)
    position.state.penalties = tuple(penalty._replace(live=False) for penalty in position.state.penalties)
    assert BOARD.scene(looked_at(position, layout=layout), None).hand == tray


def test_a_penalty_that_was_carried_out_leaves_the_field_for_the_plate() -> None:
    """It can still be collected (TT-13); turned, it took the room of cards that count, and "1 paid" told nobody anything."""
    position = Position("cavity y1 y2", "b1 b2").drawn()
    position.do(0, "penalty", "cavity", 1)
    card = card_key(position.state.penalties[0].card)
    scene = BOARD.scene(looked_at(position), None)
    assert [piece.drawing.shows for piece in scene.pieces if piece.key == card] == ["cavity"]
    assert scene.plates[1].note == "+2"
    position.state.penalties = tuple(penalty._replace(live=False) for penalty in position.state.penalties)
    scene = BOARD.scene(looked_at(position), None)
    assert card not in {piece.key for piece in scene.pieces}
    assert not scene.plates[1].note
    (heap,) = [heap for heap in scene.resting if card in heap.keys]
    assert scene.plates[1].rect.holds(heap.point), "a Dentist takes it from there"


def test_who_pulls_a_card_is_asked_over_the_table_with_the_card_lit() -> None:
    """While several bots thought about it the title said "Your turn", and nothing could be done."""
    position = Position("r4 b5", "b1 g2", "g1 y3", discard="r5")
    position.do(0, "leave")
    assert position.state.left
    seen = looked_at(position)
    assert BOARD.scene(seen, None).status == "Does somebody pull the red 5?"
    setup = seen.words.setup
    bots = tuple(replace(player, kind="bot", level="easy") if seat else player for seat, player in enumerate(setup.seats))
    among_bots = replace(seen, words=Wording(seen.catalogue, replace(setup, seats=bots), 0))
    assert BOARD.scene(among_bots, None).status == "Does somebody pull the red 5?"
    assert [piece.flags for piece in BOARD.scene(among_bots, None).pieces if piece.drawing.shows == "r5"] == [("new",)]


def test_while_a_penalty_is_answered_the_title_says_who_is_asked_what() -> None:
    """It said whose turn it was, although that seat only answers; a penalty sent back is answered by who played it (TT-11)."""
    position = Position("cavity y1 prevention", "prevention b1", "g1").drawn()
    position.do(0, "penalty", "cavity", 1)
    assert BOARD.scene(looked_at(position), None).status == "Does Ben have a Prevention card?"
    assert not BOARD.scene(looked_at(position, 1), BOARD.draft(looked_at(position, 1))).status
    position.do(1, "whammy", "prevention")
    assert BOARD.scene(looked_at(position, 2), None).status == "Does Ann have a Prevention card?"


@pytest.mark.parametrize(("score", "said"), [("0", "down · +2"), ("−125", "+2")])
@pytest.mark.parametrize("layout", [Layout(390, 680, touch=True), PHONE])
def test_on_a_narrow_plate_what_matters_least_gives_way_and_no_sign_stands_for_it(layout: Layout, score: str, said: str) -> None:
    """What waits for a seat comes first; who has stars stands on the score sheet, too."""
    position = Position("cavity y1 y2", "b1 b2", "g1", down=(1,)).drawn()
    position.do(0, "penalty", "cavity", 1)
    position.state.scores, position.state.stars = ((0, 0, 0),) * 2, (1, 1)
    position.state.totals = (0, int(score.replace("−", "-")), 0)
    plate = BOARD.scene(looked_at(position, layout=layout), None).plates[1]
    assert plate.score == score and plate.note == said
    assert "★★" in plate.label, "who hears it hears all"


def test_on_a_wide_plate_all_of_it_stands() -> None:
    position = Position("cavity y1 y2", "b1 b2", "g1", down=(1,)).drawn()
    position.do(0, "penalty", "cavity", 1)
    position.state.scores, position.state.stars = ((0, 0, 0),) * 2, (1, 1)
    assert BOARD.scene(looked_at(position, layout=Layout(944, 636)), None).plates[1].note == "★★ · down · +2"


@pytest.mark.parametrize(("verb", "face", "said"), [("discard", "r4", "Discard this one: red 4."), ("play", "fairy", "")])
def test_a_hint_says_of_a_card_that_it_is_to_be_thrown_away(verb: str, face: str, said: str) -> None:
    """"Start with this one" told nobody that the turn ends with it."""
    position = Position("r4 b5 fairy", "b1", "g1").drawn()
    seen, draft = drafted(position)
    draft.compose(position.move(0, verb, face))
    reason = BOARD.reason(seen, draft)
    assert ("" if reason is None else reason.nudge) == said


# ---- the window ----


def test_the_drawer_takes_or_leaves_by_button_tap_and_drag() -> None:
    position = Position("r1 r2", "b1 b2", "y1 y2", discard="g5")
    seen, draft = drafted(position)
    scene = BOARD.scene(seen, draft)
    assert {control.key for control in scene.controls} == {"take", "leave"}
    top, pile = card_key(position.state.discards[-1]), position.state.pile
    assert draft.tap("take") == ("take",)
    assert draft.tap(top) == ("take",)
    assert draft.tap("leave") == ("leave",)
    assert not pile or draft.tap(card_key(pile[0])) == ("leave",)
    draft.pick(top)
    assert any(spot.key == "hand" for spot in BOARD.scene(seen, draft).spots)
    assert draft.drop(top, "hand") == ("take",)


@pytest.mark.parametrize("advised", ["take", "leave"])
def test_what_a_hint_advises_has_the_large_button(advised: str) -> None:
    seen, draft = drafted(Position("r1 r2", "b1 b2", "y1 y2", discard="g5"))
    draft.compose((advised,))
    assert [control.key for control in BOARD.scene(seen, draft).controls if control.primary] == [advised]


@pytest.mark.parametrize("advised", ["decline", "call"])
def test_so_it_has_when_a_card_may_be_pulled(advised: str) -> None:
    seen = looked_at(Position("r1 r2", "b1 b2", "y1 y2", discard="g5", discarder=2), 1)
    draft = BOARD.draft(seen)
    draft.compose((advised,))
    assert [control.key for control in BOARD.scene(seen, draft).controls if control.primary] == [advised]


def test_the_others_may_pull_and_the_window_closes_by_itself() -> None:
    position = Position("r1 r2", "b1 b2", "y1 y2", discard="g5", discarder=2)
    seen = looked_at(position, 1)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    assert [control.key for control in scene.controls] == ["decline", "call"]
    assert scene.controls[0].seconds
    assert not any(control.primary for control in scene.controls), "it is a gamble: neither answer is the usual one"
    assert scene.status == "Pull the green 5?" and scene.note == "If Ann leaves it, it’s yours – but you draw an extra card, too."
    assert [plate.seat for plate in scene.plates if plate.active] == [1], "who is asked"
    watched = BOARD.scene(looked_at(position, None), None)
    assert [plate.seat for plate in watched.plates if plate.active] == [0], "whose turn it is"


def test_on_a_shared_device_everybody_has_a_button_on_the_public_table() -> None:
    position = Position("r1 r2", "b1 b2", "y1 y2", "g1 g2", discard="g5", discarder=3)
    position.do(0, "leave")
    seen = looked_at(position, None, people=(0, 1, 2, 3))
    scene = BOARD.scene(seen, None)
    calls = {control.key: (control.seat, control.move) for control in scene.controls if control.move}
    assert calls == {"call1": (1, ("call",)), "call2": (2, ("call",))}
    nobody = next(control for control in scene.controls if control.key == "nobody")
    assert nobody.moves == ((1, ("decline",)), (2, ("decline",)))
    assert not any(piece.row == "hand" for piece in scene.pieces)


# ---- what is said on a card ----


@pytest.mark.parametrize(("layout", "hand", "words"), [
    (PHONE, "r4 b5 implant yA", board_pieces.NAMED),
    (Layout(944, 636), "r4 b5 implant yA g8 rB b2 y3 gC r7", board_pieces.NAMED),
    (Layout(1100, 636), "r4 b5 implant yA g8 rB b2 y3 gC r7 bE cavity broken", board_pieces.NAMED),
    (Layout(1600, 900), "r4 b5 implant yA g8", board_pieces.NAMED)])
def test_no_words_on_a_card_are_cut_off_or_too_small(layout: Layout, hand: str, words: str) -> None:
    """A second line was 6 px high on a phone, and names ended under the next card: "second mol"."""
    seen = looked_at(Position(hand, "b1", discard="g5").drawn(), layout=layout)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    held = [piece for piece in scene.pieces if piece.row == "hand"]
    known = seen.view.faces
    for piece in held:
        card = card_of(piece.key)
        assert card is not None
        assert piece.drawing is board_pieces.card(known[card], "en", words=words), (piece.width, piece.label)


@pytest.mark.parametrize("laid", range(6))
def test_no_line_of_a_hand_lies_over_words(laid: int) -> None:
    """Of "mittlerer Schneidezahn" half of the letters were seen below the second line."""
    position = Position("r4 b5 implant yA g8 rB b2 y3", "b1").drawn()
    for number in range(laid):
        rank = "45678"[number % 5]
        position.set_on_field(rank, " ".join(f"{colour}{rank}" for colour in "gyb"), owner=number % 2)
    seen = looked_at(position, layout=Layout(390, 680, touch=True))
    lies = [piece for piece in BOARD.scene(seen, BOARD.draft(seen)).pieces if piece.row == "hand"]
    lines = sorted({piece.y for piece in lies})
    if any(below - line < 1.3 * lies[0].width for line, below in pairwise(lines)):
        for piece in lies:
            card = card_of(piece.key)
            assert card is not None
            assert piece.drawing is board_pieces.card(seen.view.faces[card], "en", words=board_pieces.BARE), laid


def test_the_second_line_of_a_card_stands_where_it_is_12_px_high() -> None:
    """It is 20 units of 250."""
    assert [board_pieces.words_on(width, width) for width in (149, 150)] == [board_pieces.NAMED, board_pieces.TWO_LINES]
    assert [board_pieces.words_on(width, width) for width in (56, 57)] == [board_pieces.BARE, board_pieces.NAMED]
    assert board_pieces.words_on(200, 180) == board_pieces.BARE


def test_a_wild_in_a_strip_says_what_it_stands_for_however_few_words_are_on_it() -> None:
    for words in (board_pieces.TWO_LINES, board_pieces.NAMED, board_pieces.BARE):
        assert board_pieces.card("implant", "en", "7", words).markup.endswith(">7</text>")


@pytest.mark.parametrize("layout", [PHONE, Layout(390, 732, touch=True), DESK, Layout(944, 636), Layout(1280, 636)])
def test_contract_and_direction_stand_together_and_the_contract_says_what_it_is(layout: Layout) -> None:
    for laid in (False, True):
        position = Position("r4 b5 implant yA g8", "b1", "b2", contract=SET_AND_RUN).drawn()
        if laid:
            position.set_on_field("6", "g6 y6 b6", owner=1)
        seen = looked_at(position, layout=layout)
        scene = BOARD.scene(seen, BOARD.draft(seen))
        contract, way = (next(piece for piece in scene.pieces if piece.key == key) for key in ("contract", "direction"))
        assert way.label == "Play goes from left to right"
        gap = way.x - way.width / 2 - contract.x - contract.width / 2
        assert 0 < gap <= 20 and way.x + way.width / 2 <= layout.width
        assert abs(way.y - contract.y) < 1
        captions = [label for label in scene.labels if label.key == "contract-caption"]
        assert [label.text for label in captions] == ["To go down you need"]
        assert captions[0].y + 7 <= contract.y - contract.width * contract.drawing.height / contract.drawing.width / 2
        (after,) = [label for label in scene.labels if label.key == "next"]
        assert after.text == "Next: Ben"
        assert after.y - 7 >= way.y + way.width / 2, "below the sign"
        assert after.x + len(after.text) * LETTER * 16 / 2 <= layout.width


@pytest.mark.parametrize("layout", [Layout(530, 320, touch=True), Layout(590, 320, touch=True)])
def test_no_words_lie_on_the_sign_that_shows_which_way_play_goes(layout: Layout) -> None:
    position = Position("r4 b5 implant yA g8", "b1", "b2").drawn()
    position.set_on_field("6", "g6 y6 b6", owner=1)
    seen = looked_at(position, layout=layout)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    (way,) = [piece for piece in scene.pieces if piece.key == "direction"]
    for label in scene.labels:
        if label.key in ("contract-caption", "next"):
            assert abs(label.y - way.y) >= way.width / 2 + 7, label


def test_who_comes_next_is_told_and_who_is_skipped_is_passed_over() -> None:
    position = Position("r4 toothache", "b1", "b2", "b3").drawn()

    def told(seat: int | None, mover: int | None = None) -> list[str]:
        seen = replace(looked_at(position, seat), mover=mover)
        return [label.text for label in BOARD.scene(seen, None).labels if label.key == "next"]

    assert told(0) == told(None) == ["Next: Ben"]
    assert told(1) == ["Next: You"]
    assert told(1, mover=3) == ["Next: Ann"], "the plate of who acted before is still marked"
    position.do(0, "penalty", "toothache", 1).do(1, "accept")
    assert told(0) == ["Next: Cleo"]
    position.state.direction = -1
    assert told(0) == ["Next: Dan"]


def test_who_is_asked_for_a_card_that_another_may_take_sees_no_sign_of_who_comes_next() -> None:
    """"Next: You" stood beside "If Ann leaves it, it's yours"."""
    position = Position("r1 r2", "b1 b2", "y1 y2", discard="g5")
    for seat, count in ((0, 1), (1, 0)):
        scene = BOARD.scene(looked_at(position, seat), BOARD.draft(looked_at(position, seat)))
        assert len([piece for piece in scene.pieces if piece.key == "direction"]) == count, seat
        assert len([label for label in scene.labels if label.key == "next"]) == count, seat


@pytest.mark.parametrize("layout", [PHONE, Layout(944, 636), Layout(844, 300, touch=True)])
def test_who_is_down_reads_in_a_line_what_that_allows(layout: Layout) -> None:
    scene = BOARD.scene(looked_at(Position("r1 r2", "b1 b2", "y1 y2", down=(0,)).drawn(), layout=layout), None)
    lines = [label for label in scene.labels if label.key.startswith("contract-line")]
    assert " ".join(label.text for label in lines) == "You are down: add to any set or run"
    assert lines[0].speech == "You are down." and not [piece for piece in scene.pieces if piece.key == "contract"]


def test_where_two_play_no_sign_shows_which_way_play_goes() -> None:
    seen = looked_at(Position("r4 b5", "b1").drawn())
    scene = BOARD.scene(seen, BOARD.draft(seen))
    assert not {"direction", "next"} & ({each.key for each in scene.pieces} | {label.key for label in scene.labels})


def test_a_hand_that_lies_in_one_line_takes_the_room_of_one() -> None:
    """Cards that lie side by side on a desk lay in a tray for two lines, and what was laid on the field was smaller for it."""
    position = Position("r4 b5 implant yA g8 rB b2 y3", "b1").drawn()
    for number in range(3):
        position.set_on_field("456"[number], " ".join(f"{colour}{'456'[number]}" for colour in "gyb"), owner=number % 2)
    seen = looked_at(position, layout=Layout(944, 636))
    scene = BOARD.scene(seen, BOARD.draft(seen))
    held = [piece for piece in scene.pieces if piece.row == "hand"]
    assert scene.hand is not None and len({piece.y for piece in held}) == 1
    assert scene.hand.height < held[0].width * 1.4 + 40


@pytest.mark.parametrize("groups", [1, 3, 5])
def test_a_long_hand_at_a_desk_lies_in_two_lines_in_which_every_name_is_read(groups: int) -> None:
    """In one line each card lay over the name of the one before it, while the field had room."""
    position = Position("r4 b5 implant yA g8 rB b2 y3 gC r7 bE cavity y8 bA", *["b1"] * 4).drawn()
    for number in range(groups):
        rank = "12345"[number]
        position.set_on_field(rank, f"g{rank} y{rank} b{rank}", owner=number % 3)
    layout = Layout(945, 720)
    seen = looked_at(position, layout=layout)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    held = [piece for piece in scene.pieces if piece.row == "hand"]
    assert len({piece.y for piece in held}) == 2
    for piece in held:
        assert piece.drawing is board_pieces.card(piece.drawing.shows, "en", words=board_pieces.NAMED), piece.label
    assert all(piece.drawing.height == 350 for piece in scene.pieces if piece.plane), "whole cards on the field"
    (contract,) = [piece for piece in scene.pieces if piece.key == "contract"]
    assert scene.hand is not None
    assert contract.y + contract.width * contract.drawing.height / contract.drawing.width / 2 <= scene.hand.y
    position.state.hands[0] = position.state.hands[0][:11]
    eleven = BOARD.scene(looked_at(position, layout=layout), None)
    position.state.hands[0] = position.state.hands[0][:8]
    short = BOARD.scene(looked_at(position, layout=layout), None)
    for lies in (eleven, short):
        assert len({piece.y for piece in lies.pieces if piece.row == "hand"}) == 1
    assert eleven.hand == short.hand, "no line stays empty, and the tray keeps its edge as a card is drawn"
    assert [plate.rect for plate in short.plates] == [plate.rect for plate in scene.plates], "no seat moves"


# ---- what is seen ----


@cache
def fronts_in(drawing: Drawing) -> frozenset[str]:
    """The faces whose whole drawing is part of ``drawing``."""
    return frozenset(face for face in FACES if art.front(face) in drawing.markup
                     or (art.cut_front(face) if face in art.TEETH else face_cards.cut_face_card(face)) in drawing.markup
                     or any(art.small_front(face, named=named) in drawing.markup for named in (True, False)))


def check(seen: Sight, scene: Scene, everything: Faces) -> None:
    """No face and no name beyond what the reader knows. That no Prevention is in one's own hand is known without any, and whether
    somebody has one is asked of all."""
    known = seen.view.faces
    open_faces = set(known.values())
    lacks = seen.say("teeth_time.board.reply.no_prevention", text="").strip() if seen.may_act else ""
    texts = " ".join(scene.texts())
    texts = texts.replace(lacks, "") if lacks else texts
    for seat in range(seen.view.rules.seats):
        texts = texts.replace(seen.say("teeth_time.board.status.reply", seat=seen.words.seat(seat)), "")
    for piece in scene.pieces:
        card = card_of(piece.key)
        assert piece.drawing.shows is None or (card is not None and known.get(card) == piece.drawing.shows)
        assert fronts_in(piece.drawing) <= open_faces
    for face in set(everything.values()) - open_faces:
        assert seen.words.face(face) not in texts


def sound(seen: Sight, scene: Scene) -> None:
    """Everything has its own key and lies on the stage."""
    keys = [thing.key for things in (scene.pieces, scene.spots, scene.plates, scene.zones, scene.labels) for thing in things]
    assert len(keys) == len(set(keys))
    assert sum(control.primary for control in scene.controls) <= 1
    for piece in scene.pieces:
        if not piece.plane:
            assert 0 <= piece.x <= seen.layout.width and 0 <= piece.y <= seen.layout.height, piece.key
        else:
            assert scene.bounds.holds((piece.x, piece.y)), piece.key


@pytest.mark.parametrize(("seats", "options"), [
    (2, {}), (3, {"contracts": "one", "one": 6, "level": "advanced"}), (5, {"contracts": "one", "one": 3}),
    (10, {"contracts": "one", "one": 1, "level": "beginner"}),
])
def test_no_scene_of_a_match_shows_what_its_reader_may_not_know(seats: int, options: dict[str, object], matches: int) -> None:
    """Every seat and the public table, every step of random matches of several hands, on three screens in turn: the first
    hundred steps, more where more matches are asked for (``--matches``)."""
    rng = Random(seats)
    table = seated("teeth-time", seats, seats, {**options, "hands": 2})
    phases = set()
    for step in range(min(240, 60 + matches)):
        state = table.match.state
        phases.add(state.phase)
        layout = (PHONE, DESK, LARGE_TEXT)[step % 3]
        for seat in (None, *range(seats)):
            seen = sight(table, seat, layout)
            scene = BOARD.scene(seen, BOARD.draft(seen) if seen.may_act else None)
            check(seen, scene, table.match.knowledge)
            sound(seen, scene)
            if state.phase in (SCORED, OVER):
                sound(seen, BOARD.scene(replace(seen, past=True), None))
        acting = table.match.rules.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        table.move(seat, table.match.rules.random_move(state, seat, table.match.view((seat,)).faces, rng))
    assert {WINDOW, PLAY} <= phases <= {WINDOW, PLAY, REPLY, COUNTER, SCORED, OVER}


def played_on(table: Table, steps: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(steps):
        acting = table.match.rules.to_act(table.match.state)
        if not acting:
            return
        seat = rng.choice(acting)
        faces = table.match.view((seat,)).faces
        table.move(seat, table.match.rules.random_move(table.match.state, seat, faces, rng))


def test_ten_seats_fit_a_phone() -> None:
    """Seats do not overlap, groups can be read, and what is taken in hand can be hit."""
    table = seated("teeth-time", 10, 4, {"contracts": "one", "one": 1})
    played_on(table, 700, 6)
    seen = sight(table, 3, Layout(360, 520, 16, touch=True))
    scene = BOARD.scene(seen, None)
    rects = [plate.rect for plate in scene.plates]
    assert all(a is b or a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y for a in rects for b in rects)
    assert all(rect.right <= 360 and rect.height >= 43 for rect in rects)
    assert any(piece.plane for piece in scene.pieces)
    assert scene.closest * 100 >= 24, "px of a card on the field"


@pytest.mark.parametrize(("layout", "lines"), [
    (Layout(390, 690, 16, touch=True), 1), (Layout(360, 520, 16, touch=True), 1), (Layout(390, 560, 32, touch=True), 2)])
def test_five_seats_stand_in_a_line_on_a_phone_so_that_the_field_has_the_height_of_another(layout: Layout, lines: int) -> None:
    scene = BOARD.scene(sight(seated("teeth-time", 5, 3), 0, layout), None)
    rects = [plate.rect for plate in scene.plates]
    assert len({rect.y for rect in rects}) == lines
    assert all(rect.width >= 65 and rect.height >= 44 and rect.right <= layout.width for rect in rects)
    assert scene.window is not None and scene.window.y <= max(rect.bottom for rect in rects) + 8


@pytest.mark.parametrize("seat", [None, 0])
def test_a_counted_hand_is_counted_card_by_card_and_then_its_points_are_told(seat: int | None) -> None:
    """What each card counts is seen as it lies there, and the points of a row after all its cards; then they leave for their
    plate. One's own hand lay open before, as did what was collected."""
    table = counted(4)
    state = table.match.state
    assert isinstance(state, TeethTimeState)
    scene = BOARD.scene(sight(table, seat, Layout(944, 636)), None)
    after = {label.key: label.delay for label in scene.labels}
    order = [int(piece.key[1:]) for piece in scene.pieces]
    comes = [card for card in order if any(card in hand for one, hand in enumerate(state.hands) if one != seat)]
    seen = set(order) - set(comes)
    assert len(comes) > 5 and all(after.get(f"worth{card}", 0.3) == 0.3 for card in seen), "as they land"
    assert scene.in_view == set(map(card_key, seen))
    times = [after[f"worth{card}"] for card in comes if f"worth{card}" in after]
    assert all(0 < before < later for before, later in pairwise(times)) and times[-1] <= scene.count_seconds <= 4 * 0.9 + 0.01
    for one in range(4):
        told = [after[f"worth{card}"] for card in counted_cards(state, one) if f"worth{card}" in after]
        assert after[f"points{one}"] >= max(told, default=0.0)
        assert all(after[key] == after[f"points{one}"] for key in after if key.startswith((f"counts{one}", f"sum{one}")))
    points = [after[f"points{one}"] for one in range(4)]
    assert points == sorted(points) and points[-1] == scene.count_seconds
    assert scene.won_after == dict(enumerate(points))


def test_looking_back_offers_nothing() -> None:
    position = Position("r6 b6 g6 r2", "b1").drawn()
    seen = replace(looked_at(position), past=True)
    scene = BOARD.scene(seen, None)
    assert scene.controls == () and scene.prompt is None and scene.spots == ()
    assert sum(piece.row == "hand" for piece in scene.pieces) == 4


def test_a_counted_hand_says_item_by_item_how_its_points_came_about() -> None:
    """The items add up to what the score sheet has (TT-15), and the person reads their own."""
    match = between_bots("teeth-time")
    counted = 0
    for entry, state, _ in match.story():
        assert isinstance(state, TeethTimeState)
        if state.phase not in (SCORED, OVER) or len(state.scores) <= state.hand_no:
            continue
        for seat, points in enumerate(state.scores[state.hand_no]):
            items = hand_items(state, seat)
            assert sum(worth for _, worth in items.values()) == points
            seen = Sight(match.view((seat,), entry.index), Wording(WORDS, match.setup, seat), PHONE, seat, (seat,))
            words = Actions(seen, None)
            said = words.count_note(seat)
            assert (said == "nothing counts") == (not any(n for n, _ in items.values()))
            assert ("left" in said) == bool(items["left"][0]) and ("out" in said) == (state.first_out == seat)
            if state.phase == SCORED:
                assert words.note() == (f"You: {said}.", False)
            counted += 1
    assert counted


def test_what_collects_is_not_counted_among_what_it_collected() -> None:
    """Two letters and the Fairy herself, each −5; the Dentist with one penalty, each −10; a Prevention, −20 (TT-15)."""
    position = Position("fairy dentist prevention r1", "b1 b2", down=(0,)).drawn()
    position.set_on_field("C", "rC bC implant", 1)
    position.state.penalties += (Penalty(position.cards("cavity", public=True)[0], 1, True),)
    position.do(0, "play", "fairy").do(0, "play", "dentist").do(0, "play", "prevention").do(0, "discard", "r1")
    assert hand_items(position.state, 0) == {"left": (0, 0), "star": (1, -30), "fairy": (1, -5), "letters": (3, -15),
                                             "dentist": (1, -10), "penalties": (1, -10), "prevention": (1, -20)}
    said = Actions(looked_at(position), None).count_note(0)
    assert said == "out first −30, Tooth Fairy −5, 3 letters −15, Dentist −10, 1 penalty −10, Prevention −20"


@pytest.mark.parametrize("seats", [2, 4, 10])
@pytest.mark.parametrize("layout", [PHONE, DESK, LOW, LARGE_TEXT])
def test_a_counted_hand_has_a_row_a_seat_with_its_points_and_every_card_that_counts(seats: int, layout: Layout) -> None:
    table = counted(seats)
    state = table.match.state
    assert isinstance(state, TeethTimeState)
    for seat in (None, 0):
        scene = BOARD.scene(sight(table, seat, layout), None)
        shown = {piece.key: piece for piece in scene.pieces}
        rows = {zone.key: zone.rect for zone in scene.zones}
        labels = {label.key: label for label in scene.labels}
        for one in range(seats):
            row = rows[f"row{one}"]
            assert row.x >= 0 and row.right <= layout.width and row.bottom <= layout.height
            points = labels[f"points{one}"]
            assert points.text.removesuffix(" ★") == figure(state.scores[-1][one], plus=True)
            assert (points.text != points.text.removesuffix(" ★")) == (one == state.stars[-1])
            cards = counted_cards(state, one)
            assert len(cards) == sum(n for name, (n, _) in hand_items(state, one).items() if name != "star")
            for card in cards:
                piece = shown[card_key(card)]
                assert row.x <= piece.x - piece.width / 2 and piece.x + piece.width / 2 <= row.right + 0.5
                assert row.holds((piece.x, piece.y)) and piece.owner == one
            lies = [shown[card_key(card)] for card in cards]
            lines = [[one for one in lies if one.y == y] for y in sorted({one.y for one in lies})]
            assert [one for line in lines for one in line] == lies, "they are read line by line"
            assert all(after.x - before.x > 0.35 * before.width for line in lines for before, after in pairwise(line)), \
                "an index is covered"
            drawing = lies[0].drawing if lies else None
            assert all(drawing and below[0].y - above[0].y > above[0].width * drawing.height / drawing.width
                       for above, below in pairwise(lines)), "a line is covered"
        high = sorted((row.x, row.y, row.bottom) for row in rows.values())
        assert all(below[1] >= above[2] for above, below in pairwise(high) if above[0] == below[0])


@pytest.mark.parametrize("layout", [Layout(944, 636), Layout(390, 640, 16, touch=True)])
def test_a_card_that_counts_says_what_it_counts_where_that_has_room(layout: Layout) -> None:
    """TT-15: "13 cards left +135" could not be checked by a child. What all cards count, and going out, comes to the points."""
    state = counted(4).match.state
    assert isinstance(state, TeethTimeState)
    for seat in range(4):
        out = sum(points for name, (_, points) in hand_items(state, seat).items() if name == "star")
        assert sum(counted_cards(state, seat).values()) + out == state.scores[-1][seat]
    scene = BOARD.scene(sight(counted(4), 0, layout), None)
    told = {label.key: label for label in scene.labels if label.key.startswith("worth")}
    shown = {piece.key: piece for piece in scene.pieces}
    for seat in range(4):
        cards = counted_cards(state, seat)
        for card, points in cards.items():
            label, piece = told.get(f"worth{card}"), shown[card_key(card)]
            if label is None:
                assert len(cards) > 20, "there is no room"
                continue
            assert label.text == figure(points, plus=True)
            assert abs(label.x - piece.x) <= piece.width / 2 and piece.y < label.y < piece.y + piece.width * 0.7
            assert piece.drawing is board_pieces.card(state.public[card], "en", words=board_pieces.BARE), "no words lie below"
    assert told


def test_who_has_many_cards_left_has_a_higher_row_on_a_phone_so_that_each_says_what_it_counts() -> None:
    position = Position("b1 b1 r2 g5 y6 r6 y7 g7 bA rC yD b5 g4", "", "y1 b7 rC rE", "y3 g7 yC b8 r8")
    state = position.state
    state.public |= dict(position.world)
    state.phase, state.scores, state.stars, state.totals = SCORED, ((120, -30, 30, 45),), (1,), (120, -30, 30, 45)
    scene = BOARD.scene(looked_at(position, layout=Layout(390, 690, 16, touch=True)), None)
    told = {label.key for label in scene.labels if label.key.startswith("worth")}
    assert told == {f"worth{card}" for hand in state.hands for card in hand}
    rows = {zone.key: zone.rect.height for zone in scene.zones}
    assert rows["row0"] > 1.3 * rows["row2"] == 1.3 * rows["row3"]
    assert len({piece.y for piece in scene.pieces if piece.owner == 0}) == 2


def test_no_card_of_a_counted_hand_covers_another_where_two_sit_at_a_desk_and_its_sum_stands_right_below() -> None:
    position = Position("y2 g2 b7 y7 rC yD gD b1 r2 g5 y6 r6", "")
    state = position.state
    state.public |= dict(position.world)
    state.phase, state.scores, state.stars, state.totals = SCORED, ((105, -30),), (1,), (105, -30)
    scene = BOARD.scene(looked_at(position, layout=Layout(944, 688)), None)
    lies = [piece for piece in scene.pieces if piece.owner == 0]
    assert len(lies) == 12
    assert all(abs(after.x - before.x) > before.width for before, after in pairwise(lies) if after.y == before.y)
    foot = max(piece.y + 0.7 * piece.width for piece in lies)
    (told,) = [label for label in scene.labels if label.key.startswith("counts0")]
    assert foot < told.y < foot + 16 + 5


@pytest.mark.parametrize("layout", [Layout(390, 690, 16, touch=True), Layout(944, 640)])
@pytest.mark.parametrize("count", [7, 9, 10, 11])
@pytest.mark.parametrize("seats", [2, 5])
def test_each_card_of_a_hand_of_usual_size_says_what_it_counts(seats: int, count: int, layout: Layout) -> None:
    """Hands of nine to eleven lay in one line, so close to each other that no points had room on them."""
    many = ["b1", "r2", "g5", "y6", "r6", "y7", "g7", "bA", "rC", "yD", "b5"]
    position = Position("", *[" ".join(many[:count])] * (seats - 1))
    state = position.state
    state.public |= dict(position.world)
    points = (-30, *[sum(IN_HAND[face] for face in many[:count])] * (seats - 1))
    state.phase, state.scores, state.stars, state.totals = SCORED, (points,), (0,), points
    scene = BOARD.scene(looked_at(position, layout=layout), None)
    told = {label.key for label in scene.labels if label.key.startswith("worth")}
    assert told == {f"worth{card}" for hand in state.hands for card in hand}


def test_cards_of_all_counted_hands_look_alike_on_a_phone_with_many_seats_and_each_says_what_it_counts() -> None:
    """Some were cropped, some lay over each other, and ten were stamps in two lines."""
    position = Position("r2 bB bC", "r4 r5 b7 yA rA rB yD", "", "gA rA rC bD", "r1 y4 b6 bC rE implant bridge bridge", "g2 gC yE")
    state = position.state
    state.public |= dict(position.world)
    points = (20, 45, -30, 20, 100, 20)
    state.phase, state.scores, state.stars, state.totals = SCORED, (points,), (2,), points
    scene = BOARD.scene(looked_at(position, layout=Layout(390, 700, 16, touch=True)), None)
    assert {(piece.drawing.width, piece.drawing.height) for piece in scene.pieces} == {board_pieces.CHIP}
    told = {label.key for label in scene.labels if label.key.startswith("worth")}
    assert told == {f"worth{card}" for hand in state.hands for card in hand}


def test_the_end_of_a_match_with_equal_totals_says_that_stars_decide_and_shows_them() -> None:
    """It said "Ada won." over two equal totals."""
    position = Position("r1 b2", "")
    state = position.state
    state.public |= dict(position.world)
    state.phase, state.scores, state.stars, state.totals = OVER, ((-30, -30),), (1,), (-30, -30)
    state.end_reason, state.winners = "teeth_time.ended.stars", (1,)
    scene = BOARD.scene(looked_at(position), None)
    assert scene.note == "The lowest totals are the same – so the most stars win."
    assert [plate.note for plate in scene.plates] == ["", "★"]


def test_of_a_row_too_long_for_that_cards_that_count_as_much_say_together_what_they_come_to() -> None:
    hands = ["r1 r2 r3 r4 r5 r6 r7 bA bB bC bD bE implant bridge", *["r2 b2"] * 5]
    position = Position(*hands)
    state = position.state
    state.public |= dict(position.world)
    points = tuple(sum(IN_HAND[face] for face in hand.split()) for hand in hands)
    state.phase, state.scores, state.stars, state.totals = SCORED, (points,), (NOBODY,), points
    scene = BOARD.scene(looked_at(position, layout=Layout(390, 590, 16, touch=True)), None)
    keys = {f"worth{card}" for card in state.hands[0]}
    told = [int(label.text) for label in scene.labels if label.key in keys]
    assert len(told) < 14 and sum(told) == points[0]


@pytest.mark.parametrize("seats", [5, 6])
def test_what_seats_have_laid_keeps_its_column_on_a_phone_whatever_others_lay(seats: int) -> None:
    """It stood right of another, later below, later right again."""
    position = Position(*["r1"] * seats)
    seen = looked_at(position, layout=Layout(390, 690, 16, touch=True))
    lefts: dict[str, bool] = {}
    for owner in (3, 1, 4, 0, 2):
        position.set_on_field("5", "r5 b5 g5 y5" if owner % 2 else "r5 b5 g5", owner)
        scene = BOARD.scene(replace(seen, view=looked_at(position).view), None)
        blocks = {label.key: label.x for label in scene.labels if label.key.startswith("title")}
        if len(blocks) > 2:
            middle = scene.bounds.width / 2 if scene.bounds is not None else 0.0
            sides = {key: x > middle - 20 for key, x in blocks.items()}
            assert all(sides[key] == before for key, before in lefts.items())
            lefts = sides
    assert len(lefts) == 5


def test_on_a_phone_held_sideways_the_contract_has_the_width_beside_the_piles() -> None:
    """Its letters were 8 px high beside 150 px of an empty field."""
    scene = BOARD.scene(looked_at(Position("r1 r2 g3", "b1", "b2"), layout=Layout(668, 338, 16, touch=True)), None)
    contract = next(piece for piece in scene.pieces if piece.key == "contract")
    assert contract.width >= 0.7 * contract.drawing.width
    assert all(piece.x - piece.width / 2 >= 0 for piece in scene.pieces)


def test_on_an_upright_tablet_a_hand_in_two_lines_has_large_cards_that_lie_apart() -> None:
    """They were 92 px wide below piles of 147."""
    position = Position("r1 r2 g3 b4 y5 y6 g7 r8 bA rC", "b1", "b2")
    scene = BOARD.scene(looked_at(position, layout=Layout(820, 1050, 16, touch=True)), None)
    hand = [piece for piece in scene.pieces if piece.row == "hand"]
    assert len(hand) == 10 and min(piece.width for piece in hand) >= 112
    tops = sorted({piece.y for piece in hand})
    assert len(tops) == 2 and tops[1] - tops[0] >= hand[0].width * 1.4


def rich() -> Position:
    """A counted hand of which seat 0 has 24 cards and four others few."""
    hand = "g7 g8 gA bC gC gD bE toothache yB yB rB gB bB bA gC rD yE rC bD bE r1 r2 r3 implant"
    position = Position(hand, "cavity", "gE", "rD", "yA")
    state = position.state
    state.public |= dict(position.world)
    state.phase, state.scores, state.stars = SCORED, ((160, -70, 5, 5, 5),), (1,)
    state.totals = state.scores[0]
    return position


@pytest.mark.parametrize("layout", [Layout(944, 688), Layout(820, 1000, touch=True), Layout(390, 690, 16, touch=True)])
def test_a_rich_hand_has_most_of_the_height_and_every_card_of_it_is_whole(layout: Layout) -> None:
    """24 cards were slivers 18 px high under their points, in a row as high as those with one card."""
    scene = BOARD.scene(looked_at(rich(), layout=layout), None)
    rows = [zone.rect.height for zone in scene.zones if zone.key.startswith("row")]
    assert len(rows) == 5 and rows[0] > 2.5 * max(rows[1:]) and min(rows[1:]) >= 4 * 16
    cards = [piece for piece in scene.pieces if piece.owner == 0]
    assert len(cards) == 24 and all(piece.width >= 40 and piece.drawing.height > piece.drawing.width for piece in cards)
    told = {label.key for label in scene.labels if label.key.startswith("worth")}
    assert {f"worth{card_of(piece.key)}" for piece in cards} <= told
    labels = [label for label in scene.labels if label.key.startswith(("name", "counts", "points", "sum"))]
    for piece in scene.pieces:
        high = piece.width * 0.7
        assert not [label for label in labels if abs(label.y - piece.y) < high and label.x >= piece.x - piece.width / 2
                    and label.anchor == "start" and label.x < piece.x + piece.width / 2]


@pytest.mark.parametrize("layout", [Layout(944, 688), Layout(390, 690, 16, touch=True), LOW])
def test_no_card_lies_over_what_it_counts(layout: Layout) -> None:
    """The 21st and later cards of a row covered it: a label of the stage has z-index 30."""
    assert all(piece.z < 30 for piece in BOARD.scene(looked_at(rich(), layout=layout), None).pieces)


def test_what_flies_to_a_plate_leaves_from_beside_the_points() -> None:
    scene = BOARD.scene(looked_at(rich(), layout=Layout(944, 688)), None)
    for label in scene.labels:
        if label.key.startswith("points"):
            x, y = scene.won_at[int(label.key[6:])]
            assert y == label.y and label.x - x > 16 * len(label.text) + 30


@pytest.mark.parametrize(("layout", "less"), [(Layout(390, 690, 16, touch=True), False), (DESK, False),
                                              (Layout(390, 620, 32, touch=True), True), (Layout(586, 334, 23.4), True)])
def test_what_wins_is_said_below_the_seats_where_it_has_a_line_of_its_own(layout: Layout, less: bool) -> None:
    """In very large text it lay over piles and contract."""
    position = Position("r1 r2 g3", "b1", "b2", "b3")
    scene = BOARD.scene(looked_at(position, layout=layout), None)
    assert any(label.key == "aim" for label in scene.labels) != less


@pytest.mark.parametrize(("layout", "least"), [(Layout(390, 690, 16, touch=True), 34), (Layout(360, 520, 16, touch=True), 18)])
def test_many_cards_of_one_of_five_lie_in_lines_that_show_most_of_each(layout: Layout, least: float) -> None:
    """In one line 18 cards were 20 px high in a row of twice the height, and 16 px of each were seen."""
    many = "b1 b1 r2 g5 y6 r6 y7 g7 bA rC yD b5 g4 r8 rA gB g8 y8"
    position = Position("y1 b7 rC rE", "", many, "y3 g7 yC b8 r7", "y2 b2")
    state = position.state
    state.public |= dict(position.world)
    state.phase, state.scores, state.stars, state.totals = SCORED, ((30, -30, 160, 45, 20),), (1,), (30, -30, 160, 45, 20)
    scene = BOARD.scene(looked_at(position, layout=layout), None)
    lies = [piece for piece in scene.pieces if piece.owner == 2]
    lines = sorted({piece.y for piece in lies})
    assert len(lies) == 18 and len(lines) > 1
    shown = min(after.x - before.x for before, after in pairwise(lies) if before.y == after.y)
    assert shown >= least and shown * (lines[1] - lines[0]) > 1.5 * 16 * 20, "px, and px² of a card that are seen"


def test_what_a_row_tells_no_line_below_the_table_tells_again() -> None:
    table = counted(3)
    scene = drawn(BOARD, sight(table, 0, PHONE))
    assert any(label.key.startswith("counts0") for label in scene.labels)
    assert scene.note in (f"{name} went out first: a star, and 30 off." for name in NAMES) or "fewest points win" in scene.note


@pytest.mark.parametrize(("points", "status", "framed", "note"), [
    ((-30, 25, 40), "You win hand 1", {0}, "You went out first: a star, and 30 off."),
    ((5, -30, 40), "Ben wins hand 1", {1}, "You went out first: a star, and 30 off. But the fewest points win."),
    ((-30, -30, 40), "Hand 1 is over", {0, 1}, "You went out first: a star, and 30 off.")])
def test_a_counted_hand_says_who_won_it_and_nobody_is_to_play(points: tuple[int, ...], status: str, framed: set[int],
                                                              note: str) -> None:
    """TT-15: the star goes to who went out, the hand to the fewest points. The plate of who deals next was lit as a winner's."""
    position = Position("r1", "b1", "g1")
    state = position.state
    state.public.update(position.world)
    state.phase, state.scores, state.stars, state.first_out, state.totals = SCORED, (points,), (0,), 0, points
    scene = BOARD.scene(looked_at(position), None)
    assert scene.status == status and scene.note == note
    assert {int(zone.key[3:]) for zone in scene.zones if "legal" in zone.flags} == framed
    assert not any(plate.active for plate in scene.plates)


def test_what_counts_is_said_of_every_seat_where_there_is_room() -> None:
    table = counted(4)
    seen = sight(table, 0, PHONE)
    words = Actions(seen, None)
    scene = BOARD.scene(seen, None)
    for seat in range(4):
        said = ", ".join(label.text for label in scene.labels if label.key.startswith(f"counts{seat}."))
        assert said == words.count_note(seat)


def test_rows_with_room_have_large_names_and_points_and_plates_say_no_more_than_the_totals() -> None:
    """So that what flies from a row to its plate covers nothing there."""
    scene = BOARD.scene(sight(counted(4), 0, Layout(390, 640, 16, touch=True)), None)
    rows = {zone.key: zone.rect for zone in scene.zones}
    labels = {label.key: label for label in scene.labels}
    for seat in range(4):
        assert (labels[f"name{seat}"].kind, labels[f"points{seat}"].kind) == ("head", "big")
        assert rows[f"row{seat}"].holds(scene.won_at[seat])
    assert all((plate.note, plate.count) == ("", None) and plate.score for plate in scene.plates)
    low = BOARD.scene(sight(counted(10), 0, PHONE), None)
    assert {label.kind for label in low.labels if label.key.startswith("name")} == {"title"}, "there is no room"


def test_from_the_second_hand_on_a_row_says_what_it_comes_to() -> None:
    table = counted(2)
    rng = Random(1)
    state = table.match.state
    while not (is_counted(state) and state.hand_no == 1):
        assert not any(label.key.startswith("sum") for label in BOARD.scene(sight(table, 0), None).labels)
        seat = rng.choice(table.match.rules.to_act(state))
        move = ("deal",) if state.phase == SCORED else \
            table.match.rules.random_move(state, seat, table.match.view((seat,)).faces, rng)
        table.move(seat, move)
        state = table.match.state
    sums = {label.key: label.text for label in BOARD.scene(sight(table, 0), None).labels if label.key.startswith("sum")}
    assert sums == {f"sum{seat}": f"total {figure(total)}" for seat, total in enumerate(state.totals)}


def test_the_answer_to_a_puzzle_stays_on_the_table() -> None:
    table = counted(2)
    seen = replace(sight(table, 0), answered=True)
    scene = BOARD.scene(seen, None)
    laid = {card_key(card) for group in table.match.state.groups.values() for card in group.cards_held}
    assert laid and laid <= {piece.key for piece in scene.pieces if piece.plane}
    assert not scene.zones or not any(zone.key.startswith("row") for zone in scene.zones)
    assert scene.note == ""


# ---- how large things lie ----


def test_seats_with_little_before_them_share_a_line() -> None:
    found = plan(((1,), (1,), (1,), (1, -4, -3)), 378, 330, 0.86, 20)
    few, mine = found.blocks[:3], found.blocks[3]
    assert len({block.y for block in few}) == 1 and mine.y > few[0].y
    assert all(after.x >= before.x + before.width for before, after in pairwise(few))
    assert found.zoom > 0.55 and all(block.x >= 0 and block.x + block.width <= found.width for block in found.blocks)


def test_a_block_of_several_lines_lies_beside_another() -> None:
    """A card that waits, three groups, and three more: each block took whole lines, half of them empty."""
    found = plan(((1,), (3, -4), (1, 2, 3)), 378, 310, 0.86, 22)
    waiting, theirs, mine = found.blocks
    assert waiting.y == theirs.y and len({strip.y for strip in theirs.strips}) == 2
    assert waiting.x + waiting.width <= theirs.x and len({strip.y for strip in mine.strips}) == 1
    assert found.zoom * CARD > 51 and found.height * found.zoom <= 310


def test_what_is_left_of_a_line_shows_more_of_its_cards() -> None:
    found = plan(((-5, -4), (-3,)), 390, 440, 0.6, 20)
    first, second = found.blocks[0].strips
    assert found.zoom * found.width <= 391
    for strip, count in ((first, 5), (second, 4)):
        wide = strip.step * (count - 1) + CARD + 60
        assert strip.step >= CARD or wide > 0.9 * found.width or first.y == second.y
    assert second.step > STEP


def test_a_line_that_fills_the_window_fits_into_it() -> None:
    """Spread over all of it, it was wider by a rounding, and a smaller table was taken."""
    found = plan(((1, 6, 1, 1), (2, 1, 3, 5, 5, 1), (-4, 1, 5, 1, 1, 6)), 900, 560, 1.1, 22)
    assert found.zoom > 0.63
    assert max(block.x + block.width for block in found.blocks) * found.zoom <= 900.01


def test_what_is_not_tried_would_show_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    for seats in (2, 3, 5, 8):
        shapes = tuple(tuple(rng.choice([1, 2, 4, 6, -3, -4]) for _ in range(rng.randrange(1, 6))) for _ in range(seats))
        quick = plan.__wrapped__(shapes, 366, 330, 1.1, 22)
        with monkeypatch.context() as patch:
            patch.setattr(board_field, "_most_shown", lambda *_: 10_000.0)
            assert plan.__wrapped__(shapes, 366, 330, 1.1, 22) == quick


@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_piles_have_the_bare_field_to_themselves_and_make_room_for_what_is_laid(layout: Layout) -> None:
    position = Position("r4 b5 implant yA g8", "b1").drawn()
    bare = looked_at(position, layout=layout)
    held = {piece.key: piece.width for piece in BOARD.scene(bare, BOARD.draft(bare)).pieces}
    discard = card_key(position.state.discards[-1])
    position.set_on_field("6", "g6 y6 b6", owner=1)
    laid = looked_at(position, layout=layout)
    after = {piece.key: piece.width for piece in BOARD.scene(laid, BOARD.draft(laid)).pieces}
    assert after[discard] < 0.9 * held[discard]


@pytest.mark.parametrize("layout", [Layout(390, 430, 32, touch=True), Layout(360, 380, touch=True), PHONE, DESK])
def test_piles_on_a_bare_field_lie_below_or_beside_the_seats_and_above_the_hand(layout: Layout) -> None:
    bare = looked_at(Position("r4 b5 implant yA g8 rB b2 y3 gC r7 bE", "b1").drawn(), layout=layout)
    scene = BOARD.scene(bare, BOARD.draft(bare))
    lowest, right = max(plate.rect.bottom for plate in scene.plates), max(plate.rect.right for plate in scene.plates)
    assert scene.hand is not None
    for zone in scene.zones:
        if zone.key in ("pile-place", "discards-place"):
            assert (lowest <= zone.rect.y or right <= zone.rect.x) and zone.rect.bottom <= scene.hand.y, zone.key


@pytest.mark.parametrize(("layout", "most"), [(Layout(390, 706, touch=True), 2), (Layout(360, 560, touch=True), 1)])
def test_the_hand_keeps_its_room_whatever_it_holds_and_whatever_is_laid(layout: Layout, most: int) -> None:
    """Hand, piles and field moved with each card, as the line between them did."""
    trays, sizes = set(), set()
    for laid in range(most + 1):
        for hand in ("r4 b5 implant", "r4 b5 implant yA g8 rB", "r4 b5 implant yA g8 rB b2 y3 gC r7",
                     "r4 b5 yA g8 rB b2 y3 gC r7 b1 bE"):
            position = Position(hand, "b1", "g1").drawn()
            for number in range(laid):
                position.set_on_field("45"[number], " ".join(f"{colour}{'45'[number]}" for colour in "gyb"), owner=number)
            for seen in (looked_at(position, layout=layout), looked_at(position, 1, layout)):
                scene = BOARD.scene(seen, None)
                trays.add(scene.hand)
                sizes.add((laid, scene.closest))
    assert len(trays) == 1 and len(sizes) == most + 1


def test_no_card_of_eleven_covers_more_than_the_edge_of_another_on_a_phone_and_all_are_large() -> None:
    """With each card that was drawn before going down all names went."""
    position = Position("r4 b5 implant yA g8 rB b2 y3 gC r7 broken", "b1").drawn()
    seen = looked_at(position, layout=Layout(390, 706, touch=True))
    held = [piece for piece in BOARD.scene(seen, BOARD.draft(seen)).pieces if piece.row == "hand"]
    assert held[0].width > 62
    for one, other in combinations(held, 2):
        assert abs(one.x - other.x) >= 0.94 * one.width or abs(one.y - other.y) >= 1.4 * one.width
    for piece in held:
        card = card_of(piece.key)
        assert card is not None
        assert piece.drawing is board_pieces.card(seen.view.faces[card], "en", words=board_pieces.NAMED)


@pytest.mark.parametrize(("hand", "down", "said"), [
    ("r4 b8", False, "Pick a card to discard."), ("r4 broken", False, "Pick a card to discard – or give the Broken Tooth away."),
    ("r4 dentist", True, "Pick a card to discard – or play the Dentist."),
    ("r1 b2 g3 y8", True, "You can lay a run 1–3. Or pick a card to discard."),
    ("r5 b5 g5 y8", True, "You can lay a set of 5’s. Or pick a card to discard."),
    ("r6 y8", True, "Red 6 fits on the table. Or pick a card to discard.")])
def test_the_line_beside_the_hand_names_what_can_be_done(hand: str, down: bool, said: str) -> None:
    position = Position(hand, "b1", down=(0,) if down else ()).drawn()
    if "r6" in hand:
        position.set_on_field("6", "g6 y6 b6", owner=1)
    seen, draft = drafted(position)
    assert BOARD.scene(seen, draft).note == said


def test_a_hint_leaves_what_is_picked_right_where_it_is() -> None:
    position = Position("r6 b6 g6 y6 r2", "b1").drawn()
    _, draft = drafted(position)
    draft.tap("propose")
    move = draft.tap("lay")
    assert isinstance(move, tuple) and draft.holds(move)
    draft.tap(key(position, 0, "r2"))
    assert not draft.holds(move)


def test_the_last_cards_of_a_hand_lie_larger_in_one_line() -> None:
    layout = Layout(390, 680, touch=True)
    widths = []
    for hand in ("r4 b5 implant yA g8 rB b2 y3 gC r7 bE", "r4 b5 implant yA g8", "r4 b5 implant"):
        position = Position(hand, "b1").drawn()
        for number in range(5):
            position.set_on_field("45678"[number], " ".join(f"{colour}{'45678'[number]}" for colour in "gyb"), owner=number % 2)
        seen = looked_at(position, layout=layout)
        scene = BOARD.scene(seen, BOARD.draft(seen))
        lies = [piece for piece in scene.pieces if piece.row == "hand"]
        assert scene.hand is not None and all(scene.hand.holds((piece.x, piece.y)) for piece in lies)
        assert all(piece.y + piece.width * 0.7 <= layout.height for piece in lies)
        widths.append(lies[0].width)
        if len(lies) < 8:
            assert len({piece.y for piece in lies}) == 1
            assert all(after.x - before.x >= before.width for before, after in pairwise(lies))
    assert widths[0] < widths[1] < widths[2]


def test_a_crowded_field_has_the_room_of_the_second_line_of_a_hand_that_fits_in_one() -> None:
    sizes = []
    for hand in ("r4 b5 implant yA g8 rB b2 y3 gC", "r4 b5 implant"):
        position = Position(hand, "b1").drawn()
        for number in range(13):
            rank = "12345678"[number % 8]
            position.set_on_field(rank, f"r{rank} g{rank} y{rank}", owner=number % 2)
        seen = looked_at(position, layout=Layout(390, 680, touch=True))
        scene = BOARD.scene(seen, BOARD.draft(seen))
        lies = [piece for piece in scene.pieces if piece.row == "hand"]
        assert scene.hand is not None and all(piece.y + piece.width * 0.7 <= scene.hand.bottom for piece in lies)
        sizes.append((seen_of_each(scene), lies[0].width))
    assert sizes[1][0] > 1.05 * sizes[0][0] and sizes[1][1] > 1.2 * sizes[0][1], "field and hand share it"


@pytest.mark.parametrize("layout", [Layout(390, 680, touch=True), Layout(768, 860, touch=True)])
def test_a_hand_stays_large_while_the_field_has_room_and_gives_way_to_what_is_laid(layout: Layout) -> None:
    def held_and_laid(groups: int) -> tuple[float, float]:
        position = Position("r4 b5 implant yA g8 rB b2 y3 gC r7 bE", "b1").drawn()
        for number in range(groups):
            position.set_on_field("45678"[number], " ".join(f"{colour}{'45678'[number]}" for colour in "gyb"), owner=number % 2)
        seen = looked_at(position, layout=layout)
        scene = BOARD.scene(seen, BOARD.draft(seen))
        lies = [piece for piece in scene.pieces if piece.row == "hand"]
        high = max(piece.y for piece in lies) - min(piece.y for piece in lies) + lies[0].width * 1.4
        return high, scene.closest * CARD

    bare, one, many = held_and_laid(0), held_and_laid(1), held_and_laid(5)
    assert one[0] == bare[0] > many[0]
    assert one[1] >= 70


@pytest.mark.parametrize("layout", [PHONE, DESK, Layout(844, 340)])
def test_the_middle_of_a_bare_field_is_not_where_cards_are_thrown_away(layout: Layout) -> None:
    bare = looked_at(Position("r4 b5 implant yA g8", "b1").drawn(), layout=layout)
    draft = BOARD.draft(bare)
    draft.pick(next(piece.key for piece in BOARD.scene(bare, draft).pieces if piece.row == "hand"))
    scene = BOARD.scene(bare, draft)
    assert scene.window is not None
    discards = next(spot for spot in scene.spots if spot.key == DISCARDS)
    assert discards.strict
    assert discards.x - discards.width / 2 > scene.window.centre[0] + 8


def test_a_field_with_room_shows_whole_cards_side_by_side_and_larger_than_in_the_hand() -> None:
    few = plan(((-3,),), 390, 300, 0.8, 20)
    assert few.zoom == 0.8 and few.blocks[0].strips[0].step >= CARD
    many = plan(((-3, -4, -5), (-3, -6), (-4, -4, -3)), 390, 300, 0.8, 20)
    assert many.zoom < few.zoom and many.form is CUT
    assert many.height * many.zoom <= 300


def seen_of_each(scene: Scene) -> float:
    """How many px of the width of a card on the field are to be seen, on the whole."""
    lies = sorted((piece.y, piece.x) for piece in scene.pieces if piece.plane)
    seen = [min(after[0] - before[0] if after[1] == before[1] else CARD, CARD)
            for before, after in pairwise([(x, y) for y, x in lies])]
    return scene.closest * (sum(seen) + CARD) / len(lies)


def hand_of(position: Position, layout: Layout) -> list[Piece]:
    seen = looked_at(position, layout=layout)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    assert scene.hand is not None
    lies = [piece for piece in scene.pieces if piece.row == "hand"]
    assert all(scene.hand.y <= piece.y - piece.width * 0.7 and piece.y + piece.width * 0.7 <= layout.height for piece in lies)
    return lies


def test_what_the_field_can_do_without_the_lines_of_the_hand_have() -> None:
    """A line of the hand covers less of the one behind it, or nothing; what lies on the field is no smaller."""
    layout = Layout(390, 680, touch=True)
    puzzle = hand_of(Position("yC bC gC gB bC gC rC rC yC bD bE", "b1").drawn(), Layout(390, 553, touch=True))
    lines = sorted({piece.y for piece in puzzle})
    assert len(lines) == 2 and lines[1] - lines[0] > 1.3 * puzzle[0].width, "nor do piles that nobody draws from"
    eleven = "r4 b5 implant yA g8 rB b2 y3 gC r7 bE"
    for laid in (0, 1, 4):
        position = Position(eleven, "b1").drawn()
        for number in range(laid):
            position.set_on_field("4567"[number], " ".join(f"{colour}{'4567'[number]}" for colour in "gyb"), owner=number % 2)
        lies = hand_of(position, layout)
        lines = sorted({piece.y for piece in lies})
        assert len(lines) == 2
        assert lines[1] - lines[0] > (1.39 if laid < 2 else 0.9) * lies[0].width


@pytest.mark.parametrize(("layout", "count"), [
    (Layout(944, 636), 13), (Layout(944, 636), 15), (Layout(944, 636), 18), (Layout(820, 1000, touch=True), 15),
    (Layout(390, 680, touch=True), 15)])
def test_no_line_of_a_hand_covers_another_where_cards_a_little_smaller_lie_free(layout: Layout, count: int) -> None:
    """On a desk the second line lay over the lower half of the first, though its cards were as large as those on the field."""
    eighteen = "r4 b5 implant yA g8 rB b2 y3 gC r7 bE cavity toothache r1 y6 g2 b8 yD"
    position = Position(" ".join(eighteen.split()[:count]), "b1").drawn()
    for number in range(2):
        position.set_on_field("45"[number], " ".join(f"{colour}{'45'[number]}" for colour in "gyb"), owner=number)
    lies = hand_of(position, layout)
    lines = sorted({piece.y for piece in lies})
    assert len(lies) == count and all(below - line >= 1.4 * lies[0].width for line, below in pairwise(lines))
    assert lies[0].width >= (55 if layout.touch and layout.width < 400 else 70)


@pytest.mark.parametrize(("seats", "layout", "beside"), [
    (2, Layout(944, 640), True), (3, Layout(944, 640), True), (4, Layout(944, 640), True), (5, Layout(1280, 640), True),
    (8, Layout(944, 640), True), (10, Layout(944, 640), False),
    (3, Layout(820, 1020, touch=True), False)])
def test_seats_stand_over_the_piles_at_a_desk_so_that_the_field_has_their_height(
        seats: int, layout: Layout, beside: bool) -> None:
    position = Position("r4 b5 implant yA g8", *["b1"] * (seats - 1), decks=2 if seats > 6 else 1).drawn()
    for rank in "457":
        position.set_on_field(rank, f"g{rank} y{rank} b{rank}")
    seen = looked_at(position, layout=layout)
    scene = BOARD.scene(seen, BOARD.draft(seen))
    piles = [zone.rect for zone in scene.zones if zone.key in ("pile-place", "discards-place")]
    assert scene.window is not None
    assert all(plate.rect.bottom <= pile.y for plate in scene.plates for pile in piles)
    assert (max(plate.rect.right for plate in scene.plates) <= scene.window.x) == beside
    rects = [plate.rect for plate in scene.plates]
    assert not any(one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
                   for one, other in combinations(rects, 2))
    assert min(rect.height for rect in rects) >= 44 and min(rect.width for rect in rects) >= 5.4 * layout.rem
    assert beside == (scene.window.y == 0.0) and all(pile.right <= scene.window.x for pile in piles)


@pytest.mark.parametrize("layout", [Layout(944, 640), Layout(1280, 640)])
@pytest.mark.parametrize("seats", [3, 5])
def test_no_seat_moves_when_the_first_cards_are_laid_at_a_desk(seats: int, layout: Layout) -> None:
    """The hand is larger before, and leaves less height."""
    position = Position("r4 b5 implant yA g8", *["b1"] * (seats - 1)).drawn()
    places = []
    for rank in ("4", "5"):
        seen = looked_at(position, layout=layout)
        places.append([plate.rect for plate in BOARD.scene(seen, BOARD.draft(seen)).plates])
        position.set_on_field(rank, f"g{rank} y{rank} b{rank}")
    assert places[0] == places[1]
    assert len({rect.x for rect in places[0]}) <= 2, "in a column or two, not in a row"


def test_on_a_desk_no_card_of_a_meld_covers_another_where_there_is_width() -> None:
    """Four melds and two turned cards: they lay like fans, larger than a hand, in a field with room to their right."""
    found = plan(((-3,), (1, 1, 4), (1, 3, -3)), 1020, 405, 1.14, 21.6)
    assert found.zoom >= 0.8
    assert all(strip.step >= CARD for block in found.blocks for strip in block.strips)


@pytest.mark.parametrize(("layout", "least"), [(Layout(390, 680, touch=True), 36), (Layout(360, 560, touch=True), 25)])
def test_late_in_a_hand_cards_are_cut_short_and_their_large_index_is_seen(layout: Layout, least: float) -> None:
    """60 cards before four seats. The index of a card cut short takes 0.44 of its width, and its picture stays."""
    position = Position("r4 b5 implant", "b1", "b1", "b1").drawn()
    for number in range(15):
        rank = "12345678"[number % 8]
        if number % 3:
            position.set_on_field(rank, " ".join(f"{colour}{rank}" for colour in "rbyg"), owner=number % 4)
        else:
            position.run_on_field("3", "r3 implant y5 g6", owner=number % 4)
    scene = BOARD.scene(looked_at(position, layout=layout), None)
    laid = [piece for piece in scene.pieces if piece.plane]
    assert len(laid) == 60
    for piece in laid:
        assert piece.drawing.width * 1.08 == piece.drawing.height and piece.width * scene.closest >= least, "px"
    lines: dict[float, list[float]] = {}
    for piece in laid:
        lines.setdefault(piece.y, []).append(piece.x)
    assert all(after - before >= 0.44 * laid[0].width for xs in lines.values() for before, after in pairwise(sorted(xs)))
    assert all(scene.bounds.holds((piece.x, piece.y)) for piece in laid)


@pytest.mark.parametrize("face", ["implant", "fairy", "dentist", "broken"])
def test_a_card_cut_short_keeps_its_picture(face: str) -> None:
    drawing = board_pieces.cut(face, "en")
    assert face_cards.PICTURES[face] in drawing.markup and drawing.shows == face
    assert ">5</text>" in board_pieces.cut("implant", "en", "5").markup, "what a wild stands for"


def test_cards_that_nearly_fit_side_by_side_lie_so() -> None:
    lies = hand_of(Position("r4 b5 implant yA g8", "b1").drawn(), Layout(390, 680, touch=True))
    assert len({piece.y for piece in lies}) == 1
    assert all(after.x - before.x >= before.width for before, after in pairwise(lies))


def test_the_plan_that_shows_most_of_every_card_is_taken() -> None:
    """Not the one with the largest cards, where those cover each other and room is left."""
    shapes = ((3, 3), (3,))
    found = plan(shapes, 378, 350, 0.86, 20)
    assert all(strip.step >= 0.8 * CARD for block in found.blocks for strip in block.strips)
    assert found.height * found.zoom <= 350 and found.zoom > 0.6
    crowded = plan(((-4, 3, -3, 3, 3), (-4, 3)), 378, 354, 0.68, 21.6)
    assert crowded.form is CUT and crowded.zoom * CARD > 48


@pytest.mark.parametrize(("shapes", "width", "height"), [
    (((1, 3, -4), (1, 4, -3, -3), (1,), (1,)), 730, 410), (((3,), (3,), (1, 3, -3)), 378, 400),
    (((3, -4), (3,), (3, -5), (-4, 3)), 600, 820),
])
def test_no_strip_is_squeezed_where_all_would_lie_free_a_little_smaller(shapes: tuple[tuple[int, ...], ...], width: float,
                                                                         height: float) -> None:
    made = plan(shapes, width, height, 1.2, 21.6)
    steps = [strip.step for block in made.blocks for strip, count in zip(block.strips, block.counts, strict=True) if count > 1]
    assert min(steps) >= made.form.width and made.form is not CUT


@pytest.mark.parametrize("laid", [0, 3, 7])
def test_no_card_of_a_hand_of_ten_covers_another_on_a_phone(laid: int) -> None:
    for layout in (Layout(390, 690, touch=True), Layout(390, 560, touch=True), PHONE):
        position = Position("r1 g1 y2 b2 r3 g4 y5 b6 r7 g8", "b1").drawn()
        for rank in "12345678"[:laid]:
            position.set_on_field(rank, f"r{rank} g{rank} y{rank}", owner=int(rank) % 2)
        lies = hand_of(position, layout)
        lines = [[piece for piece in lies if piece.y == y] for y in sorted({piece.y for piece in lies})]
        assert [len(line) for line in lines] == [5, 5]
        width = lies[0].width
        assert all(after.x - before.x >= width * 0.98 for line in lines for before, after in pairwise(line))
        assert lines[1][0].y - lines[0][0].y >= width * 1.4 * 0.98
        assert width >= 45


def test_a_hand_below_a_bare_field_is_larger_at_a_desk() -> None:
    position = Position("r1 g1 y2 b2 r3 g4 y5 b6 r7 g8 y3", "b1").drawn()
    bare = hand_of(position, Layout(1280, 560))[0].width
    position.set_on_field("1", "r1 b1 y1")
    assert bare > 1.1 * hand_of(position, Layout(1280, 560))[0].width


@pytest.mark.parametrize(("width", "height"), [(378, 354), (690, 405), (1020, 405)])
def test_names_and_lines_of_a_column_begin_at_one_edge_and_strips_alike_take_one_step(width: float, height: float) -> None:
    made = plan(((-3,), (1, 4, 3), (1, 3, 3, -3)), width, height, 0.8, 21.6)
    for column in {round(block.x) for block in made.blocks}:
        blocks = [block for block in made.blocks if round(block.x) == column]
        first = {strip.y: strip.x for block in blocks for strip in reversed(block.strips)}  # of every line
        assert {round(x - made.form.width / 2, 3) for x in first.values()} == {round(block.title[0], 3) for block in blocks}
        assert len({block.title[0] for block in blocks}) == 1
    for block in made.blocks:
        steps = sorted(strip.step for strip, count in zip(block.strips, block.counts, strict=True) if count > 1)
        assert all(after == pytest.approx(before) or before < 0.85 * steps[-1] for before, after in pairwise(steps))


@pytest.mark.parametrize("layout", [PHONE, DESK])
def test_cards_that_others_draw_fly_beside_their_name_and_not_onto_it(layout: Layout) -> None:
    table = seated("teeth-time", 3, 1)
    check_flights(drawn(TeethTimeBoard(), sight(table, 0, layout)), layout)
