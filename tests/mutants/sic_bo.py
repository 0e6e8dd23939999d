"""Mutants of the clauses on Sic Bo: its layout, dice, wagers and odds."""

from mutants.mutant import Mutant

_GAME = "controller/games/sic_bo/game.py"
_ROUND = "controller/games/dice/round.py"
_ENTRY = "controller/games/shared/dice_entry.py"
_AGES = "controller/table/ages.py"
_TABLE = "controller/table/machine.py"
_WAGERS = "controller/odds/wagers.py"
_DESCRIPTION = "controller/machine/game.py"
_FILES = "controller/configuration/rules.py"
_SCHEMA = "config/schema.py"
_FIELDS = "config/values.py"

MUTANTS: tuple[Mutant, ...] = (
    # the device and its layout: § 539.1
    Mutant(
        "two-of-a-kind-loses-on-a-triple",
        _GAME,
        "if count >= 2}",
        "if count == 2}",
        "two of a kind loses on a triple",
    ),
    Mutant(
        "dice-area-without-a-lamp",
        _FILES,
        "        if lamp not in given:",
        "        if lamp not in given and lamp not in game.areas:",
        "a file may leave out the lamp of an area",
    ),
    Mutant(
        "one-area-fewer",
        _GAME,
        "for a, b in combinations(FACES, 2)),",
        "for a, b in combinations(FACES, 2) if a + b < 11),",
        "there is no wager on 5 and 6",
    ),
    Mutant(
        "odds-of-the-file-ignored",
        _DESCRIPTION,
        "Payouts(self.wagers_under(config.rules), config.layout.odds)",
        "Payouts(self.wagers_under(config.rules), {})",
        "the table pays the least odds, not those that its layout states",
    ),
    Mutant(
        "automated-shaker-ignored",
        _ROUND,
        'DiceData(automated=dice.shaker == "automated")',
        "DiceData()",
        "a table with an automated shaker is run as one without",
    ),
    # the dice: § 539.2
    Mutant(
        "two-dice-are-enough",
        _ENTRY,
        "len(data.entry) == DICE",
        "len(data.entry) >= DICE - 1",
        "an entry of two dice is taken",
    ),
    Mutant("a-fourth-die", _ENTRY, "len(data.entry) < DICE", "len(data.entry) <= DICE", "a fourth die is taken"),
    Mutant(
        "retired-dice-open-rounds",
        _AGES,
        "all(one.name in data.fitted_utc_ns and one.name not in data.retired for one",
        "all(one.name in data.fitted_utc_ns for one",
        "rounds begin with retired dice",
    ),
    Mutant(
        "dice-of-no-known-age",
        _AGES,
        "all(one.name in data.fitted_utc_ns and one.name not in data.retired for one",
        "all(one.name not in data.retired for one",
        "rounds open with dice whose age nobody has recorded",
    ),
    Mutant(
        "age-limit-tells-nobody",
        _AGES,
        '(CancelTimer(WARN + one.name), Alert("age-reached", parameters=hours))',
        "(CancelTimer(WARN + one.name),)",
        "dice reach their age, and nobody is told",
    ),
    Mutant(
        "wagers-on-retired-dice-stay",
        _TABLE,
        '(WagersReturned(f"{names[0]}-retired"), Light(()))',
        "(Light(()),)",
        "a round that cannot be played keeps the wagers",
    ),
    Mutant(
        "warning-lost-without-power",
        _AGES,
        "        if age_ns < one.retire_ns:",
        "        if age_ns < one.warn_ns:",
        "a warning that fell due without power is never given",
    ),
    Mutant(
        "doubtful-age-is-not-said",
        _AGES,
        "    return data, tuple(alerts)\n",
        "    return data, ()\n",
        "the age of dice is shown as certain while the clock is not set",
    ),
    Mutant(
        "clock-that-is-set-ages-nothing",
        _AGES,
        "return since(replace(data, fitted_utc_ns=fitted), equipment, event.utc_ns)",
        "return replace(data, fitted_utc_ns=fitted), ()",
        "dice stay as young as the clock had counted, though it is set",
    ),
    Mutant(
        "clock-that-is-set-ages-new-dice",
        _AGES,
        "name: stamp + event.moved_ns if stamp >= event.started_utc_ns else stamp\n",
        "name: stamp\n",
        "dice put to use a minute ago are weeks old once the clock is set",
    ),
    Mutant(
        "age-counts-only-with-power",
        _AGES,
        "StartTimer(RETIRE + one.name, max(0, one.retire_ns - age_ns))",
        "StartTimer(RETIRE + one.name, one.retire_ns)",
        "dice are 24 hours old again after each power cut",
    ),
    Mutant(
        "clock-set-back",
        _AGES,
        "age_ns = utc_ns - fitted",
        "age_ns = max(0, utc_ns - fitted)",
        "a clock that is set back makes dice younger",
    ),
    Mutant(
        "one-age-for-both-shakers",
        _ROUND,
        "self._ages[law.IN_SHAKER if self.data.automated else law.BY_HAND]",
        "self._ages[law.BY_HAND]",
        "the dice of one shaker have the age of the other's",
    ),
    Mutant(
        "dice-for-two-days",
        _SCHEMA,
        'retire_h: Decimal = Field(Decimal(24), ge=1, le=24, description="age at',
        'retire_h: Decimal = Field(Decimal(24), ge=1, le=48, description="age at',
        "a file may have dice in use for 48 hours",
    ),
    Mutant(
        "table-believes-1970",
        "controller/runtime/table_clock.py",
        "if not FIRST_NS <= utc_ns <= LAST_NS:",
        "if not utc_ns <= LAST_NS:",
        "a clock that starts in 1970 is the table's, once somebody is said to have set it",
    ),
    # the wagers: § 539.3
    Mutant(
        "a-total-of-3",
        _GAME,
        "TOTALS = {4: 50,",
        "TOTALS = {3: 150, 4: 50,",
        "there is a wager that the regulation does not know",
    ),
    Mutant(
        "three-of-a-kind-stays-dark",
        _GAME,
        '{f"three-of-a-kind-{dice[0]}": 1, "any-three-of-a-kind": 1}',
        '{"any-three-of-a-kind": 1}',
        "three of a kind never wins",
    ),
    Mutant(
        "any-three-of-a-kind-stays-dark",
        _GAME,
        '{f"three-of-a-kind-{dice[0]}": 1, "any-three-of-a-kind": 1}',
        '{f"three-of-a-kind-{dice[0]}": 1}',
        "any three of a kind never wins",
    ),
    Mutant(
        "totals-lose-on-a-triple",
        _GAME,
        "if total in TOTALS:",
        "if total in TOTALS and not triple:",
        "a total loses on a triple",
    ),
    Mutant(
        "two-dice-need-the-third-apart",
        _GAME,
        "if shown[a] and shown[b]}",
        "if shown[a] == shown[b] == 1}",
        "two dice lose if the third shows one of the two numbers",
    ),
    Mutant("small-wins-on-a-triple", _GAME, "elif total in SMALL:", "if total in SMALL:", "small wins on a triple"),
    Mutant("big-wins-on-a-triple", _GAME, "elif total in BIG:", "if total in BIG:", "big wins on a triple"),
    Mutant(
        "ten-is-neither-small-nor-big",
        _GAME,
        "SMALL, BIG = range(4, 11)",
        "SMALL, BIG = range(4, 10)",
        "small loses on a total of 10",
    ),
    Mutant("seventeen-is-not-big", _GAME, "range(11, 18)", "range(11, 17)", "big loses on a total of 17"),
    Mutant(
        "one-of-a-kind-shows-once",
        _GAME,
        "if count}",
        "if count == 1}",
        "one of a kind loses if two dice show the number",
    ),
    Mutant(
        "first-entry-decides",
        _ROUND,
        "wins, dice = self._score(data.entry), ",
        "wins, dice = self._score(data.corrects or data.entry), ",
        "the areas of a corrected entry are lit again",
    ),
    Mutant(
        "corrected-areas-stay-lit",
        _ROUND,
        "result=False, wins=()), (withdrawn, Light(())))",
        "result=False, wins=()), (withdrawn,))",
        "wrong areas stay lit while the dice are keyed anew",
    ),
    # odds: § 539.6
    Mutant(
        "odds-worded-for",
        _WAGERS,
        'f"{odds.numerator} to {odds.denominator}"',
        'f"{odds.numerator} for {odds.denominator}"',
        "the table words its odds with 'for'",
    ),
    Mutant(
        "file-may-say-for",
        _FIELDS,
        "        raise ValueError(\"odds are worded 'N to 1', never 'for'\")",
        '        words[1] = "to"',
        "odds 'for 1' in a file are taken for odds 'to 1'",
    ),
    Mutant("total-of-5-pays-less", _GAME, "5: 18,", "5: 17,", "a total of 5 pays less than the list"),
    Mutant(
        "file-below-the-list",
        _FILES,
        "odds < wager.minimum[0]:",
        "odds < int(wager.minimum[0]) * 9 // 10:",
        "a file may state odds somewhat below the list",
    ),
    Mutant(
        "triple-pays-as-a-pair",
        _GAME,
        "tuple(map(Fraction, (1, 2, 3)))",
        "tuple(map(Fraction, (1, 2, 2)))",
        "three dice pay as two",
    ),
    Mutant(
        "one-of-a-kind-at-even-money",
        _GAME,
        "count for n, count in shown.items() if count}",
        "1 for n, count in shown.items() if count}",
        "one of a kind pays 1 to 1, whatever the number of dice",
    ),
    Mutant(
        "one-of-a-kind-at-other-odds",
        _GAME,
        '"§ 539.6(c)", fixed=True)',
        '"§ 539.6(c)")',
        "a file may state other odds of one of a kind",
    ),
    Mutant(
        "least-odds-whatever-the-file-says",
        _WAGERS,
        "return wager.minimum if odds is None or wager.fixed else (odds,)",
        "return wager.minimum",
        "a file's odds count for nothing",
    ),
)
