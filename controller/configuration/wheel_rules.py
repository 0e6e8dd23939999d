"""Checks of a table's wheel, and of the reader of a roulette wheel, against the sections or pockets of its game."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from config.problems import Finding, Path, counted
from config.schema import TableConfig, WheelSection
from controller.machine.game import Game
from hal.errors import HalError
from hal.registry import find_driver

_SHOWN = 10
"""Codes or pockets that a message names."""
_MDEG_PER_TURN = 360_000
_MARGIN_COUNTS = 2


def clapper_wheel(config: TableConfig, game: Game) -> Iterator[Finding]:
    """A wheel with a clapper has the game's sections, and its index mark and contact suit them."""
    wheel, sections = config.wheel, len(game.wheel)
    if wheel is None or not sections:
        return
    if wheel.order is not None:
        yield from _order(wheel.order, game)
        if len(wheel.order) != sections:
            return
    yield from index_phase(wheel, sections)
    taken = wheel.contact_deg + 2 * wheel.tolerance_deg
    if wheel.clapper is None and taken * sections >= 360:
        message = (
            f"contact_deg and twice tolerance_deg make {taken} degrees, but a section has {360 / sections:.2f}"
        )
        remedy = "measure contact_deg again, or use a smaller tolerance_deg"
        yield Finding(("wheel", "contact_deg"), message, remedy, see=(("wheel", "tolerance_deg"),))
    if wheel.clapper is not None and (pegs := len(wheel.clapper.pegs_deg)) != sections:
        message = f"{counted(pegs, 'peg')} measured, but the wheel has {sections} sections"
        other: Path = ("wheel", "order") if wheel.order is not None else ("game",)
        remedy = "remove the section clapper and calibrate the wheel: table-controller calibrate FILE"
        yield Finding(("wheel", "clapper", "pegs_deg"), message, remedy, see=(other,))


def _order(order: Sequence[str], game: Game) -> Iterator[Finding]:
    law = game.wheel_clause or f"the rules of {game.title}"
    remedy = "leave `order` out, or correct it from the wheel"
    if len(order) != len(game.wheel):
        message = f"{len(order)} sections instead of {len(game.wheel)} ({law})"
        yield Finding(("wheel", "order"), message, remedy, on_key=True)
    for i, (given, expected) in enumerate(zip(order, game.wheel, strict=False)):
        if given != expected:
            message = f"section {i + 1} is '{expected}' by {law}, not '{given}'"
            yield Finding(("wheel", "order", i), message, remedy)
            return


def index_phase(wheel: WheelSection, sections: int) -> Iterator[Finding]:
    """The index mark is in a place from which crossed wires A and B can be detected.

    Wires A and B crossed make the tracker see the mirror image of the wheel. If the mark lies on a peg, or midway
    between two, the mirrored pegs fall on the true ones, and no strike of the clapper contradicts the count. The
    reading of a calibrated wheel was confirmed by a person: its mark may lie anywhere (``advice.py``).
    """
    path: Path = ("wheel", "index_offset_counts")
    turn, offset = wheel.counts_per_turn, wheel.index_offset_counts
    if offset >= turn:
        message = f"{offset} is out of range: a turn has {turn} counts"
        yield Finding(path, message, f"use 0 to {turn - 1}", see=(("wheel", "counts_per_turn"),))
    elif wheel.clapper is None and not mirror_shows(wheel, sections):
        half = Fraction(turn, 2 * sections)  # Counts from a peg to midway between two.
        better = round((offset // half + Fraction(1, 2)) * half)
        by = counted(abs(better - offset), "count")
        turned = f"turn the encoder on its axle by about {by}, so that this becomes {better}"
        remedy = turned if better != offset else "use an encoder with more counts or a smaller tolerance_deg"
        message = "the index mark lies on a peg or midway between two: crossed wires A and B could not be noticed"
        yield Finding(path, message, remedy, see=(("wheel", "counts_per_turn"), ("wheel", "tolerance_deg")))


def mirror_shows(wheel: WheelSection, sections: int) -> bool:
    """Whether the pegs and their mirror image about the index mark are farther apart than strikes may be off.

    In units of 1/sections count a section is ``turn`` units long. A peg at ``p`` from the mark is mirrored to
    ``-p``; the two rows of pegs coincide where ``2 p`` is a whole number of sections.
    """
    turn = wheel.counts_per_turn
    apart = 2 * sections * wheel.index_offset_counts % turn
    apart = min(apart, turn - apart) - _MARGIN_COUNTS * sections
    off_mdeg = wheel.tolerance_mdeg + (round(1000 * wheel.clapper.left_over_deg) if wheel.clapper else 0)
    return apart * _MDEG_PER_TURN > off_mdeg * sections * turn


def reader_codes(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Each pocket has exactly one code, and each code is a pocket's.

    A pocket with two codes has one that belongs to another pocket, and its number would be announced for both.
    """
    reader = config.devices.reader
    if reader is None or game.pockets is None:
        return
    try:
        driver = find_driver("reader", reader.backend)
    except HalError:
        return  # Another check reports it.
    if driver.codes is None:
        return
    codes = driver.codes(driver.settings.model_validate(reader.options))
    pockets = game.pockets(config.rules)
    places: dict[str, Path] = {code: ("devices", "reader", *keys) for keys, code, _ in codes}
    codes_of: dict[str, list[str]] = defaultdict(list)
    for _, code, pocket in codes:
        codes_of[pocket].append(code)

    def finding(message: str, items: Sequence[str], at: Iterable[str]) -> Finding:
        more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
        remedy = "give each pocket exactly one code, by pattern and names"
        # The place of the first code that has a name, or else the pattern.
        place = max((places[code] for code in at), key=len, default=("devices", "reader", "options", "pattern"))
        return Finding(place, f"{message}: {', '.join(items[:_SHOWN])}{more}", remedy, see=(("rules", "wheel"),))

    if missing := [pocket for pocket in pockets if pocket not in codes_of]:
        yield finding("pockets without a code", missing, ())
    if double := {pocket: of for pocket, of in codes_of.items() if len(of) > 1}:
        shown = [f"{pocket} ({', '.join(map(repr, of))})" for pocket, of in double.items()]
        yield finding("pockets with more than one code", shown, [code for of in double.values() for code in of])
    if foreign := {code: pocket for _, code, pocket in codes if pocket not in pockets}:
        shown = [repr(code) if code == pocket else f"{code!r} ({pocket})" for code, pocket in foreign.items()]
        yield finding("codes that are no pocket of this wheel", shown, foreign)
