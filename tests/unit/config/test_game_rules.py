"""What a game demands of a table's file, each on its line with a remedy."""

import pytest
from football_regulation import PAYTABLE
from sic_bo_regulation import LEAST_ODDS

from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one

LIMITS = "  posted: elsewhere"


def odds(given: dict[str, str]) -> str:
    return "\nlayout:\n  odds:\n" + "".join(f"    {area}: {pays}\n" for area, pays in given.items())


@pytest.mark.clause("689a.1(g)(2)", "619a.1(g)(2)", "539.1(b)", "539.1(c)(2)", "577.2(b)(2)", "577.2(b)(4)")
@pytest.mark.clause("651a.2(b)(2)", "651a.2(b)(3)")
@pytest.mark.parametrize("game", game_names())
def test_every_area_and_indicator_has_a_lamp(mistakes, game):
    """Every lamp of a game on a wheel, and the first and last of the others."""
    lamps = load_table(table_path(game)).config.devices.panel.lamps
    known = find_game(game).lamps(load_table(table_path(game)).config.rules)
    for lamp in lamps if find_game(game).wheel else (known[0], known[-1]):
        (said,) = mistakes(game, (f"\n      {lamp}: {lamps[lamp]}\n", "\n"))
        assert f"'{lamp}' has no lamp; add `{lamp}: <output>`" in said


@pytest.mark.clause("689a.3(a)", "619a.3")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_no_wager_of_a_wheel_pays_less_than_the_clause(mistakes, game):
    """§ 689a.3(a), § 619a.3: by however little; the least and more are in order."""
    for wager in find_game(game).wagers:
        (least,) = wager.minimum
        (said,) = mistakes(game, append=odds({wager.area: f"{10 * least - 1} to 10"}))
        assert said.endswith(f" is below {wager.clause}; use {to_one(least)} or more")
        for pays in (to_one(least), f"{10 * least + 1} to 10"):
            assert mistakes(game, append=odds({wager.area: pays})) == []


@pytest.mark.clause("539.6(b)")
def test_each_of_the_odds_of_sic_bo_has_its_least(mistakes):
    """§ 539.6(b): the list, and not a tenth less."""
    assert mistakes("sic-bo", append=odds({area: f"{n} to 1" for area, n in LEAST_ODDS.items()})) == []
    less = {area: f"{10 * n - 1} to 10" for area, n in LEAST_ODDS.items()}
    assert mistakes("sic-bo", append=odds(less)) == [
        f"layout.odds.{area}: {less[area]} is below § 539.6(b); use {least} to 1 or more"
        for area, least in LEAST_ODDS.items()
    ]


@pytest.mark.clause("539.6(a)", "539.6(c)", "577.8(a)", "577.8(b)")
def test_odds_that_the_regulation_fixes(mistakes):
    """§ 539.6(c): One of a Kind is paid at 1, 2 and 3 to 1. § 577.8: neither less nor more."""
    (said,) = mistakes("sic-bo", append=odds({"one-of-a-kind-3": "2 to 1"}))
    assert said == "layout.odds.one-of-a-kind-3: § 539.6(c) fixes the odds of one-of-a-kind-3; remove the line"
    assert mistakes("three-dice-football", append=odds(dict.fromkeys(PAYTABLE, "70 to 1"))) == [
        f"layout.odds.{area}: {clause} fixes the odds of {area}; remove the line"
        for area, (clause, _) in PAYTABLE.items()
    ]
    (said,) = mistakes("sic-bo", append=odds({"small": "2 for 1"}))
    assert said == "layout.odds.small: odds are worded 'N to 1', never 'for'"


