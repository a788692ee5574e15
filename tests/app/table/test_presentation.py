"""What happened is presented one thing after another, and nothing stays owed: also where the page is hidden meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tabletin.app.table.beats import ACT, READ
from tabletin.board.board import ActStep, Board, Draft
from tabletin.board.scene import Drawing, Heap, Piece, Plate, Rect, Scene, Sight
from tabletin.kernel.rules import Outcome
from tabletin.kernel.state import Event
from tests.support.fake_browser import Element, FakeBrowser, in_fake_browser

PACE = 1.0  # seconds
FACE = Drawing("<g/>", 100, 200)
PLATES = (Rect(0, 0, 180, 50), Rect(190, 0, 180, 50))


class PlainBoard(Board):
    """A board that is asked only what its game's events mean."""

    def scene(self, sight: Sight, draft: Draft | None) -> Scene:
        raise NotImplementedError

    def draft(self, sight: Sight) -> Draft:
        raise NotImplementedError


class Words(dict[str, str]):
    """A catalogue that says keys, and lacks whatever it is asked for."""

    def text(self, key: str, **_params: object) -> str:
        return key


class Looking(SimpleNamespace):
    """What is looked at, and how far what is counted has come."""

    laying: bool
    counting: bool

    @property
    def is_counted(self) -> bool:
        return self.laying or self.counting


class TableHere:
    """A table of two with a real stage and a real presentation: Ada, at seat 1, has laid a piece and won 5 points."""

    def __init__(self) -> None:
        from tabletin.app.table.dom import Listeners
        from tabletin.app.table.presentation import Presentation
        from tabletin.app.table.stage import Stage

        self.scores = [0, 0]
        self.is_laid = False
        self.won_after: dict[int, float] = {}  # seconds until what seats won has been counted, where it is
        self.drawn: list[tuple[str, ...]] = []  # the scores on the plates, after each drawing
        self.sounds: list[str] = []
        self.own: list[bool] = []
        self.listeners = Listeners()
        rules = SimpleNamespace(standings=lambda _state: tuple(self.scores), low_wins=False, random_delay=0, quiet_events=(),
                                is_brief=lambda do: do[0] == "draw")
        match = SimpleNamespace(rules=rules, state=SimpleNamespace(public={}), head="0", index_of=lambda _head: 0, outcome=None,
                                entries=[])
        self.session: Any = SimpleNamespace(
            match=match, acting=(0,), people=(0,), among_peers=False, context=SimpleNamespace(pace=lambda: PACE),
            wording=SimpleNamespace(seat=lambda seat: ("You", "Ada", "Bo")[seat], event=lambda _event, _faces: "That is all."),
            pacing=SimpleNamespace(pause=lambda _seconds: None),
            forced_moves=SimpleNamespace(move_of=lambda _seat: None, idle_of=lambda _seat: None,
                                         was_made=lambda _seat, _index: False))
        self.words: Any = Words()
        self.board: Any = PlainBoard()
        self.draft: Draft | None = None
        self.viewpoint: Any = Looking(index=None, fresh=frozenset(), landing=False, laying=False, counting=False,
                                      resting=False, seat=lambda: 0, step=None, mover=None)
        self.log_until = ""
        self.times_logged: int = 0  # while nothing was counted
        self.scene = Scene()
        self.status_text = "…"
        self.stage = Stage(Element(), self.listeners)
        signals: Any = SimpleNamespace(play=self.hear)
        self.presentation = Presentation(self, self.listeners, signals)
        self.draw()

    def write_status(self) -> None:
        """Nothing is written here."""

    def sight(self) -> Any:
        """Nothing is looked at here."""

    def draw(self, *, counting: bool = False) -> None:
        plates = tuple(Plate(f"seat{seat}", seat, rect, ("You", "Ada")[seat], str(score), large=True)
                       for seat, (rect, score) in enumerate(zip(PLATES, self.scores, strict=True)))
        piece = Piece("c7", FACE, 100, 200, 40)
        heap = Heap((280, 25), 20, frozenset(("c7",)), FACE)
        lies = self.is_laid and not self.viewpoint.laying
        scene = Scene(pieces=(piece,), plates=plates) if lies else Scene(plates=plates, resting=(heap,))
        scene = replace(scene, log_until=self.log_until, won_at=dict.fromkeys(self.won_after, (100.0, 200.0)),
                        won_after=self.won_after)
        sight: Any = SimpleNamespace(past=False, laying=self.viewpoint.laying)
        self.scene = self.presentation.until_landed(sight, scene)
        self.stage.show(self.scene)
        self.drawn.append(tuple(plate.score for plate in self.scene.plates))
        self.stage.set_off()
        self.presentation.follow_scene()

    def hear(self, name: str, *, own: bool = True) -> None:
        self.sounds.append(name)
        self.own.append(own)

    def moves(self) -> bool:
        """Whether a piece is on its way."""
        return self.stage.is_moving

    def hold_news(self, seconds: float) -> None: ...
    def lead_on(self) -> None: ...

    def write_log(self) -> None:
        self.times_logged += not self.viewpoint.is_counted

    def lay_and_win(self) -> None:
        self.scores[1] = 5
        self.is_laid = True
        self.session.match.head = "1"
        self.presentation.show((Event("game.laid", 1, {}, (7,)),))


