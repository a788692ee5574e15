"""The table of Speed TooT: the countdown, a claim step by step, heats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletin.board.scene import Layout, card_key
from tabletin.games.toot.board_stacks import RATIO
from tabletin.games.toot.draft import HAND, MAT
from tabletin.games.toot.draft_games import SpeedDraft
from tests.games.toot.boards import PHONE, SMALL, Game, control, speed, tap
from tests.games.toot.scene import parsed


def test_the_last_to_be_ready_counts_down() -> None:
    """TO-8: hands are closed until GO."""
    game = Game("toot-speed", 2)
    draft = game.draft(0)
    assert draft.tap("ready") == ("ready",), "nobody holds the others up"
    assert not draft.has_choice, "cards face down give no hint"
    game.table.move(0, ("ready",))
    last = game.draft(1)
    tap(last, "ready")
    for count in (3, 2, 1):
        scene = game.scene(1, last)
        assert control(scene, f"count{count}").seconds and control(scene, f"count{count}").why, "no finger hurries it"
        assert str(count) in [label.text for label in scene.labels]
        assert all(found.drawing.shows is None for found in scene.pieces)
        reply = last.tap(f"count{count}")
    assert reply == ("ready",)
    game.table.move(1, ("ready",))
    assert last.renew(game.sight(1))
    scene = game.scene(1, last)
    assert sum(found.drawing.shows is not None for found in scene.pieces) == 7
    assert any(label.kind == "clock" for label in scene.labels)


@pytest.mark.parametrize("layout", [Layout(1280, 640), Layout(820, 1000, touch=True), Layout(390, 680, touch=True)])
def test_before_the_first_round_it_is_seen_what_a_toot_is(layout: Layout) -> None:
    """TO-2: as long as nobody waits for it, and under what is to be done."""
    game = Game("toot-speed", 2)
    game.table.move(0, ("ready",))
    draft = game.draft(1)
    scene = game.scene(1, draft, layout)
    shown = [each for each in scene.pieces if "example" in each.flags]
    (aim,) = (label for label in scene.labels if label.kind == "aim")
    assert len(shown) == 7 and not any("legal" in each.flags for each in shown), "the own cards are face down"
    assert aim.y < min(each.y - each.width * RATIO / 2 for each in shown)
    drawn = {each.key: (each.x, each.y, each.width) for each in scene.pieces if each.row == "hand"}
    tap(draft, "ready")
    counting = game.scene(1, draft, layout)
    assert not any("example" in each.flags for each in counting.pieces), "the countdown has the table"
    assert drawn == {each.key: (each.x, each.y, each.width) for each in counting.pieces if each.row == "hand"}
    tap(draft, "count3", "count2")
    game.table.move(1, draft.tap("count1"))
    draft.renew(game.sight(1, layout))
    going = {(each.x, each.y, each.width) for each in game.scene(1, draft, layout).pieces if each.row == "hand"}
    assert going == set(drawn.values()), "from the beginning each card lies where it will be turned over"


@pytest.mark.parametrize("layout", [Layout(1280, 640), Layout(820, 1000, touch=True), Layout(390, 680, touch=True)])
def test_until_a_card_is_laid_the_table_shows_what_a_toot_is(layout: Layout) -> None:
    """TO-2: bright what the own cards can make one like, where else the table would be empty."""
    game, draft, cards = speed("2 1 red blue red 1 X", seats=2)
    before = game.scene(0, draft, layout)
    assert {each.key[:-1] for each in before.pieces if "legal" in each.flags} > {"two", "number"}
    assert "alone" not in {each.key[:-1] for each in before.pieces if "legal" in each.flags}
    (place,) = (zone.rect for zone in before.zones if zone.key == "place")
    assert before.hand is not None and place.width > 0.7 * layout.width and place.bottom < before.hand.y
    tap(draft, card_key(cards[2]))
    assert not any("example" in each.flags for each in game.scene(0, draft, layout).pieces)


def test_a_heat_is_counted_down_timed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 100.0)
    game = Game("toot-speed", 2, heats=True)
    game.table.move(0, ("set_off", 100_000))
    game.deal(0, "2 1 red blue purple 1 X")
    draft = game.draft(0)
    assert game.state.phase == "go", "the first heat runs"
    assert game.scene(1).status.endswith("is building")
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
    assert game.scene(None).note.startswith("One TooT of all 7 cards. Well done")
    tap(nxt, "ready")
    for count in (3, 2, 1):
        reply = nxt.tap(f"count{count}")
    assert reply == ("set_off", 123_450)


@pytest.mark.parametrize("layout", [Layout(1280, 640), Layout(820, 1000, touch=True), PHONE])
def test_the_pile_lies_beside_what_is_built_and_stays_while_cards_are_laid(layout: Layout) -> None:
    game, draft, cards = speed("2 2 red blue purple 1 1", seats=2)
    places = []
    for laid in range(3):
        scene = game.scene(0, draft, layout)
        places.append(next(zone.rect for zone in scene.zones if zone.key == "pile-place"))
        draft.pick(card_key(cards[2 * laid]))
        tap(draft, MAT)
    assert places[0] == places[1] == places[2], "it does not move while it is drawn from"
    stage = scene.hand
    assert stage is not None
    pile = places[0]
    assert pile.centre[1] > 0.3 * layout.height and pile.bottom < stage.y


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(390, 670, touch=True)])
def test_what_can_be_claimed_is_as_large_as_the_empty_hand_lets_it(layout: Layout) -> None:
    game, draft, cards = speed("2 1 red blue purple 1 X", seats=2)
    draft.solve()
    assert draft.claim_fault() is None
    scene = game.scene(0, draft, layout)
    (place,) = (zone.rect for zone in scene.zones if zone.kind == "mat")
    pile = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
    assert scene.hand is not None and place.bottom > scene.hand.y, "it reaches where the hand lay"
    assert pile.right <= place.x, "the pile stays where it stands, and free"
    tap(draft, card_key(cards[0]), HAND)
    taken_back = game.scene(0, draft, layout)
    assert taken_back.hand is not None and all(zone.rect.bottom <= taken_back.hand.y for zone in taken_back.zones
                                               if zone.kind == "mat"), "else the hand has its room"


@pytest.mark.parametrize("layout", [Layout(1280, 640), Layout(944, 640), Layout(820, 1000, touch=True),
                                    Layout(390, 670, touch=True)])
@pytest.mark.parametrize("seats", [1, 2])
def test_the_first_place_stands_in_the_middle_under_the_clock(seats: int, layout: Layout) -> None:
    game, draft, cards = speed("2 2 red blue purple 1 1", seats=seats)
    draft.pick(card_key(cards[0]))
    scene = game.scene(0, draft, layout)
    clock = next(label for label in scene.labels if label.kind == "clock")
    place = next(zone.rect for zone in scene.zones if zone.key == "place")
    pile = next(zone.rect for zone in scene.zones if zone.key == "pile-place")
    assert abs(place.centre[0] - layout.width / 2) < 1 and abs(clock.x - layout.width / 2) < 1 and pile.right < place.x


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(820, 900, 16, touch=True), Layout(1280, 620)])
def test_nothing_in_the_hand_moves_against_the_clock(layout: Layout) -> None:
    """A card that is laid leaves its place free, a draw makes no card smaller and comes last."""
    game, draft, cards = speed("2 red blue yellow purple 1 3")

    def hand() -> dict[str, tuple[float, float, float]]:
        return {each.key: (each.x, each.y, each.width) for each in game.scene(0, draft, layout).pieces if each.row == "hand"}

    dealt = hand()
    tap(draft, card_key(cards[1]))
    assert card_key(cards[1]) not in hand() and hand().items() < dealt.items()
    draft.solve()
    assert hand().items() <= dealt.items()
    draft.turn.clear()
    tray = game.scene(0, draft, layout).hand
    for drawn in range(1, 4):
        game.table.move(0, ("draw",))
        draft.renew(game.sight(0))
        after = hand()
        assert {width for _, _, width in after.values()} == {width for _, _, width in dealt.values()}
        assert list(after)[:7] == list(dealt) and len(after) == 7 + drawn
        assert game.scene(0, draft, layout).hand == tray


def test_what_is_laid_outlasts_what_others_do_and_a_draw() -> None:
    game, draft, (two, *_) = speed("2 2 red blue purple 1 1", seats=2)
    tap(draft, card_key(two), MAT)
    game.table.move(1, ("draw",))
    assert draft.renew(game.sight(0)) and draft.turn.mat_cards == (two,)
    game.table.move(0, ("draw",))
    assert draft.renew(game.sight(0)) and draft.turn.mat_cards == (two,) and len(draft.turn.hand_left) == 7


def test_a_hint_to_draw_lights_the_pile_until_something_is_done() -> None:
    game, draft, cards = speed("2 1 red 4 purple 1 2")
    draft.compose(("draw",))
    assert [found.key for found in game.scene(0, draft).pieces if "marked" in found.flags] == [card_key(game.state.pile[0])]
    tap(draft, card_key(cards[4]))
    assert not any("marked" in found.flags for found in game.scene(0, draft).pieces)


def test_a_claim_is_verified_step_by_step_once() -> None:
    game, draft, _ = speed("2 1 red blue purple 1 X", seats=1)
    draft.solve()
    scene = game.scene(0, draft)
    claim = control(scene, "claim")
    assert claim.primary and claim.label == "TooT! All 7 cards"
    move = draft.tap("claim")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    assert game.state.wins == (1,) and draft.renew(game.sight(0))
    assert draft.step == 0
    marked = []
    for _ in range(draft.steps):
        scene = game.scene(0, draft)
        marked.append(sum("marked" in found.flags for found in scene.pieces))
        step, ready = scene.controls
        assert ready.key == "ready" and ready.why and not step.primary, "none comes to lie where another one was"
        assert step.key == "hurry" and step.seconds and step.seconds * draft.steps < 3.7 and scene.status == "Ann calls “TooT!”"
        assert scene.is_checking and [plate.score for plate in scene.plates] == ["0"], "what it wins comes after the check"
        tap(draft, step.lapse)
    scene = game.scene(0, draft)
    assert not scene.is_checking and [plate.score for plate in scene.plates] == ["1"]
    assert scene.status == "Ann wins the round"
    assert marked == sorted(marked) and marked[0] == 0
    assert scene.note == "One TooT of all 7 cards. Well done, Ann!" and not scene.warning
    assert not any("marked" in found.flags for found in scene.pieces), "then all of it is marked as one"
    assert all("legal" in zone.flags for zone in scene.zones if zone.key.startswith("claim"))
    assert control(scene, "ready").primary
    draft.step = 1
    tap(draft, "hurry")
    assert game.scene(0, draft) == scene, "a tap shows at once what comes of it"


def test_a_false_claim_shows_where_it_is_wrong() -> None:
    game, draft, cards = speed("2 2 red blue purple 1 1", seats=1)
    _, _, red, blue, _, one, last = cards
    supply = {"1": [last, one], "red": [red], "blue": [blue]}
    node = parsed("1[1[red+blue]]", lambda face: supply[face].pop(0))
    game.table.move(0, ("claim", node))
    assert game.state.wins == (0,) and game.state.voiding_seats == {0}
    assert draft.renew(game.sight(0)) and draft.step == 0
    assert [plate.score for plate in game.scene(0, draft).plates] == ["0"]
    draft.step = draft.steps
    scene = game.scene(0, draft)
    assert scene.warning and scene.note == "A 1 may not be placed on a 1."
    assert any("wrong" in found.flags for found in scene.pieces)
    draft.tap("ready")
    assert draft.step is None


def test_a_round_in_which_nobody_saw_a_toot_is_told_to_be_played_again() -> None:
    """TO-8: who gives up hears that the others still look; the round after it says why it is there."""
    game, draft, _ = speed("2 2 red blue purple 1 1", seats=2)
    while game.state.pile:
        game.table.move(0, ("draw",))
    assert draft.renew(game.sight(0))
    game.table.move(0, ("give_up",))
    assert game.scene(0).note == "You see none. The others are still looking."
    assert not game.scene(1, game.draft(1)).note.startswith("You see none")
    game.table.move(1, ("give_up",))
    assert draft.renew(game.sight(0)) and draft.step is None
    assert game.scene(0, draft).note == "Nobody saw a TooT, so this round is played again."
    assert game.scene(0, game.draft(0)).note == "Your cards are turned over at GO."


def through_the_check(draft: SpeedDraft) -> None:
    while draft.is_checking:
        tap(draft, f"step{draft.step}")


def test_alone_a_round_has_a_time_and_a_better_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """TO-8: who plays alone sets off by the clock; the best time of the match stands beside the name."""
    game = Game("toot-speed", 1)
    told = []
    for seconds in (9.5, 12.0, 8.25):
        monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 100.0)
        draft = game.draft(0)
        tap(draft, "ready", "count3", "count2")
        off = draft.tap("count1")
        assert off == ("set_off", 100_000)
        game.table.move(0, off)
        game.deal(0, "2 1 red blue purple 1 X")
        assert draft.renew(game.sight(0))
        draft = game.draft(0)
        draft.solve()
        monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda now=100 + seconds: now)
        move = draft.tap("claim")
        assert isinstance(move, tuple) and move[0] == "finish"
        game.table.move(0, move)
        assert draft.renew(game.sight(0))
        during = game.scene(0, draft)
        through_the_check(draft)
        scene = game.scene(0, draft)
        told.append([label.text for label in scene.labels if label.key.startswith(("time", "best"))])
        assert not any(label.key == "best" for label in during.labels), "first it is checked"
        assert not [found for found in scene.pieces if found.row == "hand"], "the next hand comes when this has been seen"
    assert told == [["All 7 cards in 9.5 s"], ["All 7 cards in 12.0 s"], ["All 7 cards in 8.2 s", "Your fastest yet!"]]
    assert {label.text for label in during.labels if label.kind == "time"} == {"8.2 s"}
    assert [plate.note for plate in scene.plates] == ["best 8.2 s"]
    draft = game.draft(0)
    draft.step = None
    texts = [label.text for label in game.scene(0, draft).labels]
    assert {"7 cards, one TooT", "To beat: 8.2 s", "0:00.0"} <= set(texts), "the clock stands there before it runs"
    assert game.scene(0, draft).status == "Round 4 – ready?" and "Round 4" not in texts, "it is said once"


@pytest.mark.parametrize("winner", [0, 1])
def test_a_race_tells_at_the_end_of_the_match_how_long_its_last_round_took(winner: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log knows no time; the page that saw GO does, also once nothing is composed any more, and however often it is drawn."""
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 50.0)
    game = Game("toot-speed", 2, target=1)
    draft = game.draft(0)
    game.table.move(1, ("ready",))
    game.table.move(0, ("ready",))
    game.deal(winner, "2 1 red blue purple 1 X")
    assert draft.renew(game.sight(0))
    game.scene(0, draft)
    hint = game.draft(0)  # as one is laid out: it saw no GO
    game.scene(0, hint)
    claim = next(move for move in game.table.match.rules.moves(game.state, winner, game.sight(winner).view.faces))
    game.table.move(winner, claim)
    assert game.state.end_reason
    for now in (71.3, 90.0):
        monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda now=now: now)
        assert "All 7 cards in 21.3 s" in [label.text for label in game.scene(0).labels]
    note = game.scene(0).note
    assert ("made one TooT, too" in note or "You could have used" in note) == (winner == 1)
    unseen = Game("toot-speed", 2, target=1)
    unseen.table = game.table
    assert "All 7 cards!" in [label.text for label in unseen.scene(0).labels], "opened again, nobody knows"


