"""Mutants of the clauses on chapter 521: odds, limits and their sign, the guide."""

from mutants.mutant import Mutant

_TERMS = "controller/limits/terms.py"
_NOTICE = "controller/limits/notice.py"
_PROPOSED = "controller/limits/proposals.py"
_PROGRESS = "controller/limits/round_progress.py"
_SIGN = "controller/runtime/sign.py"
_SHOWN = "controller/viewmodel/sign.py"
_GUIDE = "controller/guide/page.py"
_EXACT = "controller/odds/exact.py"

_GUIDES = (
    Mutant(
        "guide-leaves-the-last-rules-out",
        _GUIDE,
        "_list(game.guide),",
        "_list(game.guide[:3]),",
        "of the rules of play, only the first three are in the guide",
    ),
    Mutant(
        "true-odds-leave-the-multipliers-out",
        _EXACT,
        "return self.fair if self.fair is not None else (1 - self.probability) / self.probability",
        "return (1 - self.probability) / self.probability",
        "at the true odds of the sheet a wager on Dreamcatcher would return 114%",
    ),
    Mutant(
        "true-odds-are-for-one",
        _EXACT,
        "else (1 - self.probability) / self.probability",
        "else 1 / self.probability",
        "true odds are those for one",
    ),
    Mutant(
        "advantage-without-the-wager",
        _EXACT,
        "return 1 - self.return_to_player",
        "return self.return_to_player - self.probability",
        "the house advantage is what is won",
    ),
    Mutant(
        "columns-of-odds-are-swapped",
        _GUIDE,
        '"true odds", "payout odds", ',
        '"payout odds", "true odds", ',
        "true odds stand under payout odds",
    ),
    Mutant(
        "picture-has-half-of-the-layout",
        "controller/guide/pictures.py",
        "for number, wager in enumerate(payouts.wagers):",
        "for number, wager in enumerate(payouts.wagers[::2]):",
        "the picture of the layout shows every second area",
    ),
    Mutant(
        "picture-of-the-layout-without-symbols",
        "controller/guide/pictures.py",
        "label = symbols.get(wager.area) or plain_name(wager.area)",
        "label = plain_name(wager.area)",
        "the picture shows dollars where the layout shows symbols",
    ),
    Mutant(
        "picture-has-half-of-the-wheel",
        "controller/guide/pictures.py",
        "for number, (label, colour) in enumerate(sections):",
        "for number, (label, colour) in enumerate(sections[::2]):",
        "the picture of the wheel shows every second section",
    ),
    Mutant(
        "guide-of-the-least-odds",
        _GUIDE,
        "payouts = game.least_payouts(config.rules) if least else game.payouts(config)",
        "payouts = game.least_payouts(config.rules)",
        "the guide of a table states the regulation's odds, not the table's",
    ),
    Mutant(
        "guide-without-limits",
        _GUIDE,
        "    limits = file_limits(config.limits)\n",
        "    limits = None\n",
        "the guide leaves the table's limits out",
    ),
    Mutant(
        "guide-needs-no-approval",
        _GUIDE,
        '    why = "not approved (§ 521.9(c))"\n',
        '    if section is None:\n        return "", ""\n    why = ""\n',
        "a guide that nobody has approved is no draft",
    ),
    Mutant(
        "approval-of-any-sample",
        _GUIDE,
        "if section is not None and section.sample == sample:",
        "if section is not None:",
        "an approval holds for whatever the guide says later",
    ),
    Mutant(
        "board-says-where-the-wheel-will-stop",
        "controller/games/clapper_wheel/screen.py",
        'S.SPINNING: _with_bonus("WHEEL IS TURNING", Tone.MOVING, "a valid spin needs three full turns"),',
        'S.SPINNING: lambda scene: Headline("WHEEL IS TURNING", Tone.MOVING, f"at {scene.tracker.position}"),',
        "the board helps to project the outcome while the wheel turns",
    ),
)

