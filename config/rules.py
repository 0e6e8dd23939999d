"""Checks across the sections of a table's file that need neither its game nor a driver."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from ipaddress import ip_address
from itertools import pairwise
from typing import Any

from config.loader import Rule
from config.problems import Finding, Path, counted, dotted
from config.schema import DeviceSections, TableConfig
from config.screens import PagesSection
from config.values import Section

_LEAST_TO_TELL_DEG = 40
_DECIMALS = 4


def header_pins(devices: DeviceSections) -> Iterator[tuple[Path, int]]:
    """Every pin in use under the sections' own keys, with its place in the file."""

    def within(value: object, path: Path) -> Iterator[tuple[Path, int]]:
        if isinstance(value, int):
            yield path, value
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in value if isinstance(value, Section) else parts:
            if key not in ("options", "lamps"):
                yield from within(part, (*path, key))

    return within(devices, ("devices",))


def control_places(devices: DeviceSections) -> Iterator[tuple[Path, str]]:
    """Every control on a button or key, with its place in the file."""
    if devices.buttons:
        yield from ((("devices", "buttons", "pins", control), control) for control in devices.buttons.pins)
    if devices.keypad:
        for at, row in enumerate(devices.keypad.keys):
            yield from ((("devices", "keypad", "keys", at, index), control) for index, control in enumerate(row))
    if devices.keyboard:
        yield from ((("devices", "keyboard", "codes", control), control) for control in devices.keyboard.codes)


def used_twice(uses: Iterable[tuple[Path, object]], what: str, remedy: str) -> Iterator[Finding]:
    """Pins, outputs, controls or codes that serve two purposes."""
    first: dict[object, Path] = {}
    for path, used in uses:
        if used in first:
            owner = dotted(tuple(part for part in first[used] if isinstance(part, str)))
            yield Finding(path, f"{what} {used} is already used by {owner}", remedy, see=(first[used],))
        first.setdefault(used, path)


def _doubles(config: TableConfig) -> Iterator[Finding]:
    def entries(of: dict[str, Any], *path: str) -> Iterator[tuple[Path, object]]:
        return (((*path, key), value) for key, value in of.items())

    devices = config.devices
    lamps = entries(devices.panel.lamps, "devices", "panel", "lamps")
    yield from used_twice(lamps, "output", "give each area the output that its lamp is wired to")
    yield from used_twice(control_places(devices), "control", "give each control one button or key")
    record: dict[str, Any] = {"file": config.journal.file, "mirror": config.journal.mirror}
    kept = [*entries(record, "journal")]
    if config.credentials is not None:
        kept += entries({"file": config.credentials.file}, "credentials")
    yield from used_twice(kept, "the file", "name another file")
    if devices.keyboard is not None:
        codes = entries(devices.keyboard.codes, "devices", "keyboard", "codes")
        yield from used_twice(codes, "code", "give each key its code")


def _keypad(config: TableConfig) -> Iterator[Finding]:
    """The keys match the matrix."""
    keypad, at = config.devices.keypad, ("devices", "keypad")
    if keypad is None:
        return
    rows, columns = (counted(len(pins), "pin") for pins in (keypad.rows, keypad.columns))
    if len(keypad.keys) != len(keypad.rows):
        message = f"the keypad has {rows} under rows, but keys has {counted(len(keypad.keys), 'row')}"
        yield Finding((*at, "keys"), message, "write a row of keys for each pin", see=((*at, "rows"),))
    for index, row in enumerate(keypad.keys):
        if len(row) != len(keypad.columns):
            message = f"the keypad has {columns} under columns, but this row has {counted(len(row), 'key')}"
            remedy = "write a control for each pin under columns"
            yield Finding((*at, "keys", index), message, remedy, see=((*at, "columns"),))


