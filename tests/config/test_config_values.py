"""Mistakes in a table's file, one at a time: where the loader sees each, and how it words it."""

import pytest

NINES = "9" * 500
PER_TURN = "counts_per_turn: 1440"
OFFSET = "index_offset_counts: 7"
REVERSED = "# reversed: false"
TURN_RANGE = "use 400 to 65536, a multiple of 4"
NAME_REMEDY = "small letters, digits and hyphens"

# The text that is replaced, what replaces it, where the problem is shown (by the text that begins there, within the
# replacement or the line of it), its key, and words of its message and remedy.
CASES = [
    # Keys
    (PER_TURN, "counts_per_trun: 1440", "counts_per_trun", "wheel.counts_per_trun", "unknown key", "did you mean counts_per_turn?"),  # noqa: E501
    (REVERSED, "debounc_ms: 2", "debounc_ms", "wheel.debounc_ms", "unknown key", "did you mean debounce_ms?"),
    (REVERSED, "colour: red", "colour", "wheel.colour", "unknown key", "the keys here are: counts_per_turn, index_"),
    ("game: big-six", "game: big-six\nQ: 1", "Q: 1", "Q", "unknown key", "table, game, journal, wheel, dice, layout"),
    ("clapper: 23", "claper: 23", "claper", "devices.head.pins.claper", "unknown key", "did you mean clapper?"),
    (REVERSED, "<<: {rest_s: 2}", "<<", "wheel.<<", "unknown key", "the keys here are"),
    ("game: big-six", "# game", "table: big-six", "game", "required key is missing", "add 'game: …' (the game that"),
    (PER_TURN, "", "wheel:", "wheel.counts_per_turn", "required key is missing", "(encoder counts in one turn of"),
    ("    pin: 12", "    # pin: 12", "sounder:", "devices.sounder.pin", "required key is missing", "add 'pin: …' (BCM"),
    (REVERSED, "rest_s: 2\n  rest_s: 3", "rest_s: 3", "wheel.rest_s", "the key was already given on line 37", "remove one"),  # noqa: E501
    ("game: big-six", "game: big-six\ntable: x", "table: x", "table", "the key was already given on line 11", "remove one"),  # noqa: E501
    (REVERSED, "'reversed': true\n  reversed: true", "reversed: true", "wheel.reversed", "already given on line 37", ""),
    ("options: {}", "options: {a: {b: 1, b: 2}}", "b: 2", "devices.head.options.a.b", "already given on line 93", ""),
    (REVERSED, "? [1, 2]\n  : 3", "[1, 2]", "wheel", "a key must be plain text", "write 'key: value'"),
    (REVERSED, "? {a: 1}\n  : [2, {b: 3}]", "{a: 1}", "wheel", "a key must be plain text", "write 'key: value'"),
    (REVERSED, "'': 3", "''", "wheel", "the key is missing before ':'", "write 'key: value'"),
    (REVERSED, '"a\\tb": 3', '"a', "wheel", "the key holds a tab", "write 'key: value'"),
    ("clear: 13", "Clear: 13", "Clear", "devices.buttons.pins.Clear", "'Clear' is not a name", NAME_REMEDY),
    # Whole numbers
    (PER_TURN, "counts_per_turn: abc", "abc", "wheel.counts_per_turn", "'abc' is not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: 100", "100", "wheel.counts_per_turn", "100 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: 70000", "70000", "wheel.counts_per_turn", "70000 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: -4", "-4", "wheel.counts_per_turn", "-4 is out of range", TURN_RANGE),
    (PER_TURN, "counts_per_turn: 1442", "1442", "wheel.counts_per_turn", "1442 is not a multiple of 4", TURN_RANGE),
    (PER_TURN, "counts_per_turn: 1440.0", "1440.0", "wheel.counts_per_turn", "'1440.0' is not a whole number", TURN_RANGE),  # noqa: E501
    (PER_TURN, "counts_per_turn: 1_440", "1_440", "wheel.counts_per_turn", "not a whole number", "write 1440, without '_'"),  # noqa: E501
    (PER_TURN, "counts_per_turn: 1e3", "1e3", "wheel.counts_per_turn", "not a whole number", "without an exponent"),
    (PER_TURN, "counts_per_turn: 0x5a0", "0x5a0", "wheel.counts_per_turn", "not a whole number", "a decimal number"),
    (PER_TURN, "counts_per_turn: 24:00", "24:00", "wheel.counts_per_turn", "not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: +1440", "+1440", "wheel.counts_per_turn", "not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ١٤٤٠", "١٤٤٠", "wheel.counts_per_turn", "not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ' 1440'", "' 1440'", "wheel.counts_per_turn", "not a whole number", "remove the spaces"),  # noqa: E501
    (PER_TURN, f"counts_per_turn: {NINES}", "999", "wheel.counts_per_turn", "(500 characters) has too many digits", TURN_RANGE),  # noqa: E501
    (PER_TURN, f"counts_per_turn: {NINES}x", "999", "wheel.counts_per_turn", "is not a whole number", TURN_RANGE),
    (OFFSET, "index_offset_counts: 08", "08", "wheel.index_offset_counts", "not a whole number", "write 8, without leading zeros"),  # noqa: E501
    (OFFSET, "index_offset_counts: 000", "000", "wheel.index_offset_counts", "not a whole number", "write 0, without"),
    (OFFSET, "index_offset_counts: 65536", "65536", "wheel.index_offset_counts", "out of range", "use 0 to 65535"),
    (OFFSET, "index_offset_counts: true", "true", "wheel.index_offset_counts", "'true' is not a whole number", "use 0"),
    ("pin: 12", "pin: 28", "28", "devices.sounder.pin", "28 is out of range", "use 2 to 27"),
    ("joker: 5", "joker: 512", "512", "devices.panel.lamps.joker", "512 is out of range", "use 0 to 511"),
    # Other numbers
    (REVERSED, "rest_s: 99", "99", "wheel.rest_s", "99 is out of range", "use 0.5 to 10"),
    (REVERSED, "rest_s: 0.25", "0.25", "wheel.rest_s", "0.25 is out of range", "use 0.5 to 10"),
    (REVERSED, "rest_s: two", "two", "wheel.rest_s", "'two' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: 1,5", "1,5", "wheel.rest_s", "'1,5' is not a number", "use a decimal point and no comma"),
    (REVERSED, "rest_s: .5", ".5", "wheel.rest_s", "'.5' is not a number", "write 0.5"),
    (REVERSED, "rest_s: 01.5", "01.5", "wheel.rest_s", "'01.5' is not a number", "write 1.5, without leading zeros"),
    (REVERSED, "rest_s: 00.5", "00.5", "wheel.rest_s", "'00.5' is not a number", "write 0.5, without leading zeros"),
    (REVERSED, "rest_s: 1.", "1.", "wheel.rest_s", "'1.' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: 1e0", "1e0", "wheel.rest_s", "'1e0' is not a number", "without an exponent"),
    (REVERSED, "rest_s: .inf", ".inf", "wheel.rest_s", "'.inf' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: NaN", "NaN", "wheel.rest_s", "'NaN' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: Infinity", "Inf", "wheel.rest_s", "'Infinity' is not a number", "use 0.5 to 10"),
    (REVERSED, "rest_s: 1_0", "1_0", "wheel.rest_s", "'1_0' is not a number", "write 10, without '_'"),
    (REVERSED, f"rest_s: 1.{NINES}", "1.999", "wheel.rest_s", "too many digits", "use 0.5 to 10"),
    # Yes or no
    *((REVERSED, f"reversed: {text}", text, "wheel.reversed", f"'{text}' is neither true nor false", "write true or false")
      for text in ("yes", "no", "on", "off", "1", "0", "t", "True", "FALSE")),
    # Text, names and choices
    ("file: /var", "file: ''\n#", "''", "journal.file", "the text is empty", "write something between the quotes"),
    ("file: /var", f"file: /{NINES}", "/999", "journal.file", "characters", "write at most 80 characters"),
    ("file: /var", 'file: "\\0"\n#', '"', "journal.file", "the text holds a NUL character", "that can be seen"),
    ("file: /var", "file: |\n    /x\n    /y\n#", "|", "journal.file", "the text holds a line break", "on one line"),
    ("table: big-six", "table: Big Six", "Big", "table", "'Big Six' is not a name", NAME_REMEDY),
    ("table: big-six", "table: -x", "-x", "table", "'-x' is not a name", NAME_REMEDY),
    ("table: big-six", f"table: {NINES}", "999", "table", "is not a name", NAME_REMEDY),
    ("backend: mock", "backend: Mock", "Mock", "devices.head.backend", "'Mock' is not a name", NAME_REMEDY),
    ("table: big-six", "table: x\nlayout: {odds: {joker: 47 for 1}}", "47", "layout.odds.joker", "never 'for'", ""),
    ("table: big-six", "table: x\nlayout: {odds: {joker: ''}}", "''", "layout.odds.joker", "write the odds as 'N to 1'", ""),  # noqa: E501
    ("table: big-six", "table: x\nlayout: {odds: {joker: 0 to 1}}", "0", "layout.odds.joker", "'N to 1'", ""),
    ("table: big-six", "table: x\nlayout: {odds: {joker: 47:1}}", "47", "layout.odds.joker", "'N to 1'", ""),
    # Nothing, or the wrong kind of thing
    (PER_TURN, "counts_per_turn:", "counts_per_turn", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: ~", "~", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: null", "null", "wheel.counts_per_turn", "the key has no value", TURN_RANGE),
    (PER_TURN, "counts_per_turn: 'null'", "'null'", "wheel.counts_per_turn", "'null' is not a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: [1]", "[1]", "wheel.counts_per_turn", "a list stands where a whole number", TURN_RANGE),
    (PER_TURN, "counts_per_turn: {a: 1}", "{a", "wheel.counts_per_turn", "a section of keys stands where", TURN_RANGE),
    (REVERSED, "reversed:", "reversed", "wheel.reversed", "the key has no value", "write true or false, or remove the key"),
    (REVERSED, "rest_s: []", "[]", "wheel.rest_s", "a list stands where a number is expected", "use 0.5 to 10"),
    ("table: big-six", "table: [x]", "[x]", "table", "a list stands where text is expected", "write text"),
    ("table: big-six", "table: x\nlayout:", "layout", "layout", "the key has no value", "symbols, odds, or remove the key"),
    ("table: big-six", "table: x\nlayout: none", "none", "layout", "'none' is not a section of keys", "symbols, odds"),
    ("table: big-six", "table: x\nlayout: {odds: {1: }}", "1:", "layout.odds.1", "the key has no value", "example 9 to 1"),
    ("options: {}", "options:", "options", "devices.head.options", "the key has no value", "or remove the key"),
    ("options: {}", "options: [a]", "[a]", "devices.head.options", "a list stands where a section of keys", "'name: value'"),
    (REVERSED, "order: joker", "joker", "wheel.order", "'joker' is not a list", "write its entries in [ ]"),
    (REVERSED, "order: [joker, [1]]", "[1]", "wheel.order.1", "a list stands where text is expected", "write text"),
    ("      floor-key: 26", "#", "pins:", "devices.switches.pins", "the key has no value", "'name: value' below it"),
    # What YAML has and a table's file has not
    (PER_TURN, "counts_per_turn: &turn 1440", "&turn", "wheel.counts_per_turn", "anchors (&turn) are not used", "remove '&turn'"),  # noqa: E501
    (PER_TURN, "counts_per_turn: *turn", "*turn", "wheel.counts_per_turn", "aliases (*turn) are not used", "write the value"),  # noqa: E501
    (PER_TURN, "counts_per_turn: !!int 1440", "!!int", "wheel.counts_per_turn", "tags ('!!int') are not used", "remove the tag"),  # noqa: E501
    (PER_TURN, "!!str counts_per_turn: 1440", "!!str", "wheel.counts_per_turn", "tags ('!!str') are not used", "remove the tag"),  # noqa: E501
    ("file: /var", "file: !!binary /var", "!!binary", "journal.file", "tags ('!!binary') are not used here", "remove the tag"),  # noqa: E501
    ("file: /var", "file: !secret /var", "!secret", "journal.file", "tags ('!secret') are not used here", "remove the tag"),
    ("options: {}", "options: !!python/object:os.system {}", "!!python", "devices.head.options", "are not used here", "remove"),  # noqa: E501
    ("wheel:", "wheel: &wheel", "wheel", "wheel", "anchors (&wheel) are not used here", "remove '&wheel'"),
]


def place_of(text, old, new, shown):
    """Line and column at which ``shown`` begins, in the replacement if it stands there, else in the file."""
    start = text.index(old)
    changed = text.replace(old, new, 1)
    at = changed.rfind(shown, start, start + len(new)) if shown in new else changed.index(shown)
    if shown == "pins:":
        at = changed.rindex(shown, 0, start)
    line = changed.count("\n", 0, at) + 1
    return changed, line, at - (changed.rfind("\n", 0, at) + 1) + 1


@pytest.mark.parametrize(("old", "new", "shown", "key", "message", "remedy"), CASES, ids=[f"{c[3]}:{c[1][:30]}" for c in CASES])
def test_one_mistake(problems, table, old, new, shown, key, message, remedy):
    changed, line, column = place_of(table, old, new, shown)
    found = [problem for problem in problems(changed) if problem.key == key and message in problem.message]
    assert len(found) == 1, [str(problem) for problem in problems(changed)]
    assert (found[0].line, found[0].column) == (line, column)
    assert remedy in found[0].remedy
