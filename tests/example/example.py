"""Examples of Doubt for the tests that all games share."""

from __future__ import annotations

from tests.support.examples import Example

EXAMPLES = {
    "doubt": Example(option_sets=((2, {"ranks": 6}), (3, {}), (6, {"ranks": 4}))),
}
