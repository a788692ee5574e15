"""The family league of this device: a season's table, the results in it and who signed each, and what the people here may do.

Everything is counted from results that the worker has checked. Nothing here signs, and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.faces import letter_of, picture_of
from tabletin.app.screens.judge import ask_worker
from tabletin.app.storage.archive import ELSEWHERE, refuse_elsewhere, why_unreadable
from tabletin.app.storage.league import League, has_come, sound_results
from tabletin.app.storage.profiles import KEPT_AS as PROFILES
from tabletin.app.storage.profiles import Profiles
from tabletin.app.ui.html import bar, button, esc, file_button, game_name, icon, link, section, tag
from tabletin.app.ui.screen import Screen
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.user_text import visible
from tabletin.peers.league.file import FORM, MOST_BYTES, league_file, read_league_file
from tabletin.peers.league.season import (
    PLAYED,
    SHARED_WIN,
    WIN,
    Player,
    TableLine,
    players_of,
    season_of,
    seasons,
    second_ends,
    standings,
)
from tabletin.peers.league.signed_result import SignedResult
from tabletin.peers.league.verdict import ending, signing

MOST_SHOWN: Final = 60  # results in the list
MOST_AT_ONCE: Final = 8  # of them before one asks for the older ones
MARK: Final = 4  # digits of a device's key that tell two of one name apart


class LeagueScreen(Screen):
    """``#/league``."""

    largest_file = MOST_BYTES
    league: League
    deleting = False
    end_listening: Callable[[], None] = staticmethod(lambda: None)

    async def open(self) -> None:
        self._take(await self.shell.league.current())
        self.end_listening = self.shell.league.on_change(self._changed)
        title = self.text("league.title")
        self.shell.document.paint(f'{bar(self.words, title)}'
                                  f'<article class="league" id="league">{self.page()}</article>', title)

    def close(self) -> None:
        self.end_listening()

    def _changed(self, league: League) -> None:
        self._take(league)
        self.shell.document.repaint("league", self.page())

    def _take(self, league: League) -> None:
        """``league`` is shown from now on. What every name on the page asks for is found once: there may be thousands of them."""
        self.league = league
        self.players = {player for one in league.results for player in players_of(one)}
        self._met = league.everybody_met()
        self._second_ends = second_ends(league.shown_results)
        self._namesakes: dict[str, set[str]] = {}
        for player in self.players:
            self._namesakes.setdefault(visible(player.name), set()).add(player.author)

    # ---- the page ----

    @property
    def season(self) -> str:
        """The season that is shown: the one asked for, or the latest."""
        found = seasons(self.league.shown_results)
        asked = self.route.query.get("season", "")
        return asked if asked in found else next(iter(found), "")

    def page(self) -> str:
        if not self.league.is_on and not len(self.league.results):
            return f'<div class="welcome">{icon("trophy")}{self.introduction()}{self.joining()}{self.files()}</div>'
        return self.joining() + self.table() + self.results() + self.people() + self.files()

    def introduction(self) -> str:
        return tag("div", "".join(tag("p", esc(self.text(f"league.about.{part}"))) for part in ("what", "how")))

    def joining(self) -> str:
        """Whether this device takes part."""
        if self.league.is_on:
            return ""
        join = button(self.text("league.join"), "join", look="primary", picture="trophy", id="join-league")
        return f'<div class="row">{join}</div>'

    def table(self) -> str:
        lines = standings(self.league.shown_results, self.season)
        if not lines:
            friends = link(self.text("home.far"), address("room"), look="primary", picture="users", id="league-friends")
            said = tag("p", esc(self.text("league.nothing_yet")), class_="big")
            return f'<div class="welcome">{icon("trophy")}{said}{self.introduction()}{friends}</div>'
        others = [one for one in seasons(self.league.shown_results) if one != self.season]
        ways = "".join(link(self.text("league.season", year=one), address("league", season=one), picture="clock")
                       for one in others)
        head = "".join(tag("th", esc(self.text(f"league.{name}")), scope="col") for name in ("matches", "wins", "points"))
        corner = tag("th", esc(self.text("league.player")), scope="col")
        body = "".join(map(self.line, lines))
        points = self.text("league.how_points", win=WIN, shared=SHARED_WIN, played=PLAYED)
        return section("table", self.text("league.season", year=self.season),
                       f'<table class="ledger stacked"><thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table>'
                       f'<p class="quiet">{esc(points)}</p>{tag("div", ways, class_="row") if ways else ""}')

    def line(self, line: TableLine) -> str:
        leads = icon("trophy") if line.rank == 1 and line.wins else ""
        who = (f'<div class="who"><span class="rank">{line.rank}.</span>{self.face(line.player)}'
               f'<span>{self.name(line.player)}{leads}</span></div>')
        cells = "".join(f"<td>{number}</td>" for number in (line.matches, line.wins, line.points))
        return tag("tr", tag("th", who, scope="row") + cells, class_="own" if line.player.author == self.league.own else None)

    def face(self, player: Player) -> str:
        """The drawn face of a person of this device, or the first letter of a name."""
        people = Profiles.from_json(self.shell.texts.recall(PROFILES)).people if player.author == self.league.own else ()
        profile = next((one for one in people if one.has_name(player.name)), None)
        return picture_of(profile) if profile else letter_of(player.name)

    def name(self, player: Player) -> str:
        """A player's name; with signs of its device where another one bears it, and a word where this device never met it."""
        name = esc(player.name or self.text("peer_match.somebody"))
        if mark := self.mark(player):
            name += f' <span class="quiet">{esc(mark)}</span>'
        if player.author not in self._met:
            name += f' <span class="quiet stranger">{esc(self.text("league.not_met"))}</span>'
        return f'<span class="name">{name}</span>'

    def mark(self, player: Player) -> str:
        """By what ``player`` is told from others whose names look the same: the first digits of its device's key, as many as it
        takes, for keys with the same first digits can be had. "" where nobody at another device has such a name."""
        alike = self._namesakes.get(visible(player.name), set()) - {player.author}
        if not alike:
            return ""
        return next(player.author[:shown] for shown in range(MARK, len(player.author) + 1)
                    if all(one[:shown] != player.author[:shown] for one in alike))

    def results(self) -> str:
        shown = [one for one in self.league.shown_results if not one.is_complete or season_of(one) == self.season][:MOST_SHOWN]
        if not shown:
            return ""
        newest, older = shown[:MOST_AT_ONCE], shown[MOST_AT_ONCE:]
        more = ""
        if older:
            said = self.text("league.older", n=len(older))
            more = f"<details><summary>{esc(said)}</summary>{self.items(older)}</details>"
        return section("results", self.text("league.results"), self.items(newest) + more)

    def items(self, results: Iterable[SignedResult]) -> str:
        return f'<ul class="signed-results">{"".join(map(self.item, results))}</ul>'

    def item(self, one: SignedResult) -> str:
        name = f'{game_name(self.words, one.result.game)} · {self.shell.describe_day(one.day)}'
        look, picture, why = "", "circle-check", ""  # that a result counts is the rule, and need not be said of each
        if not one.is_complete or one.result.hash in self._second_ends:
            said = self.text("league.second_end") if one.is_complete else signing(self.words, one)
            look, picture, why = ' class="waiting"', "circle-dashed", f'<span class="quiet">{esc(said)}</span>'
        return (f'<li{look}>{icon(picture)}<span class="words">'
                f'<span class="name">{esc(name)}</span><span>{esc(ending(self.words, one.result))}</span>'
                f"{why}</span></li>")

    def people(self) -> str:
        """Everybody in the results, to be hidden here or shown again."""
        players = sorted(self.players | set(self.league.hidden_players))
        if not players:
            return ""
        items = "".join(f"<li>{self.name(player)}{self.hiding(player, number)}</li>" for number, player in enumerate(players))
        return (f'<details><summary>{esc(self.text("league.people"))}</summary><p class="quiet">{esc(self.text("league.hiding"))}'
                f'</p><ul class="people">{items}</ul></details>')

    def hiding(self, player: Player, number: int) -> str:
        is_hidden = player in self.league.hidden_players
        do, picture = ("unhide", "eye") if is_hidden else ("hide", "circle-off")
        return button(self.text(f"league.{do}", name=player.name), do, look="quiet", picture=picture, id=f"player-{number}",
                      data_author=player.author, data_name=player.name)

    def files(self) -> str:
        """Out as a file, in again, off, and away."""
        if self.deleting:
            ways = (button(self.text("league.really"), "delete", look="danger", picture="trash-2", id="really-delete")
                    + button(self.text("league.keep"), "keep", look="quiet", id="keep-league"))
            return f'<div class="notice" role="alert"><p>{esc(self.text("league.sure"))}</p><div class="row">{ways}</div></div>'
        take_in = file_button("league", self.text("league.take_in"), ".json,application/json", look="quiet", id_="league-file")
        ways = take_in
        if len(self.league.results):
            ways = button(self.text("league.hand_out"), "hand_out", look="quiet", picture="download", id="save-league") + ways
        if self.league.is_on:
            ways += button(self.text("league.stop"), "stop", look="quiet", picture="circle-off", id="leave-league")
        if len(self.league.results):
            ways += button(self.text("league.delete"), "ask_delete", look="quiet danger", picture="trash-2", id="delete-league")
        return f'<div class="row">{ways}</div>'

    # ---- what happens ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        book, focus = self.shell.league, ""
        if do == "join":
            await book.change(lambda league: league.switch(is_on=True))
            self.shell.notices.announce(self.text("league.joined"))
        elif do == "stop":
            await book.change(lambda league: league.switch(is_on=False))
            focus = "join-league"
        elif do == "hide":
            await book.change(lambda league: league.hide(Player(data["name"], data["author"])))
        elif do == "unhide":
            await book.change(lambda league: league.unhide(Player(data["name"], data["author"])))
        elif do == "hand_out":
            self.shell.document.hand_out("tabletin-league.json", league_file(self.league.shown_results))
        elif do in ("ask_delete", "keep"):
            self.deleting = do == "ask_delete"
            self._changed(self.league)
            focus = "keep-league" if self.deleting else "delete-league"
        elif do == "delete":
            self.deleting = False
            await book.change(lambda league: League())
            focus = "join-league"
        if focus:
            self.shell.document.focus(focus)

    async def on_file(self, name: str, text: str) -> None:
        """Results from a file come beside those that are here, if every signature holds."""
        try:
            refuse_elsewhere(text, FORM)
            file = read_league_file(text)
            sound = await sound_results(file.results, lambda call: ask_worker(self.shell, call))
        except (Malformed, Refused) as error:
            why = error.refusal if isinstance(error, Refused) and error.key == ELSEWHERE else why_unreadable(text)
            self.shell.notices.say(self.text("settings.data.unreadable", why=self.sentence(why)))
            return
        sound = [one for one in sound if one.is_complete and has_come(one.day, date.today())]
        await self.shell.league.change(lambda league: league.add(sound))
        said = self.text("league.taken_in", n=len(sound), left=len(file.results) - len(sound))
        self.shell.notices.say(f"{said} {self.text('league.unreadable', n=file.unreadable)}" if file.unreadable else said)
