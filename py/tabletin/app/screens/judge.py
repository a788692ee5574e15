"""A file to be judged: an accusation, or the log of a match with its proofs. The verdict in words. Pure.

Signatures and proofs are checked in the worker; a log of one device alone, which has none, is judged here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletin.app.routes import address
from tabletin.app.storage.archive import (
    ACCUSATION,
    JUDGED,
    Unreadable,
    is_log,
    is_sealed,
    refuse_elsewhere,
    unpack,
    why_unreadable,
)
from tabletin.app.storage.matches import StorageFailed, local_id
from tabletin.app.time_slices import in_slices
from tabletin.app.ui.html import bar, button, esc, file_button, game_name, icon, link, tag
from tabletin.app.ui.screen import Screen, Shell
from tabletin.kernel.log import Entry, parse
from tabletin.kernel.logfile import MOST_BYTES, audit_steps, load_steps
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.rules import Finding
from tabletin.kernel.schema import Malformed
from tabletin.peers.league.file import is_league_file, read_league_file
from tabletin.peers.league.season import second_ends
from tabletin.peers.league.verdict import ending, signing
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import CheckResults, DeviceCall, JudgeAccusation, VerifyLog
from tabletin.peers.worker.results import AccusationReport, LogReport, ResultsCheck
from tabletin.registry import GAMES, rules_of
from tabletin.words.wording import name_apart


class JudgeScreen(Screen):
    """``#/judge``."""

    largest_file = MOST_BYTES
    chosen_text = ""  # the file that was chosen last; a longer one before it may still be judged
    log = ""  # a log that was found right, and can be kept

    async def open(self) -> None:
        title = self.text("judge.title")
        about = f'<p>{esc(self.text("judge.about"))}</p>'
        choose = file_button("judged", self.text("judge.choose"), ".json,.jsonl,application/json", look="primary")
        control = f'<div class="row">{choose}</div>'
        self.shell.document.paint(f'{bar(self.words, title)}<article class="judge">{about}{control}'
                         '<div id="verdict" role="status"></div></article>', title)

    async def on_file(self, name: str, text: str) -> None:
        if name != "judged":
            return
        self.chosen_text, self.log = text, ""
        self.shell.document.repaint("verdict", f'<p class="quiet">{esc(self.text("judge.checking"))}</p>')
        try:
            verdict = await self.verdict(text)
        except Refused as refused:
            verdict = self.refusal(refused.refusal, text)
        except Malformed:
            verdict = self.unreadable(text)
        if text is self.chosen_text:
            self.shell.document.repaint("verdict", verdict)

    def refusal(self, refusal: Refusal, text: str) -> str:
        if refusal.key == "kernel.malformed":
            return self.unreadable(text)
        is_of_file = refusal.key.startswith(("kernel.file.", "settings.data.why."))
        headline = "judge.unreadable" if is_of_file else "judge.wrong"
        return self.notice("bad", self.text(headline), self.sentence(refusal))

    def unreadable(self, text: str) -> str:
        return self.notice("bad", self.text("judge.unreadable"), self.sentence(why_unreadable(text)))

    async def verdict(self, text: str) -> str:
        refuse_elsewhere(text, *JUDGED)
        if is_log(text):  # first of all: its players may be called anything
            return await self.judged_log(text)
        if is_league_file(text):
            return self.results(text, (await self.ask_worker(CheckResults(text))).result_as(ResultsCheck))
        if f'"form":"{ACCUSATION}"' in text[:4000].replace(" ", "") or '"exhibits"' in text[:4000]:
            return self.accusation((await self.ask_worker(JudgeAccusation(text))).result_as(AccusationReport))
        raise Malformed("nothing to be judged")

    async def judged_log(self, text: str) -> str:
        """The verdict on a log, which can be kept if nothing is wrong with it. Raises ``Refused``, ``Malformed``."""
        if is_sealed(text):
            report = (await self.ask_worker(VerifyLog(text))).result_as(LogReport)
            verdict, findings = self.verification(report), report.findings
        else:
            match = await in_slices(load_steps(text, rules_of))
            findings = tuple(await in_slices(audit_steps(match)))
            verdict = self.own_judgement(match, findings)
        if findings or text is not self.chosen_text:
            return verdict
        self.log = text
        keep = button(self.text("judge.keep"), "keep", picture="download", id="keep-log")
        return f'{verdict}<div id="kept" class="row">{keep}</div>'

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """The log that was judged becomes one of this device's matches, to be watched."""
        log = self.log  # another file may be chosen while this one is taken in
        if do != "keep" or not log:
            return
        try:
            await unpack(self.shell.matches, log, self.ask_worker)
        except Unreadable as error:
            self.shell.notices.say(self.sentence(error.refusal))
        except StorageFailed as failure:
            self.shell.notices.say(self.text(failure.key))
        else:
            name = Entry.from_json(parse(log.lstrip().split("\n", 2)[1])).statement.hash
            watch = link(self.text("result.replay"), address("match", local_id(name), "replay"), look="primary", picture="play",
                         id="watch-log")
            if log is self.log:
                self.shell.document.repaint("kept", tag("p", esc(self.text("judge.kept")), role="status") + watch)

    async def ask_worker(self, call: DeviceCall) -> WorkerAnswer:
        """The worker's answer. Raises ``Refused``."""
        return await ask_worker(self.shell, call)

    # ---- words ----

    def notice(self, look: str, headline: str, *sentences: str) -> str:
        picture = {"good": "circle-check", "bad": "circle-x"}[look]
        return (f'<div class="notice {look}">{icon(picture)}<p class="big">{esc(headline)}</p>'
                + "".join(tag("p", esc(sentence)) for sentence in sentences if sentence) + "</div>")

    def accusation(self, found: AccusationReport) -> str:
        name = " + ".join(filter(None, found.names)) or found.author[:12]
        about = self.text("judge.accusation", game=self.game(found.game), match=found.match[:12], n=found.entries)
        proven = found.proven
        if proven is None:
            return self.notice("good", self.text("judge.not_proven", name=name), self.text("judge.why_not_proven"), about)
        why = self.text(f"peers.why.{found.why}")
        more = "" if proven.key.startswith("peers.why.") or "seat" in proven.params else self.sentence(proven)
        return self.notice("bad", self.text("judge.proven", name=name), self.text("judge.why", why=why), more, about,
                         self.text("judge.key", public=found.author))

    def results(self, text: str, check: ResultsCheck) -> str:
        """What is to be said of each result of a league."""
        file, lines = read_league_file(text), []
        wrong, checked = file.unreadable, list(zip(file.results, check.false_signers, strict=True))
        second = second_ends(one for one, false in checked if not false)
        for one, false in checked:
            is_second = not false and one.result.hash in second
            about = self.text("league.told", day=one.day, game=self.game(one.result.game), ending=ending(self.words, one.result))
            also = [self.text("league.second_end")] if is_second else []
            lines.append(" ".join([about, signing(self.words, one, false), *also]))
            wrong += bool(false) or not one.is_complete or is_second
        if file.unreadable:
            lines.append(self.text("league.unreadable", n=file.unreadable))
        headline = self.text("league.judged_wrong" if wrong else "league.judged", n=wrong or len(file.results))
        return self.notice("bad" if wrong else "good", headline, *lines)

    def verification(self, found: LogReport) -> str:
        names = ", ".join(filter(None, found.names))
        numbers = self.text("judge.numbers", entries=found.entries, shuffles=found.shuffles, proofs=found.proofs)
        match = self.text("judge.match", game=self.game(found.game), names=names, head=found.head[:12])
        return self.findings(found.findings, found.names, match, numbers, self.scores(found.scores))

    def own_judgement(self, match: Match, findings: Sequence[Finding]) -> str:
        outcome = match.outcome
        names = ", ".join(filter(None, (seat.name for seat in match.setup.seats)))
        about = self.text("judge.match", game=self.game(match.setup.game), names=names, head=match.head[:12])
        return self.findings(findings, [seat.name for seat in match.setup.seats], about, self.text("judge.unsigned"),
                             self.scores(None if outcome is None else outcome.scores))

    def findings(self, findings: Sequence[Finding], names: Sequence[str], *sentences: str) -> str:
        """What the audit found, in words; ``names``: of the seats, "" where somebody has none."""
        def who(seat: int | None) -> str:
            return "" if seat is None else name_apart(self.words, names, seat)

        if findings:
            reasons = [self.words.reason(Refusal(one.key, one.all_params()), who(one.seat)) for one in findings]
            return self.notice("bad", self.text("judge.contradicted"), *reasons, *sentences)
        return self.notice("good", self.text("judge.honest"), *sentences)

    def scores(self, scores: Sequence[int] | None) -> str:
        return self.text("judge.unfinished") if scores is None else self.text("judge.scores", scores=", ".join(map(str, scores)))

    def game(self, game: str) -> str:
        return game_name(self.words, game) if game in GAMES else game


async def ask_worker(shell: Shell, call: DeviceCall) -> WorkerAnswer:
    """What the worker answers. Raises ``Refused``."""
    return (await (await shell.device()).call(call)).require()
