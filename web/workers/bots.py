"""The bots' worker: two functions, text in, text out. It never sees the page."""

from pyscript import sync

from tabletin.bots.worker import BotWorker

worker = BotWorker()
sync.think = worker.think
sync.compare = worker.compare
