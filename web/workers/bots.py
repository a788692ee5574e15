"""The bots' worker: one function, text in, text out. It never sees the page."""

from pyscript import sync

from tabletin.bots.worker import BotWorker

sync.think = BotWorker().think
