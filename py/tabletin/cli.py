"""The command line: bots play whole matches, logs are verified and told in words, levels are measured.

Everything it does goes through the same kernel as the page. Errors are one sentence on standard error and a non-zero exit.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tabletin.bots import arena
from tabletin.bots.decision import BUDGET, LEVELS, RANDOM, SEER
from tabletin.bots.matchups import ARENA_BUDGET, bouts
from tabletin.bots.results import Record
from tabletin.kernel.logfile import audit, export, load
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refusal, Refused
from tabletin.kernel.schema import Malformed
from tabletin.registry import GAMES, rules_of
from tabletin.words import load as load_words
from tabletin.words.wording import Wording

WORDS = load_words()
RECORD = Path(__file__).parents[2] / ".build" / "arena.jsonl"  # of a checkout


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        status: int = chosen.run(chosen)
    except Refused as error:
        print(f"tabletin: {_sentence(error.refusal)}", file=sys.stderr)
        return 1
    except (Malformed, OSError, UnicodeDecodeError) as error:
        print(f"tabletin: {error}", file=sys.stderr)
        return 1
    return status


def _sentence(refusal: Refusal) -> str:
    return WORDS.text(refusal.key, **refusal.params) if refusal.key in WORDS else str(refusal)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tabletin", description=__doc__)
    commands = parser.add_subparsers(required=True)

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

    for name, run, about in (("verify", _verify, "replay and audit an open log"), ("show", _show, "tell a match in words")):
        command = commands.add_parser(name, help=about)
        command.add_argument("file", type=Path)
        command.set_defaults(run=run)

    command = commands.add_parser("judge", help="check an accusation, or the log of a match among peers with its proofs")
    command.add_argument("file", type=Path)
    command.set_defaults(run=_judge)

    command = commands.add_parser("arena", help="measure the levels against each other; without options, as docs/bots.md tells")
    command.add_argument("games", nargs="*", help="game ids; all by default")
    command.add_argument("--deals", type=int, help="deals a pair of levels, each played both ways round")
    command.add_argument("--seats", type=int, help="seats at the table")
    command.add_argument("--options", help="JSON object")
    command.add_argument("--pairs", help="levels, strongest first, for example hard:medium,easy:random")
    command.add_argument("--budget", type=float, default=ARENA_BUDGET, help="seconds of processor time a decision may take")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--workers", type=int, help="processes (default: all cores)")
    command.add_argument("--record", type=Path, default=RECORD,
                         help="deals already played with the same code are taken from here (default: %(default)s)")
    command.add_argument("--output", type=Path, help="write the table into this Markdown file, between its markers")
    command.set_defaults(run=_arena)
    return parser


def _options(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except ValueError as error:
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
    table, played = arena.play(chosen.game, levels, _options(chosen.options), chosen.seed, chosen.budget)
    if chosen.log is not None:
        chosen.log.write_text(export(table.match), "utf-8")
    for seat, (level, score) in enumerate(zip(levels, played.scores, strict=True)):
        print(f"seat {seat + 1}  {level:8}{score:8}{'  won' if seat in played.winners else ''}")
    return 0


def _read(path: Path) -> Match:
    return load(path.read_text("utf-8"), rules_of)


def _verify(chosen: argparse.Namespace) -> int:
    match = _read(chosen.file)
    findings = audit(match)
    for finding in findings:
        print(f"tabletin: seat {finding.seat + 1}: {_sentence(Refusal(finding.key, finding.params))}", file=sys.stderr)
    if findings:
        return 1
    outcome = match.outcome
    ending = "not finished" if outcome is None else f"scores {', '.join(map(str, outcome.scores))}"
    print(f"{match.setup.game}: {len(match.entries)} entries, all in order; {ending}; head {match.head[:16]}")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    match = _read(chosen.file)
    wording = Wording(WORDS, match.setup)
    faces = match.view(None).faces
    for entry, _, events in match.story():
        for event in events:
            print(f"{entry.index:5}  {wording.event(event, faces)}")
    outcome = match.outcome
    if outcome is not None:
        print(wording.outcome(outcome))
    return 0


def _judge(chosen: argparse.Namespace) -> int:
    """0 if the accusation is proven, or the log among peers holds; 1 if not."""
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.replication.evidence import Accusation, judge
    from tabletin.peers.sealed.group_sodium import SodiumGroup
    from tabletin.peers.sealed.pending import Checker

    text = chosen.file.read_text("utf-8")
    if text.startswith('{"form":"tabletin-log"'):
        return _judge_log(text)
    accusation = Accusation.from_text(text)
    proven = judge(accusation, rules_of, Ed25519Verifier(), Checker(SodiumGroup()))
    if proven is None:
        print(WORDS.text("peers.judged.innocent", against=accusation.against))
        return 1
    print(WORDS.text("peers.judged.guilty", against=accusation.against, why=_sentence(proven).rstrip(".")))
    return 0


def _judge_log(text: str) -> int:
    """The exported log of a match among peers, every signature and every proof in it checked."""
    from tabletin.peers.identity import Ed25519Verifier
    from tabletin.peers.sealed.group_sodium import SodiumGroup
    from tabletin.peers.worker.verify import verify_log

    found = verify_log(text, Ed25519Verifier(), SodiumGroup())
    for key, params in found["findings"]:
        print(f"tabletin: {_sentence(Refusal(key, params))}", file=sys.stderr)
    print(WORDS.text("judge.numbers", entries=found["entries"], shuffles=found["shuffles"], proofs=found["proofs"]))
    return 1 if found["findings"] else 0


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
    asked = bouts(games, pairs=pairs, seats=chosen.seats, deals=chosen.deals,
                  options=None if chosen.options is None else _options(chosen.options))
    lines = ["| game | levels | seats | deals | share of wins | score margin | ms a decision | slowest |",
             "|---|---|---|---|---|---|---|---|"]
    for row in arena.run(asked, budget=chosen.budget, seed=chosen.seed, workers=chosen.workers,
                         record=Record(chosen.record), progress=_progress):
        bout = row.bout
        times = " / ".join(f"{row.milliseconds[level]:.1f}" for level in bout.pair)
        lines.append(f"| {bout.game} | {bout.pair[0]} – {bout.pair[1]} | {bout.seats} | {bout.deals} "
                     f"| {100 * row.share.mean:.1f} % ± {100 * row.share.half:.1f} "
                     f"| {row.margin.mean:+.1f} ± {row.margin.half:.1f} | {times} | {row.slowest:.0f} |")
        print(("\r" + 60 * " " + "\r" if sys.stderr.isatty() else "") + lines[-1], flush=True)
    if chosen.output is not None:
        _insert(chosen.output, lines)
    return 0


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = 40 * done // total
        print(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end="", file=sys.stderr, flush=True)


def _insert(path: Path, lines: list[str]) -> None:
    """Put ``lines`` between the file's arena markers. Raises ``Malformed`` where it has none."""
    begin, end = "<!-- arena -->", "<!-- /arena -->"
    text = path.read_text("utf-8")
    if begin not in text or end not in text:
        raise Malformed(f"{path} has no {begin} … {end}")
    head, tail = text[:text.index(begin) + len(begin)], text[text.index(end):]
    path.write_text("\n".join([head, *lines, tail]), "utf-8")
