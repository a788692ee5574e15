"""The bots' worker: three functions, text in, text out. It never sees the page."""

from pyscript import sync

from tabletin.bots.worker import BotWorker

worker = BotWorker()
sync.prepare = worker.prepare
sync.think = worker.think
sync.compare = worker.compare
