"""Checks of the section ``wheel`` of a table's file against the sections of its game."""

from collections.abc import Iterator
from itertools import chain

from config.problems import Finding, Path, counted
from config.schema import TableConfig, WheelSection
from controller.machine.game import Game

_MDEG_PER_TURN = 360_000
_MARGIN_COUNTS = 2


def wheel_order(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The sections are in the order of the regulation."""
    order = config.wheel.order if config.wheel is not None else None
    if order is None or not game.wheel:
        return
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


def index_phase(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The index mark is in a place from which crossed wires A and B can be detected.

    Wires A and B crossed make the tracker see the mirror image of the wheel. If the mark lies on a peg, or midway
    between two, the mirrored pegs fall on the true ones, and no strike of the clapper contradicts the count. The
    reading of a calibrated wheel was confirmed by a person: its mark may lie anywhere (see :func:`advice`).
    """
    wheel, sections = config.wheel, len(game.wheel)
    if wheel is None or not _has_so_many(wheel, sections):
        return
    path: Path = ("wheel", "index_offset_counts")
    turn, offset = wheel.counts_per_turn, wheel.index_offset_counts
    if offset >= turn:
        message = f"{offset} is out of range: a turn has {turn} counts"
        yield Finding(path, message, f"use 0 to {turn - 1}", see=(("wheel", "counts_per_turn"),))
    elif wheel.clapper is None and not _mirror_shows(sections, offset, turn, wheel.tolerance_mdeg):
        yield Finding(
            path,
            "the index mark lies on a peg or midway between two, where crossed wires A and B could not be noticed",
            _better_offset(sections, offset, turn, wheel.tolerance_mdeg),
            see=(("wheel", "counts_per_turn"), ("wheel", "tolerance_deg")),
        )


def clapper_geometry(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The clapper's contact and the tolerance at both pegs leave a part of each section.

    Where the leather slips off a calibrated wheel's pegs is known, by direction.
    """
    wheel, sections = config.wheel, len(game.wheel)
    if wheel is None or wheel.clapper is not None or not _has_so_many(wheel, sections):
        return
    taken = wheel.contact_deg + 2 * wheel.tolerance_deg
    if taken * sections >= 360:
        message = (
            f"contact_deg and twice tolerance_deg make {taken} degrees, but a section has {360 / sections:.2f}"
        )
        remedy = "measure contact_deg again, or use a smaller tolerance_deg"
        yield Finding(("wheel", "contact_deg"), message, remedy, see=(("wheel", "tolerance_deg"),))


def calibrated_pegs(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The calibration is of a wheel with as many pegs as this one has sections."""
    wheel, sections = config.wheel, len(game.wheel)
    if wheel is None or wheel.clapper is None or not _has_so_many(wheel, sections):
        return
    pegs = len(wheel.clapper.pegs_deg)
    if pegs != sections:
        message = f"{counted(pegs, 'peg')} measured, but the wheel has {sections} sections"
        other: Path = ("wheel", "order") if wheel.order is not None else ("game",)
        remedy = "remove the section clapper and calibrate the wheel: table-controller calibrate FILE"
        yield Finding(("wheel", "clapper", "pegs_deg"), message, remedy, see=(other,))


def advice(config: TableConfig) -> Iterator[str]:
    """What a file that is in order leaves to be done at the table."""
    wheel, head = config.wheel, config.devices.head
    if wheel is not None and head is not None and wheel.clapper is None and head.backend != "mock":
        yield (
            "the wheel is not calibrated: where its pegs close and release the clapper's contact is assumed, and "
            "honest spins will be void; run: table-controller calibrate FILE"
        )
    if wheel is not None and wheel.clapper is not None:
        sections, tolerance_mdeg = len(wheel.clapper.pegs_deg), wheel.tolerance_mdeg
        if not _mirror_shows(sections, wheel.index_offset_counts, wheel.counts_per_turn, tolerance_mdeg):
            yield (
                "the index mark lies on a peg or midway between two: wires A and B crossed by later work could not "
                "be noticed; after work on them confirm the reading with: table-controller calibrate FILE"
            )


def _has_so_many(wheel: WheelSection, sections: int) -> bool:
    """Whether the wheel has the game's number of sections; another check reports if not."""
    return bool(sections) and (wheel.order is None or len(wheel.order) == sections)


def _mirror_shows(sections: int, offset: int, turn: int, tolerance_mdeg: int) -> bool:
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
        if _mirror_shows(sections, (offset + change) % turn, turn, tolerance_mdeg):
            better = (offset + change) % turn
            by = counted(abs(change), "count")
            return f"turn the encoder on its axle by about {by}, so that this becomes {better}"
    return "use an encoder with more counts or a smaller tolerance_deg"
