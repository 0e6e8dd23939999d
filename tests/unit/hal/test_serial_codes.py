"""The codes of a reader's pattern: the list is exactly what lines can deliver."""

import re
from itertools import product

import pytest

from hal.serial.codes import LinePattern

SIDES = ("", "x", "x?", "[0x]", "[0x]*", "[^0-9]+", ".*", "(?:x|00?)", r"\b", "(?!x)")
GROUPS = ("0|00", "00|0", "[07]{1,2}", "7?0", "(?:0|7)x?", r"\d7", "x{1,3}?7", "0|(?=7)7", "(7|x)(0|)", "")
LINES = ["".join(characters) for length in range(5) for characters in product("07x ", repeat=length)]


@pytest.mark.parametrize("group", GROUPS)
def test_every_listed_code_is_read_in_some_line_and_no_line_gives_another(group: str) -> None:
    """Against all short lines, one by one."""
    accepted = 0
    for before, after in product(SIDES, SIDES):
        try:
            pattern = LinePattern(f"{before}(?P<pocket>{group}){after}")
        except ValueError:
            continue
        accepted += 1
        short = {code for code in pattern.codes if re.fullmatch("[07x]{0,2}", code)}
        read = {code for line in LINES if (code := pattern.code(line)) is not None}
        assert short <= read <= set(pattern.codes), (before, group, after)
    assert accepted


@pytest.mark.parametrize("group", ["7|0|77|07", "77|07|7|0"])
def test_a_code_is_never_a_piece_of_a_longer_number(group: str) -> None:
    accepted = 0
    for before, after in product(("", "x?", ".*", "0*"), repeat=2):
        try:
            pattern = LinePattern(f"{before}(?P<pocket>{group}){after}")
        except ValueError:
            continue
        accepted += 1
        read = [(line, code) for line in LINES if (code := pattern.code(line)) is not None]
        assert all(code in re.split("[^07]", line) for line, code in read), (before, after)
    assert accepted
