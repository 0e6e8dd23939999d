"""Mutants of the clauses on Roulette's spins that are void."""

from mutants.mutant import Mutant

_MENU = "controller/games/roulette/menu.py"
_NO_SPINS = "controller/games/roulette/no_spins.py"
_PLAY = "controller/games/roulette/play.py"
_ROUND = "controller/games/roulette/round.py"
_STEPS = "controller/games/roulette/steps.py"
_WORDS = "controller/games/roulette/words.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "roulette-no-spin-is-silent",
        "controller/runtime/table.py",
        "_SOUNDED = (Refused, Alert, Void)",
        "_SOUNDED = (Refused, Alert)",
        "a no spin is not sounded",
    ),
    Mutant(
        "roulette-short-run-harms-no-ball",
        _WORDS,
        '("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost")',
        '("ball-left-wheel", "ball-lost")',
        "a ball that fell short is not looked at",
    ),
    Mutant(
        "roulette-lost-ball-is-not-looked-at",
        _WORDS,
        '("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost")',
        '("fewer-than-four-revolutions", "ball-left-wheel")',
        "a ball that was seen to leave the wheel is not looked at",
    ),
    Mutant(
        "roulette-left-ball-is-not-looked-at",
        _WORDS,
        '("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost")',
        '("fewer-than-four-revolutions", "ball-lost")',
        "a ball that left the wheel by the dealer's key is not looked at",
    ),
)
