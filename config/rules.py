"""Checks of a table's file for every game: wiring without conflicts, and plausible geometry.

Passed to the loader together with the rules of the game and of the hardware.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from config.loader import Rule
from config.problems import Finding, Path, counted, dotted
from config.schema import DeviceSections, KeypadDevice, LimitsSection, TableConfig, TamperDevice
from config.screens_rules import table_screens

_LEAST_TO_TELL_DEG = 40
_DECIMALS = 4


def shared_pins(config: TableConfig) -> Iterable[Finding]:
    """Each pin of the header serves one purpose."""
    return _shared(header_pins(config.devices), "pin", "move one of the two wires to a free pin")


def shared_lamps(config: TableConfig) -> Iterable[Finding]:
    """Each output of the lamp panel belongs to one area."""
    path: Path = ("devices", "panel", "lamps")
    lamps = (((*path, area), output) for area, output in config.devices.panel.lamps.items())
    return _shared(lamps, "output", "give each area the output that its lamp is wired to")


def keypad_shape(config: TableConfig) -> Iterable[Finding]:
    """The keys match the matrix, and no control has two keys or buttons."""
    keypad, path = config.devices.keypad, ("devices", "keypad", "keys")
    if keypad is not None:
        yield from _fit(keypad, path)
    yield from _shared_controls(config.devices)


def beam_angle(config: TableConfig) -> Iterable[Finding]:
    """The two parts of the ball's track differ enough to measure its direction."""
    rotor, head = config.rotor, config.devices.rotor
    if rotor is None or head is None or head.pins.ball_2 is None:
        return
    if abs(rotor.beam_angle_deg - 180) < _LEAST_TO_TELL_DEG:
        message = f"beams {rotor.beam_angle_deg} degrees apart cannot tell which way the ball runs"
        remedy = f"mount them {180 - _LEAST_TO_TELL_DEG} degrees apart or less"
        yield Finding(("rotor", "beam_angle_deg"), message, remedy, see=(("devices", "rotor", "pins", "ball_2"),))


def dice_age(config: TableConfig) -> Iterable[Finding]:
    """The warning comes before the dice are retired."""
    dice = config.dice
    if dice is not None and dice.warn_h > dice.retire_h:
        message = f"the warning at {dice.warn_h} h comes after the dice are retired at {dice.retire_h} h"
        yield Finding(("dice", "warn_h"), message, f"use at most {dice.retire_h}", see=(("dice", "retire_h"),))


def limits_fit(config: TableConfig) -> Iterable[Finding]:
    """The limits are complete and consistent, or posted elsewhere; every amount can be shown on a sign."""
    limits = config.limits
    if limits is None:
        return
    path: Path = ("limits",)
    given = [name for name in ("minimum", "maximum", "payout", "steps") if getattr(limits, name)]
    if limits.posted is not None and given:
        message = f"limits that are posted elsewhere have no {given[0]}"
        yield Finding((*path, given[0]), message, "remove it, or `posted`", see=((*path, "posted"),))
        return
    if limits.posted is None and not {"minimum", "maximum"} <= set(given):
        yield Finding(path, "no minimum and maximum", "add both, or `posted: elsewhere`", on_key=True)
    for name in ("minimum", "maximum", "payout"):
        amount: Decimal | None = getattr(limits, name)
        if amount is not None and amount != round(amount, _DECIMALS):
            yield Finding((*path, name), f"{amount} has too many decimals", f"write at most {_DECIMALS}")
    yield from _steps(limits)
    if limits.payout is not None and limits.maximum is not None and limits.payout < limits.maximum:
        message = f"{limits.payout} is below the maximum: no such wager could be paid"
        yield Finding((*path, "payout"), message, "raise it, or leave it out", see=((*path, "maximum"),))


def _steps(limits: LimitsSection) -> Iterator[Finding]:
    """The least and the highest wager can be placed in the steps (§ 521.7(d))."""
    for wager, step in limits.steps.items():
        path: Path = ("limits", "steps", wager)
        if step <= 0 or step != round(step, _DECIMALS):
            yield Finding(path, f"{step} is no step of an amount", "write one above 0")
            continue
        for name in ("minimum", "maximum"):
            amount: Decimal | None = getattr(limits, name)
            if amount is not None and amount % step:
                message = f"the {name} {amount} is no multiple of {step}: no such wager could be placed"
                yield Finding(path, message, "correct one of the two", see=(("limits", name),))


