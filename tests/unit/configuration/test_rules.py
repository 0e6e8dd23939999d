"""What a game and the hardware demand of a table's file, each on its line with a remedy."""

import re
from pathlib import Path

import pytest
from football_regulation import PAYTABLE
from sic_bo_regulation import LEAST_ODDS

from config.problems import ConfigError
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables, table_path
from controller.machine.registry import find_game, game_names


def problems(tmp_path: Path, game: str, *changes: tuple[str, str], append: str = "") -> list[str]:
    """The shipped table with some text replaced: its problems, without the file's name."""
    text = shipped_tables()[game].read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    file = tmp_path / "table.yaml"
    file.write_text(text + append, encoding="utf-8")
    try:
        load_table(file)
    except ConfigError as error:
        return [str(problem).removeprefix(f"{file}:") for problem in error.problems]
    return []


def line_of(game: str, text: str) -> int:
    lines = shipped_tables()[game].read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.lstrip().startswith(text))


@pytest.mark.parametrize("game", game_names())
def test_the_shipped_table_is_in_order(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", game]) == 0
    assert "in order" in capsys.readouterr().out


@pytest.mark.clause(
    "689a.1(g)(2)",
    "619a.1(g)(2)",
    "539.1(b)",
    "539.1(c)(2)",
    "577.2(b)(2)",
    "577.2(b)(4)",
    "651a.2(b)(2)",
    "651a.2(b)(3)",
)
@pytest.mark.parametrize("game", game_names())
def test_a_missing_lamp_is_named(tmp_path: Path, game: str) -> None:
    area = find_game(game).lamps(load_table(table_path(game)).config.rules)[-1]
    lamp = line_of(game, f"{area}:") if game != "dreamcatcher" else line_of(game, "40:")
    text = shipped_tables()[game].read_text(encoding="utf-8").splitlines()[lamp - 1]
    found = problems(tmp_path, game, (text + "\n", ""))
    assert len(found) == 1
    assert f"'{area}' has no lamp" in found[0]


@pytest.mark.clause("689a.3(a)", "619a.3")
def test_odds_below_the_minimum(tmp_path: Path) -> None:
    found = problems(tmp_path, "dreamcatcher", append="\nlayout:\n  odds:\n    10: 9 to 1\n")
    assert len(found) == 1
    assert "layout.odds.10: 9 to 1 is below § 689a.3(a); use 10 to 1 or more" in found[0]


AMBIGUOUS = [
    ("{1: 2, 2: 1}", "layout.symbols.1: '2' is the name of another area: 1 would be shown as 2"),
    ("{joker: logo}", "layout.symbols.joker: 'logo' is the name of another area: joker would be shown as logo"),
    ("{1: Logo}", "layout.symbols.1: 'Logo' is the name of another area"),
    ("{joker: star, logo: star}", "layout.symbols.logo: 'star' is the symbol of joker, too"),
    ("{1: Star, 2: ' STAR'}", "layout.symbols.2: ' STAR' is the symbol of 1, too"),
    ("{1: $2, 2: $1}", "layout.symbols.1: '$2' is the name of another area: 1 would be shown as 2"),
    ("{5: 10 €}", "layout.symbols.5: '10 €' is the name of another area: 5 would be shown as 10"),
    ("{5: US$20}", "layout.symbols.5: 'US$20' is the name of another area: 5 would be shown as 20"),
    ("{5: ＄２０}", "layout.symbols.5: '＄２０' is the name of another area: 5 would be shown as 20"),
    ("{5: $10.00}", "layout.symbols.5: '$10.00' is the name of another area: 5 would be shown as 10"),
    ("{10: 5 dollars}", "layout.symbols.10: '5 dollars' is the name of another area: 10 would be shown as 5"),
    ("{10: 'EUR 5,00'}", "layout.symbols.10: 'EUR 5,00' is the name of another area: 10 would be shown as 5"),
    ("{joker: $star, logo: £ STAR}", "layout.symbols.logo: '£ STAR' is the symbol of joker, too"),
]


@pytest.mark.clause("619a.1(a)", "619a.1(c)", "619a.1(g)(2)(i)", "619a.1(g)(2)(ii)", "619a.1(g)(2)(iii)")
@pytest.mark.parametrize(("symbols", "found"), AMBIGUOUS)
def test_a_symbol_names_one_area_and_no_other(tmp_path: Path, symbols: str, found: str) -> None:
    """A table that says "2" and pays 1 would pay the wrong wagers."""
    limits = ("  posted: elsewhere\n", "  minimum: 5\n  maximum: 500\n  currency: US$\n")
    lines = problems(tmp_path, "big-six", limits, append=f"\nlayout:\n  symbols: {symbols}\n")
    assert found in lines[0]
    assert re.match(r"\d+:\d+: ", lines[0]), "it says the line"


@pytest.mark.clause("619a.1(a)", "619a.1(c)", "619a.1(g)(2)(i)", "619a.1(g)(2)(ii)", "619a.1(g)(2)(iii)")
@pytest.mark.parametrize(
    "symbols",
    [
        "{1: CHERRY, 2: LEMON, joker: joker, logo: FLAG}",
        "{1: $1, 2: 2 $, joker: $, logo: €}",
        "{5: $5.00, 10: 10 dollars, joker: $1.50, logo: Euro}",
    ],
)
def test_symbols_that_are_all_different_are_in_order(tmp_path: Path, symbols: str) -> None:
    assert problems(tmp_path, "big-six", append=f"\nlayout:\n  symbols: {symbols}\n") == []


def test_rules_of_its_own_where_a_game_has_none(tmp_path: Path) -> None:
    found = problems(tmp_path, "sic-bo", append="\nrules:\n  positions: 7\n")
    assert len(found) == 1
    assert "rules: Sic Bo has no use for this section; remove it" in found[0]


@pytest.mark.clause("539.6(c)")
def test_odds_that_the_regulation_fixes(tmp_path: Path) -> None:
    """§ 539.6(c): One of a Kind shall be paid at 1, 2 and 3 to 1."""
    found = problems(tmp_path, "sic-bo", append="\nlayout:\n  odds:\n    one-of-a-kind-3: 2 to 1\n")
    assert len(found) == 1
    assert "layout.odds.one-of-a-kind-3: § 539.6(c) fixes the odds of one-of-a-kind-3; remove the line" in found[0]


def own_odds(odds: dict[str, str]) -> str:
    return "\nlayout:\n  odds:\n" + "".join(f"    {area}: {pays}\n" for area, pays in odds.items())


@pytest.mark.clause("539.6(b)")
def test_each_of_the_odds_of_sic_bo_has_its_least(tmp_path: Path) -> None:
    """§ 539.6(b): the list, and not a tenth less."""
    assert (
        problems(tmp_path, "sic-bo", append=own_odds({area: f"{n} to 1" for area, n in LEAST_ODDS.items()})) == []
    )
    less = {area: f"{10 * n - 1} to 10" for area, n in LEAST_ODDS.items()}
    found = problems(tmp_path, "sic-bo", append=own_odds(less))
    for problem, (area, least) in zip(found, LEAST_ODDS.items(), strict=True):
        assert f"layout.odds.{area}: {less[area]} is below § 539.6(b); use {least} to 1 or more" in problem


@pytest.mark.clause("577.8(a)", "577.8(b)")
def test_all_odds_of_three_dice_football_are_fixed(tmp_path: Path) -> None:
    """§ 577.8: neither less nor more."""
    found = problems(tmp_path, "three-dice-football", append=own_odds(dict.fromkeys(PAYTABLE, "70 to 1")))
    for problem, (area, (clause, _)) in zip(found, PAYTABLE.items(), strict=True):
        assert f"layout.odds.{area}: {clause} fixes the odds of {area}; remove the line" in problem


@pytest.mark.clause("539.6(a)")
def test_odds_for_instead_of_to(tmp_path: Path) -> None:
    found = problems(tmp_path, "dreamcatcher", append="\nlayout:\n  odds:\n    10: 11 for 1\n")
    assert "never 'for'" in found[0]


@pytest.mark.clause("689a.1(a)", "689a.1(b)")
def test_a_wheel_order_that_breaks_the_clause(tmp_path: Path) -> None:
    order = list(find_game("dreamcatcher").wheel)
    order[3], order[4] = order[4], order[3]
    wheel = ("wheel:\n", f"wheel:\n  order: [{', '.join(order)}]\n")
    found = problems(tmp_path, "dreamcatcher", wheel)
    assert len(found) == 1
    assert "wheel.order.3: section 4 is '5' by § 689a.1(b), not '1'" in found[0]
    short = problems(tmp_path, "dreamcatcher", ("wheel:\n", "wheel:\n  order: [7x, 2, 1]\n"))
    assert "3 sections instead of 54" in short[0]


@pytest.mark.clause("619a.1(c)")
def test_an_unknown_game_backend_control_and_area(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        "dreamcatcher",
        ("clear:", "clears:"),
        ("backend: mock", "backend: mok"),
        append="\nlayout:\n  symbols:\n    10: Cherry\n",
    )
    text = "\n".join(found)
    assert "unknown backend 'mok' for edges; did you mean mock? the backends are: capture, gpiod, mock" in text
    assert "no control 'clears' in this game; did you mean clear?" in text
    assert "no key for: clear" in text
    assert "Dreamcatcher allows no other symbols" in text
    assert problems(tmp_path, "dreamcatcher", ("game: dreamcatcher", "game: dreamcather"))[0].endswith(
        "unknown game 'dreamcather'; did you mean dreamcatcher? the games are: "
        "big-six, casino-war, dreamcatcher, roulette, sic-bo, three-dice-football"
    )


def test_equipment_of_another_game(tmp_path: Path) -> None:
    found = problems(tmp_path, "dreamcatcher", append="\ndice:\n  shaker: manual\n")
    assert "Dreamcatcher has no use for this section; remove it" in found[0]


def test_options_that_a_backend_does_not_have(tmp_path: Path) -> None:
    head = "  head:\n    backend: mock"
    text = shipped_tables()["dreamcatcher"].read_text(encoding="utf-8")
    assert "head:" in text
    found = problems(tmp_path, "dreamcatcher", ("backend: mock", "backend: mock\n    options: {frictoin_nm: 1}"))
    assert head.split(":")[0].strip() in found[0]
    assert "unknown key; did you mean friction_nm?" in found[0]


def test_pins_that_a_driver_takes_by_itself(tmp_path: Path) -> None:
    """SPI0 takes GPIO 7 to 11."""
    chain = "panel:\n    backend: hc595\n    options: {registers: 1}"
    found = problems(
        tmp_path,
        "big-six",
        ("no-more-bets: 5", "no-more-bets: 9"),
        ("panel:\n    backend: mock\n    options: {}", chain),
    )
    assert any("panel.backend: pin 9 is already used by" in line for line in found)


@pytest.mark.parametrize(
    ("section", "options", "found"),
    [
        (
            "panel",
            "backend: hc595\n    options: {registers: 1}",
            "panel.lamps.two-of-a-kind-2: output 8 is beyond the chain: registers: 1 has outputs 0 to 7",
        ),
        (
            "panel",
            "backend: modbus\n    options: {port: /dev/ttyS0, units: [{unit: 1, outputs: 8}]}",
            "output 8 is beyond the modules under units, which have outputs 0 to 7",
        ),
        (
            "panel",
            "backend: gpiozero\n    options: {}",
            "panel.lamps.three-of-a-kind-1: 0 is no pin of the header; use 2 to 27",
        ),
        ("keypad", "backend: serial\n    options: {port: /dev/ttyS0}", "serial finds keys by what they send"),
        ("switches", "backend: gpiozero\n    options: {active_high: [flor-key]}", "there is no switch 'flor-key'"),
    ],
)
def test_what_a_driver_finds_wrong(tmp_path: Path, section: str, options: str, found: str) -> None:
    place = f"{section}:\n    backend: mock\n    options: {{}}"
    lines = problems(tmp_path, "sic-bo", (place, f"{section}:\n    {options}"))
    assert any(found in line for line in lines), lines


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("{debounce_us: {clapper: -300}}", "debounce_us.clapper"),
        ("{debounce_us: {clapper: 5000000000}}", "debounce_us.clapper"),
        ("{debounce_us: {encoder_a: 300}}", "debounce_us.encoder_a"),
        ("{debounce_us: {encoder_z: 3}}", "debounce_us.encoder_z"),
        ("{debounce_us: {ball_1: 300}}", "the line 'ball_1' is not wired; use: encoder_a"),
        ("{active_low: [indx]}", "active_low"),
        ("{lines: {encoder_a: X, encoder_b: X}}", "lines.encoder_b: encoder_a and encoder_b are both on X"),
        ("{debounce_us: {clapper: 300}, active_low: [index], lines: {index: GPIO22}}", ""),
    ],
)
def test_options_of_a_sensor_head(tmp_path: Path, options: str, found: str) -> None:
    options = f"options: {options}\n    pins:\n      encoder_a: 17"
    changes = (
        ("head:\n    backend: mock", "head:\n    backend: gpiod"),
        ("options: {}\n    pins:\n      encoder_a: 17", options),
    )
    lines = problems(tmp_path, "dreamcatcher", *changes)
    assert bool(lines) == bool(found), lines
    assert found in "\n".join(lines)


