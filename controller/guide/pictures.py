"""Pictures for the guide, drawn from a game's own data: the wheel with its sections, or the areas of the layout."""

import math
import re
from collections.abc import Mapping, Sequence
from html import escape

from config.schema import TableConfig
from controller.drawing.layouts import Box
from controller.machine.game import Game
from controller.odds.wagers import Payouts, to_one

_HYPHEN = re.compile(r"-(?![0-9])|(?<![0-9])-")
"""A hyphen between words, not between numbers."""
_COLOURS = ("#2f6f4f", "#b5462f", "#2d5d8a", "#c08a1e", "#6b3f7a", "#4a4a4a", "#8a2d52", "#1f7a7a")
_RADIUS, _HUB, _SIZE = 240.0, 120.0, 520
_BOX, _GAP = (150, 54), 8
_CELL = 52.0
_FELT = {"red": "#b3202c", "black": "#1d1d1f", "green": "#1f7a46", "": "#e9f1ec"}


def plain_name(wager: str) -> str:
    """A wager's name as text: ``column 1``, but ``1-18``."""
    return _HYPHEN.sub(" ", wager)


def shown_names(game: Game, symbols: Mapping[str, str]) -> dict[str, str]:
    """What every area is called: by its symbol, else as the game's screens name it."""
    return {area: game.area_name(area) for area in game.areas} | dict(symbols)


def picture(game: Game, config: TableConfig, payouts: Payouts) -> str:
    """The wheel of the game, if it has one, and its layout (§ 521.4(1)(iii), (iv)): as drawn, or its areas."""
    if game.drawing is not None:
        drawing = game.drawing(config.rules)
        return rim([(label, _FELT[colour]) for label, colour in drawing.rim]) + felt(drawing.boxes)
    symbols = config.layout.symbols
    if not game.wheel:
        return layout(payouts, game.columns, shown_names(game, symbols))
    names = tuple(dict.fromkeys(game.wheel))
    colours = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(names)}
    wheel = rim([(symbols.get(name, name), colours[name]) for name in game.wheel])
    return wheel + layout(payouts, game.columns, shown_names(game, symbols))


def rim(sections: Sequence[tuple[str, str]]) -> str:
    """The sections clockwise around the rim, the first one at the top; each a label and a colour."""
    centre = _SIZE / 2
    parts = []
    for number, (label, colour) in enumerate(sections):
        first, last = (2 * math.pi * (number + part) / len(sections) for part in (-0.5, 0.5))
        corners = [
            _point(centre, radius, angle)
            for radius, angle in ((_HUB, first), (_RADIUS, first), (_RADIUS, last), (_HUB, last))
        ]
        shape = f"M{corners[0]}L{corners[1]}A{_RADIUS},{_RADIUS} 0 0 1 {corners[2]}L{corners[3]}"
        shape += f"A{_HUB},{_HUB} 0 0 0 {corners[0]}Z"
        parts.append(f'<path d="{shape}" fill="{colour}" stroke="#fff"/>')
        turn = 360 * number / len(sections)
        parts.append(
            f'<text x="{centre}" y="{centre - _RADIUS + 24}" transform="rotate({turn:.3f} {centre} {centre})" '
            f'text-anchor="middle" font-size="13" fill="#fff">{escape(label)}</text>'
        )
    return _svg(_SIZE, _SIZE, parts, f"the {len(sections)} sections of the wheel")


def felt(boxes: Sequence[Box]) -> str:
    """The boxes of a layout in their positions."""
    left, top = min(box.left for box in boxes), max(box.top for box in boxes)
    parts = []
    for box in boxes:
        x, y = (box.left - left) * _CELL, (top - box.top) * _CELL
        width, height = (box.right - box.left) * _CELL, (box.top - box.bottom) * _CELL
        fill, ink = _FELT[box.colour], "#fff" if box.colour else "#1b1b1b"
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="#888"/>'
        )
        parts.append(
            f'<text x="{x + width / 2:g}" y="{y + height / 2 + 4:g}" text-anchor="middle" font-size="12" '
            f'fill="{ink}">{escape(plain_name(box.label))}</text>'
        )
    width = max(box.right for box in boxes) - left
    height = top - min(box.bottom for box in boxes)
    return _svg(width * _CELL, height * _CELL, parts, "the layout")


def layout(payouts: Payouts, across: int, symbols: Mapping[str, str]) -> str:
    """The areas of the layout in order, each with its payout.

    Args:
        symbols: what the layout shows in place of an area's name.
    """
    width, height = _BOX
    parts = []
    for number, wager in enumerate(payouts.wagers):
        x, y = number % across * (width + _GAP), number // across * (height + _GAP)
        pays = ", ".join(map(to_one, payouts.all_odds(wager.area)))
        label = symbols.get(wager.area) or plain_name(wager.area)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="#e9f1ec" stroke="#2f6f4f"/>'
        )
        middle = f'x="{x + width / 2}" text-anchor="middle"'
        parts.append(f'<text {middle} y="{y + 24}" font-size="13">{escape(label)}</text>')
        parts.append(f'<text {middle} y="{y + 43}" font-size="10" fill="#555">{escape(pays)}</text>')
    rows = -(-len(payouts.wagers) // across)
    return _svg(across * (width + _GAP), rows * (height + _GAP), parts, "the areas of the layout")


def _point(centre: float, radius: float, angle: float) -> str:
    """A point of the rim; the angle grows clockwise from the top."""
    return f"{centre + radius * math.sin(angle):.2f},{centre - radius * math.cos(angle):.2f}"


def _svg(width: float, height: float, parts: list[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4:g} {height + 4:g}" width="{width:g}" '
        f'font-family="Georgia, serif" role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
