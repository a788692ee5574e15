"""Settings as texts: what is read of them, and which of two copies is the newer one."""

from __future__ import annotations

from tabletin.app.settings import Settings


def test_each_change_counts_and_makes_no_difference_otherwise() -> None:
    before = Settings.from_json('{"relay": false, "changes": 4}')
    after = before.with_value("relay", True).changed_from(before)
    assert (before.changes, after.changes) == (4, 5)
    assert Settings.from_json(after.to_json()) == after == Settings(relay=True)
    assert Settings.from_json(after.to_json()).changes == 5


def test_the_newer_copy_is_the_one_of_more_changes_but_a_text_without_a_count_stands() -> None:
    newest = Settings(relay=True, changes=2)
    assert newest.is_newer_than(None)
    assert newest.is_newer_than(Settings(changes=1).to_json())
    assert not newest.is_newer_than(Settings(changes=2).to_json())
    assert not newest.is_newer_than('{"relay": false}')
    assert not Settings().is_newer_than(None)


def test_a_count_that_is_none_counts_as_never_changed() -> None:
    for text in ('{"changes": "7"}', '{"changes": true}', "{}", "nonsense", None):
        assert Settings.from_json(text).changes == 0
