"""What reaches a person beside the picture: sounds, a voice that reads aloud, a notice of one's turn where the page is not seen.

The shell does them as the settings have it; a table without a shell has ``SILENT``.
"""

from __future__ import annotations

from typing import Final, Protocol


class Signals(Protocol):
    """Each does nothing where the person does not want it, or the browser cannot."""

    @property
    def has_voice(self) -> bool:
        """Whether the browser can read aloud."""
        ...

    @property
    def has_notifications(self) -> bool:
        """Whether the browser knows notifications of the device."""
        ...

    @property
    def reads_aloud(self) -> bool:
        """Whether the person wants to be read to."""
        ...

    async def may_notify(self) -> bool:
        """Ask the person whether the device may show notifications; whether it may."""
        ...

    def play(self, name: str, *, own: bool = True) -> None:
        """Play one of the table's sounds. What is not one's ``own`` doing is softer, and is not felt."""
        ...

    def read_aloud(self, sentence: str) -> None:
        """Read ``sentence`` aloud, after what is being read."""
        ...

    def hush(self) -> None:
        """Stop reading aloud."""
        ...

    def notice_turn(self, sentence: str) -> None:
        """Say ``sentence`` to somebody who looks at another page."""
        ...


class Silence:
    """Says nothing."""

    has_voice = has_notifications = reads_aloud = False

    async def may_notify(self) -> bool:
        return False

    def play(self, name: str, *, own: bool = True) -> None: ...

    def read_aloud(self, sentence: str) -> None: ...

    def hush(self) -> None: ...

    def notice_turn(self, sentence: str) -> None: ...


SILENT: Final[Signals] = Silence()
