"""Long work in steps: who waits for it decides what happens between two of them. A page draws, and hears what is tapped.

A function that works in steps is a generator. It yields nothing of use, and returns its result.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]


def result_of(steps: Steps[T]) -> T:
    """The result of ``steps``, taken without a pause. Raises what they raise."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