@pytest.fixture
def fake() -> Iterator[FakeBrowser]:
    with in_fake_browser() as found:
        yield found


@pytest.fixture
def table(fake: FakeBrowser) -> TableHere:
    return TableHere()


def check_landed(table: TableHere) -> None:
    """It is one's own turn, the plate says what was won, and the piece lies where it belongs."""
    assert not table.viewpoint.landing and not table.moves()
    assert table.drawn[-1] == ("0", "5")
    assert table.sounds[-1] == "turn", "that it is one's own turn is heard last"
    assert table.own == [False, True], "Ada's gain is not felt, and one's own turn is"


def test_a_score_changes_when_what_was_won_has_come_and_then_it_is_ones_own_turn(fake: FakeBrowser, table: TableHere) -> None:
    table.lay_and_win()
    assert table.viewpoint.landing and table.moves() and table.drawn == [("0", "0")] * 2, "drawn once"
    fake.frame()
    fake.pass_time(400)
    assert not table.moves() and table.viewpoint.landing and table.drawn[-1] == ("0", "0"), "what was won still flies"
    fake.pass_time(5000)
    check_landed(table)


def test_what_came_last_is_marked_until_somebody_does_something_else(table: TableHere) -> None:
    table.lay_and_win()
    assert table.viewpoint.fresh == {7}
    table.presentation.show((Event("game.round", None),))
    assert table.viewpoint.fresh == {7}, "nobody has done anything since"
    table.presentation.show((Event("game.drew", 0, {}, (8,), 0),))
    assert table.viewpoint.fresh == {7}, "not everybody is told"
    table.presentation.show((Event("game.passed", 0),))
    assert table.viewpoint.fresh == frozenset(), "a pass lays nothing, and what lay before it came earlier"


def test_a_page_that_is_hidden_in_the_frame_in_which_a_piece_departs_owes_nothing_later(fake: FakeBrowser,
                                                                                     table: TableHere) -> None:
    from tabletin.app.table.dom import NO_FRAME
    from tabletin.app.table.motion import LANDING

    table.lay_and_win()
    fake.hidden = True
    fake.frame()
    assert table.moves(), "it stands where it starts"
    fake.pass_time(NO_FRAME + LANDING)
    assert not table.moves(), "it departed though no frame came, and has landed"
    fake.pass_time(5000)
    check_landed(table)


def test_a_page_that_is_hidden_while_a_piece_flies_owes_nothing_later(fake: FakeBrowser, table: TableHere) -> None:
    table.lay_and_win()
    fake.frame()
    fake.hidden = True
    fake.pass_time(5000)
    check_landed(table)


def test_on_a_page_that_is_not_seen_it_lands_all_the_same(fake: FakeBrowser, table: TableHere) -> None:
    fake.hidden = True
    table.lay_and_win()
    fake.pass_time(5000)
    check_landed(table)


def test_who_has_seen_it_need_not_wait(fake: FakeBrowser, table: TableHere) -> None:
    table.lay_and_win()
    fake.frame()
    table.presentation.hurry()
    assert not table.viewpoint.landing
    fake.pass_time(5000)
    check_landed(table)


