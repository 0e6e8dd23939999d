"""The table: tracking turns edges into events, a game's machine turns events into effects, the table performs them.

``tracking``, ``games`` and ``odds`` read no clock, file or pin. ``table.py`` is where record and light happen.
"""

__version__ = "1.0.6"
