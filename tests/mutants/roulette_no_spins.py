"""Mutants of the clauses on Roulette's spins that are void."""

from mutants.mutant import Mutant

_ROUND = "controller/games/roulette/round.py"
_RULES = "controller/games/roulette/rules.py"
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
    Mutant(
        "roulette-dealer-voids-alone",
        _RULES,
        "    return state in (*IDLE, *RUNNING)\n",
        "    return True\n",
        "the dealer alone calls a spin void whose number is due",
    ),
    Mutant(
        "roulette-sensors-are-not-heard",
        _RULES,
        '("thrown-again", "called-off") or denied(reason, state, data):',
        '("thrown-again", "called-off"):',
        "the dealer alone gives a reason that the sensors contradict",
    ),
    Mutant(
        "roulette-ball-outside-needs-the-key",
        _RULES,
        "    return state in (*IDLE, *RUNNING)\n",
        "    return state in IDLE\n",
        "the dealer cannot call that the ball left the wheel, or that an object is in it",
    ),
    Mutant(
        "roulette-object-is-a-lost-ball",
        _RULES,
        '    "ball-left-wheel",\n    "foreign-object",\n',
        '    "foreign-object",\n    "ball-left-wheel",\n',
        "the record says that the ball left the wheel where an object entered it",
    ),
    Mutant(
        "roulette-called-only-when-it-dropped",
        _ROUND,
        'yield _Row(RUNNING, "ball-revolution", S.RESPIN, same,',
        'yield _Row(RUNNING, "ball-revolution", None, _revolved,',
        "a ball with the wheel is called only after it has dropped",
    ),
    Mutant(
        "roulette-ball-stays-in",
        _WORDS,
        "Take the ball out{look}. ",
        "Leave it{look}. ",
        "the dealer is not asked to take the ball out",
    ),
    Mutant(
        "roulette-short-run-opens-the-wagers",
        _ROUND,
        "yield _Row(RUNNING, _LEFT, S.RESPIN, self._ends,",
        "yield _Row(RUNNING, _LEFT, S.BETS_OPEN, self._ends,",
        "after too few revolutions wagers are open again, and the spin is forgotten",
    ),
    Mutant(
        "roulette-new-ball-unrecorded",
        _ROUND,
        '(Offer("new-ball"), ',
        '(Offer("new-ball", expected=True), ',
        "no alert says that a ball was replaced",
    ),
    Mutant(
        "roulette-number-is-final",
        _ROUND,
        "for state in (*IDLE, *RUNNING, *DOWN, *SETTLING):",
        "for state in (*IDLE, *RUNNING, *DOWN):",
        "a ball that left the wheel keeps its number once that is lit",
    ),
    Mutant(
        "roulette-void-number-stays-lit",
        _ROUND,
        'effects = (*effects, Light(()), Alert("result-void",',
        'effects = (*effects, Alert("result-void",',
        "a number that was made void stays lit",
    ),
    Mutant(
        "roulette-void-number-is-forgotten",
        _ROUND,
        "named = _given(result=result, settled=_settled(state),",
        'named = _given(result="", settled="",',
        "the record does not say which number was made void, nor that it had been paid",
    ),
    Mutant(
        "roulette-round-over-after-a-no-spin",
        _ROUND,
        'yield _Row(state, "act void", S.RESPIN, _voids(state))',
        'yield _Row(state, "act void", S.BETS_OPEN, _voids(state))',
        "after a no spin the wagers of the round are open again",
    ),
)
