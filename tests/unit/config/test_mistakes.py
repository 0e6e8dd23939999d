"""Mistakes in a table's file: where each is shown, and how it is worded."""

import re

import pytest

from controller.configuration.shipped import shipped_tables

NINES = "9" * 500
TURN, RANGE = "counts_per_turn: 1440", "use 720 to 65536, a multiple of 4"
MORE = "  # reversed: false"
TABLE = "table: big-six"
NAME = "use small letters, digits and hyphens"
LIMITS = "  posted: elsewhere"

# What is replaced in the table of Big Six, what replaces it, with ▸ where the problem is, and the problem.
CASES = [
    # Keys
    (TURN, "▸counts_per_trun: 1440", "wheel.counts_per_trun: unknown key; did you mean counts_per_turn?"),
    (MORE, "  ▸colour: red", "wheel.colour: unknown key; the keys here are: counts_per_turn, index_"),
    (MORE, "  rest_s: 2\n  ▸rest_s: 3", "wheel.rest_s: the key was already given on line"),
    ("options: {}", "options: {a: {b: 1, ▸b: 2}}", "devices.head.options.a.b: the key was already given on line"),
    (MORE, "  ? ▸[1, 2]\n  : 3", "wheel: a key must be plain text; write 'key: value'"),
    (MORE, '  ▸"a\\tb": 3', "wheel: the key holds a tab; write 'key: value'"),
    ("\nwheel:", "\nx-wheel:", "wheel: Big Six Wheel needs this section; add `wheel:`"),
    ("game: big-six\n", "", "game: required key is missing; add 'game: …' (the game that is played on it)"),
    ("    pin: 12 # header pin 32\n", "", "devices.sounder.pin: required key is missing; add 'pin: …' (BCM number"),
    # Numbers, true and false
    (TURN, "counts_per_turn: ▸abc", f"wheel.counts_per_turn: 'abc' is not a whole number; {RANGE}"),
    (TURN, "counts_per_turn: ▸100", f"wheel.counts_per_turn: 100 is out of range; {RANGE}"),
    (TURN, "counts_per_turn: ▸1442", f"wheel.counts_per_turn: 1442 is not a multiple of 4; {RANGE}"),
    ("counts: 7", "counts: ▸08", "wheel.index_offset_counts: '08' is not a whole number; use 0 to 65535, without"),
    (MORE, "  rest_s: ▸0.25", "wheel.rest_s: 0.25 is out of range; use 0.5 to 10"),
    (MORE, "  rest_s: ▸1,5", "'1,5' is not a number; use 0.5 to 10, without"),
    (MORE, "  reversed: ▸yes", "wheel.reversed: 'yes' is neither true nor false; write true or false"),
    # Text, names, choices, odds
    ("file: /var", "file: ▸''\n#", "journal.file: nothing here; write at least 1 character"),
    ("file: /var", f"file: ▸/{NINES}\n#", "501 characters here; write at most 500 characters"),
    (
        "file: /var",
        'file: ▸"\\0"\n#',
        "journal.file: the text holds the invisible or control character U+0000; write it",
    ),
    (TABLE, "table: ▸Big Six", f"table: 'Big Six' is not a name; {NAME}"),
    (
        TABLE,
        "table: x\nguide: {approval: ▸' ', sample: a}",
        "guide.approval: the text has no visible character; write letters",
    ),
    (TABLE, "table: ▸floor", "table: is the floor's own name at the broker; give the table another"),
    (TABLE, "table: x\ncomputer: {supply: ▸auto}", "supply: 'auto' is not one of the choices; use alert, lock"),
    # Nothing, or the wrong kind of thing
    (TURN, "▸counts_per_turn:", f"wheel.counts_per_turn: the key has no value; {RANGE}"),
    ("file: /var", "▸file: #", "journal.file: the key has no value; write text (in quotes if it begins with '#')"),
    (
        TABLE,
        "table: ▸'x\n\ny'",
        "table: the text holds a line break; write it on one line, in characters that can be",
    ),
    (TABLE, "table: ▸[x]", "table: a list where text is expected; write text"),
    (TABLE, "table: x\n▸layout:", "layout: the key has no value; write its keys below it, indented: symbols, odds"),
    ("options: {}", "options: ▸[a]", "devices.head.options: a list where a section of keys is expected; write"),
    (MORE, "  order: ▸joker", "wheel.order: 'joker' is not a list; write its entries in [ ], separated by commas"),
    # What YAML has and a table's file does not
    (TURN, "counts_per_turn: ▸&t 1440", "wheel.counts_per_turn: anchors (&t) are not used here; remove '&t'"),
    (TURN, "counts_per_turn: ▸*t", "wheel.counts_per_turn: aliases (*t) are not used here; write the value out"),
    ("file: /var", "file: ▸!secret /var", "journal.file: tags ('!secret') are not used here; remove the tag"),
    # Wiring
    ("encoder_b: 27", "encoder_b: ▸17", "pin 17 is already used by devices.head.pins.encoder_a (also table.yaml:"),
    ("joker: 5", "joker: ▸4", "joker: output 4 is already used by devices.panel.lamps.20 (also table.yaml:"),
    ("- [1, 2, 3]", "- ▸[1, 2, 3, clear]", "3 pins under columns, but this row has 4 keys (also "),
    ("      - [7, 8, 9]\n", "", "devices.keypad.keys: the keypad has 4 pins under rows, but keys has 3 rows"),
    (
        "[log-on, 0, enter]",
        "[▸clear, 0, enter]",
        "keypad.keys.3.0: control clear is already used by devices.buttons.pins.clear (also ",
    ),
    # Limits and pages
    (LIMITS, "  posted: elsewhere\n  maximum: ▸5", "limits that are posted elsewhere have no maximum"),
    (LIMITS, "  minimum: 5\n  maximum: ▸4", "limits.maximum: 4 is below the minimum: no wager could be placed"),
    (TABLE, "table: x\nscreens: {metrics_token: ▸/x}", "metrics_token: a token for metrics that are not served"),
    (TABLE, "table: x\nscreens: {enabled: false, metrics: ▸true}", "screens.metrics: /metrics is one of the pages"),
]