def test_what_is_counted_lies_before_anything_else_is_said(fake: FakeBrowser, table: TableHere) -> None:
    """Also where nobody wins anything by it."""
    table.board.counts = frozenset(("game.over",))
    table.is_laid = True
    table.presentation.show((Event("game.over", 1),))
    assert table.viewpoint.laying and not table.moves(), "first it is seen how it ended"
    fake.pass_time(610)
    assert not table.viewpoint.laying and table.moves() and table.viewpoint.landing
    drawn = len(table.drawn)
    fake.frame()
    fake.pass_time(200)
    assert table.viewpoint.landing and len(table.drawn) == drawn, "a drawing would cut it short"
    fake.pass_time(400)
    assert not table.moves() and not table.viewpoint.landing


def test_where_seats_are_counted_one_after_another_each_plate_says_it_as_its_own_gain_has_come(fake: FakeBrowser,
                                                                                               table: TableHere) -> None:
    table.won_after = {0: 0.5, 1: 1.5}
    table.scores[0] = 3
    table.lay_and_win()
    fake.frame()
    fake.pass_time(500)
    assert table.drawn[-1] == ("0", "0"), "it flies only now"
    ended(table, "+3")
    assert table.drawn[-1] == ("3", "0") and table.viewpoint.landing
    fake.pass_time(1000)
    assert table.drawn[-1] == ("3", "0")
    fake.pass_time(5000)
    assert table.drawn[-1] == ("3", "5") and not table.viewpoint.landing


def test_what_comes_of_a_count_is_told_once_all_of_it_lies_and_before_what_it_won_has_come(fake: FakeBrowser,
                                                                                           table: TableHere) -> None:
    table.board.counts = frozenset(("game.laid",))
    table.won_after = {1: 2.0}
    table.lay_and_win()
    assert table.viewpoint.laying and not table.viewpoint.counting
    fake.pass_time(610)
    assert table.viewpoint.counting and table.moves()
    fake.frame()
    fake.pass_time(400)
    assert not table.moves() and not table.viewpoint.counting and table.viewpoint.landing
    assert table.drawn[-1] == ("0", "0")
    fake.pass_time(5000)
    assert table.drawn[-1] == ("0", "5") and not table.viewpoint.landing


@pytest.mark.parametrize("until", ["", "game.next"])
def test_what_is_counted_stands_in_the_log_once_it_has_been_shown(fake: FakeBrowser, table: TableHere, until: str) -> None:
    """Also where what came after it waits for longer."""
    table.log_until = until
    table.draw()
    table.board.counts = frozenset(("game.laid",))
    table.won_after = {1: 2.0}
    table.lay_and_win()
    fake.pass_time(610)
    fake.frame()
    before = table.times_logged
    assert table.viewpoint.counting and before == 0
    fake.pass_time(400)
    assert not table.viewpoint.counting and table.times_logged == before + 1


def test_who_has_seen_how_it_ended_need_not_wait_for_the_count(fake: FakeBrowser, table: TableHere) -> None:
    table.board.counts = frozenset(("game.laid",))
    table.lay_and_win()
    table.presentation.hurry()
    assert not (table.viewpoint.laying or table.viewpoint.counting or table.viewpoint.landing)
    fake.frame()
    fake.pass_time(5000)
    assert table.drawn[-1] == ("0", "5") and not table.viewpoint.landing


def ended(table: TableHere, text: str) -> None:
    """The browser has shown the gain ``text`` at its plate."""
    gain = next(child for child in table.stage.root.children if child.textContent == text)
    for listener in table.stage.root.listeners["animationend"]:
        listener(SimpleNamespace(target=gain))


def test_whose_turn_ended_it_is_not_told_any_more_that_it_is_their_turn(table: TableHere) -> None:
    table.board.counts = frozenset(("game.over",))
    table.is_laid = True
    for is_counted, people, told in ((True, (0,), "count"), (False, (0,), "played_own"), (False, (0, 1), "played")):
        table.session.people = people
        table.board.counts = frozenset(("game.over",)) if is_counted else frozenset()
        table.session.match.outcome = None if is_counted else Outcome((0, 0), (0,), "game.over")
        table.presentation.show((Event("game.laid", 0, {}, (7,)), Event("game.over", 0)))
        assert table.viewpoint.laying == is_counted and table.presentation.note == f"table.status.{told}"


