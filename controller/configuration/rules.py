"""Checks of a table's file against its game and the hardware. Passed to the loader with the general rules."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from pydantic import ValidationError

from config.loader import Rule, findings_from_validation_error
from config.nearest import did_you_mean
from config.problems import Finding, Path, dotted
from config.rules import control_places, header_pins
from config.schema import DeviceSection, TableConfig
from controller.configuration.wheel_rules import clapper_wheel, reader_codes
from controller.limits.terms import EVERY, currency_of
from controller.machine.game import Game
from controller.machine.offers import KEYS, LOG_ON
from controller.machine.registry import UnknownGameError, UnusableGameError, find_game, try_score
from controller.odds.wagers import Wager, to_one
from hal.errors import HalError
from hal.registry import further_pins, misfits, settings_model

LEAST = "the game's least odds"
"""In place of the clause of a wager that has none."""
KIND_OF_SECTION = {
    "head": "edges",
    "rotor": "rotor",
    "reader": "reader",
    "buttons": "keys",
    "keypad": "keys",
    "keyboard": "keys",
    "switches": "switches",
    "tamper": "tamper",
    "panel": "panel",
    "sounder": "sounder",
}
"""The kind of device (see :mod:`hal.registry`) that each section of ``devices`` configures."""


def of_its_game(config: TableConfig) -> Iterable[Finding]:
    """The game exists, and the file fits it."""
    try:
        game = find_game(config.game)
    except UnknownGameError as error:
        yield Finding(("game",), str(error))
        return
    for rule in _OF_ITS_GAME:
        yield from rule(config, game)


def equipment(config: TableConfig, game: Game) -> Iterator[Finding]:
    """A game on a wheel has its wheel and sensor head, a dice game has dice, and no game has more than it needs."""
    title = game.title
    for path, needed, given in (
        (("wheel",), bool(game.wheel), config.wheel),
        (("devices", "head"), bool(game.wheel), config.devices.head),
        (("rotor",), game.pockets is not None, config.rotor),
        (("devices", "rotor"), game.pockets is not None, config.devices.rotor),
        (("dice",), game.dice, config.dice),
    ):
        if needed and given is None:
            yield Finding(path, f"{title} needs this section", f"add `{path[-1]}:`")
        if not needed and given is not None:
            yield Finding(path, f"{title} has no use for this section", "remove it", on_key=True)
    if config.devices.reader is not None and game.pockets is None:
        yield Finding(("devices", "reader"), f"{title} has no use for this section", "remove it", on_key=True)


def lamps(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Every area of the layout and every indicator has a lamp, and every lamp belongs to one of them."""
    path: Path = ("devices", "panel", "lamps")
    given = config.devices.panel.lamps
    try:
        required = game.lamps(config.rules)
    except ValidationError:
        return  # Another check reports the section ``rules``.
    for lamp in required:
        if lamp not in given:
            what = "area" if lamp in game.areas else "indicator"
            yield Finding((*path, lamp), f"the {what} '{lamp}' has no lamp", f"add `{lamp}: <output>`")
    yield from _known(given, required, path, "area")


def own_rules(config: TableConfig, game: Game) -> Iterator[Finding]:
    path: Path = ("rules",)
    if game.rules is None:
        if config.rules:
            yield Finding(path, f"{game.title} has no use for this section", "remove it", on_key=True)
        return
    try:
        game.rules.model_validate(config.rules)
    except ValidationError as error:
        yield from findings_from_validation_error(error, path, game.rules)
        return
    if game.demands is not None:
        yield from game.demands(config)


def _wagers(config: TableConfig, game: Game) -> dict[str, Wager] | None:
    """By area; None where the rules are at fault, which another rule names."""
    try:
        return {wager.area: wager for wager in game.wagers_under(config.rules)}
    except ValidationError:
        return None


