"""How far a match may be taken back: the question to a prefix of a log, over made-up logs, one answer at a time."""

from __future__ import annotations

from typing import Any

import pytest

from tabletin.kernel.dealing import OpenDealing
from tabletin.kernel.log import NOTHING, Entry, Statement
from tabletin.kernel.prefix import Prefix
from tabletin.kernel.requests import Roll
from tabletin.kernel.setup import PROTOCOL, Seat, Setup
from tabletin.kernel.snapshot import Snapshot
from tabletin.kernel.undo import holds_up, moves_behind, undo_count, undo_refusal
from tests.support.highcard import HighCard

Said = tuple[str, dict[str, Any]]
MINE: Said = ("move", {"seat": 0, "do": ["low", 1], "open": []})
OPENING: Said = ("move", {"seat": 0, "do": ["lay", 1], "open": [[1, "3"]]})
ANOTHERS: Said = ("move", {"seat": 1, "do": ["low", 2], "open": []})
TIMEOUT: Said = ("timeout", {"seat": 0})
ANOTHERS_TIMEOUT: Said = ("timeout", {"seat": 1})
CONSENT: Said = ("consent", {"seat": 1, "to": 1})
AHEAD: Said = ("deal", {"ahead": []})
DEAL: Said = ("deal", {})


class MadeUpLog:
    """A log of which ``busy`` says after which entries something is asked of the dealer. ``kinds``: a letter for each seat – p a
    person at a device of its own, a another one at the device of seat 0, b a bot there."""

    def __init__(self, said: tuple[Said, ...], kinds: str, busy: tuple[int, ...], protocol: int = PROTOCOL) -> None:
        self.id = "a" * 64
        seats = tuple(Seat("bot" if kind == "b" else "person", f"bo{number}" if kind == "p" and number else "ada")
                      for number, kind in enumerate(kinds))
        setup = Setup("highcard", 1, {}, seats, extra={"protocol": protocol})
        statements = [setup.statement("ada"), *(Statement(self.id, "ada", 0, NOTHING, kind, body) for kind, body in said)]
        self.entries = [Entry.create(index, NOTHING, statement) for index, statement in enumerate(statements)]
        self.snapshots = [Snapshot(HighCard(len(kinds)).start(), OpenDealing(), setup, "ada")]
        for statement in statements[1:]:
            self.snapshots.append(self.snapshots[-1].copy())
            self.snapshots[-1].note_entry(statement)
        for index, snapshot in enumerate(self.snapshots):
            snapshot.state.requests = (Roll(2),) if index in busy else ()

    def snapshot_at(self, index: int) -> Snapshot:
        return self.snapshots[index]

    def prefix(self) -> Prefix:
        return Prefix(len(self.entries) - 1, self.snapshots[-1], self)


def asked(*said: Said, kinds: str = "pp", seat: int = 0, to: int = 1, practice: bool = False, busy: tuple[int, ...] = (),
          consents: tuple[tuple[int, int], ...] = (), resigner: int | None = None, protocol: int = PROTOCOL) -> str:
    """Why ``seat`` may not go back to entry ``to`` after one move of its own and ``said``; "" if it may."""
    log = MadeUpLog((MINE, *said), kinds, busy, protocol)
    for one in consents:
        log.snapshots[-1].consents = log.snapshots[-1].consents.with_consent(*one)
    log.snapshots[-1].state.resigner = resigner
    refusal = undo_refusal(log.prefix(), seat, to, practice=practice)
    assert refusal is None or refusal.key.startswith("kernel.")
    return "" if refusal is None else refusal.key.removeprefix("kernel.")


def test_back_to_an_entry_that_is_there_and_not_the_last() -> None:
    assert [asked(MINE, MINE, to=to) for to in range(-1, 5)] == ["undo.target", "", "", "", "undo.target", "undo.target"]


def test_nothing_is_looked_for_in_the_log() -> None:
    """A file may be full of undos, each of which goes back behind all the others."""
    log = MadeUpLog((MINE, *(("undo", {"seat": 0, "to": 1}),) * 100), "pb", ())
    prefix = log.prefix()
    del log.entries
    assert undo_refusal(prefix, 0, 1) is None


def test_not_back_to_where_the_dealer_was_asked() -> None:
    assert [asked(MINE, MINE, to=to, busy=(1,)) for to in range(3)] == ["", "undo.target", ""]
    assert asked(MINE, to=1, busy=(1,), kinds="pb", practice=True) == "undo.target"


def test_not_while_the_dealer_is_asked() -> None:
    assert asked(MINE, busy=(2,)) == "undo.chance"


def test_not_once_somebody_gave_up() -> None:
    assert asked(MINE, resigner=0) == asked(MINE, resigner=1) == "over"


def test_ones_own_closed_moves_are_taken_back_alone() -> None:
    assert asked(MINE) == asked(MINE, MINE) == asked(TIMEOUT) == asked(CONSENT, MINE) == ""


@pytest.mark.parametrize("crossed", [(OPENING,), (ANOTHERS,), (ANOTHERS_TIMEOUT,), (MINE, OPENING), (OPENING, MINE),
                                     (ANOTHERS, MINE)])
