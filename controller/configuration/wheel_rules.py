"""Checks of a table's wheel, and of the reader of a roulette wheel, against the sections or pockets of its game."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from pydantic import ValidationError

from config.problems import Finding, Path, counted
from config.schema import TableConfig, WheelSection
from controller.machine.game import Game
from hal import registry
from hal.errors import HalError

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
        yield from _wheel_order(wheel.order, game)
    if wheel.order is None or len(wheel.order) == sections:
        yield from index_phase(wheel, sections)
        yield from (
            _clapper_geometry(wheel, sections) if wheel.clapper is None else _calibrated_pegs(wheel, sections)
        )


def _wheel_order(order: Sequence[str], game: Game) -> Iterator[Finding]:
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
    reading of a calibrated wheel was confirmed by a person: its mark may lie anywhere (see :func:`wheel_advice`).
    """
    path: Path = ("wheel", "index_offset_counts")
    turn, offset = wheel.counts_per_turn, wheel.index_offset_counts
    if offset >= turn:
        message = f"{offset} is out of range: a turn has {turn} counts"
        yield Finding(path, message, f"use 0 to {turn - 1}", see=(("wheel", "counts_per_turn"),))
    elif wheel.clapper is None and not mirror_shows(sections, offset, turn, wheel.tolerance_mdeg):
        yield Finding(
            path,
            "the index mark lies on a peg or midway between two, where crossed wires A and B could not be noticed",
            _better_offset(sections, offset, turn, wheel.tolerance_mdeg),
            see=(("wheel", "counts_per_turn"), ("wheel", "tolerance_deg")),
        )


def _clapper_geometry(wheel: WheelSection, sections: int) -> Iterator[Finding]:
    """The clapper's contact and the tolerance at both pegs leave a part of each section.

    Where the leather slips off a calibrated wheel's pegs is known, by direction.
    """
    taken = wheel.contact_deg + 2 * wheel.tolerance_deg
    if taken * sections >= 360:
        message = (
            f"contact_deg and twice tolerance_deg make {taken} degrees, but a section has {360 / sections:.2f}"
        )
        remedy = "measure contact_deg again, or use a smaller tolerance_deg"
        yield Finding(("wheel", "contact_deg"), message, remedy, see=(("wheel", "tolerance_deg"),))


def _calibrated_pegs(wheel: WheelSection, sections: int) -> Iterator[Finding]:
    """The calibration is of a wheel with as many pegs as this one has sections."""
    pegs = len(wheel.clapper.pegs_deg) if wheel.clapper is not None else sections
    if pegs != sections:
        message = f"{counted(pegs, 'peg')} measured, but the wheel has {sections} sections"
        other: Path = ("wheel", "order") if wheel.order is not None else ("game",)
        remedy = "remove the section clapper and calibrate the wheel: table-controller calibrate FILE"
        yield Finding(("wheel", "clapper", "pegs_deg"), message, remedy, see=(other,))


def mirror_shows(sections: int, offset: int, turn: int, tolerance_mdeg: int) -> bool:
    """Whether the pegs and their mirror image about the index mark are apart.

    In units of 1/sections count a section is ``turn`` units long. A peg at ``p`` from the mark is mirrored to
    ``-p``; the two rows of pegs coincide where ``2 p`` is a whole number of sections.
    """
    apart = 2 * sections * offset % turn
    apart = min(apart, turn - apart) - _MARGIN_COUNTS * sections
    return apart * _MDEG_PER_TURN > tolerance_mdeg * sections * turn


def _better_offset(sections: int, offset: int, turn: int, tolerance_mdeg: int) -> str:
    changes = chain.from_iterable((change, -change) for change in range(1, turn // 2 + 1))
    for change in changes:
        if mirror_shows(sections, (offset + change) % turn, turn, tolerance_mdeg):
            better = (offset + change) % turn
            by = counted(abs(change), "count")
            return f"turn the encoder on its axle by about {by}, so that this becomes {better}"
    return "use an encoder with more counts or a smaller tolerance_deg"


def wheel_advice(config: TableConfig) -> Iterator[str]:
    """What a file that is in order leaves to be done at the table."""
    wheel, head = config.wheel, config.devices.head
    if wheel is not None and head is not None and wheel.clapper is None and head.backend != "mock":
        yield (
            "the wheel is not calibrated: where its pegs close and release the clapper's contact is assumed, and "
            "honest spins will be void; run: table-controller calibrate FILE"
        )
    if wheel is not None and wheel.clapper is not None:
        sections, tolerance_mdeg = len(wheel.clapper.pegs_deg), wheel.tolerance_mdeg
        if not mirror_shows(sections, wheel.index_offset_counts, wheel.counts_per_turn, tolerance_mdeg):
            yield (
                "the index mark lies on a peg or midway between two: wires A and B crossed by later work could not "
                "be noticed; after work on them confirm the reading with: table-controller calibrate FILE"
            )


def reader_codes(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Each pocket has exactly one code, and each code is a pocket's.

    A pocket with two codes has one that belongs to another pocket, and its number would be announced for both.
    """
    reader = config.devices.reader
    if reader is None or game.pockets is None:
        return
    try:
        pockets = game.pockets(config.rules)
        codes = registry.reader_codes(reader.backend, reader.options)
    except (HalError, ValidationError):
        return  # Other checks report these.
    if codes is None:
        return
    keys_of = {code: ("devices", "reader", *keys) for keys, code, _ in codes}
    codes_of: dict[str, list[str]] = defaultdict(list)
    for _, code, pocket in codes:
        codes_of[pocket].append(code)

    def finding(message: str, items: Sequence[str], at: Path) -> Finding:
        more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
        remedy = "give each pocket exactly one code, by pattern and names"
        return Finding(at, f"{message}: {', '.join(items[:_SHOWN])}{more}", remedy, see=(("rules", "wheel"),))

    if missing := [pocket for pocket in pockets if pocket not in codes_of]:
        yield finding("pockets without a code", missing, ("devices", "reader", "options", "pattern"))
    if double := {pocket: of for pocket, of in codes_of.items() if len(of) > 1}:
        shown = [f"{pocket} ({', '.join(map(repr, of))})" for pocket, of in double.items()]
        yield finding("pockets with more than one code", shown, _named(chain(*double.values()), keys_of))
    if foreign := {code: pocket for _, code, pocket in codes if pocket not in pockets}:
        shown = [repr(code) if code == pocket else f"{code!r} ({pocket})" for code, pocket in foreign.items()]
        yield finding("codes that are no pocket of this wheel", shown, _named(foreign, keys_of))


def _named(codes: Iterable[str], keys_of: Mapping[str, Path]) -> Path:
    """The place in the file that decides the first of these codes that has a name, or else the pattern."""
    return max((keys_of[code] for code in codes), key=len)
