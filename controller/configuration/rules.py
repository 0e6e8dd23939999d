"""Checks of a table's file against its game and the drivers of its devices."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from pydantic import ValidationError

from config.loader import Rule, as_far_as_valid
from config.problems import Finding, Path, did_you_mean
from config.rules import GENERAL_RULES, control_places, header_pins, used_twice
from config.schema import DeviceSection, TableConfig
from config.validation import validate
from config.values import seen
from controller.configuration.wheel_rules import clapper_wheel, reader_codes
from controller.limits.terms import EVERY, currency_of
from controller.machine.game import Game
from controller.machine.offers import KEYS, LOG_ON
from controller.machine.registry import UnknownGameError, UnusableGameError, find_game, try_score
from controller.odds.wagers import Wager, to_one
from hal.errors import HalError
from hal.registry import find_driver

KIND_OF_SECTION = {
    **{name: name for name in ("rotor", "reader", "switches", "tamper", "panel", "sounder")},
    "head": "edges",
    "buttons": "keys",
    "keypad": "keys",
    "keyboard": "keys",
}
"""The kind of device (see :mod:`hal.registry`) that each section of ``devices`` configures."""


def of_its_game(config: TableConfig) -> Iterable[Finding]:
    """The game exists, and the file fits it."""
    try:
        game = find_game(config.game)
    except UnknownGameError as error:
        yield Finding(("game",), str(error))
        return
    rules: tuple[Callable[[TableConfig, Game], Iterable[Finding]], ...] = (
        *(_equipment, own_rules, reader_codes, clapper_wheel, lamps),
        *(_odds, _scored, _symbols, _controls),
    )
    for rule in rules:
        with suppress(ValidationError):  # Another check reports rules or options.
            yield from rule(config, game)


def _equipment(config: TableConfig, game: Game) -> Iterator[Finding]:
    """A game on a wheel has its wheel and sensor head, a dice game has dice, and no game has more than it needs."""
    wheel, pockets, devices = bool(game.wheel), game.pockets is not None, config.devices
    sections: tuple[tuple[Path, bool, object], ...] = (
        (("wheel",), wheel, config.wheel),
        (("devices", "head"), wheel, devices.head),
        (("rotor",), pockets, config.rotor),
        (("devices", "rotor"), pockets, devices.rotor),
        (("dice",), game.dice, config.dice),
        (("devices", "reader"), pockets and devices.reader is not None, devices.reader),
    )
    for path, needed, given in sections:
        if needed and given is None:
            yield Finding(path, f"{game.title} needs this section", f"add `{path[-1]}:`")
        if not needed and given is not None:
            yield Finding(path, f"{game.title} has no use for this section", "remove it", on_key=True)


def lamps(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Every area of the layout and every indicator has a lamp, and every lamp belongs to one of them."""
    path: Path = ("devices", "panel", "lamps")
    given = config.devices.panel.lamps
    required = game.lamps(config.rules)
    for lamp in required:
        if lamp not in given:
            what = "area" if lamp in game.areas else "indicator"
            yield Finding((*path, lamp), f"the {what} '{lamp}' has no lamp", f"add `{lamp}: <output>`")
    yield from _known(given, required, path, "area")


def own_rules(config: TableConfig, game: Game) -> Iterator[Finding]:
    if game.rules is None:
        if config.rules:
            yield Finding(("rules",), f"{game.title} has no use for this section", "remove it", on_key=True)
        return
    rules, found = validate(config.rules, game.rules, ("rules",))
    yield from found
    if rules is not None and game.demands is not None:
        yield from game.demands(config)