READER = ("  reader:\n    backend: mock\n    options: {}", "  reader:\n    backend: serial\n    options: ")
HEAD = re.compile(r"  head:\n.*?    options: \{\}\n", re.DOTALL)
PANEL = "  panel:\n    backend: mock\n    options: {}"
OPTIONS = [
    # Options of drivers follow the rules of the rest of the file, and fit the wiring.
    ("serial", "baud_rate: 0300", "baud_rate: '0300' is not a whole number; use"),
    ("serial", "retry_s: nan", "retry_s: 'nan' is not a number; use more than 0, at most 60"),
    ("serial", "port: tty", "port: 'tty' does not begin with '/'; write the whole path (device file of the port"),
    (
        "serial",
        "line_end: '7'",
        "pattern: the line '7' with the code '7' can never come; let a result be printable",
    ),
    ("serial", "line_start: '1'", "pattern: the line '1' with the code '1' can never come"),
    ("serial", "longest_chars: 4, checksum: xor", "pattern: the line '00' with the code '00' can never come"),
    ("serial", "pattern: '[0-9]+'", "pattern: the pattern has no group 'pocket'"),
    ("gpiod", "debounce_us: {clapper: -300}", "debounce_us.clapper: -300 is out of range; use 0 to 5000"),
    ("gpiod", "debounce_us: {encoder_a: 5000}", "debounce_us.encoder_a: 5000 is too long: edges of a fast wheel"),
    ("gpiod", "active_low: [claper]", "active_low: the line 'claper' is not wired; use: encoder_a"),
    ("gpiod", "lines: {encoder_a: X, encoder_b: X}", "lines.encoder_b: encoder_a and encoder_b are both on X"),
    ("gpiod", "lines: {clapper: GPIO27}", "lines.clapper: encoder_b and clapper are both on GPIO27"),
    ("gpiod", "lines: {clapper: GPIO26}", "clapper: pin 26 is already used by devices.switches.pins.floor-key"),
    ("gpiod", "debounce_us: {clapper: 300, encoder_a: 50}, active_low: [index], lines: {clapper: X}", ""),
]
GAMES = [
    # What the game or the hardware does not have.
    ("clear:", "clears:", "no control 'clears' in this game; did you mean clear?"),
    ("clear:", "clears:", "devices.buttons: no key for: clear; Dreamcatcher needs it; add a key"),
    ("floor-key:", "flor-key:", "switches.pins.floor-key: Dreamcatcher needs the switch 'floor-key'; add"),
    ("backend: mock", "backend: mok", "'mok' for head; did you mean mock? the backends are: capture, gpiod,"),
    (
        "backend: mock",
        "backend: hc595",
        "devices.head.backend: the backend 'hc595' drives no head; it drives: panel",
    ),
    ("game: d", "game: x-d", "game: unknown game 'x-dreamcatcher'; did you mean dreamcatcher?"),
    ("wheel:", "layout: {symbols: {10: Cherry}}\nwheel:", "Dreamcatcher allows no other symbols; remove"),
    ("wheel:", "dice: {shaker: manual}\nwheel:", "dice: Dreamcatcher has no use for this section; remove it"),
    (
        "# mirror: /mnt/mirror",
        "mirror: /var/lib/table-controller",
        "journal.mirror: the file /var/lib/table-controller/dreamcatcher.journal is already used by journal.file",
    ),
    ("wheel:", "screens: {house: {name: Lido, colour: '#803010'}}\nwheel:", "house.colour: #803010 is too dark"),
    ("wheel:", "screens: {house: {name: Lido, colour: '#fff'}}\nwheel:", "house.colour: '#fff' does not have"),
]


