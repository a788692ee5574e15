"""Learn the teeth: the whole mouth, and of the tooth that was tapped its names, its partner and when it comes.

Draws with the game's own art and facts; it knows no match. Every tooth is reached by tap, or one after another by buttons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tabletin.app.routes import address
from tabletin.app.ui.html import bar, button, esc, link, tag
from tabletin.app.ui.screen import Screen
from tabletin.games.teeth_time import art
from tabletin.games.teeth_time.anatomy import TEETH, Tooth

FIRST: Final = "r1"
WALK: Final = tuple(TEETH)  # quadrant after quadrant, primary teeth first


class TeethScreen(Screen):
    """``#/teeth-time/teeth?at=r6``."""

    face = FIRST

    async def open(self) -> None:
        game = self.route.about
        asked = self.route.query.get("at", FIRST)
        self.face = asked if asked in TEETH else FIRST
        title = self.text("teethpage.title")
        play = link(self.text("teethpage.play"), address(game, "new"), look="quiet", picture="play")
        self.shell.document.paint(
            bar(self.words, title, more=play) + f'<div class="teeth"><div id="mouth">{self.mouth()}</div>'
            f'<section id="tooth" aria-live="polite">{self.told()}</section></div>', title)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """A tooth was tapped, or the one before or after was asked for."""
        if do == "tooth" and data.get("tooth") in TEETH:
            self.face = data["tooth"]
        elif do in ("before", "after"):
            step = 1 if do == "after" else -1
            self.face = WALK[(WALK.index(self.face) + step) % len(WALK)]
        self.shell.document.repaint("mouth", self.mouth())
        self.shell.document.repaint("tooth", self.told())

    # ---- the mouth ----

    def mouth(self) -> str:
        """The whole mouth, the tooth in question and its partner marked."""
        width, height = art.MOUTH_VIEWBOX
        inner = art.mouth(self.words.language)
        for face, tooth in TEETH.items():
            mark = "picked" if face == self.face else "partner" if tooth.partner == self.face else ""
            inner = inner.replace(f'data-tooth="{face}"', f'data-tooth="{face}" data-do="tooth" class="{mark}"', 1)
        return tag("svg", inner, viewBox=f"0 0 {width} {height}", role="img",
                   aria_label=self.text("teethpage.mouth", tooth=self.named(TEETH[self.face])))

    # ---- one tooth ----

    def named(self, tooth: Tooth) -> str:
        """Its plain name with its quadrant: "upper right canine"."""
        return self.text("teethpage.named", quadrant=self.text(tooth.quadrant_key), name=self.text(tooth.name_key))

    def played(self, tooth: Tooth) -> str:
        """Its name in the game: "red 3"."""
        colour = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}[tooth.colour]
        return self.text("teethpage.played", colour=self.text(f"teeth_time.art.colour.{colour}"), rank=tooth.face[1])

    def told(self) -> str:
        """What there is to know about the tooth."""
        tooth = TEETH[self.face]
        width, height = art.VIEWBOX
        front = art.front(self.face, self.words.language)
        card = tag("svg", front, viewBox=f"0 0 {width} {height}", class_="card", aria_hidden="true")
        low, high = tooth.erupts
        facts = [("in_the_game", self.played(tooth)), ("dentition", self.text(f"teethpage.{_dentition(tooth)}")),
                 ("dentists", str(tooth.fdi)), ("comes", self.text(f"teethpage.{_age(tooth)}", low=low, high=high))]
        if tooth.sheds is not None:
            facts.append(("goes", self.text("teethpage.years", low=tooth.sheds[0], high=tooth.sheds[1])))
        rows = "".join(f"<dt>{esc(self.text(f'teethpage.fact.{key}'))}</dt><dd>{esc(value)}</dd>" for key, value in facts)
        walk = (button(self.text("teethpage.before"), "before", look="quiet", id="before")
                + button(self.text("teethpage.after"), "after", look="quiet", id="after"))
        return (f'{card}<div class="facts"><h2>{esc(self.named(tooth))}</h2><dl>{rows}</dl>{self.partner(tooth)}'
                f'<p class="walk">{walk}</p></div>')

    def partner(self, tooth: Tooth) -> str:
        """The tooth that it replaces, or that replaces it, one tap away."""
        if tooth.partner is None:
            return f'<p class="quiet">{esc(self.text("teethpage.alone"))}</p>'
        key = "replaced_by" if tooth.primary else "replaces"
        other = TEETH[tooth.partner]
        label = self.text(f"teethpage.{key}", tooth=self.played(other), name=self.text(other.name_key))
        return f"<p>{button(label, 'tooth', id='partner', data_tooth=tooth.partner)}</p>"


def _dentition(tooth: Tooth) -> str:
    return "primary" if tooth.primary else "permanent"


def _age(tooth: Tooth) -> str:
    return "months" if tooth.primary else "years"
