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
        "roulette-anybody-goes-on",
        _INSPECTION,
        "return identified(event) == data.number and (",
        "return (",
        "a step is confirmed by another person than the one who inspects",
    ),
    Mutant(
        "roulette-no-trial-spin",
        _INSPECTION,
        "data.step != TRIAL_STEP or bool(data.trial)",
        "True",
        "the table opens though no wheel was seen to turn",
    ),
    Mutant(
        "roulette-any-trial-spin",
        _INSPECTION,
        'return Step(replace(data, trial=""), (Alert(',
        "return Step(replace(data, trial=_seen(left)), (Alert(",
        "a trial spin that is no spin shows that the wheel turns freely",
    ),
    Mutant(
        "roulette-worker-is-witness",
        _INSPECTION,
        "return not identified(event) or identified(event) != data.worker",
        "return True",
        "who made the adjustment is the witness of it, too",
    ),
    Mutant(
        "roulette-witness-is-not-asked",
        _INSPECTION,
        "witness = identified(event) or _NOBODY",
        "witness = data.worker or _NOBODY",
        "the log certifies a witness who was not there",
    ),
    Mutant(
        "roulette-worker-and-witness-swapped",
        _INSPECTION,
        "(data.work,), False, data.worker or _NOBODY, witness)",
        "(data.work,), False, witness, data.worker or _NOBODY)",
        "the log names worker and witness the wrong way round",
    ),
    Mutant(
        "roulette-opens-after-a-replacement",
        _INSPECTION,
        "yield _Transition(S.WITNESS, KEY, S.CLOSED, self._logged",
        "yield _Transition(S.WITNESS, KEY, S.BETS_OPEN, self._logged",
        "the table is open after a replacement without an inspection",
    ),
    Mutant(
        "roulette-menu-opens-the-table",
        _MENU,
        'yield _Transition(S.MENU, f"press {INSPECT}", S.INSPECTOR, inspects',
        'yield _Transition(S.MENU, f"press {INSPECT}", S.BETS_OPEN, inspects',
        "the table opens by the menu, without an inspection",
    ),
    Mutant(
        "roulette-work-certified-as-inspected",
        _INSPECTION,
        "(data.work,), False, data.worker",
        "(data.work,), True, data.worker",
        "the log certifies an inspection that was not made",
    ),
    Mutant(
        "roulette-inspector-repeats-the-work",
        _INSPECTION,
        "logged = InspectionLogged(event.utc_ns, self._table, (), True, data.number or _NOBODY)",
        "logged = InspectionLogged(event.utc_ns, self._table, data.pending, True, data.number or _NOBODY)",
        "the log has work under the number of who only inspected it",
    ),
    Mutant(
        "roulette-refusal-unlogged",
        _INSPECTION,
        'number=""), (logged, Alert(cause,',
        'number=""), (Alert(cause,',
        "an inspection that was not passed is not in the log",
    ),
    Mutant(
        "roulette-log-without-description",
        _LOG,
        '"; ".join(effect.work) or "-",',
        '", ".join(kinds) or "-",',
        "the log does not say what was adjusted",
    ),
    Mutant(
        "roulette-log-without-worker",
        _LOG,
        "        effect.credential,\n",
        '        effect.witness or "-",\n',
        "the log has the witness in the place of who made the adjustment",
    ),
    Mutant(
        "roulette-log-of-today",
        _LOG,
        "at = datetime.fromtimestamp(effect.utc_ns / 1e9, UTC)",
        "at = datetime.now(UTC)",
        "the log has the date of its print",
    ),
    Mutant(
        "roulette-cover-not-asked",
        _WORDS,
        '"cover the wheel and lock the cover; "',
        '""',
        "nobody is asked to lock the cover over a wheel that is not in play",
    ),
)
_RUN = (
    Mutant(
        "roulette-early-ball-unreported",
        _UNTIMELY,
        "(Void(reason, words), alert))",
        "() if alert else ())",
        "a ball that is thrown before the round is cleared is not reported",
    ),
    Mutant(
        "roulette-early-ball-makes-the-next-round",
        _UNTIMELY,
        "return Step(replace(data, untimely=reason), (Void",
        "return Step(data, (Void",
        "no more bets is waited for though the ball that runs was thrown too early",
    ),
    Mutant(
        "roulette-reader-is-blamed",
        _STEPS,
        "        if not data.reading:\n            return Step(replace(data, doubt=SILENT))",
        "        if not data.keyed:\n            return Step(replace(data, doubt=SILENT))",
        "a dispute says that the reader was silent where the dealer was late",
    ),
    Mutant(
        "roulette-ball-thrown-again-voids",
        _UNTIMELY,
        'yield _Transition(state, "ball-thrown", S.DISPUTE, thrown_again',
        'yield _Transition(state, "ball-thrown", S.RESPIN, thrown_again',
        "a ball that is thrown again takes away the number that was due",
    ),
    Mutant(
        "roulette-called-before-the-ball-runs",
        _ROUND,
        'yield _Transition(S.BALL_RUNNING, "press no-more-bets", S.NO_MORE_BETS, calls)',
        'yield _Transition(S.BETS_OPEN, "press no-more-bets", S.NO_MORE_BETS, calls)',
        "no more bets is called before the ball is in the track",
    ),
    Mutant(
        "roulette-no-call-needed",
        _ROUND,
        'yield _Transition(S.BALL_RUNNING, "ball-left-track", S.LATE_CALL, left)',
        'yield _Transition(S.BALL_RUNNING, "ball-left-track", S.ENTRY, left)',
        "a number counts though no more bets was never called",
    ),
    Mutant(
        "roulette-late-call-unrecorded",
        _STEPS,
        '(Alert(words, "call it while the ball is in the track (§ 617a.5(b))"),))',
        "() if words else ())",
        "nothing on record says that no more bets was called late",
    ),
    Mutant(
        "roulette-number-not-announced",
        _WORDS,
        "announce it and place the point marker",
        "place the point marker",
        "the dealer is not asked to announce the number",
    ),
    Mutant(
        "roulette-number-not-marked",
        _WORDS,
        "announce it and place the point marker",
        "announce it",
        "the dealer is not asked to place the point marker",
    ),
    Mutant(
        "roulette-number-without-light",
        _STEPS,
        'lamps = (f"straight-{pocket}", *(win.area',
        "lamps = (*(), *(win.area",
        "the number itself is not lit",
    ),
    Mutant(
        "roulette-dealers-number-counts-alone",
        _STEPS,
        "return bool(keyed) and keyed == data.reading",
        "return bool(data.keyed)",
        "the dealer's number counts before the reader has named one",
    ),
    Mutant(
        "roulette-doubt-is-no-dispute",
        _STEPS,
        "return bool(data.doubt) or bool(data.keyed",
        "return bool(data.keyed",
        "a reader in doubt counts",
    ),
    Mutant(
        "roulette-contradiction-is-no-dispute",
        _STEPS,
        "return bool(data.doubt) or bool(data.keyed and data.reading and data.keyed != data.reading)",
        "return bool(data.doubt)",
        "nobody is told that dealer and reader do not agree",
    ),
    Mutant(
        "roulette-dealer-decides",
        _ROUND,
        "yield _Transition(S.DISPUTE, KEY, S.DECIDING, decides)",
        'yield _Transition(S.DISPUTE, "press clear", S.DECIDING, wiped)',
        "the dealer alone decides a dispute",
    ),
    Mutant(
        "roulette-fifth-not-moved",
        _WORDS,
        "{moved}collect all losing wagers",
        "collect all losing wagers",
        "a fifth of a Five Adjacent Number Wager is not moved to the number",
    ),
    Mutant(
        "roulette-fifth-moved-last",
        _WORDS,
        "{moved}collect all losing wagers, then press done",
        "collect all losing wagers, then {moved}press done",
        "losing wagers are collected while winning ones still lie on the replica",
    ),
    Mutant(
        "roulette-losers-not-collected",
        _WORDS,
        "{moved}collect all losing wagers, then press done",
        "{moved}press done",
        "the dealer is not asked to collect the losing wagers first",
    ),
    Mutant(
        "roulette-winners-with-the-losers",
        _WORDS,
        "collect all losing wagers, then press done",
        "pay the winning wagers, collect all losing ones, then press done",
        "winners are paid before losers are collected",
    ),
    Mutant(
        "roulette-cleared-before-it-is-settled",
        _ROUND,
        "for state in (S.LOSERS_COLLECTED, S.WINNERS_PAID):",
        "for state in SETTLING:",
        "the next round opens before losers are collected",
    ),
)
MUTANTS: tuple[Mutant, ...] = (*_INSPECTED, *_RUN)
