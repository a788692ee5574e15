"""The browser's side of what the application is given: no screen and no rule is known here.

The tour: ``indexed_db`` and ``local_storage`` (what lies on disk), ``workers``, ``bots_worker`` and ``replica_worker`` (Python
beside the page), ``ice_servers``, ``rtc_connection``, ``mesh_driver`` and ``transport`` (links to other devices),
``relay`` (finding them by a link), ``code_exchange`` (invites by clipboard, camera and share sheet).
"""
