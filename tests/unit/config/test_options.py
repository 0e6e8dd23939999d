"""Options of drivers follow the rules of the rest of the file, and fit the wiring; and what ``check`` advises."""

import pytest

from controller.configuration.shipped import table_path

READER = ("  reader:\n    backend: mock\n    options: {}", "  reader:\n    backend: serial\n    options: ")
PANEL = "  panel:\n    backend: mock\n    options: {}"


@pytest.fixture
def with_head(check):
    """The problems and advice for a wheel on GPIO lines with these options."""
    text = table_path("big-six").read_text(encoding="utf-8")
    old = text[text.index("  head:\n") : text.index("    pins:\n      encoder_a")]
    return lambda options: check("big-six", (old, f"  head:\n    backend: gpiod\n    options: {options}\n"))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("baud_rate: 0300", "baud_rate: '0300' is not a whole number; write 300, without leading zeros"),
        ("retry_s: nan", "retry_s: 'nan' is not a number; use more than 0, at most 60"),
        ("retry_s: 61", "retry_s: 61 is out of range; use more than 0, at most 60"),
        ("stop_bits: ", "stop_bits: the key has no value; use 1 to 2, or remove the key"),
        ("parity: no", "parity: 'no' is not one of the choices; use none, even or odd"),
        ("names: {37: [00]}", "names.37: a list where text is expected; write text"),
        ("line_ends: x", "line_ends: unknown key; did you mean line_end?"),
        ("port: tty", "port: 'tty' does not have the required form; it must match ^/"),
        ("pattern: '[0-9]+'", "pattern: the pattern has no group 'pocket'"),
    ],
)
def test_every_mistake_has_its_message(check, option, message):
    port = "" if option.startswith("port") else "port: /dev/ttyUSB0, "
    (found,) = check("roulette", (READER[0], f"{READER[1]}{{{port}{option}}}"))
    assert f"devices.reader.options.{message}" in found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{debounce_us: {clapper: -300}}", "debounce_us.clapper: -300 is out of range; use 0 to 5000"),
        ("{debounce_us: {encoder_a: 5000}}", "debounce_us.encoder_a: 5000 is too long: edges of a fast wheel"),
        (
            "{debounce_us: {encoder_z: 3}}",
            "debounce_us.encoder_z: the line 'encoder_z' is not wired; use: encoder_a",
        ),
        ("{active_low: [claper]}", "active_low: the line 'claper' is not wired; use: encoder_a"),
        ("{lines: {encoder_a: X, encoder_b: X}}", "lines.encoder_b: encoder_a and encoder_b are both on X"),
        ("{lines: {clapper: GPIO27}}", "lines.clapper: encoder_b and clapper are both on GPIO27"),
    ],
)
def test_lines_of_a_head_are_wired_once_and_lose_no_edge(with_head, options, message):
    (found,) = with_head(options)
    assert f"devices.head.options.{message}" in found


def test_lines_that_are_in_order(with_head):
    said = with_head("{debounce_us: {clapper: 300, encoder_a: 50}, active_low: [index], lines: {clapper: X}}")
    assert not [line for line in said if "devices.head" in line]


@pytest.mark.parametrize(
    ("backend", "options", "lamp", "message"),
    [
        ("hc595", "{registers: 1}", 8, "output 8 is beyond the chain: registers: 1 has outputs 0 to 7"),
        (
            "modbus",
            "{port: /dev/ttyUSB0, units: [{unit: 1, outputs: 6}, {unit: 2, outputs: 2}]}",
            8,
            "outputs 0 to 7",
        ),
        ("gpiozero", "{}", 28, "28 is no pin of the header; use 2 to 27"),
    ],
)
def test_lamps_beyond_the_outputs_of_a_panel(check, backend, options, lamp, message):
    panel = PANEL.replace("mock", backend).replace("{}", options)
    found = check("big-six", (PANEL, panel), ("joker: 5", f"joker: {lamp}"))
    assert any(message in line for line in found)
    within = check("big-six", (PANEL, panel), ("joker: 5", f"joker: {lamp - 1}"))
    assert not any(message in line for line in within)


@pytest.mark.parametrize(
    ("hosts", "refused"),
    [
        ("['*', 'http://x/', 'a:80', a b, -x, '']", 6),
        ("[table-7.floor, TABLE_7, 10.0.0.7, 'fe80::1', localhost]", 0),
    ],
)
def test_names_that_no_request_can_have(check, hosts, refused):
    found = check("big-six", append=f"\nscreens:\n  hosts: {hosts}\n")
    assert len([line for line in found if "screens.hosts" in line]) == refused


@pytest.mark.parametrize(
    ("game", "odds", "said"),
    [
        ("dreamcatcher", "{40: 200 to 1}", "the wager 40 returns 446.4%: the house loses on it"),
        ("big-six", "{joker: 52 to 1}", "the wager joker returns 98.1%, and 85.2% at the game's least odds"),
        ("big-six", "{joker: 47 to 1}", ""),
    ],
)
def test_a_wager_that_returns_too_much_is_reported_with_the_figure(check, game, odds, said):
    advice = check(game, append=f"\nlayout:\n  odds: {odds}\n")
    assert len(advice) == bool(said)
    assert said in "".join(advice)


def test_simulated_devices_beside_real_ones_are_named(check, with_head):
    assert check("big-six") == []
    said = [line for line in with_head("{}") if line.startswith("simulated")]
    assert said[0].startswith("simulated beside real devices: buttons, keypad, switches, panel, sounder; ")


def test_signatures_that_nobody_sends_are_named(check):
    (said,) = check("sic-bo", append="\nsigning: {}\n")
    assert said.startswith("`signing:` has no effect without `broker:`")
