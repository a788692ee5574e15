"""What is changed in a file to see whether a test notices: one small change at a time, as text.

mutmut's operators change operators, numbers and truth values. Ours take out what checks and what acts: a condition that is always
or never true, one side of an ``and``, a statement that is not there, an answer that is None. Annotations, decorators, imports,
assertions and what is only for print are left alone. Knows no test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper
from mutmut.mutation import mutators

SILENT: Final = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Assert, cst.Comment)
FOR_PRINT: Final = ("__repr__", "__str__", "__all__", "__slots__", "__match_args__")
FROM_MUTMUT: Final[tuple[tuple[type, Callable[[Any], Iterable[Any]]], ...]] = (
    (cst.BaseNumber, mutators.operator_number), (cst.Name, mutators.operator_name),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops), (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op), (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.Lambda, mutators.operator_lambda), (cst.Match, mutators.operator_match),
)
OPPOSED: Final = (cst.Equal, cst.NotEqual, cst.Is, cst.IsNot, cst.In, cst.NotIn, cst.UnaryOperation)
TURNED: Final = {"any": "all", "all": "any", "min": "max", "max": "min"}


class Mutant(NamedTuple):
    """A change: ``before`` becomes ``after`` at byte ``start`` of the file ``path``.

    ``scope`` is the function or class it is in, "" for none. ``first`` and ``last`` are the lines of its statement, from 1.
    ``cold``: it changes what runs when the module is imported. ``key`` names it for as long as its function stays as it is.
    """

    path: str
    scope: str
    line: int
    first: int
    last: int
    start: int
    before: str
    after: str
    cold: bool
    key: str

    def applied(self, source: bytes) -> bytes:
        """The file with the change in it."""
        end = self.start + len(self.before.encode())
        assert source[self.start:end].decode() == self.before
        return source[:self.start] + self.after.encode() + source[end:]


class Place(NamedTuple):
    """Where a walk is: names of the scopes around, the bytes of the outermost function, the statement, and what is imported."""

    names: tuple[str, ...] = ()
    outer: tuple[int, int] | None = None
    statement: tuple[int, int] = (0, 0)
    in_function: bool = False
    in_condition: bool = False


def truth(node: Any) -> str | None:
    """``True`` or ``False`` where that is all the expression is."""
    return node.value if isinstance(node, cst.Name) and node.value in ("True", "False") else None


def forced(test: Any, *values: str) -> Iterator[tuple[Any, str]]:
    """A condition that is always true, or never."""
    if truth(test) is None and not (isinstance(test, cst.Name) and test.value == "TYPE_CHECKING"):
        for value in values:
            yield test, value


def is_call(node: Any) -> bool:
    """Whether it is a statement that calls something and drops the answer."""
    return isinstance(node, cst.Expr) and isinstance(node.value, (cst.Call, cst.Await, cst.Yield))


def is_store(node: Any) -> bool:
    """Whether it writes into an object."""
    return isinstance(node, cst.Assign) and any(isinstance(one.target, (cst.Attribute, cst.Subscript)) for one in node.targets)


def is_strict(node: Any) -> bool:
    """Whether it is the ``strict=True`` of a ``zip``: an assertion."""
    return isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "strict"


def is_type(node: Any) -> bool:
    """Whether it is ``A | B`` outside of all functions: an annotation that has a name."""
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr)


def ours(node: Any, module: Any) -> Iterator[tuple[Any, str]]:
    """Nodes under ``node``, or itself, and what to write in their place."""
    if isinstance(node, (cst.If, cst.IfExp, cst.CompIf)):
        yield from forced(node.test, "True", "False")
    elif isinstance(node, cst.While):
        yield from forced(node.test, "False")
    elif isinstance(node, cst.BooleanOperation):
        for side in (node.left, node.right):
            yield node, module.code_for_node(side)
    elif isinstance(node, cst.Return) and node.value is not None:
        if truth(node.value) is None and not (isinstance(node.value, cst.Name) and node.value.value == "None"):
            yield node.value, "None"
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in TURNED:
        yield node.func, TURNED[node.func.value]
    elif isinstance(node, (cst.Raise, cst.Del, cst.AugAssign)) or is_call(node) or is_store(node):
        yield node, "pass"


def theirs(node: Any, module: Any, condition: bool) -> Iterator[tuple[Any, str]]:
    """What mutmut would write in the place of ``node``; of a condition, only where its bounds lie.

    A condition that is always or never true, and one side of an ``and`` alone, are harder to notice than its opposite.
    """
    if isinstance(node, cst.BooleanOperation) or (condition and isinstance(node, OPPOSED)) or (
            condition and isinstance(node, cst.ComparisonTarget) and isinstance(node.operator, OPPOSED)):
        return
    for kind, operator in FROM_MUTMUT:
        if isinstance(node, kind):
            for changed in operator(node):
                yield node, module.code_for_node(changed)


def mutants(path: Path, root: Path) -> list[Mutant]:
    """All changes of the file at ``path``, in order; its name is taken from ``root``."""
    source = path.read_bytes()
    wrapper = MetadataWrapper(cst.parse_module(source))
    module = wrapper.module
    spans = wrapper.resolve(ByteSpanPositionProvider)
    found: dict[tuple[int, str, str], Mutant] = {}
    name = path.relative_to(root).as_posix()

    def line_of(offset: int) -> int:
        return source.count(b"\n", 0, offset) + 1

    def note(place: Place, node: Any, after: str) -> None:
        span = spans[node]
        before = source[span.start:span.start + span.length].decode()
        start, end = place.outer or (0, 0)
        around = source[start:end] or source[place.statement[0]:place.statement[1]]
        offset = span.start - (start if place.outer else place.statement[0])
        scope = ".".join(place.names)
        at = f"{name}\0{scope}\0{offset}\0{before}\0{after}\0"
        key = hashlib.sha256(at.encode() + around).hexdigest()[:16]
        first, past = place.statement
        mutant = Mutant(name, scope, line_of(span.start), line_of(first), line_of(max(first, past - 1)),
                        span.start, before, after, not place.in_function, key)
        if before.strip() != after.strip():
            try:
                compile(mutant.applied(source), name, "exec", dont_inherit=True)
            except SyntaxError:
                return
            found.setdefault((span.start, before, after), mutant)

    def walk(node: Any, place: Place) -> None:
        if isinstance(node, SILENT) or is_strict(node):
            return
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            if node.name.value in FOR_PRINT:
                return
            span = spans[node]
            whole = (span.start, span.start + span.length)
            head = place._replace(names=(*place.names, node.name.value),
                                  outer=place.outer or (whole if isinstance(node, cst.FunctionDef) else None), statement=whole)
            if isinstance(node, cst.FunctionDef):
                for default in (param.default for param in (*node.params.params, *node.params.kwonly_params)):
                    if default is not None:
                        visit(default, head)
                head = head._replace(in_function=True)
            walk(node.body, head)
            return
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            span = spans[node]
            body: Any = getattr(node, "body", None) if isinstance(node, cst.BaseCompoundStatement) else None
            past = spans[body].start if body is not None else span.start + span.length
            place = place._replace(statement=(span.start, max(past, span.start + 1)), in_condition=False)
            if isinstance(node, cst.SimpleStatementLine) and any(
                    isinstance(small, cst.Assign) and any(
                        isinstance(target.target, cst.Name) and target.target.value in FOR_PRINT for target in small.targets)
                    for small in node.body):
                return
        visit(node, place)

    def visit(node: Any, place: Place) -> None:
        if isinstance(node, SILENT) or is_strict(node) or (not place.names and is_type(node)):
            return
        for target, after in (*ours(node, module), *theirs(node, module, place.in_condition)):
            if not (after == "pass" and place.names[-1:] == ("__init__",)):  # what is not set there is missed at once
                note(place, target, after)
        test = getattr(node, "test", None)
        for child in node.children:
            walk(child, place._replace(in_condition=True) if child is test and test is not None else place)

    walk(module, Place())
    return sorted(found.values(), key=lambda mutant: (mutant.start, mutant.after))
