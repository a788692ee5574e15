"""What Spanish asks of its texts: both signs of a question and of a call, words that agree, words for both sides of the ocean."""

from __future__ import annotations

import re

import pytest

from workshop.paths import PACKAGE

FILES = sorted(path for pattern in ("es.json", "*.es.json", "*.es.md") for path in PACKAGE.rglob(pattern))
NO_PROSE = re.compile(r'^ *"(many|before)": .*|"[\w-]+": |{.*?}|^::.*?:: |`.*?`|[−/] ?\?')
"""Rules for machines, keys, parameters and anchors, what a figure shows, what is typed, the unknown card of a sum."""

LINES = [(f"{path.parent.name}/{path.name}:{number}", NO_PROSE.sub("", line))
         for path in FILES for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)]


def test_every_part_of_spanish_is_read_here() -> None:
    assert {path.name for path in FILES} == {"es.json", "words.es.json", "rulebook.es.md"}


@pytest.mark.parametrize(("opening", "closing"), ["¿?", "¡!", "«»"])
def test_whatever_opens_closes(opening: str, closing: str) -> None:
    assert not [f"{where} {line.strip()}" for where, line in LINES if line.count(opening) != line.count(closing)]


@pytest.mark.parametrize(("pattern", "why"), [
    (r"\b(a|de) el\b", "they are one word: al, del"),
    (r"\b(vosotr|vuestr|usted)", "the reader is tú"),
    (r"\b(coge|enseñ|ordenador|computadora|móvil|celular)", "said on one side of the ocean only"),
    (r"\b(the|your|and|cards?|match|you)\b", "English")])
def test_words_that_do_not_belong_here(pattern: str, why: str) -> None:
    assert not [f"{where} {line.strip()}" for where, line in LINES if re.search(pattern, line, re.IGNORECASE)], why
