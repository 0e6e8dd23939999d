"""Draws a frame: a pure function of the frame and the size of the screen, made of rich's layouts and panels."""

import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.text import Text

from controller.bench.terminal.frame import Frame
from controller.bench.terminal.keys import MenuPage
from controller.bench.terminal.log_lines import LineTone, minutes
from controller.bench.terminal.view import Signs
from controller.events.text import plain
from controller.statechart.menu import MenuEntry

MIN_WIDTH, MIN_HEIGHT = 80, 24
TALL = 30
"""From this height on, views may use more rows."""
_NEXT_ROWS = 2, 5
_RESULTS_WIDTH = 22
_TONES = {
    LineTone.PLAIN: "",
    LineTone.PEOPLE: "cyan",
    LineTone.RESULT: "bold green",
    LineTone.VOID: "yellow",
    LineTone.ALARM: "bold red",
}
_ALARMED = {"LOCKED", "HALTED", "POWER OFF", "MALFUNCTION", "CLOSED"}


def draw(frame: Frame, width: int, height: int, signs: Signs) -> RenderableType:
    """The screen, exactly as wide and as high as asked for."""
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return _too_small(width, height)
    tops = [(part, len(part.rows) + 2) for part in frame.board.top(width - 4, height >= TALL, signs)]
    waits = _next(frame, width)
    parts = [Layout(_title(frame, width), size=1), Layout(_lines(waits), size=len(waits))]
    parts += [Layout(_panel(part.title, part.rows), size=size) for part, size in tops]
    left = height - 1 - len(waits) - sum(size for _, size in tops)
    parts += _below(frame, width, left, signs)
    screen = Layout()
    screen.split_column(*parts)
    return screen


def _below(frame: Frame, width: int, left: int, signs: Signs) -> list[Layout]:
    """The parts below those of the game: results and log, or a menu, or the help."""
    if frame.menu is not None:
        return [Layout(_menu(frame.menu, frame.notice, width), size=left)]
    if frame.help:
        return [Layout(_help(frame, width), size=left)]
    keys = _keys(frame, width)
    height = left - 1 - len(keys)
    middle = Layout(size=height)
    if frame.choices:
        middle.split_row(Layout(_choices(frame.choices, width, height - 2)))
    else:
        middle.split_row(*_middle(frame, width, height, signs))
    return [middle, Layout(_status(frame, width), size=1), Layout(_lines(keys), size=len(keys))]


# -- above ---------------------------------------------------------------------------------------------------------


def _title(frame: Frame, width: int) -> Text:
    left = f" {frame.table} - {frame.game}   round {frame.round}   journal {frame.entries}"
    state = f" {frame.state} "
    style = "bold #ffffff on #b02020" if frame.state in _ALARMED else "bold #ffffff on #1d7a3a"
    rest = width - len(state)
    return Text.assemble((left[:rest].ljust(rest), "reverse"), (state, style), no_wrap=True)


def _next(frame: Frame, width: int) -> list[Text]:
    least, most = _NEXT_ROWS
    if frame.help or frame.menu is not None:
        most = least  # The keys need the rows.
    rows = textwrap.wrap(f"Next: {frame.next}", width - 2, subsequent_indent="      ", break_on_hyphens=False)[
        :most
    ]
    rows += [""] * (least - len(rows))
    return [Text(f" {row}", style="bold", no_wrap=True) for row in rows]


# -- the middle ----------------------------------------------------------------------------------------------------


def _middle(frame: Frame, width: int, height: int, signs: Signs) -> list[Layout]:
    side = frame.board.side(signs)
    columns = []
    if side is not None:
        columns.append(Layout(_panel(side.title, side.rows), size=side.width + 4))
    columns.append(Layout(_panel("last results", _results(frame, height - 2)), size=_RESULTS_WIDTH))
    log_width = width - sum(column.size or 0 for column in columns)
    columns.append(Layout(_panel("log", _log(frame, log_width - 4, height - 2))))
    return columns


def _results(frame: Frame, rows: int) -> list[Text]:
    newest = reversed(frame.results[-rows:] if rows > 0 else ())
    inside = _RESULTS_WIDTH - 4
    named = ((past, past.label.partition(",")[0]) for past in newest)
    lines = (f"{past.round:>3} {label:<5} {past.pays}"[:inside] for past, label in named)
    return [Text(line, style="bold" if i == 0 else "", no_wrap=True) for i, line in enumerate(lines)]


