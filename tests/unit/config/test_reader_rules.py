"""The wheel reader's codes are exactly the wheel's pockets, one each; nothing else passes the check."""

from collections.abc import Iterator

import pytest
from contracts.wire import STATES

from config.problems import Finding
from controller.configuration.shipped import load_table, table_path
from controller.configuration.wheel_rules import reader_codes
from controller.machine.registry import find_game

GAME = find_game("roulette")
NUMBERS = [str(number) for number in range(1, 37)]
POCKETS = {
    "single-zero": ["0", *NUMBERS],
    "double-zero": ["0", "00", *NUMBERS],
    "double-zero-as-single": ["0", "00", *NUMBERS],
}
CONFIG = load_table(table_path("roulette")).config
STATE = "pattern: '[*]X;5;[0-9]{3};(?P<pocket>%s);.*'"
TWO_DIGITS = STATE % "[0-2][0-9]|3[0-7]"


def findings(wheel: str, codes: list[str], names: dict[str, str]) -> list[Finding]:
    """The check of a table whose reader sends these codes."""
    options = {"port": "/dev/ttyUSB0", "pattern": f"(?P<pocket>{'|'.join(codes)})", "names": names}
    reader = CONFIG.devices.reader
    assert reader is not None
    reader = reader.model_copy(update={"backend": "serial", "options": options})
    devices = CONFIG.devices.model_copy(update={"reader": reader})
    config = CONFIG.model_copy(update={"devices": devices, "rules": {**CONFIG.rules, "wheel": wheel}})
    return list(reader_codes(config, GAME))


def readers(wheel: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The codes and names of readers that fit the wheel, and of all that differ from them in one code."""
    zeros = {"00": "0", "37": "00"} if "00" in POCKETS[wheel] else {"00": "0"}
    two_digits = [f"{number:02}" for number in range(len(POCKETS[wheel]))]
    for codes, names in ((POCKETS[wheel], {}), (two_digits, zeros)):
        yield codes, names
        for code in codes:
            left = {own: name for own, name in names.items() if own != code}
            yield [other for other in codes if other != code], left
            yield codes, left
            for name in ("0", "00", "18", "37"):
                yield codes, {**names, code: name}
        for code in {"0", "00", "000", "7", "07", "007", "37", "38", "x"}.difference(codes):
            yield [*codes, code], names
            yield [*codes, code], {**names, code: "17"}


@pytest.mark.clause("617a.5(c)")
@pytest.mark.parametrize("wheel", POCKETS)
def test_a_reader_passes_if_and_only_if_each_pocket_has_one_code(wheel: str) -> None:
    passed = 0
    for codes, names in readers(wheel):
        own = {code: code if code == "00" or not code.isdigit() else str(int(code)) for code in codes}
        fits = sorted(names.get(code, own[code]) for code in codes) == sorted(POCKETS[wheel])
        assert (findings(wheel, codes, names) == []) is fits, (codes, names)
        passed += fits
    assert passed >= 2


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([f"{key}: '{value}'" for key, value in STATES.items() if key != "names"] + ["names: {00: 0, 37: 00}"], []),
        (
            [TWO_DIGITS, "names: {37: ▸00}"],
            ["pattern: pockets without a code: 0", "names.37: pockets with more than one code: 00 ('00', '37')"],
        ),
        (
            ["names:", "  17: ▸18", "  36: ▸99"],
            [
                "pattern: pockets without a code: 17, 36",
                "names.17: pockets with more than one code: 18 ('17', '18')",
                "names.36: codes that are no pocket of this wheel: '36' (99)",
            ],
        ),
        (["names: {37: 00}"], ["names: the pattern never reads '37'"]),
    ],
)
def test_a_code_too_many_or_too_few_is_reported_on_its_line(mistakes, options, found):
    lines = "".join(f"      {line}\n" for line in ("port: /dev/ttyUSB0", *options))
    serial = f"  reader:\n    backend: serial\n    options:\n{lines}"
    said = mistakes("roulette", ("  reader:\n    backend: mock\n    options: {}\n", serial))
    short = [line.removeprefix("devices.reader.options.").partition(" (also")[0].partition(";")[0] for line in said]
    assert short == found
