"""The command line: bots play whole matches, logs are verified and told in words, levels are measured.

Every command goes through the same kernel as the page. An error is one sentence on standard error and an exit status that
is not 0: 2 where the command cannot run at all, 1 where it ran and found something wrong. Commands need nothing beside the
standard library, except ``judge``, and ``show`` for a match among peers: these need the extra ``judge``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, NoReturn

from tabletin import __version__
from tabletin.app.storage.archive import JUDGED, refuse_elsewhere, why_unreadable
from tabletin.bots import arena
from tabletin.bots.decision import BUDGET
from tabletin.bots.matchups import ARENA_BUDGET, bouts
from tabletin.bots.results import Record
from tabletin.kernel.logfile import FORM as LOG_FORM
from tabletin.kernel.logfile import MOST_BYTES, audit, dealing_of, export, load, too_long
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import LEVELS, OPEN, RANDOM, SEER
from tabletin.kernel.trusted_match import SEALED
from tabletin.peers.league.file import is_league_file, read_league_file
from tabletin.registry import FINDINGS, GAMES, rules_of
from tabletin.scaffold import create, game_id
from tabletin.words import Catalogue
from tabletin.words import load as load_words
from tabletin.words.wording import Wording, name_apart

CHECKOUT: Final = Path(__file__).parents[2]
RECORD: Final = CHECKOUT / ".build" / "arena.jsonl" if (CHECKOUT / "check.py").exists() else None  # none where installed
JUDGING: Final = {"nacl": "pynacl", "rbcl": "rbcl"}  # modules and the packages that bring them


class NotInstalled(Exception):
    """A command needs a package that is not there; the text says how to get it."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status."""
    chosen = _parser().parse_args(arguments)
    if sys.stdout is None:
        return _failed("standard output is closed")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names have letters that not every terminal has
    try:
        chosen.words = load_words()
        for finding in (*FINDINGS, *chosen.words.findings):
            _say(finding)
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has enough, as `head` does: not worth a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains at its own last flush
        return 1
    except KeyboardInterrupt:
        return _failed("stopped", 130)
    except NotInstalled as error:
        return _failed(str(error), 2)
    except Refused as error:
        return _failed(chosen.words.reason(error.refusal))
    except Malformed as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return status


def _failed(sentence: str, status: int = 1) -> int:
    """Say what went wrong; the exit status."""
    _say(sentence)
    return status


def _say(sentence: str) -> None:
    """One sentence on standard error, if that is open."""
    if sys.stderr is not None:
        print(f"tabletin: {sentence}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command in one sentence; the usage is for ``--help``."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_failed(f"{message} (see {self.prog} --help)", 2))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="tabletin", description="Play, check and measure table games.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("games", help="list the games, one id a line")
    command.set_defaults(run=_games)

    command = commands.add_parser("play", help="bots play a whole match")
    command.add_argument("game", choices=list(GAMES))
    command.add_argument("--seats", default="hard,medium", help="levels, comma-separated: " + ", ".join((*LEVELS, RANDOM)))
    command.add_argument("--options", default="{}", help="JSON object, for example '{\"half_deck\": true}'")
    command.add_argument("--seed", type=int, default=1, help="of the shuffles and the bots")
    command.add_argument("--budget", type=float, default=BUDGET, help="seconds a decision may take")
    command.add_argument("--log", type=Path, help="write the open log here")
    command.set_defaults(run=_play)

    command = commands.add_parser("new", help="write a new game that plays at once, as docs/adding-a-game.md tells")
    command.add_argument("name", help="of the folder, for example old_maid")
    command.set_defaults(run=_new)

    for name, run, about in (("verify", _verify, "replay and audit an open log"), ("show", _show, "tell a match in words")):
        command = commands.add_parser(name, help=about)
        command.add_argument("file", type=Path)
        command.set_defaults(run=run)

    command = commands.add_parser("judge", help="check an accusation, the log of a match among peers, or a league")
    command.add_argument("file", type=Path)
    command.set_defaults(run=_judge)

    command = commands.add_parser("arena", help="measure the levels against each other; without options, as docs/bots.md tells")
    command.add_argument("games", nargs="*", help="game ids; all by default")
    command.add_argument("--deals", type=_count, help="deals a pair of levels, each played both ways round")
    command.add_argument("--seats", type=_count, help="seats at the table")
    command.add_argument("--options", help="JSON object")
    command.add_argument("--pairs", help="levels, strongest first, for example hard:medium,easy:random")
    command.add_argument("--budget", type=float, default=ARENA_BUDGET, help="seconds of processor time a decision may take")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--workers", type=_count, help="processes (default: all cores)")
    command.add_argument("--record", type=Path, default=RECORD,
                         help="deals already played with the same code are taken from this file (default: %(default)s)")
    command.add_argument("--output", type=Path, help="write the table into this Markdown file, between its markers")
    command.set_defaults(run=_arena)
    return parser


