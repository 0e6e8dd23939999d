"""Mutants of the clauses on wheels with a clapper."""

from itertools import chain

from mutants.mutant import Mutant

_DREAMCATCHER = "controller/games/dreamcatcher/game.py"
_BIG_SIX = "controller/games/big_six/game.py"
_ROUND = "controller/games/clapper_wheel/round.py"
_RULES = "controller/games/clapper_wheel/rules.py"
_MOTION = "controller/tracking/motion.py"
_TRUST = "controller/tracking/clapper_wheel/trust.py"
_FILE = "controller/configuration/rules.py"
_FILE_WHEEL = "controller/configuration/wheel_rules.py"


def _both(name: str, path: str, old: str, new: str, breaks: str) -> tuple[Mutant, Mutant]:
    """The same change for the clause of each chapter, so that the tests of each chapter's row must find it."""
    return (
        Mutant(f"dreamcatcher-{name}", path, old, new, breaks),
        Mutant(f"big-six-{name}", path, old, new, breaks),
    )


_OF_BOTH = chain(
    # -- the wheel and the layout --
    _both(
        "file-order-unchecked",
        _FILE_WHEEL,
        "        if given != expected:\n",
        "        if given not in game.wheel:\n",
        "a table whose file has the sections in another order is in order",
    ),
    _both(
        "dead-clapper-goes-unnoticed",
        _TRUST,
        "return self._strike_doubt or self._misfit or counts",
        "return counts",
        "a spin on which the clapper was never struck has a result, by the encoder alone",
    ),
    _both(
        "contact-is-optional",
        "config/schema.py",
        "    clapper: Pin\n",
        "    clapper: Pin | None = None\n",
        "a table without the clapper's contact is in order",
    ),
    _both(
        "first-area-needs-no-lamp",
        _FILE,
        "    for lamp in required:\n",
        "    for lamp in required[1:]:\n",
        "a table whose first area has no lamp is in order",
    ),
    # -- the round --
    _both(
        "early-throw-counts",
        _ROUND,
        '_Row(S.BETS_OPEN, "wheel-thrown", S.VOID_SPIN, then(_voids("wagers-open", S.BETS_OPEN), self._starts))',
        '_Row(S.BETS_OPEN, "wheel-thrown", S.SPINNING, then(_fresh, self._starts))',
        "a spin that was thrown while wagers were open decides",
    ),
    _both(
        "call-while-the-wheel-turns",
        _ROUND,
        "    return not press.moving\n",
        "    return True\n",
        "no more bets is taken after the wheel was thrown",
    ),
    _both(
        "one-count-too-few-suffices",
        _RULES,
        "return rested.travel_counts >= REVOLUTIONS * rested.counts_per_turn",
        "return rested.travel_counts >= REVOLUTIONS * rested.counts_per_turn - 1",
        "a spin of less than three revolutions decides",
    ),
    _both(
        "one-direction-only",
        _RULES,
        "    if not is_full(rested):\n",
        "    if not is_full(rested) or 'counter' in rested.direction.value:\n",
        "a spin counterclockwise does not count",
    ),
    _both(
        "next-section-decides",
        _ROUND,
        "spun=section), self.order[section]\n",
        "spun=section), self.order[(section + 1) % len(self.order)]\n",
        "the neighbour of the section at the clapper decides",
    ),
    _both(
        "between-sections-opens-wagers",
        _ROUND,
        '(S.RESPIN, ("touched", "fewer-than-three-revolutions", "between-sections")),',
        '(S.RESPIN, ("touched", "fewer-than-three-revolutions")), (S.BETS_OPEN, ("between-sections",)),',
        "after a clapper between two sections wagers are open, and the wheel is not spun again",
    ),
    _both(
        "winners-are-paid-first",
        "controller/games/clapper_wheel/words.py",
        "Collect all losing wagers",
        "Pay all winning wagers first",
        "the dealer is asked to pay before collecting",
    ),
    _both(
        "round-ends-unpaid",
        _ROUND,
        'S.WINNERS_PAID, "press clear", S.BETS_OPEN,',
        '(S.LOSERS_COLLECTED, S.WINNERS_PAID), "press clear", S.BETS_OPEN,',
        "the round is cleared before the winners were paid",
    ),
    _both(
        "failed-panel-is-spun-on",
        _ROUND,
        "return FaultPolicy.LATER if state in (*_MOVING, *RESULT) else FaultPolicy.LOCK",
        "return FaultPolicy.LATER",
        "the wheel is spun again under a panel that failed, and cannot light what wins",
    ),
    _both(
        "throw-is-a-whole-turn",
        _MOTION,
        "self._half_turn = counts_per_turn // 2 + 1",
        "self._half_turn = counts_per_turn + 1",
        "three quarters of a turn before no more bets are no throw",
    ),
    _both(
        "two-revolutions-suffice",
        _RULES,
        "REVOLUTIONS = 3\n",
        "REVOLUTIONS = 2\n",
        "a spin of two revolutions decides",
    ),
    _both(
        "turning-point-of-nine-tenths",
        _MOTION,
        "elif (count - self._extreme) * direction * self._sections > self._counts_per_turn:",
        "elif (count - self._extreme) * direction * 10 > self._counts_per_turn * 9:",
        "rocking the wheel by less than nine tenths of a turn adds up to three revolutions",
    ),
    _both(
        "pushed-wheel-decides",
        _RULES,
        "    if rested.touched:\n",
        "    if rested.touched and few:\n",
        "a hand on the wheel after its throw makes the result",
    ),
    _both(
        "near-a-peg-is-between",
        "controller/tracking/clapper_wheel/passage.py",
        "        if len(possible) > 1:",
        "        if not self._is_free(possible[0], at + 4) or not self._is_free(possible[0], at - 4):",
        "a clapper that hangs free near a peg voids the spin, and takes a winner's money",
    ),
    _both(
        "rest-is-a-moment",
        _MOTION,
        "since_ns + (self._rest_ns if",
        "since_ns + (self._rest_ns // 50 if",
        "the wheel decides before it stands",
    ),
    _both(
        "bent-clapper-is-in-a-section",
        "controller/tracking/clapper_wheel/rest.py",
        "trust.passage.rest_position(trust.position(count), contact.bent)",
        "(geometry.section_near(trust.position(count)) % geometry.sections, None, None)",
        "a clapper between two sections decides for one of them",
    ),
    # -- the odds --
    _both(
        "lower-odds-for-the-first-wager",
        _FILE,
        "elif wager is not None and odds < wager.minimum[0]:",
        "elif wager is not None and odds < wager.minimum[0] and odds >= 1:",
        "a file whose wager on 1 pays less than 1 to 1 is in order",
    ),
    _both(
        "lower-odds-by-a-fraction",
        _FILE,
        "elif wager is not None and odds < wager.minimum[0]:",
        "elif wager is not None and round(odds) < wager.minimum[0]:",
        "a file whose odds are below the least by a fraction is in order",
    ),
)

