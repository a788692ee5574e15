"""TooT's tables: turns composed by taps and drops, what a stack says of itself, results, claims step by step, renewed drafts."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.games.toot.board import board
from tabletin.games.toot.board_stacks import LEAST_STRIP, STRIP, Stack, drawing, lines, placed
from tabletin.games.toot.draft import AS, HAND, MAT, Composing
from tabletin.games.toot.draft_games import ProgressiveDraft, SpeedDraft, TableDraft
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.options import Refusal
from tabletin.kernel.table import Table
from tabletin.page.scene import Control, Layout, Piece, Rect, Scene, Sight, card_key
from tests.games.toot.scene import parsed
from tests.page.tables import seated, sight

PHONE = Layout(390, 560, 16, touch=True)
SMALL = Layout(360, 520, 16, touch=True)


class Game:
    """One match of people, with the faces that a test wants in a hand."""

    def __init__(self, game: str, seats: int = 2, seed: int = 1, **options: Any) -> None:
        self.board = board(game)
        self.table: Table = seated(game, seats, seed, options)

    @property
    def state(self) -> Any:
        return self.table.match.state

    def deal(self, seat: int, faces: str) -> list[Card]:
        """Make the hand of ``seat`` show ``faces``; as many cards as there are."""
        wanted: list[Face] = faces.split()
        hand = self.state.hands[seat]
        assert len(hand) == len(wanted)
        self.table.match.knowledge.update(dict(zip(hand, wanted, strict=True)))
        return list(hand)

    def sight(self, seat: int | None, layout: Layout = PHONE) -> Sight:
        return sight(self.table, seat, layout)

    def draft(self, seat: int) -> Any:
        return self.board.draft(self.sight(seat))

    def scene(self, seat: int | None, draft: Composing | None = None, layout: Layout = PHONE) -> Scene:
        return self.board.scene(self.sight(seat, layout), draft)


def progressive(faces: str, seats: int = 1) -> tuple[Game, ProgressiveDraft, list[Card]]:
    game = Game("toot-progressive", seats)
    cards = game.deal(0, faces)
    return game, game.draft(0), cards


def speed(faces: str, seats: int = 1) -> tuple[Game, SpeedDraft, list[Card]]:
    game = Game("toot-speed", seats, gentle=False)
    for seat in range(seats):
        game.table.move(seat, ("ready",))
    cards = game.deal(0, faces)
    return game, game.draft(0), cards


def spots(scene: Scene) -> set[str]:
    return {spot.key for spot in scene.spots}


def control(scene: Scene, key: str) -> Control:
    return next(found for found in scene.controls if found.key == key)


def piece(scene: Scene, card: Card) -> Piece:
    return next(found for found in scene.pieces if found.key == card_key(card))


def tap(draft: Composing, *keys: str) -> None:
    for key in keys:
        assert draft.tap(key) is None, key


def verdicts(scene: Scene) -> list[str]:
    return [label.text for label in scene.labels if label.key.startswith("verdict")]


# ---- composing ----

def test_a_stack_is_built_by_taps_in_any_order() -> None:
    """TO-2: a 1 laid first waits for its TooT; a red alone is half of one."""
    game, draft, (one, red, blue, two) = progressive("1 red blue 2")
    tap(draft, card_key(one), MAT)
    assert verdicts(game.scene(0, draft)) == ["needs a TooT"]
    tap(draft, card_key(red), MAT)
    assert "half a TooT" in verdicts(game.scene(0, draft))
    tap(draft, card_key(blue))
    assert {f"on{red}", MAT} <= spots(game.scene(0, draft)), "a pair can be made, or the blue lies by itself"
    tap(draft, f"on{red}")
    tap(draft, card_key(blue), f"on{one}")
    scene = game.scene(0, draft)
    assert verdicts(scene) == ["one TooT"]
    assert draft.turn.held == [two]
    assert "One TooT of 3" in scene.note
    under, top = piece(scene, red), piece(scene, one)
    assert under.y < top.y and under.z < top.z, "the number covers what lies under it and shows in full"


def test_only_groups_that_go_together_are_lit() -> None:
    game, draft, (green, purple, two, one) = progressive("green purple 2 1")
    tap(draft, card_key(green), MAT, card_key(purple))
    assert f"on{green}" not in spots(game.scene(0, draft)), "two secondary colours do not join"
    reply = draft.tap(f"on{green}")
    assert isinstance(reply, Refusal) and reply.key == "toot.refuse.no_join"
    tap(draft, card_key(two))
    assert f"on{green}" in spots(game.scene(0, draft))
    tap(draft, f"on{green}")
    assert verdicts(game.scene(0, draft)) == ["needs one more"]
    tap(draft, card_key(purple), f"on{two}", card_key(one), f"on{two}")
    assert draft.showing() is not None and not draft.turn.held


def test_what_is_missing_inside_a_stack_goes_inside() -> None:
    """A number may be laid on half a TooT first; the other half finds its place, and a bare number what it needs."""
    game, draft, (red, one, blue, two) = progressive("red 1 blue 2")
    tap(draft, card_key(red), MAT, card_key(one), f"on{red}", card_key(blue))
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
    assert draft.turn.laid == (red,)
    assert draft.drop(card_key(blue), f"on{red}") is None
    assert verdicts(game.scene(0, draft)) == ["one TooT"]
    draft.pick(card_key(two))
    assert draft.miss(card_key(two), (200, 5000), plane=False) is None
    assert two in draft.turn.held, "let go over the hand it stays there"
    assert draft.drop(card_key(red), HAND) is None
    assert set(draft.turn.held) == {red, two, one}


def test_a_part_is_taken_off_a_stack_and_every_step_taken_back() -> None:
    game, draft, (one, red, blue, green) = progressive("1 red blue green")
    empty = game.scene(0, draft)
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}", card_key(one), f"on{blue}")
    tap(draft, card_key(blue), MAT)
    assert len(draft.turn.groups) == 2
    tap(draft, card_key(green), MAT)
    for _ in range(5):
        assert draft.back()
    assert not draft.back()
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
    tap(draft, card_key(second), "state")
    question = game.scene(0, draft).prompt
    assert question is not None and len(question.answers) == 11
    tap(draft, f"{AS}:2")
    assert draft.turn.states(second) == "2" and verdicts(game.scene(0, draft)) == ["needs one more"]
    assert {one, two} <= set(draft.turn.held)


def test_what_is_wrong_is_said_in_the_rulebooks_words() -> None:
    """TO-3: a 2 may not touch a 2."""
    game, draft, cards = speed("2 2 red blue purple 1 1")
    two, other, red, blue, purple, one, last = cards
    tap(draft, card_key(red), MAT, card_key(blue), f"on{red}")
    tap(draft, card_key(one), f"on{blue}", card_key(last), f"on{one}")
    scene = game.scene(0, draft)
    assert verdicts(scene) == ["may not touch"]
    assert scene.warning and scene.note == "A 1 may not be placed on a 1."
    claim = control(scene, "claim")
    assert claim.why == scene.note and not claim.primary
    assert isinstance(draft.tap("claim"), Refusal)
    assert {two, other, purple} <= set(draft.turn.held)


# ---- the solver as a teacher ----

def test_how_many_fit_and_then_how() -> None:
    game, draft, _ = progressive("1 red blue 4")
    tap(draft, "best")
    scene = game.scene(0, draft)
    assert scene.note == "3 of your 4 cards fit in one TooT."
    tap(draft, "best_show")
    assert len(draft.turn.laid) == 3 and draft.showing() is not None


# ---- Pursuit and Fluke ----

def pursuit() -> tuple[Game, int]:
    game = Game("toot-pursuit", first_seat="1")
    game.table.move(0, ("draw",))
    game.deal(0, "purple")
    return game, 0


def test_pursuit_is_played_by_taps() -> None:
    """TO-7: draw, lay, a point."""
    game = Game("toot-pursuit", first_seat="1")
    draft = game.draft(0)
    scene = game.scene(0, draft)
    assert control(scene, "draw").primary and "pile" in spots(scene)
    assert draft.tap("pile") == ("draw",)
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


def test_cards_are_joined_with_the_toot_on_the_table() -> None:
    """TO-4: a 2 on the TooT on the table and one more."""
    game, seat = pursuit()
    (purple,) = game.state.hands[seat]
    game.table.move(seat, ("play", ((((purple, None),), ()),)))
    game.table.move(1, ("draw",))
    (one,) = game.deal(1, "1")
    draft = game.draft(1)
    assert isinstance(draft, TableDraft)
    tap(draft, card_key(one))
    assert spots(game.scene(1, draft)) == {"on-1", MAT}
    tap(draft, "on-1")
    scene = game.scene(1, draft)
    assert verdicts(scene) == ["one TooT"]
    assert piece(scene, purple).y < piece(scene, one).y
    assert draft.tap("play") == ("play", parsed("1[table]", lambda _: one))
    tap(draft, "clear")
    assert draft.tap("pass") == ("pass",)


def test_a_large_toot_shows_its_top_and_opens_for_a_look() -> None:
    game = Game("toot-pursuit", first_seat="1")
    rules, seats = game.table.match.rules, 2
    for step in range(40):  # as the bots would: the first proposal there is
        seat = step % seats
        game.table.move(seat, ("draw",))
        moves = [move for move in rules.moves(game.state, seat, game.table.match.view((seat,)).faces) if move[0] == "play"]
        game.table.move(seat, moves[-1] if moves else ("pass",))
        if len(game.state.laid) > 12:
            break
    assert len(game.state.laid) > 12
    seat = game.state.turn
    draft = game.draft(seat)
    scene = game.scene(seat, draft)
    laid = {card_key(card) for card in game.state.laid}
    seen = {found.key for found in scene.pieces} & laid
    hidden = {key for rest in scene.resting for key in rest.keys} & laid
    assert seen and hidden and seen | hidden == laid and not seen & hidden
    tap(draft, "look")
    assert {found.key for found in game.scene(seat, draft).pieces} >= laid
    tap(draft, "look")
    assert not draft.looking


def test_the_die_shows_what_was_rolled() -> None:
    """TO-6: roll, then draw as many."""
    game = Game("toot-fluke", first_seat="1", seed=4)
    draft = game.draft(0)
    waiting = next(found for found in game.scene(0, draft).pieces if found.key == "die")
    assert waiting.tap and control(game.scene(0, draft), "roll").primary
    assert draft.tap("die") == ("roll",)
    game.table.move(0, ("roll",))
    rolled = next(found for found in game.scene(0, game.draft(0)).pieces if found.key == "die")
    assert rolled.drawing is not waiting.drawing and rolled.label == f"The die shows {game.state.rolled}"
    assert len(game.state.hands[0]) == game.state.rolled
    assert rolled.turn - waiting.turn > 360, "it has turned"


# ---- Progressive ----

def test_the_results_of_a_round_are_shown_side_by_side() -> None:
    """TO-5: what each showed, what it costs; then on to one card more."""
    game, draft, (one, red, blue, four) = progressive("1 red blue 4", seats=2)
    tap(draft, "best_show")
    assert draft.tap("done") == ("done",)
    game.table.move(0, ("done",))
    game.table.move(1, ("done",))
    assert draft.renew(game.sight(0)), "what was built is still there when it is to be shown"
    show = control(game.scene(0, draft), "show")
    assert show.primary and show.label == "Show one TooT of 3"
    move = draft.tap("show")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    scene = game.scene(1)
    assert {card_key(one), card_key(red), card_key(blue)} <= {found.key for found in scene.pieces}
    assert card_key(four) not in {found.key for found in scene.pieces}
    game.table.move(1, ("show", ()))
    assert draft.renew(game.sight(0)) and draft.could == (3, 3) and not draft.turn.laid
    assert game.scene(0, draft).note == "You found the most there was."
    later = game.draft(0)
    assert later.could is None
    scene = game.scene(0, later)
    texts = [label.text for label in scene.labels]
    assert {"Ann", "Ben", "1 card counts", "4 cards count", "no TooT"} <= set(texts)
    assert control(scene, "next").label == "On to 5 cards each"
    assert all(found.tap is False for found in scene.pieces)
    tap(later, "next")
    assert control(game.scene(0, later), "done").primary


def test_results_lie_on_the_covered_table_too() -> None:
    game, *_ = progressive("1 red blue 4", seats=2)
    for verb in (("done",), ("show", ())):
        for seat in range(2):
            game.table.move(seat, verb)
    texts = [label.text for label in game.scene(None).labels]
    assert texts.count("4 cards count") == 2


@pytest.mark.parametrize("seats", [4, 6])
def test_six_results_fit_a_small_phone(seats: int) -> None:
    game = Game("toot-progressive", seats)
    for verb in (("done",), ("show", ())):
        for seat in range(seats):
            game.table.move(seat, verb)
    zones = [zone.rect for zone in game.scene(None, layout=SMALL).zones if zone.key.startswith("result")]
    assert len(zones) == seats
    assert all(zone.x >= 0 and zone.right <= 360 and zone.height > 60 for zone in zones)


# ---- Speed ----

def test_the_last_to_be_ready_counts_down() -> None:
    """TO-8: hands are closed until GO."""
    game = Game("toot-speed", 2)
    draft = game.draft(0)
    assert draft.tap("ready") == ("ready",), "nobody holds the others up"
    game.table.move(0, ("ready",))
    last = game.draft(1)
    tap(last, "ready")
    for count in (3, 2, 1):
        scene = game.scene(1, last)
        assert control(scene, f"count{count}").seconds and str(count) in [label.text for label in scene.labels]
        assert all(found.drawing.shows is None for found in scene.pieces)
        reply = last.tap(f"count{count}")
    assert reply == ("ready",)
    game.table.move(1, ("ready",))
    assert last.renew(game.sight(1))
    scene = game.scene(1, last)
    assert sum(found.drawing.shows is not None for found in scene.pieces) == 7
    assert any(label.kind == "clock" for label in scene.labels)


def test_a_heat_is_counted_down_timed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 100.0)
    game = Game("toot-speed", 2, heats=True)
    game.table.move(0, ("set_off", 100_000))
    game.deal(0, "2 1 red blue purple 1 X")
    draft = game.draft(0)
    assert game.state.phase == "go", "the first heat runs"
    assert game.scene(1).status.endswith("is at it")
    draft.solve()
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 123.45)
    scene = game.scene(0, draft)
    assert any(label.kind == "clock" for label in scene.labels)
    move = draft.tap("claim")
    assert isinstance(move, tuple) and (move[0], move[2]) == ("finish", 123_450)
    game.table.move(0, move)
    assert game.state.times[0] == 23_450
    nxt = game.draft(1)
    scene = game.scene(1, nxt)
    assert [plate.note for plate in scene.plates] == ["23.4 s", ""]
    while nxt.step is not None and nxt.step < nxt.steps:
        tap(nxt, f"step{nxt.step}")
    assert game.scene(1, nxt).note.startswith("One TooT of all 7 cards. Well done")
    tap(nxt, "ready")
    for count in (3, 2, 1):
        reply = nxt.tap(f"count{count}")
    assert reply == ("set_off", 123_450)


def test_what_is_laid_outlasts_what_others_do_and_a_draw() -> None:
    game, draft, (two, *_) = speed("2 2 red blue purple 1 1", seats=2)
    tap(draft, card_key(two), MAT)
    game.table.move(1, ("draw",))
    assert draft.renew(game.sight(0)) and draft.turn.laid == (two,)
    game.table.move(0, ("draw",))
    assert draft.renew(game.sight(0)) and draft.turn.laid == (two,) and len(draft.turn.held) == 7


def test_a_claim_is_verified_step_by_step_once() -> None:
    game, draft, _ = speed("2 1 red blue purple 1 X", seats=1)
    draft.solve()
    scene = game.scene(0, draft)
    claim = control(scene, "claim")
    assert claim.primary and claim.label == "Claim: one TooT of 7"
    move = draft.tap("claim")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    assert game.state.wins == (1,) and draft.renew(game.sight(0))
    assert draft.step == 0
    marked = []
    for _ in range(draft.steps):
        scene = game.scene(0, draft)
        marked.append(sum("marked" in found.flags for found in scene.pieces))
        step = next(found for found in scene.controls if found.key.startswith("step"))
        assert step.seconds
        tap(draft, step.key)
    scene = game.scene(0, draft)
    assert marked == sorted(marked) and marked[0] == 0
    assert scene.note == "One TooT of all 7 cards: Ann wins the round." and not scene.warning
    assert control(scene, "ready").primary


def test_a_false_claim_shows_where_it_is_wrong() -> None:
    game, draft, cards = speed("2 2 red blue purple 1 1", seats=1)
    _, _, red, blue, _, one, last = cards
    supply = {"1": [last, one], "red": [red], "blue": [blue]}
    node = parsed("1[1[red+blue]]", lambda face: supply[face].pop(0))
    game.table.move(0, ("claim", node))
    assert game.state.wins == (0,) and game.state.voided == {0}
    assert draft.renew(game.sight(0)) and draft.step == 0
    draft.step = draft.steps
    scene = game.scene(0, draft)
    assert scene.warning and scene.note == "A 1 may not be placed on a 1."
    assert any("wrong" in found.flags for found in scene.pieces)
    tap(draft, "seen")
    assert draft.step is None


# ---- stacks ----

def test_stacks_fit_their_room_and_strips_shrink_before_cards_get_tiny() -> None:
    def counted() -> Any:
        cards = iter(range(100))
        return lambda _: next(cards)

    deep = parsed("2[orange, 1[2[red+blue, 1[2[purple, 1[yellow+red]]]]]]", counted())[0]
    room = Rect(0, 0, 280, 330)
    how = placed([Stack(tuple(lines(deep))), Stack((), slot=True)], room, 80, 20)
    assert LEAST_STRIP <= how.strip <= STRIP and how.width >= 30
    for rect in how.rects:
        assert rect.x >= -0.5 and rect.right <= 280.5 and rect.y >= -0.5 and rect.bottom <= 330.5
    first, second = how.rects
    assert first.right <= second.x or first.bottom <= second.y
