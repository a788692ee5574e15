"""A lesson of a game: a picture of things, and what there is to know of the one that was tapped.

Every thing is reached by a tap, or one after another by two buttons. What is shown comes from the family's ``lesson``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletin.app.routes import address
from tabletin.app.ui.html import bar, button, esc, link, tag
from tabletin.app.ui.screen import Screen
from tabletin.board.lesson import Lesson, Picture, lesson_of


class LessonScreen(Screen):
    """``#/teeth-time/teeth?at=r6``."""

    lesson: Lesson
    item = ""

    async def open(self) -> None:
        game, _, word = self.route.subject.partition("/")
        lesson = lesson_of(game, word)
        assert lesson is not None, "the address led here because there is one"
        self.lesson, self.item = lesson, lesson.select(self.route.query.get("at", ""))
        title = self.phrase("title")
        play = link(self.phrase("play"), address(game, "new"), look="quiet", picture="play")
        self.shell.document.paint(
            bar(self.words, title, more=play) + f'<div class="lesson"><div id="lesson">{self.picture()}</div>'
            f'<section id="topic" aria-live="polite">{self.topic()}</section></div>', title)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """A thing was tapped, or the one before or after was asked for."""
        if do == "item" and data.get("item") in self.lesson.items:
            self.item = data["item"]
        elif do in ("before", "after"):
            self.item = self.lesson.neighbour(self.item, 1 if do == "after" else -1)
        self.shell.document.repaint("lesson", self.picture())
        self.shell.document.repaint("topic", self.topic())

    def phrase(self, key: str) -> str:
        """The words that every lesson has in its own section."""
        return self.text(f"{self.lesson.section}.{key}")

    def picture(self) -> str:
        """All things in one picture; those of it answer to taps."""
        picture = self.lesson.picture(self.words, self.item)
        return draw(picture, picture.markup.replace("data-item=", 'data-do="item" data-item='), role="img")

    def topic(self) -> str:
        """What there is to know of the chosen thing."""
        topic = self.lesson.topic(self.words, self.item)
        card = draw(topic.picture, topic.picture.markup, class_="card", aria_hidden="true")
        rows = "".join(f"<dt>{esc(label)}</dt><dd>{esc(value)}</dd>" for label, value in topic.facts)
        walk = "".join(button(self.phrase(way), way, look="quiet", id=way) for way in ("before", "after"))
        if topic.relative is None:
            related = tag("p", esc(topic.no_relative), class_="quiet")
        else:
            item, label = topic.relative
            related = tag("p", button(label, "item", id="related", data_item=item))
        return (f'{card}<div class="facts"><h2>{esc(topic.title)}</h2><dl>{rows}</dl>{related}'
                f'<p class="walk">{walk}</p></div>')


def draw(picture: Picture, markup: str, **attributes: str) -> str:
    return tag("svg", markup, viewBox=f"0 0 {picture.width} {picture.height}", aria_label=picture.label or None, **attributes)