@pytest.mark.parametrize(("old", "new", "said"), CASES)
def test_one_mistake(mistakes, old, new, said):
    assert [one for one in mistakes("big-six", (old, new)) if said in one]


@pytest.mark.clause("619a.1(c)")
@pytest.mark.parametrize(("old", "new", "said"), GAMES)
def test_what_the_game_or_hardware_does_not_have(mistakes, old, new, said):
    assert any(said in line for line in mistakes("dreamcatcher", (old, new)))


@pytest.mark.parametrize(("backend", "option", "said"), OPTIONS)
def test_one_option(mistakes, backend, option, said):
    if backend == "serial":
        port = "" if option.startswith("port") else "port: /dev/ttyUSB0, "
        found = mistakes("roulette", (READER[0], f"{READER[1]}{{{port}{option}}}"))
    else:
        (old,) = HEAD.findall(shipped_tables()["big-six"].read_text(encoding="utf-8"))
        found = mistakes("big-six", (old, f"  head:\n    backend: gpiod\n    options: {{{option}}}\n"))
    assert len(found) == bool(said)
    assert said in "".join(found)


@pytest.mark.parametrize(
    ("backend", "options", "lamp", "said"),
    [
        ("hc595", "{registers: 1}", 8, "output 8 is beyond the chain: registers: 1 has outputs 0 to 7"),
        ("modbus", "{port: /dev/x, units: [{unit: 1, outputs: 6}, {unit: 2, outputs: 2}]}", 8, "outputs 0 to 7"),
        ("gpiozero", "{}", 28, "28 is no pin of the header; use 2 to 27"),
        ("hc595", "{registers: 1}", 2, "panel.backend: pin 9 is already used by"),  # SPI0 takes GPIO 7 to 11.
    ],
)
def test_outputs_and_pins_that_a_panel_has(mistakes, backend, options, lamp, said):
    panel = (PANEL, PANEL.replace("mock", backend).replace("{}", options))
    pin = ("no-more-bets: 5", "no-more-bets: 9")
    assert any(said in line for line in mistakes("big-six", panel, pin, ("joker: 5", f"joker: {lamp}")))
    assert not any(said in line for line in mistakes("big-six", panel, ("joker: 5", f"joker: {lamp - 1}")))


@pytest.mark.parametrize(
    ("port", "said"),
    [
        ("/dev/ttyUSB0", "panel.options.port: the device file /dev/ttyUSB0 is already used by devices.reader.opt"),
        ("/dev/serial0", "reader.options.port: pin 15 is already used by devices.switches.pins.floor-key"),
    ],
)
def test_a_port_serves_one_device_and_takes_its_pins(mistakes, port, said):
    reader = (READER[0], f"{READER[1]}{{port: {port}}}")
    panel = PANEL.replace("mock", "modbus").replace("{}", f"{{port: {port}, units: [{{unit: 1, outputs: 50}}]}}")
    found = mistakes("roulette", reader, (PANEL, panel), ("floor-key: 26", "floor-key: 15"))
    assert any(said in line for line in found)


