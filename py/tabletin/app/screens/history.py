"""What was played on this device: a few numbers a game, and every match with its way back to it.

The numbers are counted from the records each time; practice matches and chosen deals do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.home import item, outcome_line, waiting_line
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.ui.html import bar, button, esc, game_name, icon, lid_symbol, link, section, shown_lid, tag, trouble
from tabletin.app.ui.screen import Screen
from tabletin.registry import GAMES
from tabletin.words import figure

MOST_UNFINISHED: Final = 4  # unfinished matches, and …
MOST_FINISHED: Final = 12  # … finished ones, before one asks for the older ones


@dataclass(slots=True)
class GameRecord:
    """One game's matches that count: ``best`` is my best score, None before the first."""

    matches: int = 0
    wins: int = 0
    best: int | None = None


def counts(record: MatchRecord) -> bool:
    """Whether a match enters the statistics: mine, played to its end, dealt by chance, no turn taken back."""
    outcome = record.outcome
    return bool(outcome is not None and not outcome.unfinished and not record.practice
                and record.me is not None and "seed" not in record.extra)


def tallies(records: Iterable[MatchRecord]) -> dict[str, GameRecord]:
    """The statistics of every game that was played, in the order of the tin."""
    found: dict[str, GameRecord] = {}
    for record in records:
        outcome, mine = record.outcome, record.me
        if outcome is not None and mine is not None and counts(record):
            tally = found.setdefault(record.game, GameRecord())
            score = outcome.scores[mine]
            tally.matches += 1
            tally.wins += mine in outcome.winners
            better = min if outcome.low_wins else max
            tally.best = score if tally.best is None else better(tally.best, score)
    return {game: found[game] for game in GAMES if game in found}


class HistoryScreen(Screen):
    """``#/matches``."""

    records: list[MatchRecord]
    removing = ""  # the match whose removal waits for a confirmation
    last_removal = ""  # the match of which that was last asked

    async def open(self) -> None:
        title = self.text("matches.title")
        try:
            self.records = [record for record in await self.shell.matches.records() if record.game in GAMES]
        except StorageFailed as failure:
            way_out = link(self.text("shell.home"), "#/", look="primary")
            self.shell.document.paint(bar(self.words, title) + trouble(self.words, self.text(failure.key), way_out), title)
            return
        who = link(self.text("players.link"), address("players"), look="quiet", picture="users", id="players-link")
        lists = f'<div class="matches" id="matches">{self.lists()}</div>'
        self.shell.document.paint(bar(self.words, title, more=who) + lists, title)

    def lists(self) -> str:
        if not self.records:
            return (f'<div class="welcome">{icon("chart-no-axes-column")}<p>{esc(self.text("matches.none"))}</p>'
                    f'{link(self.text("matches.first"), "#/", look="primary", picture="play")}</div>')
        return self.lids() + self.numbers() + self.waiting() + self.finished_matches()

    def lids(self) -> str:
        """The lids of the games that are listed, once each: every row shows one of them."""
        games = dict.fromkeys(record.game for record in self.records)
        return tag("svg", "".join(lid_symbol(game, self.words.language) for game in games), class_="unseen", aria_hidden="true")

    def numbers(self) -> str:
        found = tallies(self.records)
        if not found:
            if not any(record.outcome is not None for record in self.records):
                return ""
            return section("numbers", self.text("matches.numbers"), f'<p class="quiet">{esc(self.text("matches.none_count"))} '
                                                                    f'{esc(self.text("matches.what_counts"))}</p>')
        head = "".join(tag("th", esc(self.text(f"matches.{name}")), scope="col") for name in ("played", "won", "best"))
        body = "".join(tag("tr", tag("th", esc(game_name(self.words, game)), scope="row")
                           + f"<td>{tally.matches}</td><td>{tally.wins}</td><td>{figure(tally.best or 0)}</td>")
                       for game, tally in found.items())
        corner = f'<td><span class="unseen">{esc(self.text("matches.game"))}</span></td>'
        return section("numbers", self.text("matches.numbers"),
                       f'<div class="scroll" tabindex="0" role="group" aria-labelledby="numbers"><table class="ledger stacked">'
                       f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table></div>"
                       f'<p class="quiet">{esc(self.text("matches.what_counts"))}</p>')

    def waiting(self) -> str:
        return self.listing("waiting", [record for record in self.records if record.outcome is None], MOST_UNFINISHED)

    def finished_matches(self) -> str:
        return self.listing("finished", [record for record in self.records if record.outcome is not None], MOST_FINISHED)

    def items(self, records: list[MatchRecord]) -> str:
        return "".join(item(self.words, record, *self.way(record), self.shell.describe_time(record.update_time),
                            self.remove(record), shown_lid(record.game)) for record in records)

    def way(self, record: MatchRecord) -> tuple[str, str]:
        """Where a match leads, and a line about it."""
        if record.outcome is None:
            return address("match", record.id), waiting_line(self.words, record)
        return address("match", record.id, "result"), outcome_line(self.words, record)

    def listing(self, name: str, records: list[MatchRecord], most: int) -> str:
        """The ``most`` newest, and the older ones folded away."""
        if not records:
            return ""
        newest, older = records[:most], records[most:]
        more = ""
        if older:
            is_open = any(record.id in (self.removing, self.last_removal) for record in older)
            said = tag("summary", esc(self.text("matches.older", n=len(older))))
            more = tag("details", f'{said}<ul class="played-matches">{self.items(older)}</ul>', open=is_open)
        return section(name, self.text(f"matches.{name}"), f'<ul class="played-matches">{self.items(newest)}</ul>{more}')

    def remove(self, record: MatchRecord) -> str:
        if record.id == self.removing:
            return (button(self.text("matches.really"), "really_remove", look="danger", id="really-remove")
                    + button(self.text("matches.keep"), "keep", look="quiet", id="keep-match"))
        when = self.shell.describe_time(record.update_time)
        label = self.text("matches.remove", game=game_name(self.words, record.game), when=when)
        return button(label, "remove", look="quiet", picture="trash-2", only_picture=True, data_match=record.id,
                      id=f"remove-{record.id}")

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Delete one match when asked twice, unless a tab plays it."""
        before = self.removing
        if do == "remove":
            self.removing = self.last_removal = data["match"]
        elif do == "keep":
            self.removing = ""
        elif do == "really_remove":
            self.removing = ""
            await self.delete(before)
        self.shell.document.repaint("matches", self.lists())
        if do == "remove":
            self.shell.document.focus("keep-match")
        elif do == "keep":
            self.shell.document.focus(f"remove-{before}")
        else:
            self.shell.document.focus_title()

    async def delete(self, name: str) -> None:
        locks = self.shell.context.locks
        if not await locks.claim(name):
            self.shell.notices.say(self.text("matches.in_use"))
            return
        await self.shell.matches.remove(name)
        locks.release(name)
        self.records = [record for record in self.records if record.id != name]
        self.shell.notices.announce(self.text("matches.removed"))
