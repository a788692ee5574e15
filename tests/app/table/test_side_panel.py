"""What stands in the panel beside the table: nothing that is still being counted on it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.support.fake_browser import in_fake_browser


def test_log_and_score_sheet_wait_for_what_is_being_counted_unless_they_are_opened() -> None:
    with in_fake_browser():
        from tabletin.app.table.side_panel import SidePanel

        panel: Any = object.__new__(SidePanel)
        written: list[str] = []
        viewpoint = SimpleNamespace(is_counted=True, index=None)
        match = SimpleNamespace(state=None, rules=SimpleNamespace(seats=0, sheet=lambda _state: None))
        panel._host = SimpleNamespace(
            viewpoint=viewpoint, session=SimpleNamespace(match=match, readers=(), wording=None),
            board=SimpleNamespace(leaves=lambda _sight: ()), sight=lambda: None, scene=SimpleNamespace(log_until=""),
            turn_mark=lambda: None,
            narration=SimpleNamespace(rewind=lambda _reader: None, is_rewound=lambda _reader: True, take=lambda *_: []))
        panel._panels = SimpleNamespace(open="sheet", sheet=lambda *_: written.append("sheet"), mark_moment=lambda _index: None,
                                        log=lambda *_, **__: written.append("log"))
        panel.fill()
        panel._panels.open = "log"
        panel.write_log()
        assert not written
        panel.write_log(anew=True)
        panel._panels.open = "sheet"
        panel.fill(anew=True)
        assert written == ["log", "sheet"]
        viewpoint.is_counted = False
        panel.fill()
        panel._panels.open = "log"
        panel.write_log()
        assert written == ["log", "sheet", "sheet", "log"]