def test_what_follows_upon_what_is_counted_is_not_told_while_that_is_on_its_way(table: TableHere) -> None:
    """A new deal is none of what ended the round."""
    table.board.counts = frozenset(("game.over",))
    table.session.wording.event = lambda event, _faces: event.key
    over, dealt = Event("game.over", 1), Event("game.dealt", 0)
    assert table.board.counted_events((over, dealt), table.session.match.state) == (over,)
    table.presentation.show((over, dealt))
    assert table.presentation.note == "game.over"


def test_what_a_plate_owes_is_kept_over_drawings_until_it_has_come(fake: FakeBrowser, table: TableHere) -> None:
    table.lay_and_win()
    fake.frame()
    table.draw()
    assert table.drawn[-1] == ("0", "0")
    past: Any = SimpleNamespace(past=True, laying=False)
    scene = replace(Scene(), plates=table.scene.plates)
    assert table.presentation.until_landed(past, scene) is scene, "an earlier moment owes nothing"


def test_a_table_that_is_left_releases_what_it_handed_to_the_browser(fake: FakeBrowser, table: TableHere) -> None:
    table.lay_and_win()
    fake.hidden = True
    table.listeners.cut()
    assert fake.waiting == 0
    fake.hidden = False
    fake.frame()
    assert table.viewpoint.landing, "nothing goes on there"


def in_steps(table: TableHere) -> list[tuple[str, str]]:
    """Have an act shown in two steps. What was drawn from now on: the step that the table stands at, and the words over it."""
    seen: list[tuple[str, str]] = []
    steps = (ActStep(cast(Any, "one"), 0.5), ActStep(cast(Any, "two"), 1.0, "Ada draws 2"))
    table.board.steps = lambda _sight, events: steps if any(event.key == "game.paid" for event in events) else ()
    draw = table.draw

    def note(*, counting: bool = False) -> None:
        step = table.viewpoint.step
        seen.append((str(step.view) if step else "", table.presentation.act))
        draw(counting=counting)

    table.draw = note  # type: ignore[method-assign]
    table.presentation.show((Event("game.laid", 0, {}, (7,)), Event("game.paid", 1, {}, (8,))))
    return seen


def test_what_came_of_an_act_is_shown_in_steps_before_the_table_as_it_is(fake: FakeBrowser, table: TableHere) -> None:
    seen = in_steps(table)
    assert seen == [("one", "")] and table.viewpoint.fresh == {7}, "what was done is seen first"
    fake.pass_time(500 * PACE + 1)
    assert seen[1:] == [("two", "Ada draws 2")]
    fake.pass_time(1000 * PACE + 1)
    assert seen[2] == ("", "") and table.viewpoint.fresh == {8}


def test_words_of_the_last_step_go_with_it_and_not_before_its_shortest_time(fake: FakeBrowser, table: TableHere) -> None:
    steps = (ActStep(cast(Any, "one"), 0.5), ActStep(cast(Any, "two"), 0.0, "They make room", minimum=2.0))
    table.board.steps = lambda _sight, _events: steps
    table.presentation.show((Event("game.laid", 0, {}, (7,)),))
    fake.pass_time(500 * PACE + 1)
    assert table.presentation.act == "They make room"
    fake.pass_time(1990)
    assert (table.presentation.act, bool(table.viewpoint.step)) == ("They make room", True)
    fake.pass_time(20)
    assert (table.presentation.act, bool(table.viewpoint.step)) == ("", False)


def test_who_has_seen_the_steps_sees_the_table_as_it_is(fake: FakeBrowser, table: TableHere) -> None:
    seen = in_steps(table)
    table.presentation.hurry()
    assert seen[1] == ("", "")
    fake.pass_time(5000)
    assert "two" not in dict(seen)


def test_what_happens_during_the_steps_ends_them(fake: FakeBrowser, table: TableHere) -> None:
    seen = in_steps(table)
    table.presentation.show((Event("game.laid", 1, {}, (9,)),))
    assert seen[1:] == [("", "")] and table.viewpoint.fresh == {8, 9}
    fake.pass_time(5000)
    assert "two" not in dict(seen)


