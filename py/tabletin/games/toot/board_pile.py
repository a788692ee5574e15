"""A pile beside what is composed: together they have the middle of the table, and what is drawn has a short way to the hand. On
a tall phone it is small, so that the TooT is large.

Where both lie follows from the sight, the draft and sizes alone.
"""

from __future__ import annotations

from typing import Final

from tabletin.board.scene import NOWHERE, Point, Rect
from tabletin.games.toot.base import S
from tabletin.games.toot.board_mat import Scenery
from tabletin.games.toot.board_stacks import RATIO, StackLine, TootStack, lines, width_of

STANDS: Final = 1.2  # cards, how wide the pile is on a table that lies wide …
APART: Final = 44.0  # … px between it and what lies beside
SPREAD: Final = 920.0  # px of such a table's width, in its middle, over which pile and mat are spread at most …
TALL: Final = 1.55  # widths that a phone's stage is high, from which the pile is small …
SMALL: Final = 0.145  # … and of that width, how wide it is
HAIR: Final = 0.5  # px: what just fits does


class PileBeside(Scenery[S]):
    """A table with such a pile, once ``stand_beside`` was called.

    ``height_beneath``: of what lies under the pile, in widths of the pile, and ``px_beneath`` what is as high however wide the
    pile is. ``beside_at``: the middle of the pile, None where it lies in its column. ``beside_gap``: px kept free left of the
    mat, from ``stand_beside`` on as
    ``gap_room``. ``edge``: px left of the pile on a wide table.
    """

    edge = 0.0

    px_beneath = 0.0
    beside_at: Point | None = None
    beside_gap = 0.0
    gap_room = NOWHERE

    @property
    def height_beneath(self) -> float:
        return 0.0

    def pile_at(self) -> Point:
        return super().pile_at() if self.beside_at is None else self.beside_at

    def around_mat(self) -> Rect:
        """The mat and the room of the pile."""
        left = min(self.side.x, self.mat.x)
        return Rect(left, self.mat.y, self.mat.right - left, self.mat.height)

    def around_table(self) -> Rect:
        """The mat and the room of a pile that stands beside it or above it."""
        around = self.around_mat()
        top = min(self.side.y, around.y)
        return around._replace(y=top, height=around.bottom - top)

    @property
    def is_wide(self) -> bool:
        """Whether the table is wide enough for the pile to be large beside the mat: all but a phone held upright."""
        room = self.around_mat()
        return not self.sight.layout.narrow or room.width > 1.5 * room.height

    @property
    def is_tall(self) -> bool:
        """Whether this is a phone held upright that is tall enough for the TooT to be large."""
        layout = self.sight.layout
        return layout.narrow and layout.height >= TALL * layout.width

    @property
    def least_edge(self) -> float:
        """Px left of the pile on a wide table at least: pile and mat are spread no further."""
        return max(0.0, (self.around_mat().width - SPREAD) / 2)

    def stand_pile(self) -> Rect:
        """The pile half-way up, on a wide table ``edge`` px from its left. The room right of it."""
        room = self.around_mat()
        if self.is_wide:
            self.edge = max(self.edge, self.least_edge)
            self._enlarge_pile()
            self.side, rest = room.left(self.edge)[1].left(self.pile_room)
        else:
            rest = self.mat
        high = self.pile_width * (RATIO + self.height_beneath) + self.px_beneath
        middle = room.centre[1] if self.half_way is None else max(room.y + high / 2, self.half_way)
        self.beside_at = super().pile_at()[0], middle - high / 2 + self.pile_width * RATIO / 2
        return rest

    @property
    def pile_room(self) -> float:
        """Px that a pile on a wide table takes off the mat."""
        return self.pile_width + APART if self.has_pile else 0.0

    def _enlarge_pile(self) -> None:
        if not self.has_pile:
            return
        high = self.around_mat().height - self.lent_height - self.px_beneath - 36
        self.pile_width = max(self.pile_width, min(STANDS * self.card, high / (RATIO + self.height_beneath)))

    def stand_beside(self) -> None:
        """Pile and what lies under it stand beside the mat. Except on a phone held upright they are larger and have the middle of
        the table together with what lies there. A turn moves it no further than it needs more room.
        """
        room = self.around_mat()
        if self.is_wide:
            self._enlarge_pile()
            beside = room.width - self.pile_room - self.beside_gap
            free = beside - self.usual_width(beside) - APART / 2  # which lies left of the pile, in its column
            self.edge = max(0.0, min(free / 2, beside - self.needed_width() - HAIR))
            self.gap_room, self.mat = self.stand_pile().left(self.beside_gap)
            self.align = 0.0
            if self.draft is not None:
                self.draft.room = room
        else:
            self.stand_pile()
            self.middle = self.sight.layout.width / 2  # as all else on a phone, as long as there is room beside the pile

    def usual_width(self, room: float) -> float:
        """Px of ``room`` that what lies beside the pile takes while nothing is composed."""
        return 0.0

    def needed_width(self) -> float:
        """Px that what lies beside the pile needs for its cards to be as large as can be."""
        return self.width_with(self.mat_most)

    def width_with(self, card: float) -> float:
        """Px that what lies beside the pile takes side by side with cards ``card`` px wide."""
        if self.draft is None:
            return 0.0
        stacks = [TootStack(tuple(lines(node, self.lines_beside()))) for node in self.draft.groups()]
        return width_of([*stacks, TootStack((), is_small=True)], card)

    def lines_beside(self) -> list[StackLine]:
        """The lines of a TooT on the table that are shown beside the pile."""
        return []
