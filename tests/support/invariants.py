"""What must always hold in a match of any game, each as a function of one case; numbers as in docs/architecture.md."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from tabletin.kernel import logfile
from tabletin.kernel.match import Match
from tabletin.kernel.options import Refused
from tabletin.kernel.requests import Shuffle
from tabletin.kernel.schema import sample_move
from tabletin.registry import GAMES, rules_of
from tabletin.words import load
from tabletin.words.wording import Wording
from tests.support.cases import Case
from tests.support.random_matches import begin, play, played, step

WORDS = load()


def ends_and_audits(case: Case, seed: int) -> None:
    """Invariant 11: a random match ends with nothing asked of the dealer, and its file loads again and audits."""
    match = play(case, seed)
    assert not match.state.requests
    again = logfile.load(logfile.export(match), rules_of)
    assert again.state == match.state
    assert again.outcome == match.outcome
    assert logfile.audit(again) == []


def state_is_a_function_of_the_log(case: Case) -> None:
    match = played(case)
    last = None
    for entry, state, events in match.story():
        assert match.snapshot_at(entry.index).state == state
        if entry.index % 23 == 0:
            assert match.events(entry.index) == events
        last = state
    assert last == match.state


def public_part_needs_no_knowledge(case: Case) -> None:
    """A spectator, who knows no private face at all, folds the log to the equal state at every prefix."""
    match = played(case)
    blind = Match(rules_of(case[0]), match.entries[0], match.snapshot_at(0).dealing)
    assert not blind.knowledge
    for entry, state, _ in match.story():
        if entry.index:
            blind.append(entry)
        assert blind.state == state
    assert blind.outcome == match.outcome


def events_name_no_unknown_face(case: Case) -> None:
    match = played(case)
    wording = Wording(WORDS, match.setup)
    for _, state, events in match.story():
        for event in events:
            assert event.key in WORDS or "words" in GAMES[case[0]].lacking(), f"{event.key} has no words"
            assert wording.event(event, state.public)  # words for a spectator, unknown cards unnamed
            faces_named = {value for value in event.params.values() if isinstance(value, str)} & set(match.rules.deck())
            assert not faces_named, f"{event.key} names a face outside its cards"


def every_card_is_in_one_zone(case: Case) -> None:
    match = played(case)
    deck = Counter(match.rules.deck())
    for entry, state, _ in match.story():
        if any(isinstance(request, Shuffle) for request in state.requests):
            continue
        cards = [card for zone in match.rules.zones(state).values() for card in zone]
        assert len(cards) == len(set(cards)), f"a card in two zones after entry {entry.index}"
        assert Counter(match.knowledge[card] for card in cards) == deck, f"after entry {entry.index}"


def illegal_moves_change_nothing(case: Case) -> None:
    table, rng = begin(case, 5), Random(6)
    match, rules = table.match, table.match.rules
    refused = 0
    for _ in range(120):
        before, head, index = match.state.copy(), match.head, len(match.entries)
        for _ in range(6):
            seat, move = rng.randrange(-1, case[1] + 1), sample_move(rules.verbs, rng)
            try:
                table.move(seat, move)
            except Refused as error:
                assert error.refusal.key in WORDS or "words" in GAMES[case[0]].lacking(), f"{error.refusal.key} has no words"
                assert Wording(WORDS, match.setup).refusal(error.refusal)
                assert (match.head, len(match.entries)) == (head, index)
                assert match.state == before
                refused += 1
            else:
                before, head, index = match.state.copy(), match.head, len(match.entries)
        if not step(table, rng):
            break
    assert refused > 20


def proposed_moves_are_legal(case: Case) -> None:
    """What ``moves`` yields to a seat that knows only its own view is accepted; so is the default."""
    table, rng = begin(case, 8), Random(9)
    match, rules = table.match, table.match.rules
    for _ in range(25):
        for seat in rules.to_act(match.state):
            view = match.view((seat,))
            for count, move in enumerate(view.moves(seat)):
                if count >= 25:
                    break
                trial = match.state.copy()
                assert rules.make(trial, seat, move, view.faces) is None, move
                assert rules.own_refusal(match.state, seat, move, view.faces) is None, move
            default = rules.default(match.state, seat)
            if default is not None:
                assert rules.judge(match.state, seat, default) is None
                assert not rules.opens(match.state, seat, default)
        if not step(table, rng):
            break


EACH: Final = (state_is_a_function_of_the_log, public_part_needs_no_knowledge, events_name_no_unknown_face,
               every_card_is_in_one_zone, illegal_moves_change_nothing, proposed_moves_are_legal)
