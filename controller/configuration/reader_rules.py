"""Compares the codes that the wheel reader can deliver with the pockets of the wheel."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from pydantic import ValidationError

from config.problems import Finding, Path
from config.schema import TableConfig
from controller.machine.game import Game
from hal import registry
from hal.errors import HalError

_SHOWN = 10


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
