"""Compares the symbols of a layout with each other and with the names of its areas."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from config.problems import Finding, Path


def ambiguous(given: Mapping[str, str], names: Iterable[str], currency: str, path: Path) -> Iterator[Finding]:
    """Symbols that players could read as another area, and pay or place wagers on the wrong one.

    Capitals, spaces and currency signs do not distinguish two symbols: "$2" is the name of area 2.

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


def _as_read(symbol: str, currency: str) -> str:
    """A symbol without capitals, spaces and currency signs, unless nothing else is left."""
    text, sign = _plain(symbol), _plain(currency)
    bare = text.removeprefix(sign).removesuffix(sign)
    bare = "".join(letter for letter in bare if unicodedata.category(letter) != "Sc")
    return bare or text


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()
