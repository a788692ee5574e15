"""What runs in the worker that holds this device's replica, and what it tells the page. In reading order:

``service`` (the calls) · ``answer`` (what comes back) · ``status`` and ``progress`` (how the replica and its deal stand) ·
``verify`` and ``report`` (files that are judged). A page loads ``answer``, ``status`` and ``report`` only.
"""
