"""The shipped tables: what they have, what is commented out in them, and the schema for editors."""

import json
import re

import pytest
import yaml
from jsonschema import Draft202012Validator

from config.loader import json_schema, load_text
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables, table_path

EDITOR = Draft202012Validator(json_schema())


@pytest.fixture(params=shipped_tables())
def text(request):
    """The text of each of the shipped tables in turn."""
    return table_path(request.param).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", shipped_tables())
def test_table_and_journal_have_the_name_of_the_game(game):
    """The journal is in the folder that systemd gives the table."""
    config = load_table(table_path(game)).config
    assert (config.table, config.journal.file) == (game, f"/var/lib/table-controller/{game}.journal")


def uncommented(text: str, begin: str, end: str) -> str:
    start, stop = text.index(begin), text.index(end)
    return text[:start] + re.sub("(?m)^# ?", "", text[start:stop]) + text[stop:]


@pytest.mark.clause("619a.1(g)(3)")
def test_the_layout_of_big_six_can_be_uncommented(problems):
    big_six = table_path("big-six").read_text(encoding="utf-8")
    text = uncommented(big_six, "# layout:", "# What the table does when this computer")
    assert problems(text) == ()
    layout = load_text(text.encode(), "table.yaml").layout
    assert set(layout.symbols) == {"1", "2", "logo"}
    assert all(odds > 45 for odds in layout.odds.values())


def test_contacts_and_computer_can_be_uncommented(text, problems):
    """The contacts' pins are free in every shipped table."""
    start, end = text.index("  # tamper:"), text.index("  # The dealer's buzzer")
    text = text[:start] + re.sub("(?m)^  # ?", "  ", text[start:end]) + text[end:]
    text = uncommented(text, "# computer:", "# What is connected")
    text = text.replace("backend: gpiozero", "backend: mock")
    assert problems(text) == ()
    config = load_text(text.encode(), "table.yaml")
    contacts = {name: (contact.opens, contact.latch) for name, contact in config.devices.tamper.contacts.items()}
    assert contacts == {"door": ("alert", None), "cabinet": ("lock", 15)}
    assert (config.computer.supply, config.computer.clock_battery) == ("alert", "alert")
    doubled = {problem.key for problem in problems(text.replace("latch: 15", "latch: 3"))}
    assert doubled == {"devices.tamper.contacts.cabinet.latch"}


# -- JSON Schema ---------------------------------------------------------------------------------------------------


def plain(value):
    """YAML's data with all keys as text, as JSON has them."""
    if isinstance(value, dict):
        return {str(key): plain(below) for key, below in value.items()}
    return [plain(below) for below in value] if isinstance(value, list) else value


def test_editors_accept_the_shipped_tables(text):
    assert EDITOR.is_valid(plain(yaml.safe_load(text)))


@pytest.mark.parametrize(
    ("old", "new", "accepted"),
    [
        ("# reversed: false", "reversed: true", True),
        ("# rest_s: 1.5", "rest_s: 0.5 #", True),
        ("table: big-six", "table: 7", True),
        ("table: big-six", "table: x\nlayout: {odds: {1: 2, joker: 47 to 1}, symbols: {1: 77}}", True),
        ("# reversed: false", "revers: true", False),
        ("# rest_s: 1.5", "rest_s: 0.4 #", False),
        ("counts_per_turn: 1440", "counts_per_turn: 1442", False),
        ("table: big-six", "table: Big Six", False),
        ("\nwheel:", "\ncomputer: {supply: auto}\nwheel:", False),
    ],
)
def test_editors_accept_what_the_loader_accepts(problems, old, new, accepted):
    text = table_path("big-six").read_text(encoding="utf-8").replace(old, new, 1)
    assert (problems(text) == ()) is EDITOR.is_valid(plain(yaml.safe_load(text))) is accepted


def test_the_schema_of_a_floors_file(capsys):
    assert main(["check", "--schema", "floor"]) == 0
    floor = Draft202012Validator(json.loads(capsys.readouterr().out))
    broker = {"host": "broker.casino", "ca": "ca.pem", "certificate": "floor.pem", "key": "floor.key"}
    assert floor.is_valid({"floor": "main", "broker": broker, "fairness": {"odds": 100_000}})
    errors = list(floor.iter_errors({"floor": "main", "broker": {**broker, "port": 0}, "odds": 3}))
    assert {error.validator for error in errors} == {"minimum", "additionalProperties"}
    assert [error.validator for error in floor.iter_errors({"floor": "main"})] == ["required"]