def _count(text: str) -> int:
    """A number of things, one at least."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number, one at least, and not {text!r}")
    return int(text)


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"options are no JSON: {error}") from error
    if type(options) is not dict:
        raise Malformed("options: expected a JSON object")
    return options


def _games(_: argparse.Namespace) -> int:
    print(*GAMES, sep="\n")
    return 0


def _play(chosen: argparse.Namespace) -> int:
    levels = tuple(chosen.seats.split(","))
    unknown = [level for level in levels if level not in (*LEVELS, RANDOM)]
    if unknown:
        raise Malformed(f"no such level: {', '.join(unknown)}; there are {', '.join((*LEVELS, RANDOM))}")
    for part in GAMES[chosen.game].lacking():
        _say(chosen.words.text(f"lacking.{part}", game=chosen.game))
    if chosen.log is not None:
        _check_place(chosen.log)
    table, played = arena.play(chosen.game, levels, _options(chosen.options), chosen.seed, chosen.budget)
    if chosen.log is not None:
        chosen.log.write_text(export(table.match), "utf-8")
    for seat, (level, score) in enumerate(zip(levels, played.scores, strict=True)):
        print(f"seat {seat + 1}  {level:8}{score:8}{'  won' if seat in played.winners else ''}")
    return 0


def _new(chosen: argparse.Namespace) -> int:
    written = create(chosen.name, CHECKOUT)
    for path in written:
        print(path.relative_to(CHECKOUT))
    command = f"{Path(sys.executable).name} -m tabletin play {game_id(chosen.name)} --seats random,random"
    print(f"It plays: {command}. Go on with docs/adding-a-game.md.")
    return 0


def _text(path: Path) -> str:
    """What the file holds. Raises ``Malformed`` where it is no text, ``BadLog`` where it is too long; that much is never read."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise too_long()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"{path}: not a text file") from error


def _log_text(path: Path) -> str:
    """The same of the log of a match. Raises ``Refused`` for a file of ours that is no log."""
    text = _text(path)
    refuse_elsewhere(text, LOG_FORM)
    return text


