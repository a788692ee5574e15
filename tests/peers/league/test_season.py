"""A season's table: what counts, how points are made, who shares a rank, and who is told apart."""

from __future__ import annotations

from dataclasses import replace

from tabletin.peers.league.season import Player, seasons, second_ends, standings
from tests.support.league import author, result, signed

ADA, BO, CLEO = (Player(name, author(name)) for name in ("Ada", "Bo", "Cleo"))


def test_a_win_a_shared_win_and_playing_bring_points() -> None:
    table = standings([signed(result("Ada", "Bo", "Cleo", match="one")),
                       signed(result("Ada", "Bo", "Cleo", match="two", winners=(0, 1))),
                       signed(result("Ada", "Bo", "Cleo", match="three", winners=()))], "2026")
    assert [(line.player, line.matches, line.wins, line.points, line.rank) for line in table] == [
        (ADA, 3, 2, 6, 1), (BO, 3, 1, 4, 2), (CLEO, 3, 0, 3, 3)]


def test_who_has_as_many_points_and_wins_shares_the_rank_and_the_next_one_is_left_out() -> None:
    table = standings([signed(result("Ada", "Bo", match="one")), signed(result("Bo", "Ada", match="two")),
                       signed(result("Cleo", "Dan", match="three", winners=()))], "2026")
    assert [(line.player.name, line.rank) for line in table] == [("Ada", 1), ("Bo", 1), ("Cleo", 3), ("Dan", 3)]


def test_only_what_everybody_has_signed_counts() -> None:
    assert standings([signed(result(), "Ada")], "2026") == ()
    assert seasons([signed(result(), "Ada")]) == ()


def test_bots_stand_in_no_table() -> None:
    table = standings([signed(result("Ada", "Bo", bots=2, winners=(2,)))], "2026")
    assert [(line.player, line.wins, line.points) for line in table] == [(ADA, 0, 1), (BO, 0, 1)]


def test_one_name_at_two_devices_is_two_players() -> None:
    one = result("Ada", "Bo")
    other = replace(one, match="ab" * 32, seats=(one.seats[0], replace(one.seats[1], name="Ada")))
    table = standings([signed(one), signed(other)], "2026")
    assert [(line.player.name, line.player.author == author("Ada"), line.points) for line in table] == [
        ("Ada", True, 6), ("Ada", False, 1), ("Bo", False, 1)]


def test_two_seats_of_one_player_count_as_one_match() -> None:
    one = result("Ada", "Bo")
    doubled = replace(one, seats=(*one.seats, one.seats[1]), scores=(1, 2, 3), winners=(2,))
    table = standings([signed(doubled)], "2026")
    assert [(line.player, line.matches, line.points) for line in table] == [(BO, 1, 3), (ADA, 1, 1)]


def test_a_season_is_the_year_of_the_last_signature() -> None:
    late = signed(result(), "Ada", day="2026-12-31").merge(signed(result(), "Bo", day="2027-01-01"))
    assert seasons([late, signed(result(match="another"))]) == ("2027", "2026")
    assert [line.matches for line in standings([late], "2027")] == [1, 1]
    assert standings([late], "2026") == ()


def test_of_one_match_one_result_counts() -> None:
    """Who played it may all sign two ends of it: both stay signed, and the table counts the earlier one, in all seasons."""
    one, other = signed(result("Ada", "Bo")), signed(replace(result("Ada", "Bo", winners=(1,)), head="ab" * 32), day="2027-01-01")
    for both in ([one, other], [other, one]):
        assert [(line.player, line.matches, line.points) for line in standings(both, "2026")] == [(ADA, 1, 3), (BO, 1, 1)]
        assert standings(both, "2027") == () and seasons(both) == ("2026",)
        assert second_ends(both) == {other.result.hash}
    same_day = signed(other.result)
    first = min((one, same_day), key=lambda found: found.result.hash)
    assert standings([one, same_day], "2026") == standings([same_day, one], "2026") == standings([first], "2026")
    half = signed(other.result, "Ada", day="2026-01-01")
    assert standings([half, one], "2026") == standings([one], "2026"), "what is not signed by all displaces nothing"
    assert not second_ends([half, one]) and not second_ends([one, one]) and not second_ends([])


def test_who_did_not_play_a_match_takes_nothing_from_those_who_did() -> None:
    """Whoever watched knows the hash of a match, and may sign what it likes with a second key of its own, dated back."""
    played = signed(result("Ada", "Bo"))
    made_up = signed(result("Cleo", "Dan"), day="2026-01-01")
    assert made_up.result.match == played.result.match
    assert not second_ends([made_up, played])
    lines = standings([made_up, played], "2026")
    assert [(line.player, line.points) for line in lines if line.player in (ADA, BO)] == [(ADA, 3), (BO, 1)]
