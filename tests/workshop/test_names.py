"""Names are nouns of the field, a verb for an act, and a class name means one thing.

Read from the source alone. A bare participle, adverb or preposition names nothing; a truth may be called so, for a condition
reads as one. Whoever needs an exception writes it down here with its reason.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from workshop.paths import PACKAGE

PARTICIPLES = """
    become begun bent bitten born bought bound bred broken brought built burst caught chosen come cut dealt done drawn
    eaten fallen fed felt flown forgiven foreseen forgotten found frozen given gone got grown handed heard held hidden hit
    hung hurt kept known laid lain led left lent let lit lost made meant met paid put read rewound ridden risen run said
    seen sent set shown shut slept slid sold spent split spoken stolen stood struck stuck sworn taken taught thought
    thrown told torn undone unheard unseen unsent withdrawn woken won worn wound woven written"""
ADVERBS = """
    about above across after again against ahead almost alone already also always among anew apart around aside at away
    back before behind below beneath beside besides between beyond by down during early elsewhere ever everywhere far for
    forward from here how in inside instead into just late later least less long more most near nearly never next now of
    off often on once only onto onward otherwise out outside over perhaps quite rather since so soon still then there
    thereby through to together too toward towards under until up upon very well when whence where while with within
    without yet"""
NO_PARTICIPLES = """
    bed bleed breed exceed feed indeed need proceed red reed seed shed sled speed succeed weed"""
# The verb itself is spelled as its participle.
VERBS = """
    become come cut hit let put read run set shut split"""

EXCEPTIONS = frozenset(("Exception", "Failure", "RuntimeError", "ValueError"))

NAMES_ALLOWED: Mapping[str, str] = {
    "kernel.options.refused": "makes the exception of that name in one line: raise refused(key)",
    "peers.sealed": "the name of the protocol, in docs/sealed.md and in every log: a match is open or sealed",
    "board.deck52.back": "a noun here: the back of a card",
    "board.plain_art.back": "a noun here: the back of a card",
    "board.scene.Rect.left": "a side, as top, right and foot",
}
CLASSES_ALLOWED: Mapping[str, str] = dict.fromkeys(
    ("Open", "Roll", "Show", "Shuffle", "TakeBack"),
    "a request of the rules, and the sealed layer's answer to it, which is always written sealed.Shuffle")
FAMILY_BACK = re.compile(r"games\.\w+\.art\.back")  # a noun there: the back of a family's pieces


class Name(NamedTuple):
    """A name and where it is defined. ``kind``: "module", "class", "function" or "attribute". ``word``: the last one of a class.

    ``is_truth``: whether it is a condition, or an exception, and so may say what is the case.
    """

    kind: str
    place: str
    word: str
    is_truth: bool


def is_truth(value: ast.expr | None) -> bool:
    """Whether ``value`` can be seen to be true or false."""
    match value:
        case ast.Constant(value=bool()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return is_truth(values[-1])
        case ast.Call(func=ast.Name(id=name)):
            return name in ("bool", "isinstance", "any", "all")
    return False


def says_bool(annotation: ast.expr | None) -> bool:
    text = "" if annotation is None else ast.unparse(annotation)
    return re.fullmatch(r"((ClassVar|Final)\[)?bool( \| None)?\]?", text) is not None


def names_in(tree: ast.Module, module: str) -> Iterator[Name]:
    """Every name that ``module`` defines for others; of a class its attributes, too."""
    yield Name("module", module, module.rpartition(".")[2], False)
    yield from _definitions(tree.body, module)


def _definitions(body: list[ast.stmt], place: str, *, in_class: bool = False) -> Iterator[Name]:
    for one in body:
        match one:
            case ast.ClassDef():
                is_exception = any(ast.unparse(base) in EXCEPTIONS for base in one.bases)  # it says what happened
                yield Name("class", f"{place}.{one.name}", re.split(r"(?=[A-Z])", one.name)[-1], is_exception)
                yield from _definitions(one.body, f"{place}.{one.name}", in_class=True)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                is_attribute = any("property" in ast.unparse(line) for line in one.decorator_list)
                yield Name("attribute" if is_attribute else "function", f"{place}.{one.name}", one.name, says_bool(one.returns))
                if in_class:
                    yield from _own_attributes(one, place)
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield Name("attribute", f"{place}.{name}", name, says_bool(one.annotation))
            case ast.Assign():
                for target in one.targets:
                    if isinstance(target, ast.Name):
                        yield Name("attribute", f"{place}.{target.id}", target.id, is_truth(one.value))
            case ast.If() | ast.Try():
                yield from _definitions(one.body, place, in_class=in_class)


def _own_attributes(method: ast.FunctionDef | ast.AsyncFunctionDef, place: str) -> Iterator[Name]:
    """What ``method`` sets on ``self``."""
    arguments = (*method.args.args, *method.args.kwonlyargs)
    truths = {argument.arg for argument in arguments if says_bool(argument.annotation)}
    for one in ast.walk(method):
        if isinstance(one, ast.AnnAssign):
            pairs: list[tuple[ast.expr, bool]] = [(one.target, says_bool(one.annotation))]
        elif isinstance(one, ast.Assign):
            pairs = [(target, is_truth(one.value) or (isinstance(one.value, ast.Name) and one.value.id in truths))
                     for target in one.targets]
        else:
            continue
        for target, truth in pairs:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                yield Name("attribute", f"{place}.{target.attr}", target.attr, truth)


def is_bare(name: Name) -> bool:
    """Whether ``name`` is a participle, an adverb or a preposition and nothing else."""
    word = name.word.lower()
    if name.word.startswith("_") and name.kind in ("function", "attribute"):
        return False
    if name.word.isupper() or "_" in name.word or (name.kind == "function" and word in VERBS.split()):
        return False
    is_participle = word in PARTICIPLES.split() or (word.endswith("ed") and len(word) > 3 and word not in NO_PARTICIPLES.split())
    return is_participle or (name.kind != "class" and word in ADVERBS.split())


def flaws(names: list[Name]) -> set[str]:
    """The places of the names that are bare, truths apart."""
    truths = {name.place for name in names if name.is_truth}
    return {name.place for name in names if is_bare(name) and name.place not in truths}


@pytest.fixture(scope="module")
def names() -> list[Name]:
    found: list[Name] = []
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        found += names_in(ast.parse(file.read_text(encoding="utf-8")), module)
    return found


def test_no_name_is_a_bare_participle_or_adverb(names: list[Name]) -> None:
    assert sorted(place for place in flaws(names) - NAMES_ALLOWED.keys() if not FAMILY_BACK.fullmatch(place)) == []


def test_no_exception_is_needless(names: list[Name]) -> None:
    assert sorted(NAMES_ALLOWED.keys() - flaws(names)) == []


def test_a_class_name_means_one_thing(names: list[Name]) -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if name.kind == "class":
            places[name.place.rpartition(".")[2]].append(name.place)
    twice = {word: where for word, where in places.items() if len(where) > 1}
    assert {word: where for word, where in twice.items() if word not in CLASSES_ALLOWED} == {}
    assert sorted(CLASSES_ALLOWED.keys() - twice.keys()) == []


SOURCE = '''
class CardsTold:
    kept: tuple[int, ...]
    is_done: bool
    gone: bool
    seed: int
    def __init__(self, open: bool) -> None:
        self.later = 1
        self.opened = open
    def beside(self) -> int: ...
    def shared(self) -> bool: ...
    def put(self) -> None: ...
    @property
    def read(self) -> int: ...
def played() -> None: ...
class Refused(Exception): ...
'''


def test_bare_names_are_found_and_others_are_not() -> None:
    found = flaws(list(names_in(ast.parse(SOURCE), "match.ahead")))
    assert found == {"match.ahead", *(f"match.ahead.{word}" for word in (
        "CardsTold", "CardsTold.kept", "CardsTold.later", "CardsTold.beside", "CardsTold.read", "played"))}