def _beams(config: TableConfig) -> Iterator[Finding]:
    """The two parts of the ball's track differ enough to measure its direction."""
    rotor, head = config.rotor, config.devices.rotor
    if rotor is None or head is None or head.pins.ball_2 is None:
        return
    if abs(rotor.beam_angle_deg - 180) < _LEAST_TO_TELL_DEG:
        message = f"beams {rotor.beam_angle_deg} degrees apart cannot tell which way the ball runs"
        remedy = f"mount them {180 - _LEAST_TO_TELL_DEG} degrees apart or less"
        yield Finding(("rotor", "beam_angle_deg"), message, remedy, see=(("devices", "rotor", "pins", "ball_2"),))


def _dice(config: TableConfig) -> Iterator[Finding]:
    dice = config.dice
    if dice is not None and dice.warn_h > dice.retire_h:
        message = f"the warning at {dice.warn_h} h comes after the dice are retired at {dice.retire_h} h"
        yield Finding(("dice", "warn_h"), message, f"use at most {dice.retire_h}", see=(("dice", "retire_h"),))


def _limits(config: TableConfig) -> Iterator[Finding]:
    """The limits are complete and consistent, or posted elsewhere; every amount can be shown on a sign."""
    limits, path = config.limits, ("limits",)
    if limits is None:
        return
    names = ("minimum", "maximum", "payout")
    amounts: dict[str, Decimal] = {
        name: getattr(limits, name) for name in names if getattr(limits, name) is not None
    }
    given = [*amounts, *(["steps"] if limits.steps else [])]
    if limits.posted is not None and given:
        message = f"limits that are posted elsewhere have no {given[0]}"
        yield Finding((*path, given[0]), message, "remove it, or `posted`", see=((*path, "posted"),))
        return
    if limits.posted is None and not {"minimum", "maximum"} <= set(given):
        yield Finding(path, "no minimum and maximum", "add both, or `posted: elsewhere`", on_key=True)
    for name, amount in amounts.items():
        if amount != round(amount, _DECIMALS):
            yield Finding((*path, name), f"{amount} has too many decimals", f"write at most {_DECIMALS}")
    for (low, least), (high, most) in pairwise(amounts.items()):
        if most < least:
            message = f"{most} is below the {low}: no wager could be {'paid' if high == 'payout' else 'placed'}"
            yield Finding((*path, high), message, f"use at least {least}", see=((*path, low),))
    for wager, step in limits.steps.items():
        # The least and the highest wager can be placed in the step (§ 521.7(d)).
        at = (*path, "steps", wager)
        if step <= 0 or step != round(step, _DECIMALS):
            yield Finding(at, f"{step} is no step of an amount", "write one above 0")
            continue
        for name in ("minimum", "maximum"):
            if name in amounts and amounts[name] % step:
                message = f"the {name} {amounts[name]} is no multiple of {step}: no such wager could be placed"
                yield Finding(at, message, "correct one of the two", see=((*path, name),))


def _screens(config: TableConfig) -> Iterator[Finding]:
    screens = config.screens
    if screens.metrics and not screens.enabled:
        message = "/metrics is one of the pages, and this file turns them off"
        remedy = "set `enabled: true`, or leave `metrics:` out"
        yield Finding(("screens", "metrics"), message, remedy, see=(("screens", "enabled"),))
    if screens.port == screens.display_port:
        message = "port and display_port are the same, and each serves pages of its own"
        yield Finding(("screens", "display_port"), message, "take another one", see=(("screens", "port"),))
    if screens.metrics_token is not None and not screens.metrics:
        message = "a token for metrics that are not served"
        yield Finding(("screens", "metrics_token"), message, "set `metrics: true`, or leave it out")


def pages_advice(pages: PagesSection) -> Iterator[str]:
    """What pages that are in order leave open, of a table or a floor."""
    if pages.enabled and not ip_address(pages.address).is_loopback:
        yield (
            f"the pages have no log-on: everybody who reaches {pages.address} can read them; serve them at "
            "127.0.0.1 and put nginx in front (docs/floor.md, Who may open the pages)"
        )


GENERAL_RULES: tuple[Rule, ...] = (_doubles, _keypad, _beams, _dice, _limits, _screens)
