"""Files that lie: matches that nobody could have played with that deck, and files that are no files of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from tabletin.kernel import logfile
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.faces import Faces
from tabletin.kernel.log import Json, canonical
from tabletin.kernel.logfile import BadLog, audit, export, fits_deck, holds_faces_of, load
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.state import State
from tabletin.kernel.table import AUTHOR, Table
from tabletin.registry import GAMES, rules_of
from tabletin.words import load as load_words
from tests.support.examples import short
from tests.support.peer_matches import QUICK
from tests.support.rigged_logs import Rigged, altered, played

pytestmark = pytest.mark.usefixtures("swap")
TWO_CAN_PLAY = [game for game in GAMES if 2 in rules_of(game).seat_counts]


@cache
def whole_log() -> str:
    """A finished match, exported."""
    return export(played("swap", OpenDealer(Random(1))))


@pytest.mark.parametrize("game", TWO_CAN_PLAY)
def test_a_deck_that_nobody_sells_is_found(game: str) -> None:
    """One card more of a kind, and one less of another."""
    rig = Rigged(lambda faces: [next(face for face in faces if face != faces[0]), *faces[1:]] if len(faces) > 20 else faces)
    match = played(game, rig, QUICK[game], moves=60)
    assert "kernel.audit.deck" in {finding.key for finding in audit(match)}
    text = altered(export(match), faces=lambda faces: [faces.pop(card) for card in list(faces)[:25]])
    with pytest.raises(BadLog, match=r"missing\(n=25\)"):
        load(text, rules_of)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_deck_that_nobody_sells_is_found_by_who_saw_some_of_it(seat: int) -> None:
    match = played("swap", Rigged(lambda faces: ["n7"] * len(faces)), moves=8)
    own = load(export(match, seat), rules_of)
    assert len(own.knowledge) < len(match.knowledge)
    assert "kernel.audit.deck" in {finding.key for finding in audit(own)}


@pytest.mark.parametrize("game", TWO_CAN_PLAY)
def test_every_face_that_was_laid_open_is_held_against_the_cards_dealt(game: str, matches: int) -> None:
    """Also of a round that ended with that very entry, whose cards are swept off the table at once."""
    match = played(game, OpenDealer(Random(4)), short(game))
    opened = sorted({card for _, snapshot, _ in match.steps() for card in snapshot.openings})
    assert len(opened) > 3
    for card in Random(5).sample(opened, min(len(opened), matches)):
        other = next(face for face in match.rules.deck() if face != match.knowledge[card])
        forged = load(altered(export(match), faces=lambda faces, card=card, other=other: faces.update({str(card): other})),  # type: ignore[misc]
                      rules_of)
        assert "kernel.audit.opened" in {finding.key for finding in audit(forged)}


@pytest.mark.parametrize("game", TWO_CAN_PLAY)
def test_a_seats_file_lacks_no_face_that_the_seat_was_shown(game: str) -> None:
    """Or a whole match that nobody could have played would pass as the file of a seat that saw nothing."""
    match = played(game, OpenDealer(Random(4)), short(game))
    assert match.outcome is not None
    for seat in (0, 1):
        text = export(match, seat)
        own = load(text, rules_of)
        shown = len(own.knowledge)
        assert 0 < shown < len(match.knowledge) and audit(own) == []
        for change, missing in ((lambda faces: faces.clear(), shown), (lambda faces: faces.popitem(), 1)):
            with pytest.raises(BadLog, match=rf"missing\(n={missing}\)"):
                load(altered(text, faces=change), rules_of)
        with pytest.raises(BadLog, match="missing"):
            load(altered(text, header={"seat": 1 - seat}), rules_of)


@pytest.mark.parametrize("game", TWO_CAN_PLAY)
def test_a_seats_file_names_no_card_that_the_seat_never_saw(game: str) -> None:
    """Not even what it was: who saves the file of a seat has seen no more."""
    match = played(game, OpenDealer(Random(4)), short(game))
    for seat in (0, 1):
        text = export(match, seat)
        seen = load(text, rules_of).knowledge
        others = [str(card) for card in match.knowledge if card not in seen]
        for cards in (others[:1], others[-1:], others):
            more = {card: match.knowledge[int(card)] for card in cards}
            with pytest.raises(BadLog, match=rf"unseen\(n={len(cards)}\)"):
                load(altered(text, faces=lambda faces, more=more: faces.update(more)), rules_of)  # type: ignore[misc]
        with pytest.raises(BadLog, match=rf"unseen\(n={len(others)}\)"):
            load(altered(export(match), header={"seat": seat}), rules_of)


def test_a_match_is_told_to_know_what_a_file_of_a_seat_holds_and_no_more() -> None:
    match = load(whole_log(), rules_of)
    own = [load(export(match, seat), rules_of) for seat in (0, 1)]
    for known, holds in ((match, [None]), (own[0], [0]), (own[1], [1])):
        assert [seat for seat in (None, 0, 1) if holds_faces_of(known, seat)] == holds
        card, face = known.knowledge.popitem()
        assert not any(holds_faces_of(known, seat) for seat in (None, 0, 1)), "it lacks one"
        known.knowledge[card] = face
    stranger = next(card for card in match.knowledge if card not in own[0].knowledge)
    own[0].knowledge[stranger] = match.knowledge[stranger]
    assert not any(holds_faces_of(own[0], seat) for seat in (None, 0, 1)), "it never saw that one"


def test_the_faces_of_all_cards_fit_a_deck_or_none() -> None:
    match = load(whole_log(), rules_of)
    assert fits_deck(match, match.knowledge) and fits_deck(match, Faces())
    assert not fits_deck(match, Faces(dict.fromkeys(match.knowledge, "n7")))


@pytest.mark.parametrize("game", TWO_CAN_PLAY)
def test_a_deck_that_nobody_sells_is_found_in_a_seats_file(game: str) -> None:
    """By the seat's own cards and by all that were ever opened, whoever opened them."""
    rig = Rigged(lambda faces: [faces[0]] * len(faces) if len(faces) > 20 else faces)
    match = played(game, rig, QUICK[game], moves=60)
    for seat in (0, 1):
        assert "kernel.audit.deck" in {finding.key for finding in audit(load(export(match, seat), rules_of))}


