"""Mutants of the clauses on Sic Bo: its inspection and its round."""

from mutants.mutant import Mutant

_TOSS = "controller/games/dice/toss.py"
_RULES = "controller/games/dice/rules.py"
_ROUND = "controller/games/dice/round.py"
_PROMPTS = "controller/games/dice/prompts.py"
_MENU = "controller/games/dice/menu.py"
_INSPECTION = "controller/games/dice/inspection.py"
_VOIDING = "controller/games/dice/voiding.py"
_SETTLEMENT = "controller/games/shared/settlement.py"

MUTANTS: tuple[Mutant, ...] = (
    # opening: § 539.5(a)
    Mutant(
        "lamps-not-all-tried",
        _INSPECTION,
        "if place < len(areas):",
        "if place < 10:",
        "only the first lamps burn alone",
    ),
    # a round: § 539.5(b)-(f)
    # irregularities: § 539.7
)
