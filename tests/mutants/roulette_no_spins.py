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
        "roulette-dealer-voids-alone",
        _NO_SPINS,
        'return "the ball is down" if data.back in DOWN else ""',
        'return ""',
        "the dealer alone calls a spin void whose number is due",
    ),
    Mutant(
        "roulette-sensors-are-not-heard",
        _NO_SPINS,
        "    if denial := _denied(reason, data):",
        '    if denial := "" and _denied(reason, data):',
        "the dealer alone gives a reason that the sensors contradict",
    ),
    Mutant(
        "roulette-no-spin-forgets",
        _NO_SPINS,
        "yield from (_behind(transition) for transition in sensed)",
        "yield from (_behind(transition) for transition in sensed if transition.to)",
        "what was seen and read while the reason was asked is lost",
    ),
    Mutant(
        "roulette-called-only-when-it-dropped",
        _ROUND,
        'yield _Transition(state, "ball-revolution", S.RESPIN, voided("same-direction"))',
        'yield _Transition(state, "ball-revolution", None, revolved)',
        "a ball with the wheel is called only after it has dropped",
    ),
    Mutant(
        "roulette-ball-stays-in",
        _WORDS,
        "{REASONS[data.void]}. Take the ball out{look}; wagers stay",
        "{REASONS[data.void]}. Leave it{look}; wagers stay",
        "the dealer is not asked to take the ball out",
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
        "roulette-new-ball-unrecorded",
        _MENU,
        'return Step(replace(data, number=""), (Note(f"{_who(data)} gave a new ball (§ 617a.6)"),))',
        'return Step(replace(data, number=""), () if _who(data) else ())',
        "nothing on record says that a ball was replaced",
    ),
    Mutant(
        "roulette-new-ball-by-nobody",
        _MENU,
        'return f"floorperson {data.number}" if data.number else "the floorperson"',
        'return "the floorperson"',
        "the record does not say who gave a new ball",
    ),
    Mutant(
        "roulette-ball-outside-needs-the-key",
        _NO_SPINS,
        'return "the ball is down" if data.back in DOWN else ""',
        'return "the floorperson decides"',
        "the dealer cannot call that the ball left the wheel, or that an object is in it",
    ),
    Mutant(
        "roulette-object-is-a-lost-ball",
        _PLAY,
        '"2": ("foreign-object", "a foreign object entered the wheel (§ 617a.6(d))")',
        '"2": ("ball-left-wheel", "the ball left the wheel (§ 617a.6(c))")',
        "the record says that the ball left the wheel where an object entered it",
    ),
    Mutant(
        "roulette-short-run-opens-the-wagers",
        _ROUND,
        '"ball-left-track", S.RESPIN, no_spin',
        '"ball-left-track", S.BETS_OPEN, no_spin',
        "after too few revolutions wagers are open again, and the spin is forgotten",
    ),
    Mutant(
        "roulette-number-is-final",
        _NO_SPINS,
        "FROM = (*IDLE, *RUNNING, *DOWN, *SETTLING)",
        "FROM = (*IDLE, *RUNNING, *DOWN)",
        "a ball that left the wheel keeps its number once that is lit",
    ),
    Mutant(
        "roulette-dealer-takes-a-number-back",
        _NO_SPINS,
        'return f"the result {in_words(result)} is on record"',
        'return "" if result else ""',
        "the dealer alone makes a number void that is lit",
    ),
    Mutant(
        "roulette-void-number-stays-lit",
        _NO_SPINS,
        "(*void.effects, Light(()), alert))",
        "(*void.effects, alert) if Light else ())",
        "a number that was made void stays lit",
    ),
    Mutant(
        "roulette-void-number-is-forgotten",
        _NO_SPINS,
        "        seen += _settled(data)\n",
        "        seen += []\n",
        "the record does not say which number was made void, nor that it had been paid",
    ),
    Mutant(
        "roulette-corrected-number-is-not-named",
        _STEPS,
        "return Step(replace(again, decides=identified(event)), (note, Light(())))",
        "return Step(replace(again, decides=identified(event)), (Light(()),) if note else ())",
        "the record does not say which number a correction takes back",
    ),
    Mutant(
        "roulette-round-over-after-a-no-spin",
        _NO_SPINS,
        "to = S.LOCKED if key == NOT_SEEN else S.RESPIN",
        "to = S.LOCKED if key == NOT_SEEN else S.BETS_OPEN",
        "after a no spin the wagers of the round are open again",
    ),
)
