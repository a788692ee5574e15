"""The rules of the toy game, where a family has them."""

from tests.support.highcard import HighCard as HighCard
