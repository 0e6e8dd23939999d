"""The shipped tables: valid as they are, documented truly, and valid by the schema for editors."""

import json
import re
from itertools import combinations

import pytest
import yaml
from jsonschema import Draft202012Validator

from config.loader import json_schema, load_text
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables
from controller.machine.registry import find_game

SIC_BO_AREAS = {
    *(f"{kind}-of-a-kind-{die}" for kind in ("one", "two", "three") for die in range(1, 7)),
    *(f"total-{total}" for total in range(4, 18)),
    *(f"two-dice-{a}-{b}" for a, b in combinations(range(1, 7), 2)),
    *("any-three-of-a-kind", "small", "big"),
}


@pytest.fixture(params=shipped_tables())
def shipped(request):
    """Each of the shipped tables in turn."""
    return shipped_tables()[request.param]


def test_each_has_its_name_and_a_journal_of_its_own(shipped):
    config = load_table(shipped).config
    assert (config.table, config.game) == (shipped.stem, shipped.stem)
    assert config.journal.file == f"/var/lib/table-controller/{shipped.stem}.journal"


@pytest.mark.clause(
    "689a.1(g)(2)",
    "619a.1(g)(2)",
    "619a.1(g)(2)(i)",
    "619a.1(g)(2)(ii)",
    "619a.1(g)(2)(iii)",
    "539.1(c)(2)",
    "651a.2(b)(2)",
    "651a.2(b)(3)",
)
def test_areas_and_controls(shipped):
    devices = load_table(shipped).config.devices
    lamps = set(devices.panel.lamps)
    if shipped.stem == "sic-bo":
        assert lamps == SIC_BO_AREAS
        assert len(lamps) == 50
        digits = set("0123456789")
        keys = {key for row in devices.keypad.keys for key in row}
        assert keys == digits | {"enter", "clear", "no-more-bets", "done", "no-roll", "correct"}
        assert set(devices.switches.pins) == {"floor-key", "shaker-done", "shaker-fault"}
    elif shipped.stem in ("three-dice-football", "casino-war", "roulette"):
        assert lamps == {*find_game(shipped.stem).lamps(load_table(shipped).config.rules)}
        count = {"three-dice-football": 19 + 37, "casino-war": 7 * 8, "roulette": 38 + 12}
        assert len(lamps) == count[shipped.stem]
        assert set(devices.switches.pins) == {"floor-key"}
    else:
        more = {"40"} if shipped.stem == "dreamcatcher" else {"joker", "logo"}
        assert lamps == {"1", "2", "5", "10", "20"} | more
        assert set(devices.buttons.pins) == {"no-more-bets", "done", "clear"}
        assert set(devices.switches.pins) == {"floor-key"}


@pytest.mark.clause("619a.1(g)(3)")
def test_the_layout_of_big_six_can_be_uncommented(table, problems):
    start = table.index("# layout:")
    end = table.index("# What is done about this computer")
    example = re.sub("^# ?", "", table[start:end], flags=re.MULTILINE)
    text = table[:start] + example + table[end:]
    assert problems(text) == ()
    layout = load_text(text.encode(), "table.yaml").layout
    assert set(layout.symbols) == {"1", "2", "logo"}
    assert all(odds > 45 for odds in layout.odds.values())


def test_units_match_the_controllers(table):
    text = table.replace("# rest_s: 1.5", "rest_s: 1.25").replace("# debounce_ms: 2", "debounce_ms: 0.5")
    wheel = load_text(text.encode(), "table.yaml").wheel
    assert (wheel.rest_ns, wheel.debounce_ns, wheel.spin_limit_ns) == (1_250_000_000, 500_000, 120_000_000_000)


# -- JSON Schema ---------------------------------------------------------------------------------------------------


def plain(value):
    """YAML's data with all keys as text, as JSON has them."""
    if isinstance(value, dict):
        return {str(key): plain(below) for key, below in value.items()}
    return [plain(below) for below in value] if isinstance(value, list) else value


EDITOR = Draft202012Validator(json_schema())


def editor_accepts(text):
    return EDITOR.is_valid(plain(yaml.safe_load(text)))


def test_editors_accept_the_shipped_tables(shipped):
    assert editor_accepts(shipped.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# reversed: false", "reversed: true"),
        ("# rest_s: 1.5", "rest_s: 2"),
        ("# rest_s: 1.5", "rest_s: 0.5"),
        ("table: big-six", "table: 7"),
        ("table: big-six", "table: x\nlayout: {odds: {1: 2, joker: 47 to 1}, symbols: {1: 77}}"),
    ],
)
def test_editors_accept_what_the_loader_accepts(table, problems, old, new):
    text = table.replace(old, new)
    assert problems(text) == ()
    assert editor_accepts(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# reversed: false", "revers: true"),
        ("# reversed: false", "reversed: 1"),
        ("# rest_s: 1.5", "rest_s: 0.4"),
        ("# rest_s: 1.5", "rest_s: '2'"),
        ("counts_per_turn: 1440", "counts_per_turn: 1442"),
        ("counts_per_turn: 1440", ""),
        ("joker: 5", "joker: 512"),
        ("    pin: 12", "    pin: 1"),
        ("table: big-six", "table: Big Six"),
        ("\nwheel:", "\ndice: {shaker: auto}\nwheel:"),
    ],
)
def test_editors_refuse_what_the_loader_refuses(table, old, new):
    assert not editor_accepts(table.replace(old, new))


def test_the_contacts_and_the_computer_can_be_uncommented(shipped):
    """Their pins are free in every shipped table."""
    text = shipped.read_text(encoding="utf-8")
    start, end = text.index("  # tamper:"), text.index("  # The dealer's buzzer")
    example = re.sub("^  # ?", "  ", text[start:end], flags=re.MULTILINE)
    text = (text[:start] + example + text[end:]).replace("# computer:", "computer:", 1)
    for line in ("  supply: alert", "  clock_battery: alert"):
        text = text.replace(f"# {line}", line)
    config = load_text(text.encode(), "table.yaml")
    contacts = {name: (contact.opens, contact.latch) for name, contact in config.devices.tamper.contacts.items()}
    assert contacts == {"door": ("alert", None), "cabinet": ("lock", 4)}
    assert (config.computer.supply, config.computer.clock_battery) == ("alert", "alert")


def test_a_latch_on_the_pin_of_something_else_is_named(table, problems):
    """Contacts, latches and their reset share the header with all other devices."""
    buzzer = "  # The dealer's buzzer"
    tamper = "  tamper:\n    backend: mock\n    contacts:\n      cabinet: {pin: 2, latch: 2}\n    latch_reset: 12\n"
    found = problems(table.replace(buzzer, tamper + buzzer, 1))
    keys = {problem.key for problem in found}
    assert "devices.tamper.contacts.cabinet.latch" in keys
    assert any("pin 12 is already used" in problem.message for problem in found)


def test_the_schema_of_a_floors_file(capsys):
    assert main(["check", "--schema", "floor"]) == 0
    floor = Draft202012Validator(json.loads(capsys.readouterr().out))
    broker = {"host": "broker.casino", "ca": "ca.pem", "certificate": "floor.pem", "key": "floor.key"}
    assert floor.is_valid({"floor": "main", "broker": broker, "fairness": {"odds": 100_000}})
    errors = list(floor.iter_errors({"floor": "main", "broker": {**broker, "port": 0}, "odds": 3}))
    assert {error.validator for error in errors} == {"minimum", "additionalProperties"}
    assert [error.validator for error in floor.iter_errors({"floor": "main"})] == ["required"]