def _log(frame: Frame, width: int, rows: int) -> list[Text]:
    """The newest lines that fit, each wrapped under its own time."""
    texts: list[Text] = []
    for line in reversed(frame.log):
        stamp = f"{minutes(line.at_ns):>5} "
        wrapped = textwrap.wrap(line.text, width - len(stamp), break_on_hyphens=False) or [""]
        margins = (stamp, *(" " * len(stamp) for _ in wrapped[1:]))
        block = [
            Text.assemble((margin, "dim"), (part, _TONES[line.tone]), no_wrap=True)
            for margin, part in zip(margins, wrapped, strict=True)
        ]
        texts = block + texts
        if len(texts) >= rows:
            break
    return texts[max(0, len(texts) - rows) :]


# -- below -----------------------------------------------------------------------------------------------------


def _status(frame: Frame, width: int) -> Text:
    """The message after a key without an action, or the present faults."""
    if frame.notice:
        return Text(f" {frame.notice}"[:width], style="bold yellow", no_wrap=True)
    broken = f" broken: {', '.join(frame.faults)}" if frame.faults else " broken: nothing"
    if len(broken) > width:
        broken = f"{broken[: width - 3]}..."
    return Text(broken, style="bold red" if frame.faults else "dim", no_wrap=True)


def _keys(frame: Frame, width: int) -> list[Text]:
    """The keys in as many rows as they need. Those without a short name are only in the help."""
    rows = [Text(" ", no_wrap=True)]
    for hint in (hint for hint in frame.hints if hint.short):
        named = hint.short == hint.key.lower()  # The Enter key enters.
        cell = Text.assemble((hint.key, "bold reverse"), "" if named else f" {hint.short}")
        if len(rows[-1]) + len(cell) > width - 1:
            rows.append(Text(" ", no_wrap=True))
        rows[-1].append_text(cell).append("  ")
    for row in rows:
        row.rstrip()
    return rows


def _help(frame: Frame, width: int) -> Panel:
    """Every key in two columns, or three on a wide screen."""
    words = [Text.assemble((f"{hint.key:>5}", "bold"), f"  {hint.long}") for hint in frame.hints if hint.long]
    closes = "; ".join(filter(None, ("? or Esc closes", frame.note)))
    return _panel("keys", _columns(words, width - 4, 3 if width >= 150 else 2), closes)


def _menu(menu: MenuPage, notice: str, width: int) -> Panel:
    words = [Text.assemble((f"{choice.key:>2}", "bold"), f"  {choice.short}") for choice in menu.choices]
    answer = notice or ("Space: more, Esc: back" if menu.more else "Esc: back")
    return _panel(menu.title, _columns(words, width - 4, 3 if len(words) > 20 else 2), f"choose a key; {answer}")


def _choices(entries: Sequence[MenuEntry], width: int, rows: int) -> Panel:
    """The table's own menu, an entry a line, in two columns if there are too few rows; grey what is unavailable."""
    key = max(len(plain(entry.control)) for entry in entries)
    lines = [_choice(entry, key) for entry in entries]
    return _panel("choose", lines if len(lines) <= rows else _columns(lines, width - 4, 2))


def _choice(entry: MenuEntry, key: int) -> Text:
    cap = f"{plain(entry.control):>{key}}"
    if entry.unavailable:
        return Text.assemble((f"{cap}  {entry.words}", "dim"), (f" - {entry.unavailable}", "yellow"), no_wrap=True)
    return Text.assemble((cap, "bold"), f"  {entry.words}", no_wrap=True)


def _columns(words: Sequence[Text], width: int, across: int) -> list[Text]:
    """Texts in columns, read downwards."""
    cell, high = width // across, -(-len(words) // across)
    rows = []
    for i in range(high):
        row = Text(no_wrap=True)
        for word in words[i::high]:
            word.truncate(cell, pad=True)
            row.append_text(word)
        rows.append(row)
    return rows


def _panel(title: str, rows: Iterable[Text], subtitle: str | None = None) -> Panel:
    return Panel(_lines(rows), title=Text(title), title_align="left", subtitle=subtitle, subtitle_align="left")


def _lines(rows: Iterable[Text]) -> Group:
    return Group(*rows)


def _too_small(width: int, height: int) -> Text:
    words = (
        f"This terminal is {width} by {height}; the bench needs {MIN_WIDTH} columns by {MIN_HEIGHT} rows. q quits."
    )
    return Text("\n".join(textwrap.wrap(words, max(1, width))[:height]), style="bold")