def payout_odds(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Odds are for wagers of the game, never below the regulation's, and not for wagers whose odds it fixes."""
    path: Path = ("layout", "odds")
    wagers = _wagers(config, game)
    if wagers is None:
        return
    yield from _known(config.layout.odds, wagers, path, "wager")
    for area, odds in config.layout.odds.items():
        wager = wagers.get(area)
        if wager is not None and wager.fixed:
            law = wager.clause or game.title
            yield Finding((*path, area), f"{law} fixes the odds of {area}", "remove the line")
        elif wager is not None and odds < wager.minimum[0]:
            least = to_one(wager.minimum[0])
            yield Finding((*path, area), f"{to_one(odds)} is below {wager.clause or LEAST}", f"use {least} or more")


def scored(config: TableConfig, game: Game) -> Iterator[Finding]:
    """The score of a game of another distribution knows every result."""
    try:
        try_score(game, config)
    except UnusableGameError as error:
        yield Finding(("game",), str(error), "it must know every section or roll, and light only areas of wagers")


def wager_steps(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Steps of an amount are for wagers of the game (§ 521.7(d))."""
    wagers = _wagers(config, game)
    if wagers is not None and config.limits is not None:
        yield from _known(config.limits.steps, [EVERY, *wagers], ("limits", "steps"), "wager")


def symbols(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Other symbols only where the regulation allows them, and each names one area and no other."""
    path: Path = ("layout", "symbols")
    if config.layout.symbols and not game.symbols:
        yield Finding(path, f"{game.title} allows no other symbols", "remove the section", on_key=True)
        return
    yield from _known(config.layout.symbols, game.areas, path, "area")
    names = {*game.areas, *game.wheel, *game.indicators}
    yield from _ambiguous(config.layout.symbols, names, currency_of(config.limits), path)


def _ambiguous(given: Mapping[str, str], names: Iterable[str], currency: str, path: Path) -> Iterator[Finding]:
    """Symbols that players could read as another area, and pay or place wagers on the wrong one.

    Capitals, spaces and currency do not distinguish two symbols: "$2" and "2.00 dollars" are the name of area 2.

    Args:
        given: symbols by area.
        currency: the sign that the table's limits use, such as ``US$``.
    """
    own = {_as_read(name, currency): name for name in names}
    shown: dict[str, str] = {}
    for area, symbol in given.items():
        read = _as_read(symbol, currency)
        if own.get(read, area) != area:
            message = f"'{symbol}' is the name of another area: {area} would be shown as {own[read]}"
            remedy = "use a symbol that is not the name of an area, with or without a currency sign"
            yield Finding((*path, area), message, remedy)
        elif read in shown:
            message = f"'{symbol}' is the symbol of {shown[read]}, too"
            yield Finding((*path, area), message, "give each area a symbol of its own", see=((*path, shown[read]),))
        shown.setdefault(read, area)


_CURRENCY = "(?:us|usd|dollars?|eur|euros?|gbp|pounds?)?"
_AMOUNT = re.compile(rf"{_CURRENCY}(\d+)(?:\.0*|,00)?{_CURRENCY}")
"""An amount as area names have it, among words of currency and a decimal part of zeros: ``5.00 dollars``."""


def _as_read(symbol: str, currency: str) -> str:
    """A symbol without capitals, spaces and currency, unless nothing else is left; of an amount, the number."""
    text, sign = _plain(symbol), _plain(currency)
    bare = text.removeprefix(sign).removesuffix(sign)
    bare = "".join(letter for letter in bare if unicodedata.category(letter) != "Sc")
    amount = _AMOUNT.fullmatch(bare)
    return amount[1] if amount else bare or text


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def controls(config: TableConfig, game: Game) -> Iterator[Finding]:
    """Every control that the game and the floor menu need is on a key, and every key is one of these controls."""
    devices = config.devices
    places = {name: place for place, name in control_places(devices)}
    needed = game.controls | KEYS
    missing = sorted(needed - places.keys())
    if missing:
        fitted = (name for name in ("buttons", "keypad", "keyboard") if getattr(devices, name) is not None)
        section = next(fitted, "buttons")
        yield Finding(
            ("devices", section), f"no key for: {', '.join(missing)}", f"{game.title} needs them; add a key each"
        )
    for name, place in places.items():
        yield from _known([name], needed | {LOG_ON}, place[:-1], "control", place)
    path: Path = ("devices", "switches", "pins")
    for name in sorted(game.switches - devices.switches.pins.keys()):
        yield Finding((*path, name), f"{game.title} needs the switch '{name}'", f"add `{name}: <pin>`")
    yield from _known(devices.switches.pins, game.switches, path, "switch")


def backends(config: TableConfig) -> Iterator[Finding]:
    for name, kind in KIND_OF_SECTION.items():
        section: DeviceSection | None = getattr(config.devices, name)
        if section is None:
            continue
        path: Path = ("devices", name)
        try:
            model = settings_model(kind, section.backend)
        except HalError as error:
            yield Finding((*path, "backend"), str(error))
            continue
        try:
            model.model_validate(section.options)
        except ValidationError as error:
            yield from findings_from_validation_error(error, (*path, "options"), model)
            continue
        for keys, message, remedy in misfits(kind, section.backend, section, section.options):
            yield Finding((*path, *keys), message, remedy)


def pins_of_drivers(config: TableConfig) -> Iterator[Finding]:
    """No pin that a driver takes by its options, or for lamps, is used a second time."""
    taken: dict[int, Path] = {}
    for path, pin in header_pins(config.devices):
        taken.setdefault(pin, path)
    for name, kind in KIND_OF_SECTION.items():
        section: DeviceSection | None = getattr(config.devices, name)
        if section is None:
            continue
        with suppress(HalError, ValidationError):  # The check above reports these.
            for keys, pin in further_pins(kind, section.backend, section, section.options):
                path = ("devices", name, *keys)
                if pin in taken:
                    message = f"pin {pin} is already used by {dotted(taken[pin])}"
                    yield Finding(path, message, "move one of the two wires to a free pin", see=(taken[pin],))
                taken.setdefault(pin, path)


def _known(
    given: Iterable[str], known: Iterable[str], path: Path, what: str, place: Path | None = None
) -> Iterator[Finding]:
    names = sorted(known)
    for name in given:
        if name not in names:
            remedy = did_you_mean(name, names) or f"use one of: {', '.join(names)}"
            yield Finding(place or (*path, name), f"no {what} '{name}' in this game", remedy, on_key=place is None)


def own_mirror(config: TableConfig) -> Iterator[Finding]:
    if config.journal.mirror is not None and config.journal.mirror == config.journal.file:
        yield Finding(("journal", "mirror"), "this is the journal itself", "name a file on another medium")


_OF_ITS_GAME: tuple[Callable[[TableConfig, Game], Iterable[Finding]], ...] = (
    equipment,
    own_rules,
    reader_codes,
    clapper_wheel,
    lamps,
    payout_odds,
    scored,
    wager_steps,
    symbols,
    controls,
)
GAME_RULES: tuple[Rule, ...] = (of_its_game, backends, pins_of_drivers, own_mirror)
"""All checks against game and hardware, for :func:`config.loader.load`."""
