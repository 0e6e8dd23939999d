"""What ``check`` says of a table's file that is in order: what it leaves open or to be done at the table."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

from config.rules import control_places, pages_advice
from config.schema import CredentialsSection, TableConfig
from controller.access.credentials import CredentialError, Person, Role, load
from controller.configuration.shipped import all_simulated, simulated
from controller.configuration.this_computer import media_advice
from controller.configuration.wheel_rules import mirror_shows
from controller.machine.offers import LOG_ON
from controller.machine.registry import find_game

_ADD = "table-controller credential add NUMBER"
_UNUSUAL = Fraction(1, 10)
"""How much more than at the game's least odds a wager may return without a word."""


def _devices(config: TableConfig) -> Iterator[str]:
    if not all_simulated(config) and (names := simulated(config)):
        yield (
            f"simulated beside real devices: {', '.join(names)}; a simulated panel lights no lamp, and a simulated "
            "key or sensor is never pressed or moved; give them the drivers of the real ones"
        )


def _wheel(config: TableConfig) -> Iterator[str]:
    wheel, head = config.wheel, config.devices.head
    if wheel is None or head is None:
        return
    if wheel.clapper is None and head.backend != "mock":
        yield (
            "the wheel is not calibrated: where its pegs strike and release the clapper is assumed, and "
            "honest spins will be void; run: table-controller calibrate FILE"
        )
    if wheel.clapper is not None and not mirror_shows(wheel, len(wheel.clapper.pegs_deg)):
        yield (
            "the index mark lies on a peg or midway between two: wires A and B crossed by later work could not "
            "be noticed; after work on them confirm the reading with: table-controller calibrate FILE"
        )


def _returns(config: TableConfig) -> Iterator[str]:
    """Payout odds by which the house loses, or that look mistyped."""
    game = find_game(config.game)
    least = game.returns(game.least_payouts(config.rules), config.rules)
    own = game.returns(game.payouts(config), config.rules) if config.layout.odds else least
    for one, usual in zip(own, least, strict=True):
        back, expected = one.return_to_player, usual.return_to_player
        shown = f"the wager {one.wager} returns {float(back):.1%}"
        if back > 1:
            yield f"{shown}: the house loses on it; correct its odds, or those of the game"
        elif back - expected > _UNUSUAL:
            yield f"{shown}, and {float(expected):.1%} at the game's least odds; check `layout.odds`"


def _limits(config: TableConfig) -> Iterator[str]:
    if config.limits is None:
        yield (
            "the table has no limits, and shows none (§ 521.7(a), (b)); add `limits:` with minimum and maximum, "
            "or with `posted: elsewhere` if another sign at the table states them"
        )


def _publisher(config: TableConfig) -> Iterator[str]:
    broker, signing = config.broker, config.signing
    if broker is None:
        if signing is not None:
            yield "`signing:` has no effect without `broker:`: the publisher signs what it sends; add `broker:`"
        return
    if all_simulated(config):
        return  # The files are on the table's computer.
    for name in (broker.ca, broker.certificate, broker.key, *([signing.floor_key] if signing is not None else [])):
        with suppress(PermissionError):
            try:
                os.stat(name)
            except (FileNotFoundError, NotADirectoryError):
                yield f"{name} is missing: nothing is sent to the floor until it is there (docs/floor.md)"


def _people(config: TableConfig) -> Iterator[str]:
    section = config.credentials
    logs_on = any(control == LOG_ON for _, control in control_places(config.devices))
    if section is None:
        any_number = f", {LOG_ON} accepts any number" if logs_on else ""
        yield (
            f"the table has no credentials: the floorperson's key needs no PIN{any_number}, "
            "and no name in the record is verified; add a section `credentials:`"
        )
        return
    if all_simulated(config) and not os.path.exists(section.file):
        return  # The file is on the table's computer.
    try:
        yield from _missing(section, load(Path(section.file)), logs_on)
    except CredentialError as error:
        yield f"credentials: {error}"


def _missing(section: CredentialsSection, known: Mapping[str, Person], logs_on: bool) -> Iterator[str]:
    if all(person.role is not Role.FLOORPERSON for person in known.values()):
        yield f"{section.file} has no floorperson, so nobody can use the floorperson's key; add one: {_ADD}"
    if not logs_on:
        return
    dealers = [number for number, person in known.items() if person.role is Role.DEALER]
    if not dealers:
        yield f"{section.file} has no dealer, so {LOG_ON} refuses every number; add one: {_ADD} --dealer"
    without = [number for number in dealers if known[number].pin is None]
    if section.dealer_pin and without:
        yield (
            f"dealers without a PIN cannot log on while dealer_pin is true: {', '.join(without)}; give each a PIN: "
            f"{_ADD} --dealer"
        )


ADVICE: tuple[Callable[[TableConfig], Iterator[str]], ...] = (
    *(_devices, _people, _wheel, _returns, _limits, _publisher),
    *(media_advice, lambda config: pages_advice(config.screens)),
)
