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
        "opens-without-inspection",
        _MENU,
        'yield _Transition(menu, "press 2", S.CLOSED, self._aging.renew)',
        'yield _Transition(menu, "press 2", S.BETS_OPEN, opens)',
        "new dice open a table that nobody inspected",
    ),
    Mutant(
        "half-an-inspection-counts",
        _MENU,
        'replace(data, inspected=0, cycles=0, cycled=False, entry=(), trying="")',
        'replace(data, entry=(), trying="")',
        "an inspection that was given up shortens the next one",
    ),
    Mutant("two-values-inspected", _RULES, "INSPECTED_VALUES = 3", "INSPECTED_VALUES = 2", "two values are enough"),
    Mutant(
        "dealer-confirms-the-values",
        _INSPECTION,
        "yield _Transition(lit, KEY, entry, _value_confirmed)",
        'yield _Transition(lit, "press enter", entry, _value_confirmed)',
        "no floorperson confirms what the values light",
    ),
    Mutant(
        "lamps-not-all-tried",
        _INSPECTION,
        "if place < len(areas):",
        "if place < 10:",
        "only the first lamps burn alone",
    ),
    Mutant(
        "lamps-confirmed-unseen",
        _INSPECTION,
        "ended: Guard[DiceData] = unless(_trying)",
        "ended: Guard[DiceData] = unless(lambda data, event: False)",
        "the floorperson may confirm lamps that have not burnt yet",
    ),
    Mutant(
        "failed-key-not-tried",
        _MENU,
        "return bool(data.failed_keys)",
        "return False",
        "a key that had failed is not pressed at the inspection",
    ),
    Mutant(
        "failed-lamp-not-named",
        _INSPECTION,
        "failed = (*data.failed_lamps, *event.dark, *event.burning)",
        "failed = data.failed_lamps",
        "the inspection does not name the lamps that had failed",
    ),
    Mutant(
        "who-confirmed-is-not-named",
        _INSPECTION,
        'Note(f"{floorperson(event)} confirmed the panel',
        'Note(f"the floorperson confirmed the panel',
        "the record does not say who saw what the values light",
    ),
    Mutant(
        "who-inspected-is-not-named",
        _INSPECTION,
        'was passed before {floorperson(event)}"',
        'was passed before the floorperson"',
        "the record does not say before whom the inspection was passed",
    ),
    Mutant(
        "two-cycles-inspected",
        _RULES,
        "SHAKER_CYCLES = 3",
        "SHAKER_CYCLES = 2",
        "two cycles of the shaker are enough",
    ),
    Mutant(
        "cycle-that-never-ran",
        _RULES,
        "return data.cycled and data.cycles + 1",
        "return data.cycles + 1",
        "the floorperson may confirm a cycle that the shaker has not run",
    ),
    Mutant(
        "inspection-goes-on-after-a-power-cut",
        _INSPECTION,
        'yield _Transition(state, "power-restored", S.CLOSED, self._cut)',
        'yield _Transition(state, "power-restored", None, self._aging.restore)',
        "an inspection that a power cut interrupted goes on",
    ),
    # a round: § 539.5(b)-(f)
    Mutant(
        "dice-before-the-call",
        _TOSS,
        ('            yield _Transition(S.SHAKING, on, S.ENTRY, key_die, unless(automated), "manual shaker")'),
        (
            "            yield _Transition(S.SHAKING, on, S.ENTRY, key_die, unless(automated), "
            '"manual shaker")\n'
            "            yield _Transition(S.BETS_OPEN, on, S.ENTRY, key_die, unless(automated), "
            '"manual shaker")'
        ),
        "dice are keyed while wagers are open",
    ),
    Mutant(
        "toss-before-the-call",
        _TOSS,
        'yield _Transition(S.BETS_OPEN, "shaker-cycled", None, early,',
        'yield _Transition(S.BETS_OPEN, "shaker-cycled", S.ENTRY, _tossed,',
        "dice count that were tossed while wagers were open",
    ),
    Mutant(
        "manual-table-takes-a-cycle",
        _TOSS,
        'yield _Transition(S.SHAKING, "shaker-cycled", S.ENTRY, _tossed, automated, "automated shaker")',
        'yield _Transition(S.SHAKING, "shaker-cycled", S.ENTRY, _tossed)',
        "a contact that closes does for dice that are shaken by hand",
    ),
    Mutant(
        "shake-as-you-like",
        _PROMPTS,
        "shake at least three times",
        "shake",
        "the dealer's line does not say how often",
    ),
    Mutant(
        "dice-before-the-toss",
        _TOSS,
        'yield _Transition(S.SHAKING, on, S.ENTRY, key_die, unless(automated), "manual shaker")',
        "yield _Transition(S.SHAKING, on, S.ENTRY, key_die)",
        "dice are keyed before the automated shaker has run",
    ),
    Mutant(
        "result-not-lit",
        _ROUND,
        "effects = (Result(dice_words(data.entry), wins), Light(tuple(win.area for win in wins)))",
        "effects = (Result(dice_words(data.entry), wins),)",
        "the dice are keyed, and nothing is lit",
    ),
    Mutant(
        "winners-paid-first",
        _ROUND,
        "settlement(S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID)",
        "settlement(S.RESULT, S.WINNERS_PAID, S.LOSERS_COLLECTED)",
        "the dealer pays the winners before losers are collected",
    ),
    Mutant(
        "cleared-before-losers-are-collected",
        _ROUND,
        "        for state in (S.LOSERS_COLLECTED, S.WINNERS_PAID):  #",
        "        for state in (S.RESULT, S.LOSERS_COLLECTED, S.WINNERS_PAID):  #",
        "a result can be cleared before losers are collected",
    ),
    Mutant(
        "lamps-out-before-winners-are-paid",
        _SETTLEMENT,
        "from controller.statechart.guards import keep",
        "from controller.statechart.guards import dark as keep",
        "the lamps go out when the losers are collected",
    ),
    Mutant(
        "lamps-left-burning",
        _ROUND,
        'yield from self._opens(state, "press clear", dark, always, "")',
        'yield from self._opens(state, "press clear", then(), always, "")',
        "the areas of a round that is over stay lit",
    ),
    Mutant(
        "corrected-areas-stay-lit",
        _ROUND,
        "entry=(), wins=()), (Light(()), note))",
        "entry=(), wins=()), (note,))",
        "wrong areas stay lit while the dice are keyed anew",
    ),
    # irregularities: § 539.7
    Mutant(
        "no-roll-keeps-the-wagers",
        _VOIDING,
        "Step(data, (Void(reason.name, words), WagersReturned(reason.name), Light(())))",
        "Step(data, (Void(reason.name, words), Light(())))",
        "a void round keeps the wagers",
    ),
    Mutant(
        "no-roll-is-shaken-again",
        _VOIDING,
        'yield from self._opens(S.NO_ROLL, on, void, may, "possible")',
        'yield _Transition(S.NO_ROLL, on, S.SHAKING, void, may, "possible")',
        "after no roll the dice are shaken again without new wagers",
    ),
    Mutant(
        "plays-on-after-a-malfunction",
        _ROUND,
        'yield _Transition(S.MALFUNCTION, KEY, S.CLOSED, _settled, once, "not turned twice")',
        'yield from self._opens(S.MALFUNCTION, KEY, _settled, always, "")',
        "the next round opens without a repair",
    ),
    Mutant(
        "plays-on-after-a-fault-in-settling",
        _ROUND,
        'yield _Transition(state, "press clear", S.CLOSED, dark, stops, "fault in this round")',
        (
            'yield _Transition(state, "press clear", S.BETS_OPEN, then(dark, open_round), stops, '
            '"fault in this round")'
        ),
        "a round that had a malfunction is followed by another",
    ),
    Mutant(
        "reopened-without-repair",
        _ROUND,
        "(*IDLE, *INSPECTION, S.MENU)",
        "(*IDLE, S.MENU)",
        "a table whose lamp is still dead passes the inspection",
    ),
    Mutant(
        "settled-without-a-floorperson",
        _ROUND,
        'yield _Transition(S.MALFUNCTION, KEY, S.CLOSED, _settled, once, "not turned twice")',
        'yield _Transition(S.MALFUNCTION, "press done", S.CLOSED, _settled)',
        "the dealer settles a malfunction alone",
    ),
    Mutant(
        "failed-shaker-counts",
        _TOSS,
        'yield from self._opens(S.SHAKING, "shaker-failed", self._failed, automated, "automated shaker")',
        'yield _Transition(S.SHAKING, "shaker-failed", S.ENTRY, _tossed, automated, "automated shaker")',
        "the dice of a shaker that failed are keyed",
    ),
    Mutant(
        "failed-shaker-in-a-malfunction",
        _TOSS,
        'yield _Transition(S.MALFUNCTION, "shaker-failed", S.CLOSED, self._failed,',
        'yield _Transition(S.MALFUNCTION, "shaker-failed", S.CLOSED, keep,',
        "the wagers of a round without a toss stay",
    ),
    Mutant(
        "not-tossed-in-a-malfunction",
        _VOIDING,
        'yield _Transition(S.NO_ROLL, on, S.CLOSED, void, malfunction, "malfunction")',
        'yield _Transition(S.NO_ROLL, on, S.CLOSED, _reason(key), malfunction, "malfunction")',
        "the wagers of a round that a malfunction ended stay",
    ),
    Mutant(
        "dealer-tosses-again",
        _TOSS,
        'yield _Transition(S.ENTRY, on, S.DOUBT, doubts, second_toss, "dice not keyed")',
        'yield _Transition(S.ENTRY, on, None, _alerts(words, decide), second_toss, "dice not keyed")',
        "the dealer may toss again and key the second toss",
    ),
    Mutant(
        "power-cut-orders-another-toss",
        _TOSS,
        'yield _Transition(S.SHAKING, "power-restored", S.DOUBT, cut,',
        'yield _Transition(S.SHAKING, "power-restored", None, self._aging.restore,',
        "after a power cut dice that may lie there are tossed again",
    ),
    Mutant(
        "doubtful-toss-voided-by-the-dealer",
        _VOIDING,
        "return bool(data.wins or data.corrects or data.doubt)",
        "return bool(data.wins or data.corrects)",
        "a dealer makes a toss in doubt void without the key",
    ),
    Mutant(
        "dead-shaker-unreported",
        _TOSS,
        "LIMIT_NS = 60_000_000_000",
        "LIMIT_NS = 6_000_000_000_000",
        "a shaker that does nothing is reported after 100 minutes",
    ),
    Mutant(
        "dead-shaker-called-not-flat",
        _RULES,
        "lambda d: d.tossed or bool(d.doubt) or not d.automated",
        "lambda d: True",
        "a round without a toss is void because dice do not lie flat",
    ),
    Mutant(
        "unplugged-keypad-ignored",
        _ROUND,
        "event.health is Health.GONE and event.sensor in KEYS",
        "event.health is Health.STUCK and event.sensor in KEYS",
        "a keypad that is unplugged with the dice open is no malfunction",
    ),
    Mutant(
        "dice-refused-in-a-malfunction",
        _ROUND,
        'yield from dice_keys(S.MALFUNCTION, unless(lit), "no result")',
        'yield from dice_keys(S.MALFUNCTION, lit, "result")',
        "with a failed panel the dice cannot be put on record",
    ),
    Mutant(
        "correction-forgets-the-malfunction",
        _ROUND,
        ('yield _Transition(S.CORRECTING, KEY, S.MALFUNCTION, _correct, stops, "fault in this round")\n        '),
        "",
        "dice that are corrected in a malfunction are settled as in any round",
    ),
    Mutant(
        "removal-not-on-record",
        _MENU,
        "Step(replace(data, automated=False), (Note(self._removed),))",
        "Step(replace(data, automated=False))",
        "the record does not say that the automated shaker was removed",
    ),
    Mutant(
        "failed-shaker-replaced-by-hand",
        _TOSS,
        'self._failed = voiding.void("2")',
        'self._failed = then(voiding.void("2"), lambda data, event: Step(replace(data, automated=False)))',
        "a failed shaker is followed by the manual one while it stands there",
    ),
    Mutant(
        "wiped-dice-are-unseen",
        "controller/games/dice/rules.py",
        "return not data.seen and undecided(data)",
        "return not data.entry and undecided(data)",
        "whoever keyed the dice wipes them, and wagers are placed on them",
    ),
)