def _check_place(path: Path) -> None:
    """Raises ``Malformed`` where ``path`` cannot be written, before work is done whose outcome goes there."""
    if path.is_dir():
        raise Malformed(f"{path}: a folder, and no file")
    if not path.parent.is_dir():
        raise Malformed(f"{path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Malformed(f"{path}: it may not be written")


def _verify(chosen: argparse.Namespace) -> int:
    text = _log_text(chosen.file)
    if dealing_of(text) == SEALED:
        raise Malformed(f"{chosen.file} is of a match among peers: check it with judge")
    match = load(text, rules_of)
    findings = audit(match)
    wording = Wording(chosen.words, match.setup)
    for finding in findings:
        who = "" if finding.seat is None else wording.seat(finding.seat)
        _say(chosen.words.reason(Refusal(finding.key, finding.all_params()), who))
    if findings:
        return 1
    outcome = match.outcome
    ending = "not finished" if outcome is None else f"scores {', '.join(map(str, outcome.scores))}"
    print(f"{match.setup.game}: {len(match.entries)} entries, all in order; {ending}; head {match.head[:16]}")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    text = _log_text(chosen.file)
    match = _proven(text) if dealing_of(text) == SEALED else load(text, rules_of)
    wording = Wording(chosen.words, match.setup)
    faces = match.view(None).faces
    for entry, _, events in match.story():
        for event in events:
            print(f"{entry.index:5}  {wording.event(event, faces)}")
    outcome = match.outcome
    if outcome is not None:
        print(wording.outcome(outcome))
    return 0


def _need_judging() -> None:
    """Raises ``NotInstalled`` where signatures and proofs cannot be checked."""
    missing = [package for module, package in JUDGING.items() if find_spec(module) is None]
    if missing:
        raise NotInstalled(f"judging signatures and proofs needs more: python3 -m pip install {' '.join(missing)}")


def _proven(text: str) -> Match:
    """The match in the log of a match among peers, every signature and every proof checked. Raises ``NotInstalled``."""
    _need_judging()
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.sealed.group_sodium import SodiumGroup
    from tabletin.peers.worker.verify import proven_match

    return proven_match(text, Ed25519Verifier(), SodiumGroup())


def _judge(chosen: argparse.Namespace) -> int:
    """0 if the accusation is proven, or the log among peers or the league holds; 1 if not. Raises ``NotInstalled``."""
    text = _text(chosen.file)
    refuse_elsewhere(text, *JUDGED)
    if dealing_of(text) == OPEN:
        raise Malformed(f"{chosen.file} is of a match dealt by one device: check it with verify")
    _need_judging()
    try:
        if is_league_file(text):
            return _judge_league(text, chosen.words)
        if text.startswith('{"form":"tabletin-log"'):
            return _judge_log(text, chosen.words)
        return _judge_accusation(text, chosen.words)
    except Malformed as error:
        raise Refused(why_unreadable(text)) from error


def _judge_accusation(text: str, words: Catalogue) -> int:
    """An accusation, judged from the log and the exhibits that it carries."""
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.replication.evidence import Accusation, judge
    from tabletin.peers.sealed.group_sodium import SodiumGroup
    from tabletin.peers.sealed.pending import Checker

    accusation = Accusation.from_text(text)
    proven = judge(accusation, rules_of, Ed25519Verifier(), Checker(SodiumGroup()))
    if proven is None:
        print(words.text("peers.judged.innocent", against=accusation.culprit))
        return 1
    print(words.text("peers.judged.guilty", against=accusation.culprit, why=words.reason(proven).rstrip(".")))
    return 0


def _judge_league(text: str, words: Catalogue) -> int:
    """The results of a family league: of each, who signed it. 1 if a signature is missing or false, or one is a second end."""
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.league.season import second_ends
    from tabletin.peers.league.verdict import ending, signing

    verifier, file = Ed25519Verifier(), read_league_file(text)
    wrong, false_signers = file.unreadable, [one.false_signers(verifier) for one in file.results]
    second = second_ends(one for one, false in zip(file.results, false_signers, strict=True) if not false)
    for one, false in zip(file.results, false_signers, strict=True):
        is_second = not false and one.result.hash in second
        wrong += bool(false) or not one.is_complete or is_second
        about = words.text("league.told", day=one.day, game=one.result.game, ending=ending(words, one.result))
        print(about, signing(words, one, false), *([words.text("league.second_end")] if is_second else []))
    if file.unreadable:
        print(words.text("league.unreadable", n=file.unreadable))
    print(words.text("league.judged_wrong" if wrong else "league.judged", n=wrong or len(file.results)))
    return 1 if wrong else 0


def _judge_log(text: str, words: Catalogue) -> int:
    """The exported log of a match among peers, every signature and every proof in it checked."""
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.sealed.group_sodium import SodiumGroup
    from tabletin.peers.worker.verify import verify_log

    found = verify_log(text, Ed25519Verifier(), SodiumGroup())
    for finding in found.findings:
        who = "" if finding.seat is None else name_apart(words, found.names, finding.seat)
        _say(words.reason(Refusal(finding.key, finding.all_params()), who))
    print(words.text("judge.numbers", entries=found.entries, shuffles=found.shuffles, proofs=found.proofs))
    return 1 if found.findings else 0


def _arena(chosen: argparse.Namespace) -> int:
    games = chosen.games or list(GAMES)
    for game in games:
        rules_of(game)
    pairs = None
    if chosen.pairs is not None:
        pairs = [(first, second) for first, _, second in (pair.partition(":") for pair in chosen.pairs.split(","))]
        unknown = {level for pair in pairs for level in pair} - {*LEVELS, RANDOM, SEER}
        if unknown:
            raise Malformed(f"no such level: {', '.join(sorted(unknown))}; there are {', '.join((*LEVELS, RANDOM))}")
    if chosen.output is not None:
        _check_place(chosen.output)
        _around_table(chosen.output)
    asked = bouts(games, pairs=pairs, seats=chosen.seats, deals=chosen.deals,
                  options=None if chosen.options is None else _options(chosen.options))
    lines = ["| game | levels | seats | deals | share of wins | score margin | ms a decision | slowest |",
             "|---|---|---|---|---|---|---|---|"]
    for row in arena.run(asked, budget=chosen.budget, seed=chosen.seed, workers=chosen.workers,
                         record=None if chosen.record is None else Record(chosen.record), progress=_progress):
        bout = row.bout
        times = " / ".join(f"{row.milliseconds[level]:.1f}" for level in bout.pair)
        lines.append(f"| {bout.game} | {bout.pair[0]} – {bout.pair[1]} | {bout.seats} | {bout.deals} "
                     f"| {100 * row.share.mean:.1f} % ± {100 * row.share.half:.1f} "
                     f"| {row.margin.mean:+.1f} ± {row.margin.half:.1f} | {times} | {row.slowest:.0f} |")
        print(("\r" + 60 * " " + "\r" if _at_terminal() else "") + lines[-1], flush=True)
    if chosen.output is not None:
        _insert(chosen.output, lines)
    return 0


def _at_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _progress(done: int, total: int) -> None:
    if _at_terminal():
        filled = 40 * done // total
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end="", file=sys.stderr, flush=True)


def _around_table(path: Path) -> tuple[str, str]:
    """What stands in ``path`` before and after the arena's table, with the markers. Raises ``Malformed`` where it has none."""
    begin, end = "<!-- arena -->", "<!-- /arena -->"
    text = _text(path)
    if begin not in text or end not in text:
        raise Malformed(f"{path} has no {begin} … {end}")
    return text[:text.index(begin) + len(begin)], text[text.index(end):]


def _insert(path: Path, lines: list[str]) -> None:
    """Put ``lines`` between the file's arena markers. Raises ``Malformed`` where it has none."""
    head, tail = _around_table(path)
    path.write_text("\n".join([head, *lines, tail]), "utf-8")