def test_what_another_seat_did_is_told_for_a_moment_where_there_are_words_for_it(fake: FakeBrowser, table: TableHere) -> None:
    table.words["game.laid_short"] = "{seat} lays"
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat}"
    table.presentation.show((Event("game.drew", 1), Event("game.laid", 1)))
    assert table.presentation.act == "game.laid_short 1"
    fake.pass_time(ACT * PACE * 1000 - 50)
    assert table.presentation.act
    fake.pass_time(100)
    assert not table.presentation.act
    table.presentation.show((Event("game.laid", 1),))
    table.presentation.show((Event("game.laid", 0),))
    assert not table.presentation.act, "who acts here knows it"


def test_the_plate_of_who_did_it_is_marked_as_long_as_that_is_told(fake: FakeBrowser, table: TableHere) -> None:
    table.session.acting = (2,)
    table.words["game.laid_short"] = "{seat} lays"
    table.presentation.show((Event("game.laid", 1),))
    assert table.viewpoint.mover == 1 and not table.viewpoint.landing
    fake.pass_time(ACT * PACE * 1000 - 50)
    assert table.viewpoint.mover == 1
    drawn = len(table.drawn)
    fake.pass_time(100)
    assert table.viewpoint.mover is None and len(table.drawn) == drawn + 1, "the next one is marked"


def test_the_same_plate_is_marked_while_that_is_on_its_way_though_nothing_is_told(fake: FakeBrowser, table: TableHere) -> None:
    table.presentation.show((Event("game.laid", 1), Event("game.laid", 1)))
    assert table.viewpoint.landing and table.viewpoint.mover == 1 and said(table) == ("", "")
    fake.pass_time(5000)
    assert not table.viewpoint.landing and table.viewpoint.mover is None


def test_ones_own_act_is_told_where_steps_follow_in_which_nobody_acts(fake: FakeBrowser, table: TableHere) -> None:
    table.words["game.laid_short"] = "{seat} lays"
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat}"
    assert in_steps(table)[0] == ("one", "")
    assert table.presentation.act == "game.laid_short 0", "not: One moment"
    fake.pass_time(5000)
    assert table.viewpoint.mover is None


def said(table: TableHere) -> tuple[str, str]:
    return table.presentation.act, table.presentation.gist


def test_what_each_of_several_did_can_be_read_before_the_next_one_acts(table: TableHere) -> None:
    """In words of its own; else what it won, or the sentence of the log, where there is time for it."""
    pauses: list[float] = []
    table.session.pacing.pause = pauses.append
    table.words["game.laid_short"] = "{seat} lays"
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat}."
    for seat in (1, 2):
        table.presentation.show((Event("game.laid", seat, {}, (7,)),))
        assert said(table) == (f"game.laid_short {seat}.", "") and pauses.pop() == READ * PACE
    table.presentation.show((Event("game.traded", 1),))
    assert said(table) == ("", "game.traded 1") and pauses.pop() == READ * PACE
    table.session.match.entries.append(SimpleNamespace(statement=SimpleNamespace(kind="move", body={"do": ("draw",)})))
    table.presentation.show((Event("game.drew", 1),))
    assert said(table) == ("", "game.drew 1") and not pauses, "it is seen at a glance"


def test_what_is_seen_at_a_glance_is_told_with_what_comes_of_it(table: TableHere) -> None:
    move = SimpleNamespace(statement=SimpleNamespace(kind="move", body={"do": ("draw",), "seat": 0}), index=1)
    table.session.match.entries.append(move)
    for form in ("drew_short", "drew_often_short", "laid_short", "laid_after_short", "passed_short"):
        table.words[f"game.{form}"] = ""
    table.words.join_names = " and ".join
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat} {event.params}"
    for told in ("drew_short 1 {}", "drew_often_short 1 {'times': 2}"):
        table.presentation.show((Event("game.drew", 1),))
        assert said(table)[0] == f"game.{told}"
    move.statement.body["do"] = ("lay",)
    for told in ("laid_after_short 1 {'times': 2}", "laid_short 1 {}"):
        table.presentation.show((Event("game.laid", 1),))
        assert said(table)[0] == f"game.{told}"
    move.statement.body["do"] = ("draw",)
    for seat, told in ((1, "1 {}"), (0, ""), (1, "1 {}"), (2, "None {'seat': 'Ada and Bo'}")):
        table.presentation.show((Event("game.passed", seat),))
        assert said(table)[0] == (f"game.passed_short {told}" if told else ""), "what was told before one's own act is read"