def test_an_opening_and_anothers_move_take_everybodys_consent(crossed: tuple[Said, ...]) -> None:
    assert asked(*crossed) == "undo.consent"
    assert asked(*crossed, consents=((1, 1),)) == ""
    assert asked(*crossed, consents=((0, 1), (1, 0), (1, 2))) == "undo.consent", "not one's own, and not to elsewhere"
    assert asked(*crossed, kinds="ppp", consents=((1, 1),)) == asked(*crossed, kinds="ppp", consents=((2, 1),)) == "undo.consent"
    assert asked(*crossed, kinds="ppp", consents=((1, 1), (2, 1))) == ""
    assert asked(*crossed, kinds="pb") == "", "bots are not asked"


def test_it_is_the_seat_that_asks_whose_moves_are_its_own() -> None:
    assert asked(MINE, seat=1) == "undo.consent"
    assert asked(ANOTHERS, seat=1) == ""
    assert asked(MINE, seat=1, consents=((0, 1),)) == ""


@pytest.mark.parametrize("around", [(), (MINE,)])
def test_never_across_chance(around: tuple[Said, ...]) -> None:
    assert asked(DEAL, *around) == asked(*around, DEAL) == "undo.chance"
    assert asked(DEAL, *around, kinds="pb", consents=((1, 1),)) == "undo.chance"
    assert asked(AHEAD, *around) == "", "that is for the next hand"


@pytest.mark.parametrize("kind", ["gone", "leave"])
def test_never_across_somebodys_leaving(kind: str) -> None:
    assert asked((kind, {}), MINE) == asked(MINE, (kind, {})) == "undo.target"
    assert asked(MINE, (kind, {}), MINE, to=3) == "", "but behind it"


def test_alone_with_bots_in_practice_across_anything() -> None:
    for crossed in ((DEAL,), (ANOTHERS,), (OPENING, DEAL)):
        assert asked(*crossed, kinds="pb", practice=True) == asked(*crossed, kinds="bp", seat=1, practice=True) == ""
        assert asked(*crossed, kinds="pp", practice=True, consents=((1, 1),)) == "undo.practice"
        assert asked(*crossed, kinds="pb", seat=1, practice=True) == "undo.practice", "a bot does not practise"
    assert asked(MINE, kinds="pb", practice=True, busy=(2,)) == "", "also while something is dealt"


def test_practice_has_to_be_asked_for() -> None:
    log = MadeUpLog((MINE, DEAL), "pb", ())
    refusal = undo_refusal(log.prefix(), 0, 1)
    assert refusal is not None and refusal.key == "kernel.undo.chance"


def held_up(*said: Said, kinds: str = "pp", seat: int = 0, to: int = 1, consents: tuple[tuple[int, int], ...] = ()) -> bool:
    """Whether ``seat`` would hold the match up by going to entry ``to`` after one move of its own and ``said``."""
    log = MadeUpLog((MINE, *said), kinds, ())
    for one in consents:
        log.snapshots[-1].consents = log.snapshots[-1].consents.with_consent(*one)
    return holds_up(log.prefix(), seat, to)


def test_ones_own_timeout_is_taken_back_once_every_other_person_consented() -> None:
    assert held_up(TIMEOUT) and held_up(TIMEOUT, MINE) and held_up(CONSENT, TIMEOUT)
    assert held_up(ANOTHERS_TIMEOUT, seat=1)
    assert not held_up(MINE) and not held_up(ANOTHERS_TIMEOUT) and not held_up(TIMEOUT, seat=1)
    assert not held_up(TIMEOUT, MINE, to=2), "it stays"
    assert not held_up(TIMEOUT, consents=((1, 1),))
    assert held_up(TIMEOUT, consents=((0, 1), (1, 0), (1, 2))), "not one's own, and not to elsewhere"
    assert held_up(TIMEOUT, kinds="ppp", consents=((1, 1),)) and held_up(TIMEOUT, kinds="ppp", consents=((2, 1),))
    assert not held_up(TIMEOUT, kinds="ppp", consents=((1, 1), (2, 1)))
    assert not held_up(TIMEOUT, kinds="pb"), "bots are not asked"


def test_a_timeout_is_taken_back_to_an_entry_that_is_there() -> None:
    assert [held_up(TIMEOUT, to=to) for to in range(-1, 4)] == [False, True, True, False, False]


UNDO: Said = ("undo", {"seat": 0, "to": 1})
ANOTHERS_UNDO: Said = ("undo", {"seat": 1, "to": 1})
MANY: tuple[Said, ...] = (UNDO, MINE) * 10


