"""What is redrawn in place: cases in which well-known libraries lose the focus or reuse a control that means something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.shares_pages
ROW = """(seat) => `<li data-seat="${seat}"><label for="name${seat}">Name</label>
    <input type="text" id="name${seat}" name="name" value=""></li>`"""


def test_a_field_keeps_focus_and_selection_while_lines_come_and_go_before_it(visit: Callable[..., Page]) -> None:
    page = visit("#/nowhere")
    seen = page.evaluate(f"""() => {{
        const row = {ROW};
        const box = document.body.appendChild(document.createElement("div"));
        tabletin.renew(box, `<ul>${{[0, 1, 2].map(row).join("")}}</ul>`);
        const field = box.querySelector("#name2");
        field.focus();
        field.value = "half a wo";
        field.setSelectionRange(1, 3);
        tabletin.renew(box, `<p>Somebody left.</p><ul>${{[1, 2].map(row).join("")}}</ul>`);
        const found = [document.activeElement === field, field.value, field.selectionStart, field.selectionEnd,
            box.querySelectorAll("li").length];
        box.remove();
        return found;
    }}""")
    assert seen == [True, "half a wo", 1, 3, 2]


def test_a_control_that_moves_stays_and_one_that_means_something_else_does_not(visit: Callable[..., Page]) -> None:
    page = visit("#/nowhere")
    seen = page.evaluate("""() => {
        const box = document.body.appendChild(document.createElement("div"));
        const button = (name) => `<button data-do="remove" data-author="${name}">Remove</button>`;
        tabletin.renew(box, button("Bo") + button("Cleo"));
        const [bo, cleo] = box.querySelectorAll("button");
        cleo.focus();
        tabletin.renew(box, button("Cleo") + button("Bo"));
        const moved = box.firstElementChild === cleo && box.lastElementChild === bo;
        tabletin.renew(box, button("Cleo") + button("Dora"));
        box.remove();
        return [moved, box.contains(cleo), box.contains(bo), box.lastElementChild.dataset.author];
    }""")
    assert seen == [True, True, False, "Dora"]
