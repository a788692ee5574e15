"""Matches among peers: identity, signed logs in one order, sealed dealing, and what proves who broke the rules.

``identity`` signs. ``sealed`` holds the mathematics of sealed cards; ``dealing`` fits it into the kernel's dealing. ``net``
carries messages between devices, ``room`` is where friends meet. ``replication`` keeps one replica of a match in step with the
others over any transport; ``worker`` is how a page talks to it.
"""
