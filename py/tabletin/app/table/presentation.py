"""What happened at the table is presented one thing after another: pieces arrive, what they won flies to its plate, a result
rests until it was seen, and only then it is somebody's turn or the match is over. Each act has one sound.

It reads a session and a stage, and says when the table is to be drawn. What is drawn, and whose turn it is, it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import takewhile
from typing import Final, Protocol

from tabletin.app.session.session import MatchSession
from tabletin.app.table.beats import (
    ACT,
    READ,
    RESULT,
    Gain,
    first_mover,
    gains,
    landing_seconds,
    mover,
    result_seconds,
    shared_act,
    short_act,
    single_act,
    with_glances,
)
from tabletin.app.table.dom import Listeners, calm
from tabletin.app.table.gain_flight import GainFlight
from tabletin.app.table.landing import Landing, Part
from tabletin.app.table.sounds import TURN, is_own, sound_of, sound_of_end
from tabletin.app.table.stage import Stage
from tabletin.app.table.viewpoint import Viewpoint
from tabletin.app.ui.signals import Signals
from tabletin.board.board import ActStep, Board, Draft
from tabletin.board.scene import Scene, Sight
from tabletin.kernel.faces import Card
from tabletin.kernel.log import Entry, Hash
from tabletin.kernel.requests import ALL
from tabletin.kernel.rules import Outcome
from tabletin.kernel.state import Event
from tabletin.words import Catalogue, figure

TURN_AFTER: Final = 500  # ms from the sound of what somebody did to the sound of one's own turn
AFTER_STEPS: Final = 0.1  # seconds after the last step: news that waited come after it
FEW_WORDS: Final = 30  # letters that the line over the table has room for


class PresentationHost(Protocol):
    """The table's screen, as its presentation knows it."""

    session: MatchSession
    words: Catalogue
    board: Board
    draft: Draft | None
    viewpoint: Viewpoint
    scene: Scene
    stage: Stage

    @property
    def status_text(self) -> str:
        """What stands over the table."""
        ...

    def draw(self, *, counting: bool = False) -> None:
        """Draw the table as it is now; ``counting``: what is opened to be counted comes piece by piece."""
        ...

    def hold_news(self, seconds: float) -> None:
        """What happens elsewhere is drawn in so many seconds, unless somebody acts here."""
        ...

    def write_log(self) -> None:
        """Write on the log in words."""
        ...

    def write_status(self) -> None:
        """Write what stands over the table anew."""
        ...

    def sight(self) -> Sight:
        """What is looked at, and through whose eyes."""
        ...

    def lead_on(self) -> None:
        """The match is over: keys go to the button that leads on."""
        ...