def test_a_race_that_is_opened_again_has_the_time_of_the_clock_that_ran_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log knows no time; the tab does, where it saw GO."""
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 60.0)
    game, _, _ = speed("2 1 red blue purple 1 X", seats=2)
    running = {"clock1": 10.5}
    draft, other = SpeedDraft(replace(game.sight(0), clock_seconds=running.get)), game.draft(0)
    (clock,) = (label for label in game.scene(0, draft).labels if label.kind == "clock")
    assert clock.key in running
    monkeypatch.setattr("tabletin.games.toot.draft_games.time", lambda: 64.0)
    draft.solve()
    move = draft.tap("claim")
    assert isinstance(move, tuple)
    game.table.move(0, move)
    assert draft.renew(game.sight(0)) and draft.took == 14_500
    assert other.renew(game.sight(0)) and other.took is None, "a tab that saw no GO has nothing to tell"


@pytest.mark.parametrize(("seats", "heats", "said"), [(1, False, "How fast can you do it?"), (2, False, "Who is first?"),
                                                       (2, True, "How fast can you do it?")])
def test_a_first_round_says_what_it_is_about(seats: int, heats: bool, said: str) -> None:
    game = Game("toot-speed", seats, heats=heats)
    assert said in [label.text for label in game.scene(0, game.draft(0)).labels]


def test_who_runs_later_in_a_round_of_heats_sees_the_time_to_beat() -> None:
    game = Game("toot-speed", 2, heats=True)
    game.table.move(0, ("set_off", 0))
    game.deal(0, "2 1 red blue purple 1 X")
    finish = next(move for move in game.table.match.rules.moves(game.state, 0, game.sight(0).view.faces))
    game.table.move(0, (*finish[:2], 134_200))
    draft = game.draft(1)
    draft.step = None
    assert "To beat: 2:14" in [label.text for label in game.scene(1, draft).labels], "from a minute on as a clock tells it"


def test_the_times_of_a_round_of_heats_stand_until_its_last_claim_was_seen() -> None:
    game = Game("toot-speed", 2, heats=True)
    for seat, needed in ((0, 9_000), (1, 4_000)):
        game.table.move(seat, ("set_off", 0))
        game.deal(seat, "2 1 red blue purple 1 X")
        finish = next(move for move in game.table.match.rules.moves(game.state, seat, game.sight(seat).view.faces))
        game.table.move(seat, (*finish[:2], needed))
    draft = game.draft(1)
    assert [plate.score for plate in game.scene(1, draft).plates] == ["0", "0"], "what it wins comes after the check"
    through_the_check(draft)
    scene = game.scene(1, draft)
    assert [(plate.score, plate.note) for plate in scene.plates] == [("0", "9.0 s"), ("1", "4.0 s")]
    assert scene.status == f"{game.sight(1).words.seat(1)} wins the round"
    draft.tap("ready")
    assert [plate.note for plate in game.scene(1, draft).plates] == ["", ""]


@pytest.mark.parametrize("target", [1, 3])
@pytest.mark.parametrize(("times", "said"), [
    ((9_000, 4_000), "{1} was fastest: 4.0 s."), ((2_500, 4_000), "{0} was fastest: 2.5 s."),
    ((4_000, 4_000), "{0} and {1} were equally fast: 4.0 s."),
])
def test_after_the_last_heat_of_a_round_it_is_said_who_was_fastest(times: tuple[int, int], said: str, target: int) -> None:
    """Also where the claim that lies there is the slower one, and at the end of the match."""
    game = Game("toot-speed", 2, heats=True, target=target)
    words = game.sight(1).words
    for seat, needed in enumerate(times):
        game.table.move(seat, ("set_off", 0))
        game.deal(seat, "2 1 red blue purple 1 X")
        finish = next(move for move in game.table.match.rules.moves(game.state, seat, game.sight(seat).view.faces))
        if seat:
            assert "fast" not in game.scene(0, game.draft(0)).note, "the round is not over"
        game.table.move(seat, (*finish[:2], needed))
    draft = None if game.state.end_reason else game.draft(1)
    if draft is not None:
        through_the_check(draft)
    assert game.scene(1, draft).note == said.format(words.seat(0), words.seat(1))


@pytest.mark.parametrize("found", [True, False])
def test_a_heat_is_seen_by_all_before_the_device_is_passed_on(found: bool) -> None:
    """On the table, above the words to whom it is passed, with its time; who runs next need not see it again."""
    game = Game("toot-speed", 2, heats=True)
    game.table.move(0, ("set_off", 0))
    cards = game.deal(0, "2 1 red blue purple 1 X")
    if found:
        move = next(move for move in game.table.match.rules.moves(game.state, 0, game.sight(0).view.faces) if move[0] == "finish")
    else:
        move = ("finish", ((((cards[4], None),), ()),), 0)
    game.table.move(0, (*move[:2], 13_700))
    scene = game.scene(None)
    shown = [label.text for label in scene.labels]
    assert ("All 7 cards in 13.7 s" if found else "no TooT") in shown and scene.status == "Round 1"
    assert len([piece for piece in scene.pieces if piece.key.startswith("v0-")]) == (7 if found else 1)
    assert scene.hand is not None and all(zone.rect.bottom <= scene.hand.y + 1 for zone in scene.zones if zone.key != "tray")
    draft = game.draft(1)
    assert draft.step is None and control(game.scene(1, draft), "ready").primary


def test_whoever_was_beaten_hears_how_far_they_were() -> None:
    game, draft, (two, *_) = speed("2 2 red blue purple 1 1", seats=2)
    red, blue = (card for card in draft.hand if draft.faces[card] in ("red", "blue"))
    tap(draft, card_key(two), card_key(red), MAT, card_key(blue), f"on{red}")
    game.deal(1, "2 1 red blue purple 1 X")
    claim = next(move for move in game.table.match.rules.moves(game.state, 1, game.sight(1).view.faces))
    game.table.move(1, claim)
    assert draft.renew(game.sight(0))
    through_the_check(draft)
    scene = game.scene(0, draft)
    assert scene.note.endswith("You could have used 6 of your 7."), "which teaches more than that it had 2"
    assert control(scene, "ready").label == "Next round"
    tap(draft, "best_of_all")
    scene = game.scene(0, draft)
    assert [piece.key[:5] for piece in scene.pieces] == 6 * ["best-"] and control(scene, "best_of_all").label == "Back"
    tap(draft, "best_of_all")
    assert sum(piece.key.startswith("v1-") for piece in game.scene(0, draft).pieces) == 7


@pytest.mark.parametrize(("hand", "built", "said"), [
    ("2 1 red blue purple 1 X", 0, "Your 7 cards made one TooT, too!"),
    ("3 4 4 4 4 red blue", 2, "You had 2 of your 7 cards in one TooT."),
    ("3 4 4 4 4 3 3", 0, "Ben wins the round.")])
def test_whoever_was_beaten_hears_what_was_in_their_cards(hand: str, built: int, said: str) -> None:
    game, draft, cards = speed(hand, seats=2)
    if built:
        red, blue = cards[-2:]
        tap(draft, card_key(red), MAT, card_key(blue), f"on{red}")
    game.deal(1, "2 1 red blue purple 1 X")
    game.table.move(1, next(move for move in game.table.match.rules.moves(game.state, 1, game.sight(1).view.faces)))
    assert draft.renew(game.sight(0))
    through_the_check(draft)
    scene = game.scene(0, draft)
    assert scene.note.endswith(said)
    assert ("best_of_all" in {one.key for one in scene.controls}) == ("made" in said)


def test_whoever_saw_nothing_of_a_round_hears_not_how_far_they_were() -> None:
    """As where several entries come at once: cards are not known before GO."""
    game = Game("toot-speed", 2)
    draft = game.draft(0)
    for seat in range(2):
        game.table.move(seat, ("ready",))
    game.deal(1, "2 1 red blue purple 1 X")
    game.table.move(1, next(move for move in game.table.match.rules.moves(game.state, 1, game.sight(1).view.faces)))
    assert draft.renew(game.sight(0))
    through_the_check(draft)
    assert game.scene(0, draft).note.endswith("Ben wins the round.")


def test_a_finger_on_its_way_as_somebody_else_was_first_does_not_cut_the_check_short() -> None:
    """And whoever had all their cards in one TooT hears that, too."""
    game, draft, _ = speed("2 1 red blue purple 1 X", seats=2)
    draft.solve()
    game.deal(1, "2 1 red blue purple 1 X")
    claim = next(move for move in game.table.match.rules.moves(game.state, 1, game.sight(1).view.faces))
    game.table.move(1, claim)
    assert draft.renew(game.sight(0))
    tap(draft, "hurry")
    assert draft.step == 0
    tap(draft, "step0", "hurry")
    assert draft.step == draft.steps
    assert game.scene(0, draft).note.endswith("Yours was ready, too – a blink too late!")


@pytest.mark.parametrize("layout", [PHONE, SMALL, Layout(668, 346, 16, touch=True), Layout(1280, 620)])
def test_the_clock_stands_whole_on_the_stage_and_only_the_claim_beside_clearing(layout: Layout) -> None:
    game, draft, _ = speed("2 1 red blue purple 1 X")
    clock = next(label for label in game.scene(0, draft, layout).labels if label.kind == "clock")
    assert 50 <= clock.x <= layout.width - 50 and 16 <= clock.y <= layout.height - 16
    assert [control.key for control in game.scene(0, draft, layout).controls] == ["best", "draw", "claim"]
    draft.solve()
    assert [control.key for control in game.scene(0, draft, layout).controls] == ["clear", "claim"]


def test_the_buttons_have_their_places_before_the_first_card_is_laid_and_it_is_told_how_many_rounds_win() -> None:
    """TO-8: nothing moves under a finger in a hurry."""
    for seats in (1, 2):
        game, draft, cards = speed("2 1 red blue red 1 X", seats=seats)
        before = game.scene(0, draft)
        tap(draft, card_key(cards[2]))
        after = game.scene(0, draft)
        assert [one.key for one in after.controls] == ["clear", "draw", "claim"]
        assert len(before.controls) == 3 and [one.key for one in before.controls][1:] == ["draw", "claim"]
        assert before.controls[0].shape == after.controls[0].shape
        assert [plate.note for plate in after.plates] == (["first to 7", ""] if seats == 2 else [""])