def test_a_move_is_taken_back_so_often_alone_then_with_consent() -> None:
    assert not held_up(*MANY[2:], to=2) and held_up(*MANY, to=2)
    assert not held_up(*MANY, to=2, consents=((1, 2),)) and not held_up(*MANY, to=2, kinds="pb")
    assert held_up(*MANY, CONSENT, ("order", {"to": "ada"}), AHEAD, to=2), "what is said beside the play changes nothing"
    assert not held_up(*(ANOTHERS_UNDO, MINE) * 10, to=2), "each seat has its own"
    assert held_up(*(ANOTHERS_UNDO, ANOTHERS) * 10, seat=1, to=2)
    by_turns = ((UNDO, MINE) * 3 + (ANOTHERS, ANOTHERS_UNDO) * 4) * 2
    assert not held_up(*by_turns, to=2)
    assert held_up(*by_turns, kinds="pap", to=2), "two seats of one device go back by turns"
    assert not held_up(*MANY, to=len(MANY) + 1), "there is nothing to take back"


def test_moves_that_are_taken_back_let_nobody_go_back_again() -> None:
    """Two seats of two devices could go back for each other without end."""
    said: list[Said] = []
    for number in range(1, 40, 4):  # entries 2 to 41
        said += [("undo", {"seat": 0, "to": number}), ANOTHERS, ("undo", {"seat": 1, "to": number + 1}), MINE]
    assert held_up(*said, to=40)
    assert not held_up(*said[:-8], *said[-4:], to=36), "nine times"
    assert held_up(*said[:-1], ANOTHERS, ("undo", {"seat": 0, "to": 38}), MINE, to=42), "what took it back was taken back, too"
    assert not held_up(*said[:-1], ANOTHERS, MINE, to=41), "that move stands"


def test_undos_are_counted_as_far_as_need_be() -> None:
    entries = MadeUpLog((MINE, *MANY, *MANY), "pp", ()).entries
    assert [undo_count(reversed(entries[:length]), (0,)) for length in (2, 3, 4, 5, 21, 23, 42)] == [0, 1, 1, 2, 10, 10, 10]


@pytest.mark.parametrize(("first", "second", "count"), [(2, 4, 0), (3, 2, 1)])
def test_an_undo_that_was_taken_back_takes_nothing_back(first: int, second: int, count: int) -> None:
    """Entry 3 is another one's move. It ends the counting where it stands."""
    undos = [("undo", {"seat": 1, "to": target}) for target in (first, second)]
    entries = MadeUpLog((MINE, UNDO, ANOTHERS, MINE, *undos), "pp", ()).entries
    assert undo_count(reversed(entries), (0,)) == count


@pytest.mark.parametrize("said", [ANOTHERS, ANOTHERS_TIMEOUT, DEAL])
def test_once_the_match_went_on_a_seat_may_go_back_again(said: Said) -> None:
    assert not held_up(*MANY, said, MINE, to=len(MANY) + 2)
    assert not held_up(*MANY[:-2], said, MINE, ("undo", {"seat": 0, "to": len(MANY)}), MINE, to=len(MANY))
    assert held_up(said, *MANY, to=3)


BACK: Said = ("undo", {"seat": 1, "to": 1})


@pytest.mark.parametrize(("said", "to", "reason"), [
    ((ANOTHERS, BACK), 2, "undo.consent"),  # the other one had taken its move back
    ((ANOTHERS, OPENING, BACK), 3, "undo.consent"), ((ANOTHERS, OPENING, BACK), 2, "undo.consent"),
    ((MINE, BACK), 2, "undo.consent"),  # both had agreed to take it back
    ((MINE, ("undo", {"seat": 0, "to": 1})), 2, ""),  # one's own affair
    ((ANOTHERS, ("undo", {"seat": 0, "to": 1})), 2, "undo.consent"),
    ((ANOTHERS, BACK, MINE), 4, "undo.target"), ((ANOTHERS, BACK, MINE), 3, ""), ((ANOTHERS, BACK, MINE), 2, "undo.consent"),
    ((MINE, MINE, ("undo", {"seat": 0, "to": 2})), 1, "")])  # step by step
def test_what_was_taken_back_does_not_come_back_without_consent(said: tuple[Said, ...], to: int, reason: str) -> None:
    assert asked(*said, to=to) == reason
    assert asked(*said, to=to, consents=((1, to),)) == ("" if reason == "undo.consent" else reason)


def test_in_older_logs_it_may() -> None:
    assert asked(ANOTHERS, BACK, to=2, protocol=5) == ""


@pytest.mark.parametrize(("target", "moves"), [(0, (1, 0, 1)), (1, (1, 0)), (2, (1,)), (3, (1,)), (4, (1,)), (5, (1,)), (6, ())])
def test_an_undo_takes_back_what_stands_alone(target: int, moves: tuple[int, ...]) -> None:
    """A move, another one, one that is taken back, a timeout: to go back to what was taken back is no undo."""
    said = [("genesis", {}), ("move", {"seat": 1}), ("move", {"seat": 0}), ("move", {"seat": 0}),
            ("consent", {"seat": 1, "to": 2}), ("undo", {"seat": 0, "to": 2}), ("timeout", {"seat": 1})]
    statements = [Statement(NOTHING, "", 0, NOTHING, kind, body) for kind, body in said]
    entries = [Entry.create(index, NOTHING, one) for index, one in enumerate(statements)]
    assert moves_behind(entries, target) == moves
    assert moves_behind(entries[:-1], target) == moves[1:]