_OF_DREAMCATCHER = (
    Mutant(
        "dreamcatcher-three-sections-of-20",
        _DREAMCATCHER,
        '"2x 1 5 1 40 2 1 2 1 10 ',
        '"2x 1 5 1 40 2 1 2 1 20 ',
        "the wheel has three sections of 20 and three of 10",
    ),
    Mutant(
        "dreamcatcher-two-sections-swapped",
        _DREAMCATCHER,
        '"7x 2 1 5 ',
        '"7x 1 2 5 ',
        "the first 1 and the first 2 have changed places",
    ),
    Mutant(
        "multiplier-section-takes-the-wagers",
        _DREAMCATCHER,
        "GAME.payouts(config), ORDER, score, MULTIPLIERS)",
        "GAME.payouts(config), ORDER, lambda one, payouts: () if one in MULTIPLIERS else score(one, payouts))",
        "on 2x and 7x all wagers lose",
    ),
    Mutant(
        "seven-x-multiplies-by-five",
        _DREAMCATCHER,
        '"7x": 7}',
        '"7x": 5}',
        "the section 7x multiplies by 5",
    ),
    Mutant(
        "dreamcatcher-ignores-its-odds",
        _DREAMCATCHER,
        "machine=lambda config: WheelRound(config, GAME.payouts(config), ORDER, score, MULTIPLIERS)",
        "machine=lambda config: WheelRound(config, GAME.least_payouts(config.rules), ORDER, score, MULTIPLIERS)",
        "the table tells the regulation's odds, whatever its layout says",
    ),
    Mutant(
        "cap-is-measured-by-the-least-wager",
        "controller/viewmodel/sign.py",
        "Fraction(limits.maximum) * win.odds",
        "Fraction(limits.minimum) * win.odds",
        "the most that is paid out is not said where only higher wagers reach it",
    ),
    Mutant(
        "cap-is-not-on-the-sign",
        "controller/viewmodel/sign.py",
        '"payout": limits.payout}',
        '"payout": ""}',
        "the sign leaves out the most that is paid out in a round",
    ),
    Mutant(
        "bonus-opens-wagers",
        _ROUND,
        'spin, "wheel-rested", S.BONUS, self._rests,',
        'spin, "wheel-rested", S.BETS_OPEN, self._rests,',
        "after 2x or 7x wagers are open again",
    ),
    Mutant(
        "void-bonus-multiplies",
        _ROUND,
        "self._void_result(replace(data, multiplier=data.before), event)",
        "self._void_result(data, event)",
        "2x or 7x multiplies though the floorperson made its spin void",
    ),
    Mutant(
        "void-bonus-spin-ends-the-bonus",
        _ROUND,
        "self._void_spin(replace(data, void=reason, resume=S.RESPIN), rested, reason)",
        "self._void_spin(replace(data, void=reason, resume=S.RESPIN, multiplier=1), rested, reason)",
        "a void bonus spin takes the multiplier away",
    ),
    Mutant(
        "dreamcatcher-pays-for-one",
        _DREAMCATCHER,
        "(Fraction(int(area)),)",
        "(Fraction(max(1, int(area) - 1)),)",
        "the number N pays N for 1",
    ),
    Mutant(
        "multiplier-is-added",
        _ROUND,
        "to_one(win.odds * data.multiplier)",
        "to_one(win.odds + data.multiplier - 1)",
        "7x and 5 pay 11 to 1",
    ),
    Mutant(
        "bonus-multiplies-the-least-odds",
        _ROUND,
        "to_one(win.odds * data.multiplier)",
        "to_one(win.odds if data.multiplier == 1 else type(win.odds)(int(name)) * data.multiplier)",
        "in a bonus the layout's higher odds do not count",
    ),
    Mutant(
        "last-multiplier-counts",
        _ROUND,
        "multiplier=data.multiplier * self.again[name]",
        "multiplier=self.again[name]",
        "2x and 7x make 7 times",
    ),
    Mutant(
        "multipliers-have-a-limit",
        _ROUND,
        "multiplier=data.multiplier * self.again[name]",
        "multiplier=min(data.multiplier * self.again[name], 100)",
        "multipliers beyond 100 are cut off",
    ),
)

