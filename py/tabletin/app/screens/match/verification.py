"""The padlock: what was verified in a match among peers, told plainly, down to the log's entries and their hashes. Pure.

This device's own replica verified every entry before it was stored. This screen tells what that was, and verifies nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.app.routes import address
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.storage.persistence import match_steps
from tabletin.app.time_slices import in_slices
from tabletin.app.ui.html import bar, button, esc, game_name, icon, link, section, tag, trouble
from tabletin.app.ui.screen import Screen
from tabletin.kernel.logfile import export
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.trusted_match import is_trusted
from tabletin.peers.dealing.trail import TrailLine, dealing_trail
from tabletin.words.wording import Wording

HASH_SHOWN: Final = 12  # digits of a hash that are shown; all of them stand in the exported log
DONE: Final = ("key", "shuffle", "share", "play", "remask", "roll", "leave")


class VerificationScreen(Screen):
    """``#/match/<id>/sealed?hand=2``."""

    match: Match
    record: MatchRecord
    lines: list[TrailLine]
    hand = 0

    async def open(self) -> None:
        title = self.text("padlock.title")
        back = address("match", self.route.subject)
        try:
            self.record, rows = await self.shell.matches.read(self.route.subject)
            self.match = await in_slices(match_steps(rows))
        except KeyError:
            self.refuse(self.text("playing.none"))
            return
        except StorageFailed as failure:
            self.refuse(self.text(failure.key))
            return
        except (Refused, Malformed) as error:
            why = self.sentence(error.refusal) if isinstance(error, Refused) else self.text("playing.unreadable")
            self.refuse(self.text("playing.damaged", why=why))
            return
        if not is_trusted(self.match):
            self.refuse(self.text("padlock.not_sealed"))
            return
        self.lines = dealing_trail(self.match)
        self.hand = max((line.hand for line in self.lines), default=0)
        head = bar(self.words, title, back=back)
        self.shell.document.paint(f'{head}<article class="padlock" id="padlock">{self.page()}</article>', title)

    def refuse(self, sentence: str) -> None:
        title = self.text("padlock.title")
        way_out = link(self.text("shell.home"), "#/", look="primary")
        self.shell.document.paint(bar(self.words, title) + trouble(self.words, sentence, way_out), title)

    # ---- the page ----

    def page(self) -> str:
        lines = [line for line in self.lines if line.hand == self.hand]
        ways = (button(self.text("padlock.save"), "save", picture="download", id="save-log")
                + link(self.text("padlock.judge"), address("judge"), look="quiet", picture="scroll-text"))
        promise = "".join(tag("p", esc(self.text(f"padlock.promise.{name}"))) for name in ("hidden", "fair", "checked"))
        return (f'<header class="verdict">{icon("lock")}<p class="big">{esc(self.headline())}</p>'
                f'<p class="quiet">{esc(self.text("padlock.game", game=game_name(self.words, self.record.game)))}</p></header>'
                f'{section("promise", self.text("padlock.what"), promise)}{self.hands()}'
                f'{section("did", self.text("padlock.did"), self.steps(lines))}'
                f'{section("entries", self.text("padlock.entries"), self.table(lines))}<div class="row">{ways}</div>')

    def headline(self) -> str:
        shuffles = sum(line.what == "shuffle" for line in self.lines)
        proofs = sum(line.proofs for line in self.lines)
        return self.text("padlock.headline", n=proofs, shuffles=self.text("padlock.shuffles", n=shuffles))

    def hands(self) -> str:
        """Buttons to choose a hand, where there were several."""
        last = max((line.hand for line in self.lines), default=0)
        if not last:
            return ""
        buttons = "".join(button(str(number + 1), "hand", look="" if number != self.hand else "primary", data_hand=str(number),
                                 id=f"hand-{number}", aria_pressed="true" if number == self.hand else "false")
                          for number in range(last + 1))
        return f'<div class="row hands" role="group" aria-label="{esc(self.text("padlock.hands"))}">{buttons}</div>'

    def name(self, author: str) -> str:
        """Whose device ``author`` is."""
        setup = self.match.snapshot_at(0).setup
        mine = self.record.me
        wording = Wording(self.words, setup, mine)
        seats = [seat for seat, player in enumerate(setup.seats) if player.author == author]
        people = [seat for seat in seats if not setup.seats[seat].is_bot] or seats
        names = [wording.seat(seat) for seat in people]
        return " + ".join(names) if names else author[:HASH_SHOWN]

    def steps(self, lines: list[TrailLine]) -> str:
        """Each kind of step: what it is, and who did it how often."""
        items = []
        for what in DONE:
            of = [line for line in lines if line.what == what]
            if of:
                authors = dict.fromkeys(line.author for line in of)
                names = ", ".join(self.name(author) for author in authors)
                cards = max(line.cards for line in of) if what == "shuffle" else sum(line.cards for line in of)
                items.append(tag("li", esc(self.text(f"padlock.done.{what}", n=len(of), cards=cards, names=names))))
        return f'<ul class="told">{"".join(items)}</ul>' if items else tag("p", esc(self.text("padlock.nothing")), class_="quiet")

    def table(self, lines: list[TrailLine]) -> str:
        """Every step with its place in the log."""
        head = "".join(tag("th", esc(self.text(f"padlock.column.{name}")), scope="col")
                       for name in ("entry", "who", "what", "cards", "hash"))
        body = "".join(
            f'<tr><td>{line.index}</td><td>{esc(self.name(line.author))}</td>'
            f'<td>{esc(self.text(f"padlock.kind.{line.what}"))}</td><td>{line.cards or ""}</td>'
            f'<td><code>{line.hash[:HASH_SHOWN]}</code></td></tr>' for line in lines)
        return ('<div class="scroll" tabindex="0" role="group" aria-labelledby="entries"><table class="ledger steps">'
                f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")

    # ---- what is tapped ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        if do == "hand":
            self.hand = int(data["hand"])
            self.shell.document.repaint("padlock", self.page())
        elif do == "save":
            self.save()

    def save(self) -> None:
        """Hand out the whole log with its proofs; before the end with the faces of this device's only seat, if it has one."""
        mine = self.record.me
        if self.match.outcome is None and mine is None:
            self.shell.notices.say(self.text("padlock.not_yet"))
            return
        text = export(self.match, None if self.match.outcome is not None else mine)
        self.shell.document.hand_out(f"tabletin-{self.route.subject}.jsonl", text)