def test_check_prints_every_problem_and_exits_78(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.yaml"
    text = shipped_tables()["sic-bo"].read_text(encoding="utf-8")
    file.write_text(
        text.replace("shaker: manual", "shaker: magic").replace("total-9:", "total-3:"), encoding="utf-8"
    )
    assert main(["check", str(file), "dreamcatcher"]) == 78
    printed = capsys.readouterr()
    assert "table.yaml: 3 problems" in printed.out
    assert "dreamcatcher.yaml: in order" in printed.out
    assert "manual" in printed.err
    assert "the area 'total-9' has no lamp" in printed.err
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("  maximum: 500\n  payout: 499", "limits.payout: 499 is below the maximum: no such wager could be paid"),
        ("  maximum: 500.00001", "limits.maximum: 500.00001 has too many decimals; write at most 4"),
    ],
)
def test_limits_that_could_not_be_posted(tmp_path: Path, limits: str, message: str) -> None:
    found = problems(tmp_path, "sic-bo", ("  posted: elsewhere", f"  minimum: 5\n{limits}"))
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.clause("521.7(a)", "521.7(b)")
@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("  minimum: 5", "limits: no minimum and maximum; add both, or `posted: elsewhere`"),
        ("  currency: $", "limits: no minimum and maximum; add both, or `posted: elsewhere`"),
        ("  posted: elsewhere\n  maximum: 500", "limits.maximum: limits that are posted elsewhere have no maximum"),
        ("  posted: here", "limits.posted: "),
    ],
)
def test_a_table_has_limits_or_says_where_they_are_posted(tmp_path: Path, limits: str, message: str) -> None:
    found = problems(tmp_path, "big-six", ("  posted: elsewhere", limits))
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.clause("521.7(d)")
@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("twelve: 5", "no wager 'twelve' in this game"),
        ("every: 3", "the minimum 5 is no multiple of 3: no such wager could be placed"),
        ("joker: 1000", "the minimum 5 is no multiple of 1000"),
        ("every: 0", "0 is no step of an amount"),
        ("every: 0.00001", "0.00001 is no step of an amount"),
    ],
)
def test_steps_of_an_amount_are_checked(tmp_path: Path, steps: str, message: str) -> None:
    limits = f"  minimum: 5\n  maximum: 500\n  steps:\n    {steps}"
    found = problems(tmp_path, "big-six", ("  posted: elsewhere", limits))
    assert message in found[0]
    posted = problems(tmp_path, "big-six", ("  posted: elsewhere", f"  posted: elsewhere\n  steps:\n    {steps}"))
    assert "limits that are posted elsewhere have no steps" in posted[0]


@pytest.mark.clause("521.7(a)", "521.7(b)")
@pytest.mark.parametrize("game", game_names())
def test_check_warns_of_a_table_without_limits(
    tmp_path: Path, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning and no error: files of an older version go on working."""
    text = shipped_tables()[game].read_text(encoding="utf-8")
    assert main(["check", game]) == 0
    assert "has no limits" not in capsys.readouterr().out
    file = tmp_path / "table.yaml"
    file.write_text(text.replace("limits:\n", "", 1).replace("  posted: elsewhere\n", "", 1), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "table.yaml: in order" in (said := capsys.readouterr().out)
    assert "the table has no limits, and shows none (§ 521.7(a), (b)); add `limits:`" in said
