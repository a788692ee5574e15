"""The pages of README and docs, and what stands in them: links, fenced blocks, words in code type."""

from __future__ import annotations

import re
from pathlib import Path

from workshop.paths import ROOT

README = ROOT / "README.md"
START = ROOT / "docs" / "README.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def links(page: Path) -> list[Path]:
    """The files that ``page`` links to in this repository."""
    found = (link.partition("#")[0] for link in LINK.findall(prose(page)))
    return [(page.parent / link).resolve() for link in found if link and "://" not in link]


def prose(page: Path) -> str:
    """``page`` without its fenced blocks."""
    return FENCE.sub("", page.read_text("utf-8"))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of ``page`` that are in ``language``; "" for those that name none."""
    return [text for _, named, text in FENCE.findall(page.read_text("utf-8")) if named == language]


def spans(page: Path) -> list[str]:
    """What stands in code type in the running text."""
    return SPAN.findall(prose(page))


def commands(page: Path) -> list[str]:
    """Every command line, in blocks and in the running text."""
    lines = [line.strip() for text in blocks(page, "") for line in text.splitlines()]
    found = []
    for line in (*lines, *spans(page)):
        for part in re.split(r"; do |&& |\|\| |; ", line):  # commands of a loop, commands in a row
            command = re.sub(r"^([A-Z_]+=\S+ )+", "", part.strip())
            if re.match(r"(python3?|pytest|tabletin|pip) \S", command):
                found.append(command.removesuffix("; done"))
    return found
