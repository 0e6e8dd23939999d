"""Mutants of the clauses on Three Dice Football: its layout, wagers and dice."""

from mutants.mutant import Mutant

_RULES = "controller/games/three_dice_football/rules.py"
_PLAY = "controller/games/three_dice_football/play.py"
_STEPS = "controller/games/three_dice_football/steps.py"
_ROUND = "controller/games/three_dice_football/round.py"
_AGEING = "controller/games/shared/ageing.py"
_FILES = "controller/configuration/rules.py"

MUTANTS: tuple[Mutant, ...] = (
    # definitions and layout: §§ 577.1, 577.2
    Mutant(
        "turnover-on-twos-alone",
        _RULES,
        "green + other in (2, 3)",
        "green + other == 2",
        "a red 6 against a 1 and a 2 is a mere penalty",
    ),
    Mutant(
        "goal-line-must-be-crossed",
        _RULES,
        "    if left <= 0:",
        "    if left < 0:",
        "a marker at 0 yards is no touchdown",
    ),
    Mutant(
        "a-pair-is-a-trips-td",
        _RULES,
        "if green == other == red:",
        "if green == other or other == red:",
        "two alike are a Trips TD",
    ),
    Mutant(
        "quarterback-not-named",
        _PLAY,
        "position {data.quarterback} throws; ",
        "",
        "the line for a throw does not say whose it is",
    ),
    Mutant(
        "quarterback-not-on-record",
        _STEPS,
        "(note, Light(lamps(data)), RoundOpened(data.round))",
        "(Light(lamps(data)), RoundOpened(data.round))",
        "the record does not say who threw",
    ),
    Mutant("twenty-positions", _PLAY, "MOST_POSITIONS = 16", "MOST_POSITIONS = 20", "a file may have 20 positions"),
    Mutant(
        "indicators-without-lamps",
        _FILES,
        "        if lamp not in given:",
        "        if lamp not in given and lamp in game.areas:",
        "a file may leave out the lamps of the field",
    ),
    Mutant(
        "no-area-for-cover-three",
        _RULES,
        '    _single("cover-three", "7"),\n',
        "",
        "a wager of the regulation has no area",
    ),
    Mutant(
        "a-field-of-20-yards",
        _PLAY,
        "for n in range(1, 24)",
        "for n in range(1, 21)",
        "there is no lamp behind the 20 yard line",
    ),
    Mutant(
        "marker-stops-at-the-20",
        _PLAY,
        'f"yard-{drive.yards}")',
        'f"yard-{min(drive.yards, 20)}")',
        "behind the 20 yard line the marker is shown on it",
    ),
    Mutant(
        "no-goal-downs",
        _PLAY,
        '    *(f"goal-{n}" for n in range(1, DOWNS + 1)),\n',
        "",
        "the goal downs have no lamps",
    ),
    Mutant(
        "goal-downs-shown-as-downs",
        _PLAY,
        'series = "goal" if drive.goal else "down"',
        'series = "down"',
        "in the goal series the puck is on the first three downs",
    ),
    Mutant(
        "no-lamp-for-the-extra-point",
        _PLAY,
        '(("extra-point-roll",) if data.extra else ())',
        "()",
        "the puck is not put on Extra Point",
    ),
    Mutant(
        "sixth-play-shown-as-the-fifth",
        _PLAY,
        'f"play-{drive.play}", f',
        'f"play-{min(drive.play, 5)}", f',
        "the game length puck stops at 5",
    ),
    Mutant(
        "five-plays",
        _PLAY,
        "for n in range(1, MOST_PLAYS + 1)",
        "for n in range(1, MOST_PLAYS)",
        "there is no lamp for the sixth play",
    ),
    # wagers: § 577.3
    Mutant(
        "trips-td-is-no-score",
        _RULES,
        "return self in (Ending.TOUCHDOWN, Ending.TRIPS_TD)",
        "return self is Ending.TOUCHDOWN",
        "the defense wins on a Trips TD",
    ),
    Mutant(
        "defense-wins-on-a-touchdown",
        _RULES,
        '    if not ending.scored:\n        degrees["defense"] = 1\n    elif plays',
        '    degrees["defense"] = 1\n    if ending.scored and plays',
        "the defense wins whatever is scored",
    ),
    Mutant(
        "extra-point-needs-a-one",
        _RULES,
        "if degree == 0 and len(set(dice)) == 1:",
        "if degree == 3:",
        "a triple other than 1s loses the extra point",
    ),
    Mutant(
        "extra-point-counts-one-die",
        _RULES,
        "degree = _checked(dice).count(1)",
        "degree = int(1 in _checked(dice))",
        "two or three 1s pay as one",
    ),
    Mutant(
        "quick-strike-in-three",
        _RULES,
        "QUICK_STRIKE_PLAYS = 4",
        "QUICK_STRIKE_PLAYS = 3",
        "a touchdown with the fourth down loses quick strike",
    ),
    Mutant(
        "quick-strike-for-the-defense",
        _RULES,
        "    elif plays <= QUICK_STRIKE_PLAYS:",
        "    if plays <= QUICK_STRIKE_PLAYS:",
        "quick strike wins without a score",
    ),
    Mutant(
        "game-changer-on-any-touchdown",
        _RULES,
        "if ending in (Ending.TRIPS_TD, Ending.TURNOVER):",
        "if ending is not Ending.DOWNS:",
        "game changer wins on a touchdown",
    ),
    Mutant(
        "game-length-at-the-most",
        _RULES,
        'degrees = {f"game-length-{plays}": 1}',
        'degrees = {f"game-length-{n}": 1 for n in range(1, plays + 1)}',
        "game length wins for every number of plays up to the game's",
    ),
    Mutant(
        "full-game-wagers-at-first-and-goal",
        _PLAY,
        "return self.drive.play == 1",
        "return self.drive.down == 1",
        "full game wagers may be placed again at 1st & goal",
    ),
    Mutant(
        "correction-reopens-the-wagers",
        _STEPS,
        "return not data.seen and not data.corrects",
        "return not data.seen",
        "full game wagers may be placed again while the first throw is corrected",
    ),
    Mutant(
        "trips-td-wager-stays-dark",
        _RULES,
        '{"trips-td": 1, "cover-three": 1,',
        '{"cover-three": 1,',
        "the Trips TD wager loses on a Trips TD",
    ),
    Mutant(
        "turnover-is-no-penalty-wager",
        _RULES,
        '"penalty": back,',
        '"penalty": kind is Kind.PENALTY,',
        "a turnover loses the penalty wager",
    ),
    Mutant(
        "penalty-wins-the-turnover-wager",
        _RULES,
        '"turnover": kind is Kind.TURNOVER,',
        '"turnover": back,',
        "a penalty wins the turnover wager",
    ),
    Mutant(
        "cover-three-without-penalty",
        _RULES,
        '"cover-three": back,',
        '"cover-three": kind is Kind.TURNOVER,',
        "a penalty loses cover three",
    ),
    Mutant(
        "no-gain-without-penalty",
        _RULES,
        '"no-gain": back or kind is Kind.NO_GAIN,',
        '"no-gain": kind is Kind.NO_GAIN,',
        "a penalty loses no gain",
    ),
    Mutant(
        "big-play-from-eight-yards",
        _RULES,
        "yards >= BIG_PLAY_YARDS",
        "yards > BIG_PLAY_YARDS",
        "seven yards lose big play",
    ),
    Mutant(
        "four-yards-are-over-four",
        _RULES,
        '"over-four-yards": yards > EVEN_YARDS',
        '"over-four-yards": yards >= EVEN_YARDS',
        "four yards win over four yards",
    ),
    Mutant(
        "four-yards-are-under-four",
        _RULES,
        '"under-four-yards": yards < EVEN_YARDS',
        '"under-four-yards": yards <= EVEN_YARDS',
        "four yards win under four yards",
    ),
    Mutant(
        "no-wagers-between-throws",
        _ROUND,
        'yield _Transition(S.SETTLED, "press clear", S.BETS_OPEN, next_throw,',
        'yield _Transition(S.SETTLED, "press clear", S.THROW, next_throw,',
        "the next throw follows without a time for wagers",
    ),
    Mutant(
        "football-before-the-call",
        _ROUND,
        '        yield _Transition(S.THROW, "press correct", S.BETS_OPEN, bets_again,',
        (
            "        for state in (S.BETS_OPEN,):\n            yield from dice_keys(state)\n"
            '        yield _Transition(S.BETS_OPEN, "press enter", S.SETTLING, '
            'self._steps.thrown, complete, "three dice")\n'
            '        yield _Transition(S.THROW, "press correct", S.BETS_OPEN, bets_again,'
        ),
        "dice are keyed while wagers are open",
    ),
    Mutant(
        "last-throw-settled-later",
        _STEPS,
        "    if ending is None:\n        return (single,)",
        '    if ending is None:\n        return ("pass the dice back",)',
        "single play wagers are not settled after a throw",
    ),
    # dice: §§ 577.4, 577.5
    Mutant(
        "dice-go-the-wrong-way",
        _STEPS,
        "return position % self._positions + 1",
        "return (position - 2) % self._positions + 1",
        "the dice are offered counterclockwise",
    ),
    Mutant(
        "opened-where-it-was-closed",
        _STEPS,
        "opened = replace(data, quarterback=1, drive",
        "opened = replace(data, drive",
        "the first offer is not at the stickperson's left",
    ),
    Mutant(
        "game-begins-with-retired-dice",
        _ROUND,
        "offered = both(unless(position_keyed), fresh)",
        "offered = unless(position_keyed)",
        "whoever is offered retired dice begins a game with them",
    ),
    Mutant(
        "retired-dice-after-a-touchdown",
        _ROUND,
        "self._steps.again, both(scored, fresh),",
        "self._steps.again, scored,",
        "a quarterback who scored goes on with dice that reached their age",
    ),
    Mutant(
        "set-for-two-days",
        _AGEING,
        'Decimal(24), ge=1, le=24, description="age, in hours, at which no round',
        'Decimal(24), ge=1, le=48, description="age, in hours, at which no round',
        "a file may have a set of dice in use for 48 hours",
    ),
    Mutant(
        "old-set-kept",
        _ROUND,
        "opens = then(self._aging.renew, first_offer)",
        (
            "opens: _Action = lambda data, "
            "event: (first_offer if data.fitted_utc_ns else then(self._aging.renew, "
            "first_offer))(data, event)"
        ),
        "a table that is opened again goes on with its old set",
    ),
    Mutant(
        "new-set-of-the-old-age",
        _AGEING,
        "fitted_utc_ns=event.utc_ns, retired=False",
        "fitted_utc_ns=data.fitted_utc_ns or event.utc_ns, retired=False",
        "a new set has the age of the one before it",
    ),
    Mutant(
        "lost-die-closes-the-game",
        _ROUND,
        "_MENU_FROM = (S.CLOSED, S.OFFER, S.BETS_OPEN, *_THROWS)",
        "_MENU_FROM = (S.CLOSED, S.OFFER, S.BETS_OPEN)",
        "a die that is lost in a game cannot be replaced",
    ),
    Mutant("replaced-dice-unrecorded", _AGEING, "(note, *timers))", "timers)", "a change of dice is not on record"),
    Mutant(
        "reasons-scrambled",
        _PLAY,
        (
            '    "3": ("not-simultaneous", '
            '"the dice did not leave the hand simultaneously (§ 577.5(c)(1))"),\n'
            '    "4": ("end-not-struck", '
            '"a die did not strike the far end of the table (§ 577.5(c)(2))"),'
        ),
        (
            '    "4": ("not-simultaneous", '
            '"the dice did not leave the hand simultaneously (§ 577.5(c)(1))"),\n'
            '    "3": ("end-not-struck", '
            '"a die did not strike the far end of the table (§ 577.5(c)(2))"),'
        ),
        "the keys for two reasons are exchanged",
    ),
    Mutant(
        "reason-cites-another-clause",
        _PLAY,
        "(§ 577.5(c)(4))",
        "(§ 577.5(c)(3))",
        "the record cites another clause for the void",
    ),
    Mutant(
        "no-roll-costs-the-play",
        _STEPS,
        "return lambda data, event: Step(replace(data, entry=(), seen=False), (Void(reason, words),))",
        (
            "return lambda data, event: Step(\n"
            "        replace(data, entry=(), drive=replace(data.drive, "
            "play=data.drive.play + 1)), (Void(reason, words),)\n    )"
        ),
        "a throw that does not count is a play of the game",
    ),
    Mutant(
        "no-roll-counts",
        _STEPS,
        "Step(replace(data, entry=(), seen=False), (Void(reason, words),))",
        "Step(data, (Void(reason, words),))",
        "the dice of a throw that does not count stay keyed",
    ),
    Mutant(
        "cocked-dice-count",
        _PLAY,
        ('    "9": ("cocked", "a die rests on more than one side, or its face is disputed (§ 577.5(f), (g))"),\n'),
        "",
        "a die on more than one chip cannot be made void",
    ),
    Mutant(
        "not-flat-is-cocked",
        _PLAY,
        "a die rests on more than one side, or",
        "a die does not lie flat, or",
        "a die on one edge, which counts, would be void by these words",
    ),
    Mutant(
        "dice-not-passed-back",
        _PLAY,
        "pass the dice back to position {data.quarterback}; ",
        "",
        "the line after a throw does not say who throws next",
    ),
)
