"""Mutants of the clauses on Three Dice Football: the course of a game and what it pays."""

from mutants.mutant import Mutant

_RULES = "controller/games/three_dice_football/rules.py"
_PLAY = "controller/games/three_dice_football/play.py"
_STEPS = "controller/games/three_dice_football/steps.py"
_ROUND = "controller/games/three_dice_football/round.py"

MUTANTS: tuple[Mutant, ...] = (
    # the game: §§ 577.6, 577.7
    Mutant(
        "begins-where-the-last-game-ended",
        _STEPS,
        "round=data.round + 1, drive=Drive(), ending=None",
        "round=data.round + 1, ending=None",
        "pucks and marker are not put back for a new game",
    ),
    Mutant("begins-at-the-19", _RULES, "START_YARDS = 20", "START_YARDS = 19", "a game begins at the 19 yard line"),
    Mutant(
        "asks-for-full-game-wagers-later",
        _PLAY,
        'if data.begins else "single play wagers may be placed"',
        'if not data.begins else "single play wagers may be placed"',
        "the dealer's line asks for full game wagers when they are closed",
    ),
    Mutant(
        "penalty-by-the-difference",
        _RULES,
        "yards = -PENALTY_YARDS if kind is Kind.PENALTY else _difference(dice)",
        "yards = _difference(dice)",
        "a penalty costs more than a yard",
    ),
    Mutant(
        "equal-dice-keep-the-down",
        _RULES,
        "    following = _following(drive, left)",
        "    following = drive if kind is Kind.NO_GAIN else _following(drive, left)",
        "equal dice do not cost the down",
    ),
    Mutant(
        "turnover-goes-on",
        _RULES,
        (
            "    if kind is Kind.TURNOVER:\n"
            "        return PlayResult(kind, 0, None, Ending.TURNOVER)\n"
            "    yards = -PENALTY_YARDS if kind is Kind.PENALTY else"
        ),
        "    yards = -PENALTY_YARDS if kind in (Kind.PENALTY, Kind.TURNOVER) else",
        "a turnover does not end the game",
    ),
    Mutant(
        "trips-td-moves-as-a-gain",
        _RULES,
        "    if kind is Kind.TRIPS_TD:\n        return PlayResult(kind, 0, None, Ending.TRIPS_TD)\n",
        "",
        "a Trips TD does not end the game",
    ),
    Mutant(
        "marker-frozen-from-play-3",
        _STEPS,
        "return Step(data, (*notes, result, Light(lamps(data))))",
        "return Step(data, (*notes, result, *((Light(lamps(data)),) if data.drive.play < 3 else ())))",
        "from the third throw on, pucks and marker stay where they were",
    ),
    Mutant(
        "marker-behind-at-the-end",
        _PLAY,
        '(f"yard-{yards_at_end(data)}",)',
        '(f"yard-{data.drive.yards}",)',
        "the marker is not moved by the last throw of a game",
    ),
    Mutant(
        "turnover-unannounced",
        _STEPS,
        'Ending.TURNOVER: "turnover, the game is over"',
        'Ending.TURNOVER: "out of downs, the game is over"',
        "a turnover is announced as a game out of downs",
    ),
    Mutant(
        "big-play-by-yards-moved",
        _STEPS,
        "singles = single_play_wins(dice, self._payouts)",
        (
            "singles = tuple(\n            win\n"
            "            for win in single_play_wins(dice, self._payouts)\n"
            '            if win.area != "big-play" or data.drive.yards >= 7\n        )'
        ),
        "big play loses if fewer than seven yards are left on the field",
    ),
    Mutant(
        "distance-not-said",
        _PLAY,
        (
            'return f"{what}, '
            "{drive.yards} yard{'s' if drive.yards != 1 else ''} to the end zone, "
            'play {drive.play}"'
        ),
        'return f"{what}, play {drive.play}"',
        "downs are announced without the distance",
    ),
    Mutant(
        "correction-stays-on-the-field",
        _STEPS,
        "(data.last, data.last_drive or data.drive)",
        "(data.last, data.drive)",
        "a corrected throw is made from where the wrong one ended",
    ),
    Mutant(
        "no-correction-once-wagers-open",
        _ROUND,
        '        yield from correction(S.CORRECTING, (S.BETS_OPEN,), _thrown, "a throw of this game")\n',
        "",
        "a throw cannot be corrected once wagers are open for the next",
    ),
    Mutant(
        "ten-yards-are-not-enough",
        _RULES,
        "left <= GOAL_YARDS",
        "left < GOAL_YARDS",
        "the 10 yard line earns no 1st & goal",
    ),
    Mutant(
        "four-downs", _RULES, "if drive.down == DOWNS:", "if drive.down == DOWNS + 1:", "a series has four downs"
    ),
    Mutant(
        "goal-series-takes-over-the-downs",
        _RULES,
        "return Drive(left, 1, True, drive.play + 1)",
        "return Drive(left, min(drive.down + 1, DOWNS), True, drive.play + 1)",
        "1st & goal gives only the downs that are left",
    ),
    Mutant(
        "defense-collected-last",
        _STEPS,
        'return ("collect all defense wagers", single, rest)',
        'return (single, rest, "collect all defense wagers")',
        "after a score the losing defense wagers are collected last",
    ),
    Mutant(
        "no-extra-point-after-a-trips-td",
        _STEPS,
        "return scored(data, event) and not data.decided",
        "return data.ending is Ending.TOUCHDOWN and not data.decided",
        "after a Trips TD no extra point is offered",
    ),
    Mutant(
        "touchdown-lit-before-the-extra-point",
        _STEPS,
        "wins=(*games, *singles), steps=steps)",
        (
            "wins=(*((touchdown_win(self._payouts),) if play.ending in (Ending.TOUCHDOWN, "
            "Ending.TRIPS_TD) else ()), *games, *singles), steps=steps)"
        ),
        "touchdown is lit, and so paid, before the extra point roll",
    ),
    Mutant(
        "extra-point-settled-first",
        _STEPS,
        'steps = (f"pay winning touchdown wagers {touchdown.pays}", _settle("extra point wagers", won))',
        'steps = (_settle("extra point wagers", won), f"pay winning touchdown wagers {touchdown.pays}")',
        "the extra point is settled before touchdown wagers are paid",
    ),
    Mutant(
        "remainder-unsettled-after-a-turnover",
        _STEPS,
        'return (first, single, _settle("other full game wagers", others))',
        (
            'rest = _settle("other full game wagers", others)\n'
            "    return (first, single) if ending is Ending.TURNOVER else (first, single, rest)"
        ),
        "after a turnover game changer and game length are not settled",
    ),
    Mutant(
        "defense-paid-last",
        _STEPS,
        'return (first, single, _settle("other full game wagers", others))',
        'return (single, _settle("other full game wagers", others), first)',
        "without a score the single play wagers are settled first",
    ),
    Mutant(
        "touchdown-pays-2-to-1",
        _RULES,
        '_game("touchdown", "1")',
        '_game("touchdown", "2")',
        "touchdown pays 2 to 1",
    ),
    Mutant(
        "over-four-yards-forgets-the-trips-td",
        _RULES,
        '"big-play": 1, "over-four-yards": 2}',
        '"big-play": 1, "over-four-yards": 1}',
        "over four yards pays 1 to 1 on a Trips TD",
    ),
    Mutant(
        "dice-kept-after-downs",
        _STEPS,
        "position = data.quarterback if scored(data, event) else self._next(data.quarterback)",
        "position = self._next(data.quarterback) if data.ending is Ending.TURNOVER else data.quarterback",
        "a quarterback who is out of downs keeps the dice",
    ),
    Mutant(
        "dice-pass-on-after-a-touchdown",
        _ROUND,
        'S.SETTLED, "press clear", S.BETS_OPEN, self._steps.again, both(scored, fresh), "touchdown"',
        (
            'S.SETTLED, "press clear", S.BETS_OPEN, then(self._steps.decline, self._steps.again), '
            'both(scored, fresh), "touchdown"'
        ),
        "the dice pass on after a touchdown",
    ),
    Mutant(
        "leaving-keeps-the-dice",
        _STEPS,
        (
            "        position = self._next(data.quarterback)\n"
            "        data = replace(_blank(data), quarterback=position"
        ),
        "        position = data.quarterback\n        data = replace(_blank(data), quarterback=position",
        "the dice are offered to the quarterback who left",
    ),
    Mutant(
        "keyed-position-ignored",
        _STEPS,
        'return Step(replace(data, quarterback=int(data.position), position=""))',
        'return Step(replace(data, position=""))',
        "the position that is keyed does not get the dice",
    ),
    # the paytable: § 577.8
    Mutant(
        "game-of-three-plays-at-even-money",
        _RULES,
        '_game("game-length-3", "6/5")',
        '_game("game-length-3", "1")',
        "a game of three plays pays 1 to 1",
    ),
    Mutant(
        "turnover-pays-59-to-1",
        _RULES,
        '_single("turnover", "60")',
        '_single("turnover", "59")',
        "turnover pays 59 to 1",
    ),
    Mutant(
        "full-game-odds-not-fixed",
        _RULES,
        '"§ 577.8(a)", fixed=True)',
        '"§ 577.8(a)")',
        "a file may state better odds of full game wagers",
    ),
    Mutant(
        "single-play-odds-not-fixed",
        _RULES,
        '"§ 577.8(b)", fixed=True)',
        '"§ 577.8(b)")',
        "a file may state better odds of single play wagers",
    ),
    Mutant(
        "wiped-throw-is-unseen",
        "controller/games/three_dice_football/steps.py",
        "return not data.seen and not data.corrects",
        "return not data.entry and not data.corrects",
        "whoever keyed the dice wipes them, and wagers are placed on them",
    ),
)
