"""Mistakes in a table's file, one at a time: where the loader sees each, and how it words it."""

import pytest

from controller.configuration.shipped import shipped_tables

NINES = "9" * 500
PER_TURN = "counts_per_turn: 1440"
OFFSET = "index_offset_counts: 7"
REVERSED = "# reversed: false"
TURN_RANGE = "use 720 to 65536, a multiple of 4"
NAME_REMEDY = "small letters, digits and hyphens"

# What is replaced in the table; what replaces it, with ▸ where the problem is shown; the key; words of the message
# and of the remedy.
CASES = [
    # Keys
    (PER_TURN, "▸counts_per_trun: 1440", "wheel.counts_per_trun", "unknown key", "did you mean counts_per_turn?"),
    (REVERSED, "▸debounc_ms: 2", "wheel.debounc_ms", "unknown key", "did you mean debounce_ms?"),
    (REVERSED, "▸colour: red", "wheel.colour", "unknown key", "the keys here are: counts_per_turn, index_"),
    (
        "game: big-six",
        "game: big-six\n▸Q: 1",
        "Q",
        "unknown key",
        "table, game, journal, credentials, wheel, rotor, dice, rules",
    ),
    ("clapper: 23", "▸claper: 23", "devices.head.pins.claper", "unknown key", "did you mean clapper?"),
    (REVERSED, "▸<<: {rest_s: 2}", "wheel.<<", "unknown key", "the keys here are"),
    (REVERSED, "rest_s: 2\n  ▸rest_s: 3", "wheel.rest_s", "the key was already given on line", "remove one"),
    ("game: big-six", "game: big-six\n▸table: x", "table", "the key was already given on line", "remove one"),
    (REVERSED, "'reversed': true\n  ▸reversed: true", "wheel.reversed", "already given on line", ""),
    ("options: {}", "options: {a: {b: 1, ▸b: 2}}", "devices.head.options.a.b", "already given on line", ""),
    (REVERSED, "? ▸[1, 2]\n  : 3", "wheel", "a key must be plain text", "write 'key: value'"),
    (REVERSED, "? ▸{a: 1}\n  : [2, {b: 3}]", "wheel", "a key must be plain text", "write 'key: value'"),
    (REVERSED, "▸'': 3", "wheel", "the key is missing before ':'", "write 'key: value'"),
    (REVERSED, '▸"a\\tb": 3', "wheel", "the key holds a tab", "write 'key: value'"),
    ("clear: 13", "▸Clear: 13", "devices.buttons.pins.Clear", "'Clear' is not a name", NAME_REMEDY),
    # Whole numbers
    (PER_TURN, "counts_per_turn: ▸abc", "wheel.counts_per_turn", "'abc' is not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸100", "wheel.counts_per_turn", "100 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸70000", "wheel.counts_per_turn", "70000 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸-4", "wheel.counts_per_turn", "-4 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸1442", "wheel.counts_per_turn", "1442 is not a multiple of 4", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸1440.0", "wheel.counts_per_turn", "'1440.0' is not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸1_440", "wheel.counts_per_turn", "not a whole number", "write 1440, without '_'"),
    (PER_TURN, "counts_per_turn: ▸1e3", "wheel.counts_per_turn", "not a whole number", "without an exponent"),
    (PER_TURN, "counts_per_turn: ▸0x5a0", "wheel.counts_per_turn", "not a whole number", "a decimal number"),
    (PER_TURN, "counts_per_turn: ▸24:00", "wheel.counts_per_turn", "not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸+1440", "wheel.counts_per_turn", "not a whole number", "write 1440, without '+'"),
    (PER_TURN, "counts_per_turn: ▸١٤٤٠", "wheel.counts_per_turn", "not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸' 1440'", "wheel.counts_per_turn", "not a whole number", "remove the spaces"),
    (
        PER_TURN,
        f"counts_per_turn: ▸{NINES}",
        "wheel.counts_per_turn",
        "(500 characters) has too many digits",
        TURN_RANGE,
    ),
    (PER_TURN, f"counts_per_turn: ▸{NINES}x", "wheel.counts_per_turn", "is not a whole number", TURN_RANGE),
    (OFFSET, "index_offset_counts: ▸08", "wheel.index_offset_counts", "not a whole number", "write 8, without"),
    (OFFSET, "index_offset_counts: ▸000", "wheel.index_offset_counts", "not a whole number", "write 0, without"),
    (OFFSET, "index_offset_counts: ▸65536", "wheel.index_offset_counts", "out of range", "use 0 to 65535"),
    (OFFSET, "index_offset_counts: ▸true", "wheel.index_offset_counts", "'true' is not a whole number", "use 0"),
    ("pin: 12", "pin: ▸28", "devices.sounder.pin", "28 is out of range", "use 2 to 27"),
    ("joker: 5", "joker: ▸512", "devices.panel.lamps.joker", "512 is out of range", "use 0 to 511"),
    # Other numbers
    (REVERSED, "rest_s: ▸99", "wheel.rest_s", "99 is out of range", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸0.25", "wheel.rest_s", "0.25 is out of range", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸two", "wheel.rest_s", "'two' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸1,5", "wheel.rest_s", "'1,5' is not a number", "use a decimal point and no comma"),
    (REVERSED, "rest_s: ▸.5", "wheel.rest_s", "'.5' is not a number", "write 0.5"),
    (REVERSED, "rest_s: ▸01.5", "wheel.rest_s", "'01.5' is not a number", "write 1.5, without leading zeros"),
    (REVERSED, "rest_s: ▸00.5", "wheel.rest_s", "'00.5' is not a number", "write 0.5, without leading zeros"),
    (REVERSED, "rest_s: ▸1.", "wheel.rest_s", "'1.' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸1e0", "wheel.rest_s", "'1e0' is not a number", "without an exponent"),
    (REVERSED, "rest_s: ▸.inf", "wheel.rest_s", "'.inf' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸NaN", "wheel.rest_s", "'NaN' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸Infinity", "wheel.rest_s", "'Infinity' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: ▸1_0", "wheel.rest_s", "'1_0' is not a number", "write 10, without '_'"),
    (REVERSED, f"rest_s: ▸1.{NINES}", "wheel.rest_s", "too many digits", "use 0.5 to 10"),
    # Yes or no
    *(
        (
            REVERSED,
            f"reversed: ▸{text}",
            "wheel.reversed",
            f"'{text}' is neither true nor false",
            "write true or false",
        )
        for text in ("yes", "no", "on", "off", "1", "0", "t", "True", "FALSE")
    ),
    (
        "# dealer_pin: false",
        "dealer_pin: ▸yes",
        "credentials.dealer_pin",
        "neither true nor false",
        "write true or",
    ),
    # Text, names, choices, odds
    ("file: /var", "file: ▸''\n#", "journal.file", "the text is empty", "write something between the quotes"),
    ("file: /var", f"file: ▸/{NINES}", "journal.file", "characters", "write at most 500 characters"),
    ("file: /var", 'file: ▸"\\0"\n#', "journal.file", "the text holds a NUL character", "that can be seen"),
    ("file: /var", "file: ▸|\n    /x\n    /y\n#", "journal.file", "the text holds a line break", "on one line"),
    ("table: big-six", "table: ▸Big Six", "table", "'Big Six' is not a name", NAME_REMEDY),
    ("table: big-six", "table: ▸-x", "table", "'-x' is not a name", NAME_REMEDY),
    ("table: big-six", f"table: ▸{NINES}", "table", "is not a name", NAME_REMEDY),
    ("backend: mock", "backend: ▸Mock", "devices.head.backend", "'Mock' is not a name", NAME_REMEDY),
    ("table: big-six", "table: x\nlayout: {odds: {joker: ▸47 for 1}}", "layout.odds.joker", "never 'for'", ""),
    (
        "table: big-six",
        "table: x\nlayout: {odds: {joker: ▸''}}",
        "layout.odds.joker",
        "write the odds as 'N to 1'",
        "",
    ),
    ("table: big-six", "table: x\nlayout: {odds: {joker: ▸0 to 1}}", "layout.odds.joker", "'N to 1'", ""),
    ("table: big-six", "table: x\nlayout: {odds: {joker: ▸47:1}}", "layout.odds.joker", "'N to 1'", ""),
    ("wheel:", "dice:\n  shaker: ▸auto\nwheel:", "dice.shaker", "'auto' is not", "use manual or automated"),
    # Nothing, or the wrong kind of thing
    (PER_TURN, "▸counts_per_turn:", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸~", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸null", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸'null'", "wheel.counts_per_turn", "'null' is not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸[1]", "wheel.counts_per_turn", "a list where a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ▸{a: 1}", "wheel.counts_per_turn", "a section of keys where", TURN_RANGE),
    (REVERSED, "▸reversed:", "wheel.reversed", "the key has no value", "write true or false, or remove the key"),
    (REVERSED, "rest_s: ▸[]", "wheel.rest_s", "a list where a number is expected", "use 0.5 to 10"),
    ("table: big-six", "table: ▸[x]", "table", "a list where text is expected", "write text"),
    ("table: big-six", "table: x\n▸layout:", "layout", "the key has no value", "symbols, odds, or remove the key"),
    ("table: big-six", "table: x\nlayout: ▸none", "layout", "'none' is not a section of keys", "symbols, odds"),
    (
        "table: big-six",
        "table: x\nlayout: {odds: {▸1: }}",
        "layout.odds.1",
        "the key has no value",
        "example 9 to 1",
    ),
    ("options: {}", "▸options:", "devices.head.options", "the key has no value", "or remove the key"),
    (
        "options: {}",
        "options: ▸[a]",
        "devices.head.options",
        "a list where a section of keys",
        "'name: value'",
    ),
    (REVERSED, "order: ▸joker", "wheel.order", "'joker' is not a list", "write its entries in [ ]"),
    (REVERSED, "order: [joker, ▸[1]]", "wheel.order.1", "a list where text is expected", "write text"),
    # What YAML has and a table's file does not
    (
        PER_TURN,
        "counts_per_turn: ▸&turn 1440",
        "wheel.counts_per_turn",
        "anchors (&turn) are not used",
        "remove '&turn'",
    ),
    (
        PER_TURN,
        "counts_per_turn: ▸*turn",
        "wheel.counts_per_turn",
        "aliases (*turn) are not used",
        "write the value",
    ),
    (
        PER_TURN,
        "counts_per_turn: ▸!!int 1440",
        "wheel.counts_per_turn",
        "tags ('!!int') are not used",
        "remove the tag",
    ),
    (
        PER_TURN,
        "▸!!str counts_per_turn: 1440",
        "wheel.counts_per_turn",
        "tags ('!!str') are not used",
        "remove the tag",
    ),
    ("file: /var", "file: ▸!!binary /var", "journal.file", "tags ('!!binary') are not used here", "remove the tag"),
    ("file: /var", "file: ▸!secret /var", "journal.file", "tags ('!secret') are not used here", "remove the tag"),
    (
        "options: {}",
        "options: ▸!!python/object:os.system {}",
        "devices.head.options",
        "are not used here",
        "remove",
    ),
    ("wheel:", "wheel: ▸&wheel", "wheel", "anchors (&wheel) are not used here", "remove '&wheel'"),
]


def place(text):
    """A text without its ▸, and the line and column where that stood."""
    before, _, after = text.partition("▸")
    return before + after, (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize(("old", "new", "key", "message", "remedy"), CASES)
def test_one_mistake(problems, table, old, new, key, message, remedy):
    assert old in table
    text, shown = place(table.replace(old, new, 1))
    found = [problem for problem in problems(text) if problem.key == key and message in problem.message]
    assert [(problem.line, problem.column) for problem in found] == [shown], [str(one) for one in problems(text)]
    assert remedy in found[0].remedy


@pytest.mark.clause("689a.1(e)", "619a.1(e)")
@pytest.mark.parametrize(
    ("old", "shown", "key", "remedy"),
    [
        ("game: big-six", "▸table:", "game", "add 'game: …' (the game that is played on it)"),
        ("  counts_per_turn: 1440", "▸wheel:", "wheel.counts_per_turn", "add 'counts_per_turn: …' (encoder counts"),
        (
            "      clapper: 23",
            "▸pins:\n      encoder_a",
            "devices.head.pins.clapper",
            "add 'clapper: …' (BCM number",
        ),
        ("    pin: 12", "▸sounder:", "devices.sounder.pin", "add 'pin: …' (BCM number of a pin"),
    ],
)
def test_a_missing_key_is_shown_at_its_section(problems, table, old, shown, key, remedy):
    text = table.replace(old, "", 1)
    _, at = place(text.replace(shown.removeprefix("▸"), shown, 1))
    (problem,) = problems(text)
    assert (problem.line, problem.column, problem.key) == (*at, key)
    assert problem.message == "required key is missing"
    assert problem.remedy.startswith(remedy)


def test_a_duplicate_names_the_line_of_the_first(problems, table):
    text, (line, _) = place(table.replace(REVERSED, "▸rest_s: 2\n  rest_s: 3\n  rest_s: 4\n"))
    assert [(one.line, one.message) for one in problems(text)] == [
        (line + 1, f"the key was already given on line {line}"),
        (line + 2, f"the key was already given on line {line}"),
    ]


def test_all_mistakes_at_once_in_the_order_of_the_file(problems, table):
    for old, new in (
        ("game: big-six", "game: big-six\ngame: sic-bo"),
        (PER_TURN, "counts_per_turn: 1_440"),
        (REVERSED, "rest_s: 99\n  tolerence_deg: 1"),
        ("backend: mock", "backend: Mock"),
        ("done: 6 ", "done: 28 "),
        ("clear: 13", "clear: 17"),
        ("joker: 5", "joker: 3"),
        ("    pin: 12", "    pin: 12.0"),
    ):
        table = table.replace(old, new, 1)
    found = problems(table)
    assert [problem.key for problem in found] == [
        "game",
        "wheel.counts_per_turn",
        "wheel.rest_s",
        "wheel.tolerence_deg",
        "devices.head.backend",
        "devices.buttons.pins.done",
        "devices.buttons.pins.clear",
        "devices.panel.lamps.joker",
        "devices.sounder.pin",
    ]
    assert [(problem.line, problem.column) for problem in found] == sorted((one.line, one.column) for one in found)


@pytest.mark.parametrize(
    "mistake",
    [
        ("game: big-six", ""),
        ("file: /var", "# file: /var"),
        (PER_TURN, ""),
        (PER_TURN, "counts_per_turn: many"),
        (OFFSET, "index_offset_counts: -1"),
        ("      index: 22", ""),
        ("      index: 22", "      index: [22]"),
        ("      floor-key: 26", "      Floor-Key: 26"),
        ("    pin: 12", ""),
        ("    pin: 12", "    pin: 99"),
        ("backend: mock", "backend: Mock"),
    ],
)
def test_rules_run_although_a_required_value_is_missing_or_refused(problems, table, mistake):
    damaged = table.replace(*mistake, 1)
    alone = [problem.key for problem in problems(damaged)]
    both = [problem.key for problem in problems(damaged.replace("clear: 13", "clear: 17", 1))]
    assert len(alone) == 1
    assert sorted(both) == sorted([*alone, "devices.buttons.pins.clear"])


@pytest.mark.campaign
@pytest.mark.parametrize("game", shipped_tables())
def test_a_mistake_causes_no_further_problems(problems, game):
    """Each value in turn is made invalid: that is one problem, and no rule reports a missing value for it."""
    lines = shipped_tables()[game].read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        key, colon, _ = line.partition(": ")
        if not colon or line.lstrip().startswith("#"):
            continue
        for wrong in ("!x y", "*y", '"\\a"', "[[]]"):
            if wrong == "[[]]" and (
                "{}" in line or ("rules:" in lines[:number] and "devices:" not in lines[:number])
            ):
                continue  # Options, or the game decides what the section may hold.
            found = problems("\n".join([*lines[:number], f"{key}: {wrong}", *lines[number + 1 :]]))
            assert [problem.line for problem in found] == [number + 1], [str(problem) for problem in found]


def test_a_missing_section_causes_no_further_problems(problems, table):
    for section in ("journal", "devices"):
        found = problems(table.replace(f"\n{section}:", f"\nx-{section}:"))
        assert [problem.key for problem in found] == [section, f"x-{section}"]


def test_a_rule_stays_silent_on_what_was_refused(problems, sic_bo):
    """A pin out of range is not also a keypad that has a pin too few; entries keep their own places."""
    text = sic_bo.replace("rows: [5, 6, 13, 19]", "rows: [5, 99, 13, 17]")
    found = problems(text)
    assert [problem.key for problem in found] == ["devices.keypad.rows.1", "devices.switches.pins.floor-key"]
    line, column = place(text.replace("13, 17]", "13, ▸17]"))[1]
    assert found[1].message == f"pin 17 is already used by devices.keypad.rows (also table.yaml:{line}:{column})"
