"""The games: a folder each, with the ``GAME`` in its ``game.py``. What several games share has folders of its own.

A game is found by its name: ``sic-bo`` is ``controller/games/sic_bo/game.py``. To add one, nothing else changes but
its table's YAML in ``config/tables``.
"""