@pytest.mark.parametrize("change", [
    lambda faces: faces.clear(),
    lambda faces: faces.pop("3"),
    lambda faces: faces.update({"3": "zz"}),
    lambda faces: faces.update({"9999": "n1"}),
    lambda faces: faces.update({"-3": "n1"}),
])
def test_faces_that_are_missing_unknown_or_of_no_card_are_refused(change: Callable[[dict[str, str]], object]) -> None:
    with pytest.raises(BadLog):
        load(altered(whole_log(), faces=change), rules_of)


@pytest.mark.parametrize("header", [{"seat": 99}, {"seat": -5}, {"seat": True}, {"version": True}, {"version": 3},
                                    {"version": "2"}, {"form": "other"}, {"more": 1}])
def test_a_first_line_that_is_altered_is_refused(header: dict[str, Json]) -> None:
    with pytest.raises(BadLog):
        load(altered(whole_log(), header=header), rules_of)


def test_a_seat_that_is_not_at_the_table_is_counted_as_people_count() -> None:
    with pytest.raises(BadLog) as caught:
        load(altered(whole_log(), header={"seat": 2}), rules_of)
    assert load_words().reason(caught.value.refusal) == "This file is of seat 3, which is not at the table."


def test_faces_stand_under_a_hash() -> None:
    lines = whole_log().strip().split("\n")
    faces = json.loads(lines[-2])
    faces["faces"]["3"], faces["faces"]["4"] = faces["faces"]["4"], faces["faces"]["3"]
    with pytest.raises(BadLog, match="last_line"):
        load("\n".join([*lines[:-2], canonical(faces).decode(), lines[-1]]), rules_of)


def test_files_without_that_hash_still_load() -> None:
    lines = [json.loads(line) for line in whole_log().strip().split("\n")]
    lines[0]["version"] = 1
    del lines[-1]["faces"]
    match = load("\n".join(canonical(line).decode() for line in lines), rules_of)
    assert match.outcome is not None and audit(match) == []


def test_a_name_may_hold_what_some_take_for_the_end_of_a_line() -> None:
    rules = rules_of("swap")
    seats = (Seat("person", AUTHOR, name="A\u2028B\u2029C\x85D\x0bE"), Seat("person", AUTHOR))
    match = Table.begin(rules, Setup("swap", rules.version, {}, seats), OpenDealer(Random(1))).match
    loaded = load(export(match), rules_of)
    assert loaded.head == match.head
    assert loaded.setup.seats[0].name == "A B CDE", "it is shown without"


