"""What runs in the worker that holds this device's replica, and what it tells the page. In reading order:

``calls`` (what is asked) · ``service`` (what is done) · ``answer`` (what comes back) · ``status`` and ``progress`` (how the
replica and its deal stand) · ``verify`` and ``report`` (files that are judged). A page loads ``calls``, ``answer``,
``status`` and ``report`` only.
"""
