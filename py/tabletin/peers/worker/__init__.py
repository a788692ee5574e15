"""What runs in the worker that holds this device's replica, and what it tells the page. In reading order:

``calls`` (what is asked) · ``service`` (what is done) · ``answer`` (what comes back) · ``results`` (what a call asked for) ·
``status`` and ``progress`` (how the replica and its deal stand) · ``verify`` (logs that are checked). A page loads ``calls``,
``answer``, ``results`` and ``status`` only.
"""
