"""The running page. The tour: ``app`` (finds the screen of an address and passes on what is tapped), its parts ``document``,
``notices`` and ``home``, and ``room_factory`` (what a room needs of the browser)."""