GENERAL_RULES: tuple[Rule, ...] = (
    shared_pins,
    shared_lamps,
    keypad_shape,
    beam_angle,
    dice_age,
    limits_fit,
    table_screens,
)
"""All general rules."""


def header_pins(devices: DeviceSections) -> Iterator[tuple[Path, int]]:
    """Every pin in use under the sections' own keys, with its place in the file."""
    if devices.head:
        yield from _named("head", dict(devices.head.pins))
    if devices.rotor:
        pins = {name: pin for name, pin in devices.rotor.pins if pin is not None}
        yield from _named("rotor", pins)
    if devices.buttons:
        yield from _named("buttons", devices.buttons.pins)
    if devices.keypad:
        for side, lines in (("rows", devices.keypad.rows), ("columns", devices.keypad.columns)):
            yield from ((("devices", "keypad", side, index), pin) for index, pin in enumerate(lines))
    yield from _named("switches", devices.switches.pins)
    if devices.tamper:
        yield from _tamper_pins(devices.tamper)
    yield ("devices", "sounder", "pin"), devices.sounder.pin


def _tamper_pins(tamper: TamperDevice) -> Iterator[tuple[Path, int]]:
    for name, contact in tamper.contacts.items():
        at: Path = ("devices", "tamper", "contacts", name)
        yield (*at, "pin"), contact.pin
        if contact.latch is not None:
            yield (*at, "latch"), contact.latch
    if tamper.latch_reset is not None:
        yield ("devices", "tamper", "latch_reset"), tamper.latch_reset


def _named(device: str, pins: Mapping[str, int]) -> Iterator[tuple[Path, int]]:
    return ((("devices", device, "pins", name), pin) for name, pin in pins.items())


def control_places(devices: DeviceSections) -> Iterator[tuple[Path, str]]:
    """Every control on a button or key, with its place in the file."""
    if devices.buttons:
        yield from ((("devices", "buttons", "pins", control), control) for control in devices.buttons.pins)
    if devices.keypad:
        for at, row in enumerate(devices.keypad.keys):
            yield from ((("devices", "keypad", "keys", at, index), control) for index, control in enumerate(row))
    if devices.keyboard:
        yield from ((("devices", "keyboard", "codes", control), control) for control in devices.keyboard.codes)


def _shared(uses: Iterable[tuple[Path, int]], what: str, remedy: str) -> Iterator[Finding]:
    first: dict[int, Path] = {}
    for path, number in uses:
        if number in first:
            owner = dotted(tuple(part for part in first[number] if isinstance(part, str)))
            yield Finding(path, f"{what} {number} is already used by {owner}", remedy, see=(first[number],))
        first.setdefault(number, path)


def _shared_controls(devices: DeviceSections) -> Iterator[Finding]:
    first: dict[str, Path] = {}
    for path, control in control_places(devices):
        if control in first:
            remedy = "give each control one button or key"
            yield Finding(path, f"the control '{control}' appears twice", remedy, see=(first[control],))
        first.setdefault(control, path)


def _fit(keypad: KeypadDevice, path: Path) -> Iterator[Finding]:
    rows, columns = len(keypad.rows), len(keypad.columns)
    if len(keypad.keys) != rows:
        message = (
            f"the keypad has {counted(rows, 'pin')} under rows, but keys has {counted(len(keypad.keys), 'row')}"
        )
        yield Finding(path, message, "write a row of keys for each pin", see=(("devices", "keypad", "rows"),))
    for index, row in enumerate(keypad.keys):
        if len(row) != columns:
            keys = counted(len(row), "key")
            message = f"the keypad has {counted(columns, 'pin')} under columns, but this row has {keys}"
            remedy = "write a control for each pin under columns"
            yield Finding((*path, index), message, remedy, see=(("devices", "keypad", "columns"),))
