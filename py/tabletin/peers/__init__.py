"""Matches among peers: identity, signed logs in one order, sealed dealing, and what proves who broke the rules.

``sealed`` holds the mathematics. ``identity`` signs. ``authority`` says who may say what. ``sealed_dealing`` and
``sealed_dealer`` fit the mathematics into the kernel's dealing. ``peer`` keeps one replica in step with the others over any
transport. ``evidence`` judges accusations, ``blaming`` holds and tells them.
"""
