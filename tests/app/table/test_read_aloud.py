"""What is read aloud of what can be tapped: the card, the button that leads on, a question with its answers."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tabletin.app.table.read_aloud import ReadAloud
from tabletin.app.ui.signals import Silence
from tabletin.board.scene import Control, Prompt
from tabletin.words import load

LAY = Control("lay", "Lay 3 cards", primary=True)
PASS = Control("pass", "Pass")


class Voice(Silence):
    """Notes what it is to read; "-" where it is to stop."""

    def __init__(self, *, reads_aloud: bool = True) -> None:
        self.reads_aloud = reads_aloud
        self.said: list[str] = []

    def read_aloud(self, sentence: str) -> None:
        if sentence:
            self.said.append(sentence)

    def hush(self) -> None:
        self.said.append("-")


def reading(voice: Voice) -> ReadAloud:
    return ReadAloud(cast(Any, voice), load())


def test_a_tapped_card_is_read_at_once() -> None:
    voice = Voice()
    reading(voice).read_tapped("red 5")
    assert voice.said == ["-", "red 5"]


@pytest.mark.parametrize(("wanted", "name"), [(False, "red 5"), (True, "")])
def test_nothing_is_stopped_where_there_is_nothing_to_read(wanted: bool, name: str) -> None:
    voice = Voice(reads_aloud=wanted)
    reading(voice).read_tapped(name)
    assert voice.said == []


def test_the_primary_button_is_read_when_it_changes() -> None:
    voice = Voice()
    read = reading(voice)
    for controls in ((PASS, LAY), (PASS, LAY), (LAY,), (PASS,), (LAY,)):
        read.offer(controls, None)
    assert voice.said == ["Button: Lay 3 cards.", "Button: Lay 3 cards."]


def test_one_that_cannot_be_used_is_not_read() -> None:
    voice = Voice()
    reading(voice).offer((Control("lay", "Lay", primary=True, why="Pick a card first."),), None)
    assert voice.said == []


def test_a_question_is_read_with_all_its_answers_in_one_breath() -> None:
    """A voice that is some sentences behind drops what waits (web/page/voice.js)."""
    voice = Voice()
    question = Prompt("reply", "Bea plays Cavity on you", (PASS, LAY), "You draw 2 cards.")
    reading(voice).offer((LAY,), question)
    assert voice.said == ["Bea plays Cavity on you. You draw 2 cards. Button: Pass. Button: Lay 3 cards."]
