"""Mutants of the clauses on Roulette: the wheel, the layout, the odds, and what sensors see."""

from mutants.mutant import Mutant

_SCHEMA = "config/schema.py"
_LAYOUT = "controller/games/roulette/layout.py"
_GAME = "controller/games/roulette/game.py"
_RULES = "controller/games/roulette/rules.py"
_ROUND = "controller/games/roulette/round.py"
_INSPECTION = "controller/games/roulette/inspection.py"
_WORDS = "controller/games/roulette/words.py"
_WHEEL = "controller/tracking/roulette/wheel.py"
_BALL = "controller/tracking/roulette/ball.py"
_ROTOR = "controller/tracking/roulette/rotor.py"
_FILE = "controller/configuration/rules.py"
_SIGN = "controller/viewmodel/sign.py"

_EQUIPMENT = (
    Mutant(
        "roulette-ball-of-5-mm",
        _SCHEMA,
        'ge=Decimal("19.05"),',
        'ge=Decimal("5"),',
        "a ball of 5 mm is accepted",
    ),
    Mutant(
        "roulette-ball-of-24-9-mm",
        _SCHEMA,
        'le=Decimal("22.225"),',
        'le=Decimal("24.9"),',
        "a ball of 24.9 mm is accepted",
    ),
    Mutant(
        "roulette-ball-rounded-up",
        _SCHEMA,
        'le=Decimal("22.225"),',
        'le=Decimal("22.23"),',
        "a ball larger than 14/16 of an inch is accepted",
    ),
    Mutant(
        "roulette-single-zero-order",
        _LAYOUT,
        '"0 32 15 19 4 21 2 25 17 34 6',
        '"0 32 15 19 4 21 2 17 25 34 6',
        "two pockets of the single zero wheel have changed places",
    ),
    Mutant(
        "roulette-double-zero-order",
        _LAYOUT,
        '"00 27 10 25 29 12 8',
        '"00 27 10 29 25 12 8',
        "two pockets of the double zero wheel have changed places",
    ),
    Mutant(
        "roulette-red-and-black-swapped",
        _LAYOUT,
        '"black" if place % 2 else "red"',
        '"red" if place % 2 else "black"',
        "every red number is black",
    ),
    Mutant(
        "roulette-colours-do-not-alternate",
        _LAYOUT,
        '"black" if place % 2 else "red"',
        '"black" if place < 18 else "red"',
        "eighteen black numbers lie side by side",
    ),
    Mutant("roulette-black-00", _LAYOUT, '"00": "green",', '"00": "black",', "00 is black"),
    Mutant("roulette-red-0", _LAYOUT, '    "0": "green",', '    "0": "red",', "0 is red"),
    Mutant(
        "roulette-00-played-on-a-converted-wheel",
        _LAYOUT,
        "return wheel is WheelType.DOUBLE_ZERO if pocket",
        "return wheel is not WheelType.SINGLE_ZERO if pocket",
        "00 takes wagers on a converted wheel",
    ),
    Mutant(
        "roulette-first-five-without-00",
        _LAYOUT,
        '**(first_five if playable(wheel, "00") else {}),',
        "**first_five,",
        "the first five numbers may be wagered on where 00 may not",
    ),
    Mutant(
        "roulette-layout-not-inspected",
        _INSPECTION,
        "STEPS if converted else STEPS[:-1]",
        "STEPS[:-1]",
        "layout and signs of a converted wheel are not looked at",
    ),
    Mutant(
        "roulette-signs-not-inspected",
        _WORDS,
        "The 00 area is covered. Signs say: 00 is no wager and no spin, 0 loses outside wagers.",
        "The area of 00 is covered.",
        "nobody is asked for the signs of a converted wheel",
    ),
    Mutant(
        "roulette-outside-wagers-without-lamp",
        _LAYOUT,
        'if area.startswith("straight-") or area in OUTSIDE',
        'if area.startswith("straight-")',
        "the areas beside the numbers have no lamp",
    ),
    Mutant(
        "roulette-lamp-may-be-missing",
        _FILE,
        "if lamp not in given:",
        "if lamp not in given and lamp in game.indicators:",
        "a file without the lamp of an area is accepted",
    ),
    Mutant(
        "roulette-wager-without-a-place",
        _LAYOUT,
        '        **_inside("four", ((n, n + 1, n + 3, n + 4) for n in _NUMBERS[:32] if n % 3)),\n',
        "",
        "four numbers have no place on the layout",
    ),
    Mutant(
        "roulette-sign-without-the-highest-wager",
        _SIGN,
        '"maximum": limits.maximum, "payout"',
        '"maximum": "", "payout"',
        "the players' board does not say the highest wager",
    ),
    Mutant(
        "roulette-sign-turned-around",
        _SIGN,
        '{"minimum": limits.minimum, "maximum": limits.maximum,',
        '{"minimum": limits.maximum, "maximum": limits.minimum,',
        "the least and the highest wager change places on the players' board",
    ),
)
_WAGERS = (
    Mutant(
        "roulette-0-2-3",
        _LAYOUT,
        '("0-1", "0-2", "0-3"), ("0-1-2",)',
        '("0-1", "0-2", "0-3"), ("0-1-2", "0-2-3")',
        "0, 2 and 3 may be wagered on together",
    ),
    Mutant(
        "roulette-six-numbers-within-a-row",
        _LAYOUT,
        "for n in range(1, 38 - length, 3))",
        "for n in range(1, 38 - length, length))",
        "only every second pair of rows can be wagered on",
    ),
    Mutant(
        "roulette-splits-at-corners",
        _LAYOUT,
        "for apart in (1, 3) if",
        "for apart in (1, 3, 4) if",
        "numbers that touch in a corner may be split",
    ),
    Mutant(
        "roulette-five-by-number",
        _LAYOUT,
        "    order = [number for number in WHEEL_ORDER[wheel] if playable(wheel, number)]\n    place",
        "    order = [number for number in _ORDER if playable(wheel, number)]\n    place",
        "five adjacent numbers are those of the layout, not of the wheel",
    ),
    Mutant(
        "roulette-three-adjacent",
        _LAYOUT,
        "for apart in (-2, -1, 0, 1, 2))",
        "for apart in (-1, 0, 1))",
        "a Five Adjacent Number Wager covers three numbers",
    ),
    Mutant(
        "roulette-five-with-a-covered-00",
        _LAYOUT,
        "in WHEEL_ORDER[wheel] if playable(wheel, number)]\n    place",
        "in WHEEL_ORDER[wheel]]\n    place",
        "a fifth of a Five Adjacent Number Wager lies on a covered 00",
    ),
    Mutant(
        "roulette-five-always-offered",
        _GAME,
        "if own.five_adjacent else []",
        "if own.type else []",
        "the Five Adjacent Number Wager is listed where it is not offered",
    ),
    Mutant(
        "roulette-1-to-19",
        _LAYOUT,
        '"1-18": _all(_NUMBERS[:18])',
        '"1-18": _all(_NUMBERS[1:19])',
        "2 to 19 wins where 1 to 18 should",
    ),
    Mutant(
        "roulette-columns-are-rows",
        _LAYOUT,
        "_all(_NUMBERS[n - 1 :: 3])",
        "_all(_NUMBERS[12 * n - 12 : 12 * n])",
        "a column wins as a dozen does",
    ),
    Mutant(
        "roulette-dozens-overlap",
        _LAYOUT,
        '{n}": _all(_NUMBERS[12 * n - 12 : 12 * n])',
        '{n}": _all(_NUMBERS[11 * n - 11 : 11 * n + 1])',
        "dozens are not twelve consecutive numbers each",
    ),
    Mutant(
        "roulette-odd-is-even",
        _LAYOUT,
        '"odd": _all(_NUMBERS[::2])',
        '"odd": _all(_NUMBERS[1::2])',
        "odd wins with even numbers",
    ),
    Mutant(
        "roulette-0-is-even",
        _LAYOUT,
        '"even": _all(_NUMBERS[1::2])',
        '"even": _all(_NUMBERS[1::2]) | {"0"}',
        "even does not lose on 0",
    ),
    Mutant(
        "roulette-00-is-red",
        _LAYOUT,
        '"red": _of_colour("red")',
        '"red": _of_colour("red") | {"00"}',
        "red does not lose on 00",
    ),
    Mutant("roulette-first-five-pay-5-to-1", _LAYOUT, "5: 6, 6: 5", "5: 5, 6: 5", "the first five pay 5 to 1"),
    Mutant("roulette-straight-pays-34-to-1", _LAYOUT, "{1: 35, 2", "{1: 34, 2", "a straight wager pays 34 to 1"),
    Mutant(
        "roulette-odds-may-be-less",
        _FILE,
        "elif wager is not None and odds < wager.minimum[0]:",
        "elif wager is not None and odds < wager.minimum[0] - 1:",
        "a file may pay less than the regulation's odds",
    ),
)
_SENSORS = (
    Mutant(
        "roulette-00-counts-as-0",
        _ROUND,
        'return Step(replace(data, keyed=data.entry, entry=""))',
        'return Step(replace(data, keyed=data.entry.replace("00", "0"), entry=""))',
        "a ball in 00 of a converted wheel lights 0",
    ),
    Mutant(
        "roulette-00-opens-wagers",
        _ROUND,
        'S.RESPIN, then(action, _no_spin("double-zero")), comes_to("00"), "00")',
        'S.BETS_OPEN, then(action, opens), comes_to("00"), "00")',
        "after a ball in 00 of a converted wheel the round is over",
    ),
    Mutant(
        "roulette-three-revolutions", _RULES, "REVOLUTIONS = 4", "REVOLUTIONS = 3", "three revolutions are a spin"
    ),
    Mutant(
        "roulette-more-than-four-revolutions",
        _RULES,
        "left.revolutions < REVOLUTIONS else",
        "left.revolutions <= REVOLUTIONS else",
        "four revolutions are no spin",
    ),
    Mutant(
        "roulette-direction-unknown-is-a-spin",
        _RULES,
        '    if checks_direction and left.against is None:\n        return "rotor-not-turning"\n'
        "    if checks_direction and not left.against:",
        "    if checks_direction and left.against is False:",
        "a ball on a wheel that stands makes a spin",
    ),
    Mutant(
        "roulette-ball-with-the-wheel-is-a-spin",
        _RULES,
        "    if checks_direction and not left.against:",
        "    if checks_direction and left.against is None:",
        "a ball that runs with the wheel makes a spin",
    ),
    Mutant(
        "roulette-one-beam-says-nothing",
        _WORDS,
        '    if found.get("checked"):\n',
        "    if found:\n",
        "nobody is told that the table does not see which way the ball runs",
    ),
    Mutant(
        "roulette-one-beam-checks-the-direction",
        _ROUND,
        "self._checked = head.pins.ball_2 is not None",
        "self._checked = bool(head.pins)",
        "with one beam no spin counts, for a direction that no sensor sees",
    ),
    Mutant(
        "roulette-ball-that-vanishes-is-a-spin",
        _RULES,
        '    if left.early:\n        return "ball-lost"\n',
        "",
        "a ball that leaves the wheel after four revolutions makes a spin",
    ),
    Mutant(
        "roulette-part-of-a-revolution-counts",
        _BALL,
        "complete = self._parts // self._track.beams",
        "complete = (self._parts + 1) // self._track.beams",
        "a revolution counts before it is complete",
    ),
    Mutant(
        "roulette-leap-is-the-fourth-revolution",
        _BALL,
        "            if on_track or self._parts >= self._sure + RUNS_ON:\n",
        "            if self._parts:\n",
        "a ball that is down and leaps across the beam completes its fourth revolution",
    ),
    Mutant(
        "roulette-rotor-looked-at-once",
        _WHEEL,
        "turned = self.rotor.turned_since(left.thrown_ns, left.at_ns)",
        "turned = self.rotor.turning(left.at_ns)",
        "a wheel that is set turning after the throw makes a spin",
    ),
    Mutant(
        "roulette-stops-unseen",
        _ROTOR,
        "        self.direction = self._heading = 0\n        self.since_ns = max(self.since_ns, at_ns)\n",
        "        self._heading = 0\n",
        "a wheel that stopped while the ball ran makes a spin",
    ),
    Mutant(
        "roulette-direction-known-too-late",
        _WHEEL,
        "against = None if 0 in (ball.direction, turned) else ball.direction != turned",
        "against = None",
        "a ball with the wheel is not called before it drops",
    ),
)
MUTANTS: tuple[Mutant, ...] = (*_EQUIPMENT, *_WAGERS, *_SENSORS)