ANOTHER = "is the name of another area"
AMBIGUOUS = [
    ("{1: 2, 2: 1}", f"layout.symbols.1: '2' {ANOTHER}: 1 would be shown as 2"),
    ("{joker: logo}", f"layout.symbols.joker: 'logo' {ANOTHER}: joker would be shown as logo"),
    ("{joker: star, logo: star}", "layout.symbols.logo: 'star' is already the symbol of joker"),
    ("{1: Star, 2: ' STAR'}", "layout.symbols.2: ' STAR' is already the symbol of 1"),
    ("{1: $2, 2: $1}", f"layout.symbols.1: '$2' {ANOTHER}: 1 would be shown as 2"),
    ("{5: ＄２０}", f"layout.symbols.5: '＄２０' {ANOTHER}: 5 would be shown as 20"),
    ("{5: $10.00}", f"layout.symbols.5: '$10.00' {ANOTHER}: 5 would be shown as 10"),
    ("{10: 'EUR 5,00'}", f"layout.symbols.10: 'EUR 5,00' {ANOTHER}: 10 would be shown as 5"),
    ('{5: "1\\uFE0F"}', f"layout.symbols.5: '1\ufe0f' {ANOTHER}: 5 would be shown as 1"),
    ("{joker: ' '}", "layout.symbols.joker: the text has no visible character; write letters"),
    ('{joker: "\\u3164"}', "layout.symbols.joker: the text has no visible character; write letters"),
    ("{1: CHERRY, 2: LEMON, joker: joker, logo: FLAG}", ""),
    ("{1: $1, 2: 2 $, joker: $, logo: €}", ""),
]


@pytest.mark.clause("619a.1(a)", "619a.1(c)", "619a.1(g)(2)(i)", "619a.1(g)(2)(ii)", "619a.1(g)(2)(iii)")
@pytest.mark.parametrize(("symbols", "said"), AMBIGUOUS)
def test_a_symbol_names_one_area_and_no_other(mistakes, symbols, said):
    """A table that says "2" and pays 1 would pay the wrong wagers."""
    limits = "  minimum: 5\n  maximum: 500\n  currency: US$"
    found = mistakes("big-six", (LIMITS, limits), append=f"\nlayout:\n  symbols: {symbols}\n")
    assert bool(found) == bool(said)
    assert said in "".join(found)


@pytest.mark.clause("521.7(a)", "521.7(b)")
@pytest.mark.parametrize("game", game_names())
def test_check_warns_of_a_table_without_limits(check, game):
    """A warning and no error: files of an older version go on working."""
    assert check(game) == []
    (said,) = check(game, ("limits:\n", "# limits:\n"), (f"{LIMITS}\n", ""))
    assert said.startswith("the table has no limits, and shows none (§ 521.7(a), (b)); add `limits:`")


@pytest.mark.clause("521.7(a)", "521.7(b)")
def test_a_table_has_both_limits_or_says_that_they_are_posted_elsewhere(mistakes):
    for limits in ("  minimum: 5", "  maximum: 5", "  currency: $"):
        assert mistakes("big-six", (LIMITS, limits)) == [
            "limits: no minimum and maximum; add both, or `posted: elsewhere`"
        ]


@pytest.mark.clause("521.7(d)")
@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("twelve: 5", "no wager 'twelve' in this game"),
        ("every: 3", "the minimum 5 is no multiple of 3: no such wager could be placed"),
        ("joker: 1000", "the minimum 5 is no multiple of 1000"),
        ("every: 0.00001", "0.00001 is no step of an amount"),
    ],
)
def test_steps_of_an_amount_are_checked(mistakes, steps, message):
    found = mistakes("big-six", (LIMITS, f"  minimum: 5\n  maximum: 500\n  steps:\n    {steps}"))
    assert message in found[0]
    posted = mistakes("big-six", (LIMITS, f"{LIMITS}\n  steps:\n    {steps}"))
    assert "limits that are posted elsewhere have no steps" in posted[0]


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("dreamcatcher", "{40: 200 to 1}", "the wager 40 returns 446.4%: the house loses on it"),
        ("big-six", "{joker: 52 to 1}", "the wager joker returns 98.1%, and 85.2% at the game's least odds"),
        ("big-six", "{joker: 47 to 1}", ""),
    ],
)
def test_a_wager_that_returns_too_much_is_reported_with_the_figure(check, game, given, said):
    advice = check(game, append=f"\nlayout:\n  odds: {given}\n")
    assert len(advice) == bool(said)
    assert said in "".join(advice)