def _odds(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Odds and steps are for wagers of the game; odds are never below the regulation's, or those that it fixes."""
    path: Path = ("layout", "odds")
    wagers: dict[str, Wager] = {wager.area: wager for wager in game.wagers_under(config.rules)}
    yield from _known(config.layout.odds, wagers, path, "wager")
    if config.limits is not None:
        yield from _known(config.limits.steps, [EVERY, *wagers], ("limits", "steps"), "wager")
    for area, odds in config.layout.odds.items():
        wager = wagers.get(area)
        if wager is not None and wager.fixed:
            law = wager.clause or game.title
            yield Finding((*path, area), f"{law} fixes the odds of {area}", "remove the line")
        elif wager is not None and odds < wager.minimum[0]:
            least, law = to_one(wager.minimum[0]), wager.clause or "the game's least odds"
            yield Finding((*path, area), f"{to_one(odds)} is below {law}", f"use {least} or more")


def _scored(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The score of a game of another distribution knows every result."""
    try:
        try_score(game, config)
    except UnusableGameError as error:
        yield Finding(("game",), str(error), "it must know every section or roll, and light only areas of wagers")


def _symbols(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Other symbols only where the regulation allows them. Each names one area and no other.

    Players could pay or place wagers on the wrong area. Capitals, spaces and currency do not distinguish two
    symbols: "$2" and "2.00 dollars" are the name of area 2.
    """
    path: Path = ("layout", "symbols")
    given, sign = config.layout.symbols, currency_of(config.limits)
    if given and not game.symbols:
        yield Finding(path, f"{game.title} allows no other symbols", "remove the section", on_key=True)
        return
    yield from _known(given, game.areas, path, "area")
    own = {_as_read(name, sign): name for name in {*game.areas, *game.wheel, *game.indicators}}
    shown: dict[str, str] = {}
    for area, symbol in given.items():
        read = _as_read(symbol, sign)
        if own.get(read, area) != area:
            message = f"'{symbol}' is the name of another area: {area} would be shown as {own[read]}"
            remedy = "use a symbol that is not the name of an area, with or without a currency sign"
            yield Finding((*path, area), message, remedy)
        elif read in shown:
            message = f"'{symbol}' is already the symbol of {shown[read]}"
            yield Finding((*path, area), message, "give each area a symbol of its own", see=((*path, shown[read]),))
        shown.setdefault(read, area)


_CURRENCY = "(?:us|usd|dollars?|eur|euros?|gbp|pounds?)?"
_AMOUNT = re.compile(rf"{_CURRENCY}(\d+)(?:\.0*|,00)?{_CURRENCY}")
"""An amount as area names have it, among words of currency and a decimal part of zeros: ``5.00 dollars``."""


def _as_read(symbol: str, currency: str) -> str:
    """What is seen of a symbol, without capitals, and without currency if more is left; of amounts the number."""
    text, sign = (seen(unicodedata.normalize("NFKC", one)).casefold() for one in (symbol, currency))
    bare = text.removeprefix(sign).removesuffix(sign)
    bare = "".join(letter for letter in bare if unicodedata.category(letter) != "Sc")
    amount = _AMOUNT.fullmatch(bare)
    return amount[1] if amount else bare or text


def _controls(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Every control that the game and the floor menu need is on a key, and every key is one of these controls."""
    devices, needed = config.devices, game.controls | KEYS
    places = {name: place for place, name in control_places(devices)}
    if missing := sorted(needed - places.keys()):
        fitted = (name for name in ("buttons", "keypad", "keyboard") if getattr(devices, name) is not None)
        at: Path = ("devices", next(fitted, "buttons"))
        yield Finding(
            at,
            f"no key for: {', '.join(missing)}",
            f"{game.title} needs {'it; add a key' if len(missing) == 1 else 'them; add a key each'}",
        )
    for name, place in places.items():
        for found in _known([name], needed | {LOG_ON}, (), "control"):
            yield found._replace(path=place, on_key=False)
    path: Path = ("devices", "switches", "pins")
    for name in sorted(game.switches - devices.switches.pins.keys()):
        yield Finding((*path, name), f"{game.title} needs the switch '{name}'", f"add `{name}: <pin>`")
    yield from _known(devices.switches.pins, game.switches, path, "switch")


def _known(given: Iterable[str], known: Iterable[str], path: Path, what: str) -> Iterator[Finding]:
    names = sorted(known)
    for name in given:
        if name not in names:
            remedy = did_you_mean(name, names) or f"use one of: {', '.join(names)}"
            yield Finding((*path, name), f"no {what} '{name}' in this game", remedy, on_key=True)


def drivers(config: TableConfig) -> Iterator[Finding]:
    """Each driver exists, its options fit the wiring, and nothing serves two purposes."""
    pins, files = list(header_pins(config.devices)), list[tuple[Path, str]]()
    for name, kind in KIND_OF_SECTION.items():
        section: DeviceSection | None = getattr(config.devices, name)
        if section is None:
            continue
        path: Path = ("devices", name)
        try:
            driver = find_driver(kind, section.backend)
        except HalError as error:
            yield Finding((*path, "backend"), str(error))
            continue
        options, wrong, _ = as_far_as_valid(section.options, driver.settings, (*path, "options"))
        yield from wrong
        if options is None:
            continue
        for keys, message, remedy in driver.misfits(section, options):
            if not wrong or keys == ("backend",):  # The others may depend on the wrong options.
                yield Finding((*path, *keys), message, remedy)
        pins += [((*path, *keys), pin) for keys, pin in driver.pins(section, options)]
        files += [((*path, *keys), file) for keys, file in driver.files(section, options)]
    yield from used_twice(pins, "pin", "move one of the two wires to a free pin")
    yield from used_twice(files, "the device file", "connect each device to a port of its own")


RULES: tuple[Rule, ...] = (*GENERAL_RULES, of_its_game, drivers)
"""All checks of a table's file but those of the computer that it is on."""
