"""Mutants of the clauses on where and when a wheel with a clapper stands."""

from mutants.mutant import Mutant

_CHAPTERS = ("dreamcatcher", "big-six")
_TRACKER = "controller/tracking/clapper_wheel/wheel.py"

MUTANTS = tuple(
    Mutant(f"{chapter}-{name}", path, old, new, breaks)
    for name, path, old, new, breaks in (
        (
            "creeping-wheel-decides",
            _TRACKER,
            "if (self._contact.bent and rest.extend()) or rest.wait_for_next_count():",
            "if self._contact.bent and rest.extend():",
            "a wheel that creeps decides before its next count is overdue, and moves on",
        ),
        (
            "levels-at-rest-say-nothing",
            _TRACKER,
            "            if said != is_now:\n",
            "            if said != is_now and line == 'index':\n",
            "edges that were lost last go unseen: the wheel decides where it was before them",
        ),
    )
    for chapter in _CHAPTERS
)
