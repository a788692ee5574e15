"""The bots' worker: one function, text in, text out. It never sees the page."""

from tabletin.page.thinking import Thinker

__export__ = ["think"]

think = Thinker().think
