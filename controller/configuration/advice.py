"""Advice of ``check``: what a file that is in order leaves open, or to be done at the table."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from config.rules import control_places
from config.schema import CredentialsSection, TableConfig
from controller.access.credentials import CredentialError, Person, Role, load
from controller.configuration.shipped import all_simulated
from controller.machine.offers import LOG_ON

_ADD = "table-controller credential add NUMBER"


def sign_advice(config: TableConfig) -> Iterator[str]:
    """What a file that is in order leaves open: a table has limits, on the board or on another sign."""
    if config.limits is None:
        yield (
            "the table has no limits, and shows none (§ 521.7(a), (b)); add `limits:` with minimum and maximum, "
            "or with `posted: elsewhere` if another sign at the table states them"
        )


def identity_advice(config: TableConfig) -> Iterator[str]:
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
