"""How a match ended: who won, the scores as the rulebook keeps them, its best turns, and once more.

Everything is read from the stored log; nothing is kept beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from tabletin.app.routes import address
from tabletin.app.screens.faces import bot_picture, letter_of, picture_of, unnamed_face
from tabletin.app.screens.match.finished_match import FinishedMatchScreen
from tabletin.app.screens.match.spirit import (
    is_personal_best,
    named_for_others,
    people_in,
    places_of,
    ranks,
    spirit_of,
    verdict_for_others,
)
from tabletin.app.screens.player_statistics import SIGNS, new_badges
from tabletin.app.session.adaptation import adapt, level_that_fits, seats_that_adapt
from tabletin.app.session.plan import rotate
from tabletin.app.storage.hint_counts import KEPT_AS as HINTS
from tabletin.app.storage.hint_counts import HintCounts
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.storage.profiles import KEPT_AS as PROFILES
from tabletin.app.storage.profiles import Profiles
from tabletin.app.storage.turn_bests import KEPT_AS as TURNS
from tabletin.app.storage.turn_bests import TurnBests
from tabletin.app.table.narration import NarratedEvent
from tabletin.app.ui.html import bar, button, cards, confetti, esc, game_name, icon, link, section, tag
from tabletin.board.avatar import avatar
from tabletin.board.highlights import (
    Highlight,
    Moment,
    headline,
    highlights,
    lasting_moments,
    marks,
    sheet_of,
    with_times,
)
from tabletin.board.portraits import PORTRAITS
from tabletin.board.result_picture import DrawnTurn, ResultLine, result_picture
from tabletin.bots.characters import stock_names
from tabletin.kernel.faces import Card, Face
from tabletin.kernel.rules import Outcome
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import LEVELS
from tabletin.kernel.trusted_match import SEALED
from tabletin.registry import GAMES
from tabletin.words import figure
from tabletin.words.wording import Wording

if TYPE_CHECKING:
    from tabletin.app.screens.match.league_line import LeagueLine
    from tabletin.app.screens.match.signatures import SignatureLine

MOST_DRAWN: Final = 16  # cards of a best turn that are drawn
WHOLE_NAME: Final = 12  # letters of the longest name that no line breaks


class ResultScreen(FinishedMatchScreen):
    """``#/match/<id>/result``."""

    verdict = ""  # in one sentence
    picture = ""  # the result as a drawing
    people = Profiles()  # of this device
    moments: Sequence[Moment] = ()
    own_bests: Sequence[Highlight] = ()  # turns that are the best of somebody here
    fitting = ""  # the level that bots that adapt have next time
    signature_line: SignatureLine | None = None
    league_line: LeagueLine | None = None

    async def show(self, record: MatchRecord, outcome: Outcome) -> None:
        self.people = Profiles.from_json(self.shell.texts.recall(PROFILES))
        table = address("match", record.id)
        self.moments = with_times(self.match, lasting_moments(self.match),
                                  lambda clock: self.shell.document.seconds_run(table, clock))
        self.own_bests = self.take_marks(record)
        records = await self.records()
        if seats_that_adapt(self.match.setup):
            self.fitting = level_that_fits(record.game, records)
        self.show_result(record, outcome, is_best=is_personal_best(record, records), medals=self.medals(record, records))
        if self.match.setup.dealing == SEALED:
            from tabletin.app.screens.match.signatures import signature_line
            self.signature_line = await signature_line(self.shell, self.route.subject)
        if self.signature_line is not None:
            from tabletin.app.screens.match.league_line import LeagueLine
            self.league_line = LeagueLine(self.shell, self.signature_line.session)
            await self.league_line.begin()

    def close(self) -> None:
        if self.league_line is not None:
            self.league_line.close()
        if self.signature_line is not None:
            self.signature_line.close()

    # ---- the page ----

    async def records(self) -> list[MatchRecord]:
        """Every match of this device; none where they cannot be read: the result stands without them."""
        try:
            return await self.shell.matches.records()
        except (StorageFailed, Malformed):
            return []

    def medals(self, record: MatchRecord, records: Sequence[MatchRecord]) -> list[tuple[str, str]]:
        """The badges that people of this device earned with this match: the icon of each, and a sentence."""
        found = []
        hinted = HintCounts.from_json(self.shell.texts.recall(HINTS)).turns
        for person in self.people.people:
            if person.seat_in(record) is not None:
                found += [(SIGNS[badge.key], self.text("result.badge", name=person.name,
                                                       badge=self.text(f"players.badge.{badge.key}.name")))
                          for badge in new_badges(person, record, records, hinted)]
        return found

    def take_marks(self, record: MatchRecord) -> list[Highlight]:
        """Keep the best turns of those who played here; which of them are the best that they ever had."""
        kept = TurnBests.from_json(self.shell.texts.recall(TURNS))
        found: list[Highlight] = []
        after = kept
        for person, seat in people_in(record, self.people).items():
            own = marks(self.match, self.moments, seat)
            after = after.add_marks(person, record.game, record.id, own)
            found += [mark.highlight for mark in own if after.is_record(person, record.game, record.id, mark)]
        if after != kept:
            self.shell.texts.keep(TURNS, after.to_json())
        return found

    def show_result(self, record: MatchRecord, outcome: Outcome, *, is_best: bool,
                    medals: Sequence[tuple[str, str]] = ()) -> None:
        name = game_name(self.words, record.game)
        here, mine = record.people_here, record.own_seat
        wording = Wording(self.words, self.match.setup, mine)
        first = headline(self.match, self.moments, self.text)
        verdict = first or wording.outcome(outcome)
        is_alone = len(self.match.setup.seats) == 1  # nobody asks why it ended, nor who came first
        reason = "" if is_alone else wording.ending(outcome)
        spirit = spirit_of(outcome, here)
        winners, others = ([wording.seat(seat) for seat in here if (seat in outcome.winners) == won] for won in (True, False))
        feeling = self.text(f"result.spirit.{spirit}", winners=self.words.join_names(winners),
                            others=self.words.join_names(others)) if spirit else ""
        for_others = Wording(self.words, named_for_others(self.match.setup, self.words))
        told = first or verdict_for_others(outcome, self.match.setup, self.words)
        self.verdict, self.picture = f"{name}: {told}", self.drawing(name, outcome, told, for_others)
        remarks = f'<p class="quiet remark">{esc(self.text("result.practice"))}</p>' if record.practice else ""
        hinted = HintCounts.from_json(self.shell.texts.recall(HINTS)).turns.get(record.id, 0)
        if hinted:
            remarks += f'<p class="quiet remark" id="hinted">{esc(self.text("result.hinted", n=hinted))}</p>'
        adapts = ""
        if self.fitting:
            level = self.text(f"shell.level.{self.fitting}")
            adapts = f'<p class="quiet" id="adapts">{esc(self.text("result.adapts", level=level))}</p>'
        ways = (button(self.text("result.again"), "again", look="primary large", picture="rotate-ccw", id="again")
                + link(self.text("result.another"), address(record.game, "new"), look="quiet", picture="users"))
        more = (button(self.text("result.share"), "share", picture="share-2")
                + link(self.text("result.look_back_together" if len(here) > 1 else "result.look_back"),
                       address("match", record.id, "review"), picture="chart-no-axes-column", id="look-back")
                + link(self.text("result.replay"), address("match", record.id, "replay"), picture="scroll-text"))
        is_party = spirit in ("won", "both")
        paper = confetti() if is_party else ""
        best = f'<p class="personal-best">{icon("star")} {esc(self.text("result.personal_best"))}</p>' if is_best else ""
        if medals:
            earned = "".join(f'<p class="personal-best">{icon(sign)} {esc(told)}</p>' for sign, told in medals)
            best += f'<div class="medals">{earned}</div>'
        headed = f'<p class="big" role="heading" aria-level="2">{esc(self.unbroken(verdict))}</p>'
        kind = f'<p class="spirit">{esc(self.unbroken(feeling))}</p>' if feeling else ""
        html = (bar(self.words, name)
                + f'<article class="result"><header class="verdict {"won" if is_party else spirit}">{paper}'
                  f'{icon("clover" if spirit in ("lost", "close") else "trophy")}{headed}{kind}'
                  f'<p class="quiet">{esc(reason)}</p>{best}{adapts}</header>'
                  f'<div class="row">{ways}</div><div class="row ways">{more}</div>{remarks}'
                  f'<div id="signed"></div><div id="league"></div>'
                  f'{"" if is_alone else self.ranking(outcome, wording)}{self.best(record, wording, here)}'
                  f'{"" if is_alone else self.sheet(wording)}</article>')
        self.shell.document.paint(html, self.text("result.title", game=name))
        if medals:
            self.shell.notices.announce(" ".join(told for _, told in medals))

    def unbroken(self, sentence: str) -> str:
        """``sentence`` with no line break inside a short name: "Player 2" stays whole."""
        for player in self.match.setup.seats:
            if len(player.name) <= WHOLE_NAME:
                sentence = sentence.replace(player.name, player.name.replace(" ", "\N{NO-BREAK SPACE}"))
        return sentence

    def drawing(self, game: str, outcome: Outcome, verdict: str, wording: Wording) -> str:
        """The result as a picture."""
        lines = [ResultLine(wording.seat(seat), figure(outcome.scores[seat]), seat in outcome.winners, *self.drawn_face(seat))
                 for seat in ranks(outcome)]
        lid = GAMES[self.match.setup.game].module("art").lid(self.match.setup.game, wording.catalogue.language)
        note = self.text("result.low_wins") if outcome.low_wins and len(lines) > 1 else ""
        return result_picture(game, verdict, note, lines, self.drawn_best(wording), lid, self.text("shell.name"))

    def drawn_face(self, seat: int) -> tuple[str, int]:
        """The inner SVG of a face, "" where there is none, and the colour that it has."""
        player, known = self.match.setup.seats[seat], stock_names(self.words)
        if player.is_bot:
            return (PORTRAITS[known[player.name] - 1] if player.name in known else "", seat)
        profile = next((one for one in self.people.people if one.has_name(player.name)), None)
        return ("", seat) if profile is None else (avatar(profile.animal), profile.colour)

    def drawn_best(self, wording: Wording) -> DrawnTurn | None:
        """The best turn whose cards can be drawn."""
        game = self.match.setup.game
        art = GAMES[game].module("art")
        for one in highlights(self.match, self.moments):
            shown = self.cards_of(one)
            faces = self.faces_of(one, shown)
            if shown and len(faces) == len(shown) <= MOST_DRAWN:
                title = self.text(one.title or "result.best_one")
                words = self.text("result.picture_best", title=title, seat=wording.seat(one.seat), amount=self.amount(one))
                return DrawnTurn(words, [art.front(face, self.words.language) for face in faces], art.VIEWBOX)
        return None

    def amount(self, one: Highlight) -> str:
        """How much a best turn came to."""
        if one.figure:
            return self.text(one.figure, **one.event.params)
        family = GAMES[self.match.setup.game].family
        return self.text(self.words.own_key(family, one.badge), n=one.n) if one.badge else figure(one.n, plus=True)

    def faces_of(self, one: Highlight, shown: Sequence[Card]) -> list[Face]:
        """What the cards ``shown`` of a best turn show, where everybody saw it."""
        then = self.moment_of(one, shown)
        return [then.faces[card] for card in shown if card in then.faces]

    def moment_of(self, one: Highlight, shown: Sequence[Card]) -> NarratedEvent:
        """A best turn as it was seen then, its cards ``shown``."""
        state = self.match.snapshot_at(one.index).state
        return NarratedEvent.from_entry(self.match.entries[one.index], replace(one.event, cards=tuple(shown)), state)

    def ranking(self, outcome: Outcome, wording: Wording) -> str:
        """Everybody by score, winners first."""
        lines = []
        places = places_of(outcome)
        for seat in ranks(outcome):
            player = self.match.setup.seats[seat]
            level = ""
            if player.level in LEVELS:
                level = f'<span class="quiet">{esc(self.text(f"shell.level.{player.level}"))}</span>'
            if seat in self.match.state.absentees:
                level = f'<span class="quiet">{esc(self.text("table.left"))}</span>'
            won = ' class="won"' if seat in outcome.winners else ""
            lines.append(f'<li{won}><span class="place" aria-hidden="true">{places[seat]}</span>{self.face(seat)}'
                         f'<span class="name">{esc(wording.seat(seat))} {level}</span>'
                         f'<span class="score">{figure(outcome.scores[seat])}</span></li>')
        low = f'<p class="quiet">{esc(self.text("result.low_wins"))}</p>' if outcome.low_wins else ""
        shared = "".join(f'<p class="quiet">{esc(self.sharers(place, places, wording))}</p>'
                         for place, seats in Counter(places.values()).items() if place > 1 < seats)
        return section("scores", self.text("result.scores"), f'{low}<ol class="ranking">{"".join(lines)}</ol>{shared}')

    def sharers(self, place: int, places: Mapping[int, int], wording: Wording) -> str:
        """Who shares ``place``."""
        names = self.words.join_names(wording.seat(seat) for seat, own in sorted(places.items()) if own == place)
        return self.text("result.place_together", n=place, names=names)

    def face(self, seat: int) -> str:
        """The drawn face of a bot or of a person of this device, or the first letter of a name; "Y" for "You" says nothing."""
        player, known = self.match.setup.seats[seat], stock_names(self.words)
        if player.is_bot and player.name in known:
            return bot_picture(known[player.name], seat)
        profile = next((one for one in self.people.people if one.has_name(player.name)), None)
        if profile is not None and not player.is_bot:
            return picture_of(profile)
        if player.name == self.text("newmatch.me_name"):
            return unnamed_face(seat)
        return letter_of(player.name, seat)

    def best(self, record: MatchRecord, wording: Wording, here: Sequence[int]) -> str:
        """The best turns, one of those who sit ``here`` among them, each leading to its moment in the replay."""
        found = highlights(self.match, self.moments, here)
        found += [one for one in self.own_bests if one not in found]
        if not found:
            return ""
        lines = []
        for one in found:
            shown = self.cards_of(one)
            faces = self.faces_of(one, shown)
            is_part = 0 < len(one.event.cards) < len(shown)  # of what is shown; who did it is all there is to say then
            told = wording.phrase("result.laid_row", {"seat": one.seat, "n": one.n}) if is_part else self.words_of(one, wording)
            to = address("match", record.id, "replay", at=one.index)
            title = f'<span class="feat">{esc(self.text(one.title))}</span> ' if one.title and not is_part else ""
            terms = [("", face) for face in faces] if one.terms is None else one.terms(self.match.snapshot_at(one.index).state)
            drawn = cards(record.game, terms, self.words.language) if len(terms) <= MOST_DRAWN else ""
            lines.append(f'<li><a class="line" href="{esc(to)}"><span class="gain">{esc(self.amount(one))}</span>'
                         f"<span>{drawn}{title}{esc(told)}{self.star(one)}</span></a></li>")
        return section("best", self.text("result.best"), f'<ol class="best">{"".join(lines)}</ol>')

    def words_of(self, one: Highlight, wording: Wording) -> str:
        """A best turn in words, with what is said of its cards right after it: what an X stood for."""
        events = next(moment.events for moment in self.moments if moment.index == one.index)
        after = takewhile(lambda event: event.cards and set(event.cards) < set(one.event.cards),
                          events[events.index(one.event) + 1:])
        faces = self.moment_of(one, self.cards_of(one)).faces
        return " ".join(dict.fromkeys(wording.event(event, faces) for event in (one.event, *after)))

    def cards_of(self, one: Highlight) -> tuple[Card, ...]:
        """The cards of a best turn: those that it shows, else what its seat laid with it."""
        return one.cards or tuple(dict.fromkeys(card for moment in self.moments if moment.index == one.index
                                                   for event in moment.events if event.seat == one.event.seat
                                                   for card in event.cards))

    def star(self, one: Highlight) -> str:
        """A mark on a turn that was the best of somebody here so far."""
        if one not in self.own_bests:
            return ""
        return f' <span class="personal-best">{icon("star")} {esc(self.text("result.best_turn"))}</span>'

    def sheet(self, wording: Wording) -> str:
        """The score sheet as its rulebook keeps it."""
        rows = sheet_of(self.match, self.moments, self.text)
        if not rows:
            return ""
        seats = range(self.match.rules.seats)
        head = "".join(tag("th", esc(wording.seat(seat)), scope="col") for seat in seats)
        body = "".join(
            tag("tr", tag("th", esc(wording.phrase(row.key, row.params)), scope="row")
                + "".join(tag("td", "" if cell is None else esc(self.cell(cell))) for cell in row.cells),
                class_="total" if row.total else None) for row in rows)
        corner = f'<td><span class="unseen">{esc(self.text("result.round"))}</span></td>'
        return section("sheet", self.text("result.sheet"),
                       f'<div class="scroll" tabindex="0" role="group" aria-labelledby="sheet"><table class="ledger">'
                       f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table></div>")

    def cell(self, cell: Any) -> str:
        return self.text(cell) if isinstance(cell, str) and cell in self.words else figure(cell)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Once more, everybody one seat further."""
        if do == "share":
            name = f"tabletin-{self.match.setup.game}.png"
            done = await self.shell.document.share_picture(self.picture, name, self.verdict)
            if done != "shared":  # whoever shared it has seen where it went
                self.shell.notices.say(self.text("result.picture_saved" if done == "saved" else "result.no_picture"))
        elif do in ("league_yes", "league_no") and self.league_line is not None:
            await self.league_line.answer(joins=do == "league_yes")
        elif do == "again" and self.match.setup.dealing == "sealed":
            self.shell.rooms.play_again()
        elif do == "again":
            from tabletin.app.session.local import LocalSession
            again = rotate(self.match.setup)
            session = await LocalSession.begin(adapt(again, self.fitting) if self.fitting else again, self.shell.context)
            self.shell.handoff.put(session)
            self.shell.go(address("match", session.id))
