"""The games. Each is one file with a ``GAME``; what several games share stands in files of its own.

A game is found by its name: ``sic-bo`` is ``controller/games/sic_bo/game.py``. Nothing else has to be changed to
add one but its table's YAML in ``config/tables``.
"""
