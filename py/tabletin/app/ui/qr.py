"""A text as a QR code, as SVG: dark on white with its quiet zone, whatever the page's colours are. Pure, given segno."""

from __future__ import annotations

from typing import Final

QUIET: Final = 4  # modules of white around


def picture(text: str, label: str) -> str:
    """The QR code of ``text``; ``label`` says to screen readers what it is."""
    from segno import make

    from tabletin.app.ui.html import esc

    rows = [bytes(row) for row in make(text, error="l", micro=False, boost_error=True).matrix]
    side = len(rows) + 2 * QUIET
    runs = "".join(f"M{QUIET + start} {QUIET + y}h{length}v1h-{length}z" for y, row in enumerate(rows)
                   for start, length in dark(row))
    return (f'<svg class="qr" role="img" aria-label="{esc(label)}" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
            f'<rect width="{side}" height="{side}" fill="#fff"/><path d="{runs}" fill="#000"/></svg>')


def dark(row: bytes) -> list[tuple[int, int]]:
    """Where the dark runs of a row begin, and how long they are."""
    found: list[tuple[int, int]] = []
    for x, module in enumerate(row):
        if not module:
            continue
        if found and sum(found[-1]) == x:
            found[-1] = found[-1][0], found[-1][1] + 1
        else:
            found.append((x, 1))
    return found