def test_a_file_is_long_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    text = export(played("swap", OpenDealer(Random(1)), moves=3), 0)
    for limit, just in (("MOST_BYTES", len(text)), ("MOST_LINES", text.count("\n"))):
        with monkeypatch.context() as patch:
            patch.setattr(logfile, limit, just)
            assert load(text, rules_of)
            patch.setattr(logfile, limit, just - 1)
            with pytest.raises(BadLog) as caught:
                load(text, rules_of)
            assert caught.value.key == "kernel.file.too_long"


def test_a_face_that_is_not_in_the_deck_is_refused_in_a_move_and_in_a_deal() -> None:
    rules = rules_of("swap")
    table = Table.begin(rules, Setup("swap", rules.version, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(1)))
    seat, = table.match.rules.to_act(table.match.state)
    card = table.match.state.hands[seat][0]
    for face in ("zz", "", "n99", "n1 "):
        with pytest.raises(Refused, match="no_face"):
            table.say("move", {"seat": seat, "do": ["lay", card], "open": [[card, face]]})
    with pytest.raises(Refused, match="no_face"):
        Table.begin(rules, table.match.setup, Starters("zz"))


class Starters(OpenDealer):
    """Turns up a starter of its own."""

    def __init__(self, face: str) -> None:
        super().__init__(Random(1))
        self.face = face

    def deal(self, state: State, knowledge: Faces) -> tuple[dict[str, Json], Faces] | None:  # type: ignore[override]
        body, faces = super().deal(state, knowledge)
        return ({"faces": [self.face]}, faces) if "faces" in body else (body, faces)


@pytest.mark.parametrize("dealing", ["OPEN", "", "closed"])
def test_a_dealing_that_nobody_knows_is_refused(dealing: str) -> None:
    rules = rules_of("swap")
    with pytest.raises(Malformed, match="dealing"):
        Table.begin(rules, Setup("swap", rules.version, {}, (Seat("person", AUTHOR),) * 2, dealing), OpenDealer(Random(1)))


@pytest.mark.parametrize("target", [1_000_000, 10_000, -1])
def test_a_consent_names_an_entry_that_is_there(target: int) -> None:
    rules = rules_of("swap")
    table = Table.begin(rules, Setup("swap", rules.version, {}, (Seat("person", AUTHOR),) * 2), OpenDealer(Random(1)))
    with pytest.raises(Refused):
        table.consent(0, target)


def test_what_is_wrong_says_which_entry_and_in_words() -> None:
    """No decoder's text, no key of the catalogue, no number of a line: a sentence, and the entry it is about."""
    words = load_words()
    lines = whole_log().strip().split("\n")
    for index in range(1, len(lines) - 3, 7):
        for damaged in (lines[index + 1][:-9], lines[index + 1].replace('"kind":"', '"kind":"x'), "[" * 500, "\\u"):
            with pytest.raises(BadLog) as caught:
                load("\n".join([*lines[:index + 1], damaged, *lines[index + 2:]]), rules_of)
            assert caught.value.entry == index
            assert words.reason(caught.value.refusal) == f"Entry {index}: It is damaged."
    for text in ("", "{}", "\n\n", "[" * 500, whole_log()[:200], "hello", lines[0]):
        with pytest.raises(BadLog) as caught:
            load(text, rules_of)
        assert caught.value.refusal.key in words and caught.value.entry is None


def test_one_fault_is_one_finding_with_its_entry() -> None:
    match = played("swap", Rigged(lambda faces: ["n7"] * len(faces)))
    assert [(one.key, one.seat) for one in audit(match)] == [("kernel.audit.deck", None)]
    honest = played("swap", OpenDealer(Random(4)))
    cards = [card for _, snapshot, _ in honest.steps() for card in snapshot.openings]
    assert len(cards) > 3
    for forgery in ({str(cards[0]): "n7"}, {str(card): "n7" for card in cards}):
        opened, = audit(load(altered(export(honest), faces=lambda faces, forgery=forgery: faces.update(forgery)),  # type: ignore[misc]
                             rules_of))
        assert opened.key == "kernel.audit.opened" and opened.entry is not None
