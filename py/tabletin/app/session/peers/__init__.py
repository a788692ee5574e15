"""A match among peers that is open on this device, and its parts. In reading order:

``ports`` (what is given, and the events of a part) · ``session`` (drives the replica in the worker) · ``side_channel`` (what
tables say beside the match) · ``leave`` · ``status`` (who is here, for whom the table waits) · ``continuation`` (going on
without somebody) · ``rejoin`` (taking a seat back) · ``device_transfer`` (going on from another device).
"""
