"""Settings as texts: what is read of them, and which of two copies is the newer one."""

from __future__ import annotations

from tabletin.app.settings import Settings


def test_each_change_counts_and_makes_no_difference_otherwise() -> None:
    before = Settings.from_json('{"relay": false, "changes": 4}')
    after = before.with_value("relay", True).changed_from(before)
    assert (before.changes, after.changes) == (4, 5)
    assert Settings.from_json(after.to_json()) == after == Settings(relay=True)
    assert Settings.from_json(after.to_json()).changes == 5


def test_a_count_that_is_none_counts_as_never_changed() -> None:
    for text in ('{"changes": "7"}', '{"changes": true}', "{}", "nonsense", None):
        assert Settings.from_json(text).changes == 0
