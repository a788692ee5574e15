"""Claims about dominoes that stay closed are written down, and looked at when the round is counted (DO-10)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tabletin.bots.determinize import deal_on
from tabletin.games.dominoes.state import LEADING, PLAYING, Claim, DominoState
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.logfile import audit
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import rules_of
from tests.games.dominoes.positions import Round
from tests.support.examples import lasting
from tests.support.peer_sim import Network

CAN = ["6-6 6-5 5-5 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"]  # seat 1 can play on the lead


def finish(game: Round) -> None:
    """Seat 0 goes out at once."""
    card = game.state.hands[0][0]
    game.state.hands = ((card,), *game.state.hands[1:])
    game.state.turn, game.state.open = 0, {0: int(game.faces[card][0])}
    game.do_move(0, next(iter(game.rules.moves(game.state, 0, game.faces))))


def test_do_10_a_draw_though_able_to_play_is_found_out() -> None:
    game = Round("dominoes", CAN, pile="2-2", set=6).led().do(1, "draw")
    assert game.state.claims[-1] == Claim(1, "draw", game.state.hands[1][:-1], (6,))
    before = sum(int(half) for face in game.hand(1) for half in face.split("-"))
    finish(game)
    counted = game.state.last_count
    assert counted is not None
    assert counted.liars == (1,)
    assert counted.points == (0, -before)  # its own hand is the heaviest; nobody else is left to score from
    (caught,) = game.told("dominoes.caught.draw")
    assert caught.seat == 1
    assert game.faces[caught.cards[0]] == "6-4"
    assert game.state.claims == ()


def test_do_10_the_domino_may_have_been_laid_meanwhile() -> None:
    """What counts is what was held when the claim was made, not what is left."""
    game = Round("dominoes", CAN, pile="2-2", set=6).led().do(1, "draw")
    game.lay(1, "6-4", 6)
    finish(game)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == (1,)


def test_do_10_a_false_pass_is_found_out() -> None:
    game = Round("dominoes", CAN, set=6).led().hold(pile="").do(1, "pass")
    finish(game)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == (1,)
    assert game.told("dominoes.caught.pass")


def test_do_10_a_false_g_is_found_out() -> None:
    hands = ["9-9 9-8 8-7 8-6 8-5", "9-7 7-6 7-5 7-4 7-3", "6-6 6-5 6-4 6-3 6-2", "5-5 5-4 5-3 5-2 5-1", "4-4 4-3 4-2 4-1 4-0",
             "3-3 3-2 3-1 3-0 2-2"]
    game = Round("tiddle-a-wink", hands).led().lay(0, "9-8", 9)
    game.do(1, "pass")  # "G", with the 9-7 in hand
    assert game.told("tiddle-a-wink.log.passed")
    finish(game)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == (1,)
    refusal = Round("tiddle-a-wink", hands).led().lay(0, "9-8", 9).own_refusal(1, "pass")
    assert refusal is not None
    assert refusal.rule == "DO-10"


def test_do_10_a_denied_lead_is_found_out() -> None:
    game = Round("dominoes", ["6-6 5-5 5-2 5-1 4-1", "6-4 6-3 4-4 3-0 2-0"], set=6)
    game.do(0, "none").do(1, "none").do(0, "lead", "5-5")
    finish(game)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == (0,)
    assert game.told("dominoes.caught.none")


def test_do_10_honest_claims_cost_nothing() -> None:
    game = Round("dominoes", ["6-6 6-5 5-5 5-1 4-1", "4-4 4-3 4-2 3-3 3-2"], pile="2-2", set=6).led().do(1, "draw")
    finish(game)
    assert game.state.last_count is not None
    assert game.state.last_count.liars == ()


@pytest.mark.parametrize(("game", "seats", "options"), [
    ("dominoes", 2, {"set": 6}), ("dominoes", 4, {}), ("matador", 3, {}), ("matador", 4, {"set": 12, "total": 13}),
    ("tiddle-a-wink", 6, {})])
def test_do_10_random_liars_are_caught_and_nobody_else(game: str, seats: int, options: dict[str, int]) -> None:
    """Seat 1 lies wherever it can; after every round exactly those who lied are found out, by a plain look at the hands."""
    lies = rounds = 0
    for seed in range(8):
        rules, rng = rules_of(game)(seats, {**options, "target": 1000}), Random(seed)
        state, faces = rules.start(), Faces()
        lied = False
        while len(state.sheet) < 2 and rules.outcome(state) is None:
            deal_on(rules, state, faces, rng)
            if not rules.to_act(state):
                break
            if state.last_count is not None and state.phase == "counted" and len(state.waiting) == seats:
                assert state.last_count.liars == ((1,) if lied else ())
                rounds, lied = rounds + 1, False
            seat = rules.to_act(state)[0]
            move = rules.random_move(state, seat, faces, rng)
            if seat == 1:
                false = _lie(rules, state, faces, rng)
                if false is not None:
                    move, lied, lies = (false,), True, lies + 1
            assert rules.make(state, seat, move, faces) is None
    assert lies > 3
    assert rounds > 5


def _lie(rules: object, state: DominoState, faces: Faces, rng: Random) -> str | None:
    verbs = {PLAYING: ("draw", "pass"), LEADING: ("none",)}.get(state.phase, ())
    for verb in verbs:
        if verb in rules.verbs and rng.random() < 0.3:  # type: ignore[attr-defined]
            publicly_fine = rules.judge(state, 1, (verb,)) is None  # type: ignore[attr-defined]
            if publicly_fine and rules.own_refusal(state, 1, (verb,), faces) is not None:  # type: ignore[attr-defined]
                return verb
    return None


def test_do_10_a_lie_in_an_unfinished_round_is_found_by_the_audit() -> None:
    rules = rules_of("dominoes")
    table = Table.begin(rules, Setup("dominoes", 1, {"set": 6}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(2)))
    match = table.match
    lied = None
    while lied is None:
        seat = match.rules.to_act(match.state)[0]
        view = match.view((seat,))
        for verb in ("draw", "pass", "none"):
            if match.rules.judge(match.state, seat, (verb,)) is None \
                    and match.rules.own_refusal(match.state, seat, (verb,), view.faces) is not None:
                table.say("move", {"seat": seat, "do": [verb], "open": []})  # past its own page
                table.settle()
                lied = seat
                break
        else:
            table.move(seat, next(view.moves(seat)))
    (finding,) = audit(match)
    assert (finding.seat, finding.key.split(".")[:2]) == (lied, ["dominoes", "audit"])


def test_do_10_a_false_claim_among_peers_is_found_when_the_hand_is_opened() -> None:
    """A changed program draws although it could play. The table has to believe it until the hands are counted; then every peer
    finds the same liar in the same log, and so does the audit of the exported file."""
    net = Network("dominoes", 3, 20, options=lasting("dominoes"))
    cheat = net.nodes[1]
    cheated: list[int] = []
    act = net.act

    def lie(node: Any) -> None:
        peer = node.peer
        if node is cheat and not cheated and peer is not None and peer.ready and peer.pending is None:
            match = peer.match
            able = 1 in match.rules.to_act(match.state) and match.state.pile and any(
                move[0] == "lay" for move in match.rules.moves(match.state, 1, match.view((1,)).faces))
            if able and match.rules.verdict(match.state, 1, ("draw",)) is None:
                peer.say("move", {"seat": 1, "do": ("draw",), "open": []})
                cheated.append(len(match.entries))
                return
        act(node)

    net.act = lie  # type: ignore[method-assign]
    assert net.run(lambda: bool(cheated), 2000)
    caught: dict[str, Any] = {}

    def everybody_knows() -> bool:
        for peer in net.peers:
            state = peer.match.state
            if state.last_count is not None and state.last_count.liars:
                caught[peer.author] = state.last_count.liars, state.last_count.points[1] < 0
        return len(caught) == 3

    assert net.run(everybody_knows, 3000)
    assert set(caught.values()) == {((1,), True)}
    assert not any(peer.accusations for peer in net.peers), "a lie costs points; nothing that was signed is wrong"
