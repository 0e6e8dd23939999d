"""Mutants of the clauses on Roulette: the inspection and its log, and a round."""

from mutants.mutant import Mutant

_INSPECTION = "controller/games/roulette/inspection.py"
_LOG = "controller/commands/journal.py"
_MENU = "controller/games/roulette/menu.py"
_ROUND = "controller/games/roulette/round.py"
_STEPS = "controller/games/roulette/steps.py"
_UNTIMELY = "controller/games/roulette/untimely.py"
_WORDS = "controller/games/roulette/words.py"

_INSPECTED = (
    Mutant(
        "roulette-opens-before-the-last-step",
        _INSPECTION,
        "return data.step + 1 == len(self._steps) and",
        "return data.step == TRIAL_STEP and",
        "the table opens before all parts of the wheel were looked at",
    ),
    Mutant(
        "roulette-work-certified-as-inspected",
        _INSPECTION,
        "(data.work,), False, data.worker",
        "(data.work,), True, data.worker",
        "the log certifies an inspection that was not made",
    ),
    Mutant(
        "roulette-log-of-today",
        _LOG,
        "at = datetime.fromtimestamp(effect.utc_ns / 1e9, UTC)",
        "at = datetime.now(UTC)",
        "the log has the date of its print",
    ),
)
_RUN = ()
MUTANTS: tuple[Mutant, ...] = (*_INSPECTED, *_RUN)