class Presentation:
    """Presents what happens at the table of ``host``: ``show`` what happened, ``hurry`` where the player has seen it."""

    def __init__(self, host: PresentationHost, listeners: Listeners, signals: Signals) -> None:
        self._host = host
        self._listeners = listeners
        self._signals = signals
        match = host.session.match
        self.note = ""  # what was done, in a few words, while it is on its way
        self.act = ""  # what another seat has just done, in its own words for the line over the table, until that was read …
        self.gist = ""  # … or, where there are none, what it won or the like
        self._own_cards: frozenset[Card] = frozenset()  # what the seat that looks brought last
        self._glances: list[Event] = []  # what others did last, each seen at a glance, as far as it has such words
        self._alike: dict[int, None] = {}  # the seats that did last, at a glance, what is told together
        self.is_news = False  # what is drawn now was not done here
        self._landing = Landing(self._all_landed, self._acts_seen)
        self._gains = GainFlight(host.stage, listeners, self._gains_landed)
        self._reward: tuple[Sequence[Event], Sequence[Gain]] | None = None  # what was won, until its check is over
        self._standings = match.rules.standings(match.state)
        self._presented: Hash = match.head  # the last entry of which they are
        self._scores: Mapping[int, str] = {}  # by seat, as the last scene had them
        self._owed: dict[int, str] = {}  # by seat, what its plate says until what it won or lost has come there
        self._was_mine = False  # it was the turn of the seat that looks, after what was shown last
        self._log_waits = False, False  # the log holds back what came later, and what is counted, as the last scene had it
        self._late_sound = ""  # of what is said once all has landed
        self._reading = self._resting = self._act_read = self._step_over = 0  # timers
        self._film: tuple[list[ActStep], Sequence[Event]] | None = None  # steps still to be shown, and what is told then
        host.stage.on_landed(self._pieces_landed)

    # ---- what happened ----

    def show(self, events: Sequence[Event]) -> None:
        """Have the table drawn as it is after ``events``, and let shine what they are about; in steps, where it takes them."""
        quiet, me = self._host.session.match.rules.quiet_events, self._host.viewpoint.seat()
        if any(event.seat == me and event.reader == ALL for event in events):
            self._say_act("")  # whoever acts has read it
            self._glances.clear()
            self._alike.clear()
        events = [event for event in events if event.key not in quiet]
        if self._film is not None:  # something was done meanwhile
            events = [*self._film[1], *events]
            self._end_film()
            self._show(events)
            return
        steps = self._steps(events)
        if not steps:
            self._show(events)
            return
        acts = list(takewhile(lambda event: event.seat == events[0].seat, events))
        self._film = list(steps), events[len(acts):]
        seconds = sum(step.seconds(self._host.session.context.pace()) for step in steps)
        self._host.session.pacing.pause(seconds + self._host.session.context.pace())
        self._host.hold_news(seconds + AFTER_STEPS)
        self._next_step(acts)

    def _steps(self, events: Sequence[Event]) -> Sequence[ActStep]:
        host = self._host
        viewpoint = host.viewpoint
        return host.board.steps(host.sight(), events) if self._has_time and viewpoint.index is None else ()

    def _next_step(self, acts: Sequence[Event] = ()) -> None:
        """Show the next step; after the last one the table as it is. ``acts``: what was done, which the first step shows."""
        host = self._host
        if self._film is None:
            return
        steps, rest = self._film
        if not steps:
            self._end_film()
            self._show(rest)
            return
        step = host.viewpoint.step = steps.pop(0)
        if acts:
            self._show(acts)
            self._tell_own(acts)
        if step.words:
            self._say_act(step.words, seat=host.viewpoint.mover, lasts=True)
        if not acts:
            host.draw()
        self._step_over = self._listeners.delay(step.seconds(host.session.context.pace()) * 1000, self._next_step)

    def _tell_own(self, acts: Sequence[Event]) -> None:
        """What the reader's own seat did stands over the table, too, while steps are shown in which nobody acts."""
        host = self._host
        act = short_act(acts, host.words)
        if act is not None and not self.act and act.seat == host.viewpoint.seat():
            self._say_act(host.session.wording.event(act, host.session.match.state.public), seat=act.seat, lasts=True)

    def _end_film(self) -> None:
        self._listeners.forget(self._step_over)
        step, self._host.viewpoint.step, self._film = self._host.viewpoint.step, None, None
        if step is not None and step.words:  # they were about it alone
            self._say_act("")

    def _say_act(self, words: str, gist: str = "", *, seat: int | None = None, lasts: bool = False) -> None:
        """``words``, or ``gist``, of what ``seat`` did stand over the table until they were read; with ``lasts`` until other ones
        do."""
        self._listeners.forget(self._act_read)
        self.act, self.gist = words, gist
        self._host.viewpoint.mover = seat if words or gist else None
        if (words or gist) and not lasts:
            self._act_read = self._listeners.delay(ACT * self._host.session.context.pace() * 1000, self._act_was_read)

    def _act_was_read(self) -> None:
        self.act = self.gist = ""
        viewpoint = self._host.viewpoint
        if viewpoint.mover is None or viewpoint.landing:
            self._host.write_status()
        else:
            viewpoint.mover = None
            self._host.draw()

    def _tell(self, events: Sequence[Event], won: Mapping[int, int] | None) -> bool:
        """What another seat did stands over the table for a moment, and nobody acts before it was read; ``won``: points by seat,
        None where it is to be counted first. Returns whether there is something to read."""
        host = self._host
        session, me = host.session, host.viewpoint.seat()
        if not any(event.reader == ALL and event.seat is not None for event in events):
            return False
        act, seat = short_act(events, host.words), mover(events, me)
        is_own = act is not None and act.seat == me
        if (seat is None and not is_own) or not self._has_time or (is_own and not self._was_made()):
            self._say_act("")
            return False
        words = gist = ""
        is_brief = self._is_brief() and not (is_own and me not in session.acting)  # that one's own turn is over
        if act is None and won is not None and seat is not None:
            gist = self._shared_gist(events) or self._gist(events, seat, won)
        elif act is not None:
            told = with_glances(act, self._glances, host.words, session.wording.seat)
            words = session.wording.event(told, session.match.state.public)
        self._glances = [*self._glances, act] if act is not None and is_brief else []
        if not is_brief:
            self._alike.clear()
        if gist and gist == self.gist:  # it stays while another seat draws
            seat = host.viewpoint.mover
        self._say_act(words, gist, seat=act.seat if is_own and act is not None else seat)
        is_read = bool(words or gist) and not is_brief
        if is_read:
            session.pacing.pause(READ * session.context.pace())
        return is_read or bool(words)

    def _shared_gist(self, events: Sequence[Event]) -> str:
        """What several did one after another, in one sentence; it stays while the next one draws. "" where one alone did it."""
        host = self._host
        act = shared_act(events, host.words) if self._is_brief() else None
        if act is not None and act.seat is not None:
            self._alike[act.seat] = None
            names = list(map(host.session.wording.seat, self._alike))
            while len(names) > 1:
                told = host.words.text(act.key, seat=host.words.join_names(names))
                if len(told) <= FEW_WORDS:
                    return told
                names.pop(0)  # the plates say it of all
        return "" if act is not None or not self._alike else self.gist

    def _last_move(self) -> Entry | None:
        return next((entry for entry in reversed(self._host.session.match.entries) if entry.statement.kind == "move"), None)

    def _is_brief(self) -> bool:
        """Whether the last move is seen at a glance."""
        last = self._last_move()
        return last is not None and self._host.session.match.rules.is_brief(last.statement.body["do"])

    def _was_made(self) -> bool:
        """Whether the last move, of the seat that looks, came by itself: then it is told like those of others."""
        last = self._last_move()
        return last is not None and self._host.session.forced_moves.was_made(last.statement.body["seat"], last.index)

    def _show(self, events: Sequence[Event]) -> None:
        host = self._host
        match, viewpoint = host.session.match, host.viewpoint
        public = [event for event in events if event.reader == ALL]
        before, self._standings = self._standings, match.rules.standings(match.state)
        if match.index_of(self._presented) is None:  # what was counted fell away, and nobody won or lost anything by that
            before = self._standings
        self._presented = match.head
        self._mark_new(public)
        if viewpoint.index is not None:
            return
        won = gains(before, self._standings, events, low_wins=match.rules.low_wins)
        points = {gain.seat: gain.points for gain in won}
        told = None if host.board.counted_events(events, match.state) else points
        seconds = self._begin(events, points, has_words=self._tell(events, told))
        if self._has_pace:
            self._owed |= {gain.seat: self._scores[gain.seat] for gain in won if gain.seat in self._scores}
        self.is_news = True
        host.draw(counting=viewpoint.resting and not viewpoint.laying)
        self.is_news = False
        if match.outcome is not None and not self._landing.is_under_way:
            host.lead_on()
        host.stage.shine(host.board.flourish(events))
        self._sound(events, () if host.scene.is_checking else won)
        had = self._reward or ((), ())  # a bot may act while what it won is checked
        self._reward = (*had[0], *events), (*had[1], *won)
        self._show_reward()
        self._let_land(seconds)

    def _mark_new(self, public: Sequence[Event]) -> None:
        """What came last stands out: all that others brought since the last act of the only person here, else of the last act
        alone. Who passes brings nothing."""
        viewpoint, session = self._host.viewpoint, self._host.session
        me = viewpoint.seat()
        came = frozenset(card for event in public for card in event.cards)
        if not came and all(event.seat is None for event in public):
            return
        mine = [event for event in public if event.seat == me]
        is_followed = session.people == (me,) and not mine and not session.match.rules.random_delay
        viewpoint.fresh = came | (viewpoint.fresh - self._own_cards) if is_followed else came
        self._own_cards = frozenset(card for event in mine for card in event.cards)

    @property
    def _has_pace(self) -> bool:
        """Whether things take their time here, one after another."""
        return self._has_time and not calm()

    @property
    def _has_time(self) -> bool:
        """Whether acts come one after another, and nobody counts the seconds."""
        session = self._host.session
        return bool(session.context.pace()) and not session.match.rules.random_delay

    def _begin(self, events: Sequence[Event], won: Mapping[int, int], *, has_words: bool) -> float:
        """What ``events`` brought is to be seen before the next thing happens; ``has_words``: and read. Returns for how many
        seconds at least before it is one's own turn, or the end is told."""
        host = self._host
        session, viewpoint = host.session, host.viewpoint
        pace = session.context.pace()
        if session.match.rules.random_delay:  # where speed counts nothing waits
            return 0.0
        seat, is_over = viewpoint.seat(), session.match.outcome is not None
        counted = host.board.counted_events(events, session.match.state)
        is_counted = bool(counted)
        landing = 0.0
        if not calm() and (host.draft is None or is_over or is_counted):
            waits = seat is not None and self._film is None and session.forced_moves.idle_of(seat) is None
            landing = landing_seconds(events, seat, session.acting if waits else (), pace, is_over=is_over or is_counted,
                                      has_words=has_words or any(event.key in host.board.results for event in events))
        viewpoint.laying = is_counted and landing > 0
        resting = result_seconds(events, host.board.results, pace, is_counted=is_counted)
        if resting:
            self._rest(resting + (landing if viewpoint.laying else 0.0))
        if landing:
            told = counted or events  # what came after that is not looked at yet
            other = first_mover(told) if is_counted else mover(told, seat)
            viewpoint.mover = other
            self.note = self._told(told, seat if other is None else other, {} if viewpoint.laying else won)
            viewpoint.landing = True
            self._landing.begin()
        return landing

    def _rest(self, seconds: float) -> None:
        """A result is looked at for so many seconds from now."""
        session = self._host.session
        session.pacing.pause(seconds)
        if session.among_peers:
            self._host.hold_news(seconds)
        self._host.viewpoint.resting = True
        self._listeners.forget(self._resting)
        self._resting = self._listeners.delay(seconds * 1000, self._rest_over)

    def _told(self, events: Sequence[Event], seat: int | None, won: Mapping[int, int]) -> str:
        """What ``seat`` has just done, in a few words: what it gained, else that it passed or the like."""
        host = self._host
        if seat is None:
            return host.status_text
        wording = host.session.wording
        if not won.get(seat):
            event = short_act((event for event in events if event.seat == seat), host.words)
            if event is not None:
                return wording.event(event, host.session.match.state.public)
        if len(self._alike) > 1 and self.gist:
            return self.gist
        if gist := self._gist(events, seat, won):
            return gist
        if host.viewpoint.laying:
            return host.words.text("table.status.count")
        if host.session.people == (seat,):
            return host.words.text("table.status.played_own")
        return host.words.text("table.status.played", seat=wording.seat(seat))

    def _gist(self, events: Sequence[Event], seat: int, won: Mapping[int, int]) -> str:
        """What ``seat`` won or lost, else the sentence of the log where it is one and short; "" if there is neither."""
        wording, gain = self._host.session.wording, won.get(seat, 0)
        if gain:
            return self._host.words.text("table.status.gain", seat=wording.seat(seat), gain=figure(gain, plus=True))
        event = single_act(events, seat)
        told = "" if event is None else wording.event(event, self._host.session.match.state.public).rstrip(".")
        return told if len(told) <= FEW_WORDS else ""

    # ---- as it is drawn ----

    def until_landed(self, sight: Sight, scene: Scene) -> Scene:
        """``scene`` without what comes of something that is still on its way: scores keep, and nothing is counted yet."""
        if sight.past:
            return scene
        self._scores = {plate.seat: plate.score for plate in scene.plates}
        if sight.laying:
            scene = replace(scene, status="", note="", prompt=None, controls=(), is_checking=True)
        if not self._owed:
            return scene
        owed = (replace(plate, score=self._owed.get(plate.seat, plate.score)) for plate in scene.plates)
        return replace(scene, plates=tuple(owed))

    def follow_scene(self) -> None:
        """The scene is drawn, for something that was done here or has been seen: what was won may be free to fly now."""
        if not self.is_news:  # else once the news are drawn
            self._show_reward(is_late=True)
        waited, self._log_waits = self._log_waits, (bool(self._host.scene.log_until), self._host.viewpoint.is_counted)
        if any(before and not now for before, now in zip(waited, self._log_waits, strict=True)):
            self._host.write_log()

    def _show_reward(self, *, is_late: bool = False) -> None:
        """What was won flies to its seat, once nothing of it is to be checked any more. ``is_late``: after its act was heard."""
        host = self._host
        if self._reward is None or host.scene.is_checking:
            return
        (events, won), self._reward = self._reward, None
        if is_late:
            host.write_log()
        self._gains.show(won, (card for event in events if event.reader == ALL for card in event.cards))
        if is_late and won:
            self._play(events, won, None if host.viewpoint.landing else host.session.match.outcome)
        self._gains_landed(self._owed.keys() - self._gains.flying)

    # ---- until it has been seen ----

    def _let_land(self, seconds: float) -> None:
        """What is drawn is on its way; ``seconds`` at least are to read it, if there is something new to read."""
        if not self._landing.is_under_way:
            return
        if seconds:
            self._listeners.forget(self._reading)
            self._reading = self._listeners.delay(seconds * 1000, lambda: self._landing.arrive(Part.WORDS))
            self._announce_forced(max(seconds, self._gains.seconds))
        if not self._host.stage.is_moving:
            self._landing.arrive(Part.PIECES)
        if not (self._gains.seconds or self._host.viewpoint.laying):  # what is counted is won once all lies
            self._landing.arrive(Part.GAIN)

    def _announce_forced(self, seconds: float = 0.0) -> None:
        """What is no choice is made once it has been announced, as long as anything else is, in ``seconds``."""
        session = self._host.session
        if session.acting and session.forced_moves.move_of(session.acting[0]) is not None:
            session.pacing.pause(seconds + session.context.pace())

    def _acts_seen(self) -> None:
        """What was done was seen: what it ended is counted now, and what that won is on its way."""
        host = self._host
        if host.viewpoint.laying:
            host.viewpoint.laying, host.viewpoint.counting = False, True
            self._say_act("")
            host.draw(counting=True)
            if host.viewpoint.resting and host.scene.count_seconds:  # what is counted is looked at once it lies
                self._rest(host.scene.count_seconds + RESULT)
            if not host.stage.is_moving:
                self._all_counted()

    def _pieces_landed(self) -> None:
        """Nothing moves any more: with what was counted its gain has arrived, if there is none to fly."""
        was_counting = self._host.viewpoint.counting
        self._landing.arrive(Part.PIECES)
        if was_counting:
            self._all_counted()

    def _all_counted(self) -> None:
        """All that is counted lies: what it comes to is told, and what it won flies."""
        self._host.viewpoint.counting = False
        if self._gains.flying:
            self._host.draw()
        else:
            self._landing.arrive(Part.GAIN)

    def _gains_landed(self, seats: Set[int]) -> None:
        """What ``seats`` won or lost is on their plates."""
        paid = set(self._owed) & seats if self._reward is None else set()  # else more is to come there
        for seat in paid:
            del self._owed[seat]
        if not (self._gains.flying or self._host.viewpoint.counting):
            self._landing.arrive(Part.GAIN)
        shown = {plate.seat: plate.score for plate in self._host.scene.plates}
        if any(shown.get(seat) != self._scores.get(seat) for seat in paid):
            self._host.draw()

    def _all_landed(self) -> None:
        """Now it is somebody's turn, or the match is over."""
        host = self._host
        host.viewpoint.landing = host.viewpoint.counting = False
        if not (self.act or self.gist):
            host.viewpoint.mover = None
        self._announce_forced()
        host.draw()
        if host.session.match.outcome is not None:
            host.lead_on()
        if self._late_sound:
            self._signals.play(self._late_sound)
            self._late_sound = ""

    def _rest_over(self) -> None:
        if self._host.viewpoint.resting:
            self._host.viewpoint.resting = False
            self._host.draw()

    def hurry(self) -> None:
        """The player has seen what there was to see."""
        viewpoint, is_landing = self._host.viewpoint, self._landing.is_under_way
        was_resting, viewpoint.resting = viewpoint.resting, False
        if self._film is not None:
            self._film[0].clear()
            self._listeners.forget(self._step_over)
            self._next_step()
            return
        self._landing.hurry()
        if was_resting and not is_landing:
            self._host.draw()

    # ---- sounds ----

    def _sound(self, events: Sequence[Event], won: Sequence[Gain]) -> None:
        session, is_landing = self._host.session, self._landing.is_under_way
        outcome = session.match.outcome
        self._play(events, won, None if is_landing else outcome)
        seat = self._host.viewpoint.seat()
        is_mine = seat is not None and seat in session.acting and session.forced_moves.idle_of(seat) is None \
            and self._film is None
        if is_landing and outcome is not None:
            self._late_sound = sound_of_end(outcome, session.people)
        elif is_mine and not self._was_mine and mover(events, seat) is not None:
            if is_landing:
                self._late_sound = TURN
            else:
                self._listeners.delay(TURN_AFTER, lambda: self._signals.play(TURN))
        self._was_mine = is_mine

    def _play(self, events: Sequence[Event], won: Sequence[Gain], outcome: Outcome | None) -> None:
        people = self._host.session.people
        name = sound_of(events, won, outcome, people)
        if name:
            self._signals.play(name, own=outcome is not None or is_own(events, won, people))
