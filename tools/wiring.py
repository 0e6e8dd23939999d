"""How each shipped table is wired, from its YAML: the end of ``docs/wiring.md``, and pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from config.schema import TableConfig
from controller.configuration.shipped import load_table, shipped_tables
from controller.machine.registry import find_game

FOLDER = Path(__file__).parents[1] / "docs"
FILE = FOLDER / "wiring.md"
_BCM_OF_PIN: tuple[int | str, ...] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
"""What each pin of the 40-pin header is, from pin 1: power, ground, or a BCM number."""
_ROW, _MIDDLE, _WIDTH = 24, 330, 660
_COLOURS = {"3V3": "#e8a33d", "5V": "#c0392b", "GND": "#333333"}
_MARK = "<!-- made by make docs -->\n"


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the header to a device."""

    device: str
    name: str
    bcm: int
    way: str
    rests: str
    """The level while nothing happens, and what changes it."""

    @property
    def header(self) -> int:
        return _BCM_OF_PIN.index(self.bcm) + 1


def wires(config: TableConfig) -> Iterator[Wire]:
    """Every wire of a table, in the order of its file."""
    devices = config.devices
    for device, head in (("head", devices.head), ("rotor", devices.rotor)):
        for name, pin in head.pins if head is not None else ():
            if pin is not None:
                yield Wire(device, name, pin, "in", _SENSORS[name])
    if devices.buttons is not None:
        for name, pin in devices.buttons.pins.items():
            yield Wire("buttons", name, pin, "in", "high; low while pressed")
    if devices.keypad is not None:
        for number, pin in enumerate(devices.keypad.rows, 1):
            keys = " ".join(devices.keypad.keys[number - 1])
            yield Wire("keypad", f"row {number}: {keys}", pin, "out", "high; low in its turn")
        for number, pin in enumerate(devices.keypad.columns, 1):
            yield Wire("keypad", f"column {number}", pin, "in", "high; low through a pressed key")
    for name, pin in devices.switches.pins.items():
        yield Wire("switches", name, pin, "in", "high; low while closed")
    if devices.tamper is not None:
        for name, contact in devices.tamper.contacts.items():
            yield Wire("tamper", name, contact.pin, "in", "low, closed; high while open, or with a broken wire")
            if contact.latch is not None:
                yield Wire("tamper", f"latch of {name}", contact.latch, "in", "high; low while it remembers")
        if devices.tamper.latch_reset is not None:
            yield Wire("tamper", "reset of the latches", devices.tamper.latch_reset, "out", "low; a pulse resets")
    yield Wire("sounder", "buzzer", devices.sounder.pin, "out", "low; high while it sounds")


_SENSORS = {
    "encoder_a": "either; changes as it turns",
    "encoder_b": "either; changes as it turns",
    "index": "low; one pulse a turn",
    "clapper": "low, closed; high on a peg, or with a broken wire",
    "ball_1": "low, light; high while the ball passes, or with a broken wire",
    "ball_2": "low, light; high while the ball passes, or with a broken wire",
}


def page() -> str:
    """The page: what people wrote, and a table for each game."""
    written, mark, _ = FILE.read_text(encoding="utf-8").partition(_MARK)
    return written + mark + "".join(map(_table, alike()))


def alike() -> list[list[str]]:
    """The shipped games; those whose tables are wired alike together."""
    groups: dict[tuple[Wire, ...], list[str]] = {}
    for game, file in shipped_tables().items():
        groups.setdefault(tuple(wires(load_table(file).config)), []).append(game)
    return [*groups.values()]


def _titles(games: list[str]) -> str:
    return " and ".join(find_game(game).title for game in games)


def _table(games: list[str]) -> str:
    config = load_table(shipped_tables()[games[0]]).config
    rows = "".join(
        f"| {wire.device} | {wire.name} | {wire.bcm} | {wire.header} | {wire.way} | {wire.rests} |\n"
        for wire in wires(config)
    )
    lamps = "".join(map(_lamps, games))
    reader = "\nThe wheel reader has a port of its own.\n" if config.devices.reader is not None else ""
    titles = _titles(games)
    return (
        f"\n## {titles}\n\n![The header of the Raspberry Pi, wired for {titles}](wiring-{games[0]}.svg)\n\n"
        "| device | line | BCM | header pin | way | level at rest |\n| --- | --- | --- | --- | --- | --- |\n"
        f"{rows}\n{lamps}{reader}"
    )


def _lamps(game: str) -> str:
    lamps = load_table(shipped_tables()[game]).config.devices.panel.lamps
    outputs = f"outputs {min(lamps.values())} to {max(lamps.values())} of the panel"
    return f"{len(lamps)} lamps, {outputs}, as `config/tables/{game}.yaml` lists them.\n"


def picture(games: list[str]) -> str:
    """The header, pin 1 at the top left, with what is wired to each pin."""
    config = load_table(shipped_tables()[games[0]]).config
    names = {wire.bcm: f"{wire.device}: {wire.name.partition(':')[0]}" for wire in wires(config)}
    parts = []
    for number, use in enumerate(_BCM_OF_PIN):
        left, y = number % 2 == 0, 30 + number // 2 * _ROW
        x = _MIDDLE + (-14 if left else 14)
        label = use if isinstance(use, str) else f"GPIO{use}"
        name = names.get(use, "") if isinstance(use, int) else ""
        colour = _COLOURS.get(label, "#2f6f4f" if name else "#cccccc")
        parts.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{colour}"/>')
        parts.append(
            f'<text x="{x}" y="{y + 3}" font-size="8" text-anchor="middle" fill="#fff">{number + 1}</text>'
        )
        words = f"{name}  {label}" if left else f"{label}  {name}"
        anchor, at = ("end", x - 16) if left else ("start", x + 16)
        weight = "bold" if name else "normal"
        parts.append(
            f'<text x="{at}" y="{y + 4}" font-size="12" font-weight="{weight}" text-anchor="{anchor}">'
            f"{escape(words.strip())}</text>"
        )
    height = 30 + 20 * _ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'font-family="sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>'
        f"<title>{escape(_titles(games))}</title>{''.join(parts)}</svg>\n"
    )


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    for games in alike():
        (FOLDER / f"wiring-{games[0]}.svg").write_text(picture(games), encoding="utf-8")
    print(f"{FILE.name}: {len(shipped_tables())} tables")


if __name__ == "__main__":
    main()