def test_a_wrong_option_hides_no_driver_that_is_for_other_devices(mistakes):
    keypad = "  keypad:\n    backend: mock\n    options: {}"
    found = mistakes("roulette", (keypad, keypad.replace("mock", "serial")))
    assert ["finds keys by what they send" in line for line in found] == [True, False]


@pytest.mark.parametrize(
    ("hosts", "refused"),
    [
        ("['*', 'http://x/', 'a:80', a b, -x, '']", 6),
        ("[table-7.floor, TABLE_7, 10.0.0.7, 'fe80::1', localhost]", 0),
    ],
)
def test_names_that_no_request_can_have(mistakes, hosts, refused):
    assert len(mistakes("big-six", append=f"\nscreens:\n  hosts: {hosts}\n")) == refused


@pytest.mark.clause("689a.1(e)", "619a.1(e)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_a_head_without_its_clapper_is_refused(mistakes, game):
    (said,) = mistakes(game, ("      clapper: 23", "      #"), ("    pins:", "    ▸pins:"))
    assert said.startswith("devices.head.pins.clapper: required key is missing; add 'clapper: …' (BCM number")


@pytest.mark.clause("539.2(b)")
def test_dice_are_used_for_24_hours_at_the_most(mistakes):
    """§ 539.2(b): no file makes it longer."""
    for hours in ("24.5", "25", "48"):
        (said,) = mistakes("sic-bo", ("# retire_h: 24", f"retire_h: ▸{hours}"))
        assert said == f"dice.retire_h: {hours} is out of range; use 1 to 24 (age at which no new round opens)"
    (said,) = mistakes("sic-bo", ("# warn_h: 23", "warn_h: ▸12.5"), ("# retire_h: 24", "retire_h: 12"))
    assert "the warning at 12.5 h comes after the dice are retired at 12 h (also table.yaml:" in said
    assert mistakes("sic-bo", ("# warn_h: 23", "warn_h: 12"), ("# retire_h: 24", "retire_h: 12")) == []


MANY = (
    ("game: big-six", "game: big-six\n▸game: sic-bo"),
    (TURN, "counts_per_turn: ▸1_440"),
    (MORE, "  rest_s: ▸99\n  ▸tolerence_deg: 1"),
    ("backend: mock", "backend: ▸Mock"),
    ("done: 6 ", "done: ▸28 "),
    ("clear: 13", "clear: ▸17"),
    ("rows: [16, 20", "rows: [16, ▸99"),
    ("joker: 5", "joker: ▸3"),
    ("    pin: 12", "    pin: ▸12.0"),
)


def test_all_mistakes_at_once_in_the_order_of_the_file(mistakes):
    found = mistakes("big-six", *MANY)
    keys = [line.partition(": ")[0] for line in found]
    assert keys == [
        *("game", "wheel.counts_per_turn", "wheel.rest_s", "wheel.tolerence_deg", "devices.head.backend"),
        *("devices.buttons.pins.done", "devices.buttons.pins.clear", "devices.keypad.rows.1"),
        *("devices.panel.lamps.joker", "devices.sounder.pin"),
    ]


@pytest.mark.campaign
@pytest.mark.parametrize("game", shipped_tables())
def test_no_mistake_causes_further_problems(problems, game):
    """Each value in turn is made invalid: that is one problem, and no rule reports a missing value for it."""
    lines = shipped_tables()[game].read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if not re.match(r" *[\w-]+: ", line):
            continue
        for wrong in ("!x y", "*y", '"\\a"', "[[]]"):
            of_game = "rules:" in lines[:number] and "devices:" not in lines[:number]
            if wrong == "[[]]" and ("{}" in line or of_game):
                continue  # Options, or the game decides what the section may hold.
            text = "\n".join([*lines[:number], f"{line.partition(': ')[0]}: {wrong}", *lines[number + 1 :]])
            assert [problem.line for problem in problems(text)] == [number + 1]
