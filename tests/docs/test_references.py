"""What README and docs name is there: files and folders, modules, classes and what they have, tests; every page is linked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tabletin.registry import FAMILIES
from tests.docs.pages import PAGES, README, START, links, name, spans
from workshop.paths import PACKAGE, ROOT

FOLDERS = (ROOT, PACKAGE, PACKAGE / "games", ROOT / "docs", ROOT / "workshop", ROOT / "web", PACKAGE / "peers", PACKAGE / "app")
ARCHITECTURE = ROOT / "docs" / "architecture.md"
SOURCES = ("py", "tests", "e2e", "bench", "workshop", "web")
SUFFIXES = ("py", "js", "mjs", "cjs", "ts", "md", "json", "jsonl", "svg", "toml", "css", "html", "txt", "yml")
PATH = re.compile(r"[\w.<>*-]*(/[\w.<>*-]+)*/?")
CLASS = re.compile(r"([A-Z][a-z]\w*)((\.\w+)*)(\(.*\))?")

# In the built site, in storage, on the wire or of somebody else: no file of ours.
MADE = (".build/", ".venv/", "node_modules/", "dist/", "screenshots/")  # installed or built: not there in a fresh clone
NOT_OURS = {
    "application/wasm", "text/javascript", "licences.txt", "files/", "site/", "python-…/", "service-worker.js",
    "js", ".mjs", "screenshots/<scene>.html", ".build/arena.jsonl",
}
NO_CLASSES = {
    "KeyError", "BroadcastChannel",  # Python's, the browser's
}


@cache
def source() -> str:
    """All our sources, for names that may stand anywhere in them."""
    paths = (path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".js", ".mjs", ".ts"))
    return "\n".join(path.read_text("utf-8") for path in paths)


def test_every_page_is_reached_from_the_docs_first_page() -> None:
    assert START in links(README)
    reached, waiting = set(), [START]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md" and page.is_file():
            reached.add(page)
            waiting += [link for link in links(page) if link != README]
    assert not set(PAGES) - reached - {README}


@pytest.mark.parametrize("document", PAGES, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    assert not [link for link in links(document) if not link.exists()]


def missing_paths(page: Path) -> Iterator[str]:
    for span in spans(page):
        text = span.partition("::")[0]
        suffix = text.rpartition(".")[2]
        looks_like_a_path = PATH.fullmatch(text) and ("/" in text.strip("/") or suffix in SUFFIXES) and not text.startswith("/")
        if not looks_like_a_path or text in NOT_OURS or text.startswith(MADE) or re.fullmatch(r"[\d/]+", text):
            continue
        pattern = re.sub(r"<\w+>", "*", text).rstrip("/")
        folders = (*FOLDERS, *(PACKAGE / "games" / family for family in FAMILIES))
        if not any(list(folder.glob(pattern)) or list(folder.glob(f"{pattern}.py")) for folder in folders):
            yield span


@pytest.mark.parametrize("document", PAGES, ids=name)
def test_files_that_docs_name_are_there(document: Path) -> None:
    assert not list(missing_paths(document))


def missing_tests(page: Path) -> Iterator[str]:
    for span in spans(page):
        path, mark, test = span.partition("::")
        if mark and path.endswith(".py"):
            texts = [found.read_text("utf-8") for found in ROOT.glob(path)]
            test = re.escape(test.partition("[")[0].removesuffix("…"))
            if not any(re.search(rf"def {test}\w*\(" if span.endswith("…") else rf"def {test}\(", text) for text in texts):
                yield span
        elif re.fullmatch(r"test_\w+…?", span):
            end = r"\w*" if span.endswith("…") else ""
            if not re.search(rf"def {span.removesuffix('…')}{end}\(", source()):
                yield span


@pytest.mark.parametrize("document", PAGES, ids=name)
def test_tests_that_docs_name_are_there(document: Path) -> None:
    assert not list(missing_tests(document))


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    """Every class of our Python sources by its name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for path in (path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


def attributes_of(name: str) -> set[str]:
    """What the classes ``name`` define: methods, fields, what is assigned to ``self``; what their bases define."""
    found: set[str] = set()
    for definition in classes().get(name, ()):
        found |= {node.name for node in definition.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        found |= {node.id for statement in definition.body if isinstance(statement, ast.Assign | ast.AnnAssign)
                  for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        found |= {node.attr for node in ast.walk(definition) if isinstance(node, ast.Attribute)
                  and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"}
        for base in definition.bases:
            base = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(base, ast.Name) and base.id != name:
                found |= attributes_of(base.id)
    return found


def test_attributes_are_looked_for_in_their_own_class() -> None:
    assert {"append", "view", "entries"} <= attributes_of("Match")
    assert "flush" in attributes_of("PeerSession"), "of its base"
    assert "flush" not in attributes_of("Match"), "another class has it"


def missing_names(page: Path) -> Iterator[str]:
    for span in spans(page):
        found = CLASS.fullmatch(span)
        if found is None or found[1] in NO_CLASSES:
            continue
        first, attributes = found[1], [part for part in found[2].split(".") if part]
        known = re.search(rf"(class|def) {first}\b|\b{first}\b.* = ", source())
        if not known or (attributes and attributes[0] not in attributes_of(first)):
            yield span


@pytest.mark.parametrize("document", PAGES, ids=name)
def test_classes_that_docs_name_are_there(document: Path) -> None:
    assert not list(missing_names(document))


def test_the_tables_of_the_architecture_are_complete() -> None:
    named = {part.strip("/") for part in spans(ARCHITECTURE)}
    kernel = {f"kernel/{path.stem}" for path in (PACKAGE / "kernel").glob("*.py") if path.stem != "__init__"}
    packages = {f"{layer}/{path.stem}" for layer in ("app", "peers") for path in (PACKAGE / layer).glob("*")
             if not path.stem.startswith("_") and not path.stem.endswith("_js")}
    layers = {path.stem for path in PACKAGE.glob("*") if not path.stem.startswith("_")} - {"app", "peers", "games"}
    assert not (kernel | packages | layers) - named


HOP = re.compile(r"^\d+\. (.*?)(?=^\d+\. |^$|\Z)", re.M | re.S)
FILE = re.compile(r"`([^`]+[.](?:py|js))`")


def walks() -> dict[str, list[list[str]]]:
    """The walks of the architecture by their titles: for each hop the files it names, the first being the one that goes on."""
    text = ARCHITECTURE.read_text("utf-8").partition("## Three walks")[2].partition("\n## ")[0]
    parts = [part.partition("\n") for part in text.split("\n### ")[1:]]
    return {title: [FILE.findall(hop) for hop in HOP.findall(hops)] for title, _, hops in parts}


def test_each_walk_counts_the_files_that_it_names() -> None:
    assert len(walks()) > 4
    for title, hops in walks().items():
        asked = sum(len(files) - 1 for files in hops)
        more = f", which ask {asked} more" if asked else ""
        assert title.endswith(f": {len(hops)} files{more}"), title


def test_no_walk_comes_back_to_a_file_that_it_has_passed() -> None:
    for title, hops in walks().items():
        assert all(hops), f"{title}: a hop without a file"
        files = [file for hop in hops for file in hop]
        assert sorted(files) == sorted(set(files)), title


def test_every_invariant_is_guarded_by_a_test() -> None:
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", ARCHITECTURE.read_text("utf-8"), re.M)
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 11
    assert all("`tests/" in guards or "`e2e/" in guards for _, guards in rows)


def test_the_glossary_has_twenty_five_words() -> None:
    rows = START.read_text("utf-8").partition("## Words")[2].splitlines()
    assert sum(row.startswith("| ") for row in rows) == 1 + 25  # and the head
