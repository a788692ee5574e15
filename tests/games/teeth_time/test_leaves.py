"""What can be read beside the table: everybody's melds, and what this hand asks for."""

from __future__ import annotations

from tests.support.board_tables import board_of, moments, sight


def test_everybodys_melds_can_be_read_and_what_this_hand_asks_for() -> None:
    board = board_of("teeth-time")
    laid = 0
    for table in moments("teeth-time", 4, seed=4, most=160):
        state = table.match.state
        leaves = board.leaves(sight(table, None))
        assert [leaf.title.split(" · ")[0] for leaf in leaves[:4]] == ["Ann", "Ben", "Cleo", "Dan"]
        for seat, leaf in enumerate(leaves[:4]):
            groups = [group for group in state.groups.values() if group.owner == seat]
            words = [row.text for row in leaf.rows]
            assert sum(word.startswith(("set of", "run ")) for word in words) == len(groups)
            shown = [len(row.drawings) for row in leaf.rows if row.text.startswith(("set of", "run "))]
            assert sorted(shown) == sorted(len(group.cards_held) for group in groups)
            laid += len(groups)
        hands = [row.text for row in leaves[4].rows]
        assert [number for number, text in enumerate(hands) if "this one" in text] == [state.hand_no]
    assert laid > 0