def test_what_several_did_at_a_glance_is_told_together(table: TableHere) -> None:
    """Also where each draws before; it stays while the next one does. Who has a long name is told of on the plate."""
    move = SimpleNamespace(statement=SimpleNamespace(kind="move", body={"do": ("draw",), "seat": 1}), index=1)
    table.session.match.entries.append(move)
    table.words["game.passed_together"] = "{seat} pass"
    table.words.join_names = " and ".join
    table.words.text = lambda key, seat="", **_: f"{seat} pass" if key == "game.passed_together" else key
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat}"
    names = {1: "Ada", 2: "Bo", 3: "Carla with a long name"}
    table.session.wording.seat = names.get
    for key, seat, told in (("drew", 1, "game.drew 1"), ("passed", 1, "game.passed 1"), ("drew", 2, "game.passed 1"),
                            ("passed", 2, "Ada and Bo pass"), ("drew", 3, "Ada and Bo pass"), ("passed", 3, "game.passed 3")):
        table.presentation.show((Event(f"game.{key}", seat),))
        assert said(table) == ("", told)
    move.statement.body["do"] = ("lay",)
    table.presentation.show((Event("game.laid", 1),))
    move.statement.body["do"] = ("draw",)
    table.presentation.show((Event("game.passed", 2),))
    assert said(table) == ("", "game.passed 2"), "it is told anew"


def test_what_was_made_for_oneself_is_told_like_what_others_do(table: TableHere) -> None:
    pauses: list[float] = []
    table.session.pacing.pause = pauses.append
    table.words["game.passed_short"] = "{seat} passes"
    table.session.wording.event = lambda event, _faces: f"{event.key} {event.seat}"
    move = SimpleNamespace(statement=SimpleNamespace(kind="move", body={"do": ("draw",), "seat": 0}), index=1)
    table.session.match.entries.append(move)
    table.session.acting = (1,)
    table.presentation.show((Event("game.passed", 0),))
    assert said(table) == ("", ""), "who chose it knows it"
    table.session.forced_moves.was_made = lambda _seat, _index: True
    table.presentation.show((Event("game.passed", 0),))
    assert said(table) == ("game.passed_short 0", "") and pauses == [READ * PACE]
    table.session.acting = (0,)
    table.presentation.show((Event("game.passed", 0),))
    assert said(table)[0] and len(pauses) == 1, "one's turn goes on: it is seen at a glance"


def test_what_others_brought_since_ones_own_act_stays_marked(table: TableHere) -> None:
    def fresh_after(*events: Event) -> set[int]:
        table.presentation.show(events)
        return set(table.viewpoint.fresh)

    assert fresh_after(Event("game.laid", 0, {}, (7,))) == {7}
    assert fresh_after(Event("game.laid", 1, {}, (8,))) == {8}
    assert fresh_after(Event("game.laid", 2, {}, (9,))) == {8, 9}
    assert fresh_after(Event("game.passed", 1)) == {8, 9}
    assert fresh_after(Event("game.passed", 0)) == set()
    table.session.people = (0, 1)
    assert fresh_after(Event("game.laid", 2, {}, (9,))) == {9}
    assert fresh_after(Event("game.laid", 1, {}, (8,))) == {8}, "who looks next may have another turn in mind"


def test_a_quiet_event_is_not_told(table: TableHere) -> None:
    def told() -> str:
        return table.presentation.act

    table.words["game.left_short"] = "{seat} leaves it"
    table.session.match.rules.quiet_events = frozenset(("game.left",))
    table.presentation.show((Event("game.left", 1),))
    assert not told() and not table.viewpoint.landing
    table.words["game.laid_short"] = "{seat} lays"
    table.presentation.show((Event("game.laid", 1),))
    assert told()
    table.presentation.show((Event("game.left", 0),))
    assert not told(), "whoever acts has read what was done before"