_SIGNS = (
    Mutant(
        "limits-are-missed-in-one-game-only",
        "controller/configuration/advice.py",
        "    if config.limits is None:\n",
        '    if config.limits is None and config.game == "dreamcatcher":\n',
        "a table without limits is in order",
    ),
    Mutant(
        "a-minimum-is-enough",
        "config/rules.py",
        'not {"minimum", "maximum"} <= set(given)',
        "not given",
        "a table without a highest wager is in order",
    ),
    Mutant(
        "sign-shows-announced-limits-at-once",
        _SHOWN,
        '**_amounts(table_state.limits or Limits("", "")),',
        '**_amounts(pending.limits if pending is not None else table_state.limits or Limits("", "")),',
        "the sign shows limits that are not in effect",
    ),
    Mutant(
        "odds-of-the-file-count-at-once",
        "controller/configuration/machines.py",
        '    layout = config.layout.model_copy(update={"symbols": house.symbols, "odds": odds})\n',
        '    layout = config.layout.model_copy(update={"symbols": house.symbols})\n',
        "odds of a changed file count from the start on, without key",
    ),
    Mutant(
        "confirmed-rules-count-inside-the-round",
        "controller/limits/table_state.py",
        "after = replace(after, next_house=None if house == self.house else house)",
        "after = replace(after, house=house, next_house=None)",
        "rules and odds change when the key is turned, in the middle of a round",
    ),
    Mutant(
        "rules-of-the-file-count-at-once",
        "controller/configuration/machines.py",
        '"rules": house.rules, ',
        "",
        "rules of a changed file count from the start on, without key",
    ),
    Mutant(
        "other-positions-without-a-table-made-ready",
        _TERMS,
        'place.startswith(("rules.", "dice."))',
        'place.startswith("dice.")',
        "a table goes on with other positions or decks as if nothing had changed",
    ),
    Mutant(
        "sign-without-steps",
        _SHOWN,
        'return {"steps": words} if words else {}',
        "return {}",
        "the sign does not say in what steps wagers are placed",
    ),
    Mutant(
        "guide-without-steps",
        _GUIDE,
        'words = "; ".join(filter(None, (limits_text(limits), further)))',
        "words = limits_text(limits)",
        "the guide does not say in what steps wagers are placed",
    ),
    Mutant(
        "steps-of-no-wager",
        "controller/configuration/rules.py",
        '        yield from _known(config.limits.steps, [EVERY, *wagers], ("limits", "steps"), "wager")\n',
        "        pass\n",
        "steps for a wager that the game does not have are accepted, and shown on the sign",
    ),
    Mutant(
        "limits-change-inside-a-round",
        "controller/runtime/recorder.py",
        "if RoundOpened in map(type, decision.effects):\n                # Before",
        "if decision.effects:\n                # Before",
        "announced limits take effect with whatever happens next",
    ),
    Mutant(
        "currency-changes-with-the-file",
        _SIGN,
        "return limits.currency if limits is not None else self._currency",
        "return self._currency",
        "the sign states another currency after a restart, without key or notice",
    ),
    Mutant(
        "nobody-plays-for-a-second",
        _PROGRESS,
        "QUIET_NS = 60_000_000_000\n",
        "QUIET_NS = 1_000_000_000\n",
        "a second after a round nobody plays",
    ),
    Mutant(
        "nobody-plays-though-a-round-has-begun",
        _PROGRESS,
        "return self.opened and self.state == OPEN and not self.begun",
        "return self.opened and self.state == OPEN",
        "limits change at once though wagers lie on the layout",
    ),
    Mutant(
        "nobody-plays-in-any-state",
        _PROPOSED,
        "return _played(now.quiet_in_ns)",
        "return _played(now.quiet_in_ns or 0)",
        "limits change at once in the middle of a round",
    ),
    Mutant(
        "notice-of-20-minutes",
        _TERMS,
        "NOTICE_MIN, FARTHEST_MIN = 30, ",
        "NOTICE_MIN, FARTHEST_MIN = 20, ",
        "limits change 20 minutes after their announcement",
    ),
    Mutant(
        "restart-ends-the-notice",
        _NOTICE,
        "        self._lit_ns = pending.lit_ns\n",
        "        self._lit_ns = NOTICE_NS if clock.utc_ns() > pending.announced_utc_ns else 0\n",
        "after a restart the sign need not be lit any longer",
    ),
    Mutant(
        "time-without-power-is-notice",
        _NOTICE,
        "        self._lit_ns = pending.lit_ns\n",
        "        self._lit_ns = clock.utc_ns() - pending.announced_utc_ns\n",
        "the wall clock counts the notice, also while the table is off",
    ),
    Mutant(
        "dark-sign-is-notice",
        _NOTICE,
        "return self._lit_ns + (self._clock.now_ns() - self._seen_ns if self._lit() else 0)",
        "return self._lit_ns + self._clock.now_ns() - self._seen_ns",
        "time for which no screen shows the sign counts",
    ),
    Mutant(
        "change-is-not-on-the-sign",
        _SHOWN,
        '"pending": _pending(table) if pending is not None else None,',
        '"pending": None,',
        "the sign does not say what will change",
    ),
    Mutant(
        "sign-states-a-time-that-is-past",
        _SHOWN,
        "at_ns = table.sign.effective_utc_ns()",
        "at_ns = pending.from_utc_ns",
        "the sign states a time at which the limits do not take effect",
    ),
    Mutant(
        "announcement-leaves-the-cap-out",
        _TERMS,
        'return f"{least} to {most}{paid}"',
        'return f"{least} to {most}"',
        "the most that is paid out in a round is not announced",
    ),
    Mutant(
        "announcement-of-the-old-limits",
        _SHOWN,
        "wagers are {limits_text(pending.limits)}",
        "wagers are {limits_text(table.table_state.limits or pending.limits)}",
        "the words for the patrons name the limits that are in effect",
    ),
    Mutant(
        "announcement-is-not-on-record",
        _PROPOSED,
        "from_ns, to_patrons, self.from_file)",
        "from_ns, False, self.from_file)",
        "nobody can see later whether the patrons were told",
    ),
)

MUTANTS: tuple[Mutant, ...] = (*_GUIDES, *_SIGNS)
