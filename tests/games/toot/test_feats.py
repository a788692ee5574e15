"""What a finished match of TooT is told for."""

from __future__ import annotations

from tabletin.board.highlights import Moment, feat_of, highlights, kind_of, lasting_moments, sheet_of, with_times
from tabletin.games.toot.feats import FEATS
from tabletin.games.toot.speed import time_words
from tabletin.kernel.state import Event
from tabletin.words import load
from tests.support.random_matches import between_bots


def test_pursuit_tells_who_laid_turn_after_turn_and_what_was_longest() -> None:
    """TO-7: every turn is a point, however many cards it takes."""
    turns = [(0, 1), (1, 5), (0, 1), (1, 0), (0, 2), (1, 1), (0, 0), (1, 1)]
    moments = [Moment(index, "move", (0, 0), (Event("toot.log.played", seat, {"top": ""}, cards=tuple(range(cards)))
                                              if cards else Event("toot.log.passed", seat),))
               for index, (seat, cards) in enumerate(turns)]
    feats = FEATS["toot-pursuit"]
    row, longest = (feat_of(moments, feat) for feat in feats.feats)
    assert feats.most_gains == 0, "no turn is worth more than another"
    assert row is not None and (row.index, row.seat, row.n) == (4, 0, 3)
    assert len(row.cards) == 1 + 1 + 2, "all that it laid in these turns"
    assert feat_of(moments[:4], feats.feats[0]) is None, "two turns are no row"
    assert longest is not None and (longest.index, longest.seat, longest.n) == (1, 1, 5)


def run(index: int, cards: int, needed: int, standings: tuple[int, ...] = (0,)) -> Moment:
    """A heat that seat 0 won with so many cards in so many milliseconds."""
    key, params = time_words(needed)
    return Moment(index, "move", standings, (
        Event("toot.log.claimed", 0, cards=tuple(range(cards))),
        Event("toot.log.needed_minutes" if key == "minutes" else "toot.log.needed", 0, params), Event("toot.log.won_round", 0)))


def test_speed_alone_is_told_by_its_least_time() -> None:
    """TO-8: rounds won say nothing where nobody else could win them."""
    feats, text = FEATS["toot-speed"], load().text
    assert feats.headline is not None
    slow = [run(0, 9, 134_210), run(1, 11, 134_120), run(2, 7, 200_000)]
    assert feats.headline(slow, text) == "All 11 cards in 2:14", "of equal seconds the least tenths"
    assert feats.headline([*slow, run(3, 8, 59_990)], text) == "All 8 cards in 59.9 s"
    assert feats.headline([run(0, 7, 9_000, (0, 0))], text) == "", "with others it is told who won"
    assert feats.headline([Moment(0, "move", (0,), ())], text) == "", "nobody took the time"


def test_in_speed_the_fastest_round_comes_first() -> None:
    moments = [run(0, 9, 30_000), run(1, 7, 8_450)]
    fastest, fewest = (feat_of(moments, feat) for feat in FEATS["toot-speed"].feats)
    assert fastest is not None and (fastest.index, fastest.n) == (1, 84)
    assert load().text(fastest.figure, **fastest.event.params) == "8.4 s"
    assert fewest is not None and (fewest.index, fewest.n) == (1, 7), "every card drawn takes time"


def test_the_clock_of_the_table_tells_how_fast_a_round_was_that_all_played_at_once() -> None:
    """TO-8: the order of the log decides; it has no times."""
    match = between_bots("toot-speed")
    moments = lasting_moments(match)
    asked: list[str] = []

    def seconds(clock: str) -> float | None:
        asked.append(clock)
        return None if clock == "clock1" else 4.96

    told = with_times(match, moments, seconds)
    assert asked[0] == "clock1" and len(set(asked)) == len(asked), "each round has a clock of its own"
    fastest = feat_of(told, FEATS["toot-speed"].feats[0])
    assert fastest is not None and load().text(fastest.figure, **fastest.event.params) == "4.9 s"
    rows = sheet_of(match, told, load().text)
    cells = [cell for row in rows[:-1] for cell in row.cells if cell]
    assert len(cells) == len(rows) - 1, "one who won each round"
    assert cells[0] in {f"{n} cards" for n in range(7, 60)}, "where nobody knows the time"
    assert all(str(cell).startswith("4.9 s · ") and str(cell).endswith(" cards") for cell in cells[1:])
    assert rows[-1] == match.rules.sheet(match.state)[-1]


def shown(index: int, cards: int, left: int) -> Moment:
    """A TooT that seat 0 showed, so many of its cards left over."""
    key = "toot.log.showed" if left else "toot.log.showed_all"
    return Moment(index, "move", (0, 0), (Event(key, 0, {"n": left}, tuple(range(cards))),))


def told(moments: list[Moment]) -> list[tuple[int, str]]:
    """How many cards, and what they were the best of, as the result tells it."""
    found = [feat_of(moments, feat) for feat in FEATS["toot-progressive"].feats]
    return [(one.n, one.title.rpartition(".")[2]) for number, one in enumerate(found)
            if one is not None and all(one.index != earlier.index for earlier in found[:number] if earlier is not None)]


def test_in_progressive_no_smaller_toot_is_told_as_the_largest() -> None:
    """TO-5: all ten cards used are most cards, too; and a line below tells another thing."""
    assert told([shown(0, 8, 1), shown(1, 10, 0)]) == [(10, "most_cards")]
    assert told([shown(0, 6, 0), shown(1, 9, 1)]) == [(9, "most_cards"), (6, "all_cards")]


def test_in_fluke_the_best_turn_is_told_in_cards() -> None:
    match = between_bots("toot-fluke")
    found = highlights(match)
    assert found and all(one.badge == "result.cards" and one.n == len(one.cards) for one in found)
    kind = kind_of("toot-fluke", "points")
    assert kind is not None and not kind.is_least_best and kind.badge == "result.cards"