_OF_BIG_SIX = (
    Mutant(
        "big-six-three-sections-of-20",
        _BIG_SIX,
        '"logo 2 5 2 1 2 1 10 ',
        '"logo 2 5 2 1 2 1 20 ',
        "the wheel has three sections of $20 and three of $10",
    ),
    Mutant(
        "big-six-two-sections-swapped",
        _BIG_SIX,
        '"joker 1 2 1 5 ',
        '"joker 2 1 1 5 ',
        "the first $1 and the first $2 have changed places",
    ),
    Mutant(
        "big-six-order-is-free",
        _FILE_WHEEL,
        "if wheel.order is not None:",
        "if wheel.order is not None and not game.symbols:",
        "where other symbols are allowed, any order of the sections is in order",
    ),
    Mutant(
        "symbols-in-another-game",
        _FILE,
        "if given and not game.symbols:",
        "if given and not game.wheel:",
        "Dreamcatcher shows other symbols than its numbers",
    ),
    Mutant(
        "symbol-is-another-areas-name",
        _FILE,
        "for name in {*game.areas, *game.wheel, *game.indicators}}",
        "for name in ()}",
        "$1 is shown as 2, and the table says 2 while it lights 1",
    ),
    Mutant(
        "two-areas-share-a-symbol",
        "controller/configuration/rules.py",
        "        elif read in shown:\n",
        '        elif read in shown and shown[read] not in ("joker", "logo"):\n',
        "joker and logo show the same picture",
    ),
    Mutant(
        "symbol-is-not-on-the-screen",
        "controller/games/clapper_wheel/screen.py",
        'symbols.get(name, name), "colour"',
        'name, "colour"',
        "the wheel on the board shows dollars in place of its symbols",
    ),
    Mutant(
        "logo-wins-on-the-joker",
        _BIG_SIX,
        "payouts.wins({section: 1})",
        'payouts.wins({"joker" if section == "logo" else section: 1})',
        "flag, name or logo has no area of its own",
    ),
    Mutant(
        "twenty-wins-on-ten",
        _BIG_SIX,
        "payouts.wins({section: 1})",
        'payouts.wins({"10" if section == "20" else section: 1})',
        "$20 has no area of its own",
    ),
    Mutant(
        "big-six-ignores-its-odds",
        _BIG_SIX,
        "machine=lambda config: WheelRound(config, GAME.payouts(config), ORDER, score)",
        "machine=lambda config: WheelRound(config, GAME.least_payouts(config.rules), ORDER, score)",
        "the table tells the regulation's odds, whatever its layout says",
    ),
    Mutant(
        "pictures-pay-40",
        _BIG_SIX,
        "Fraction(45)",
        "Fraction(40)",
        "joker and logo pay 40 to 1",
    ),
)

MUTANTS: tuple[Mutant, ...] = (*_OF_BOTH, *_OF_DREAMCATCHER, *_OF_BIG_SIX)
