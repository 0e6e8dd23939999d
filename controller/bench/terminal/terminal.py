"""The bench in a terminal: keys in, frames out. Everything it shows is drawn by
:mod:`controller.bench.terminal.screen`.

The terminal's modes are restored however the session ends: by q, Ctrl-C, SIGTERM or an exception.
"""

import asyncio
import logging
import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TextIO

from rich.console import Console
from rich.live import Live

from controller.bench.live import LiveBench
from controller.bench.terminal.frame import Frame, bench_frame, keyboard_of
from controller.bench.terminal.keys import INTERRUPT, BenchKeys
from controller.bench.terminal.log_lines import LineTone
from controller.bench.terminal.screen import draw
from controller.bench.terminal.view import ASCII_SIGNS, SIGNS
from controller.runtime import exit_codes as exits

FRAME_S = 0.05
_KEYS = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
"""A key: a sequence such as an arrow sends, or one character."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def is_usable(stdin: TextIO, stdout: TextIO) -> bool:
    """Whether the live screen can be shown: both ends are a terminal, and not a dumb one."""
    dumb = os.environ.get("TERM", "") in ("", "dumb", "unknown")
    return stdin.isatty() and stdout.isatty() and not dumb


def run_terminal(make: Callable[[], LiveBench]) -> int:
    """Show a bench until the user quits; returns the exit code.

    Args:
        make: makes the bench; called inside the running event loop.

    Raises:
        JournalError: from ``make``.
    """
    return asyncio.run(_session(make))


def split_keys(text: str) -> list[str]:
    """The keys in what a terminal sent at once."""
    return ["\r" if key == "\n" else key for key in _KEYS.findall(text)]


async def _session(make: Callable[[], LiveBench]) -> int:
    loop = asyncio.get_running_loop()
    bench = make()
    failed: asyncio.Future[None] = loop.create_future()
    try:
        keyboard = keyboard_of(bench)
        with ExitStack() as stack:
            stack.enter_context(_failures(loop, failed))
            stack.enter_context(_signals(loop, keyboard))
            stack.enter_context(_messages(bench))
            stack.enter_context(_raw_keys(loop, sys.stdin.fileno(), keyboard))
            console = Console()
            live = stack.enter_context(Live(console=console, screen=True, auto_refresh=False))
            await _show(bench, keyboard, console, live, failed)
    finally:
        bench.close()
    if failed.done():
        failed.result()
    return exits.OK


async def _show(
    bench: LiveBench, keyboard: BenchKeys, console: Console, live: Live, failed: asyncio.Future[None]
) -> None:
    """Draw after every change, until the user quits or something fails."""
    signs = SIGNS if console.encoding.startswith("utf") else ASCII_SIGNS
    shown: tuple[Frame, tuple[int, int]] | None = None
    while not keyboard.quits and not failed.done():
        size = (console.size.width, console.size.height)
        frame = bench_frame(bench, keyboard)
        if (frame, size) != shown:
            if shown is not None and shown[1] != size:
                console.clear()
            live.update(draw(frame, *size, signs), refresh=True)
            shown = (frame, size)
        await asyncio.wait([failed], timeout=FRAME_S)


# -- settings of the process and the terminal during a session ---------------------------------------------------


@contextmanager
def _raw_keys(loop: asyncio.AbstractEventLoop, fd: int, keyboard: BenchKeys) -> Iterator[None]:
    """Pass on every key at once, without echo."""

    def read() -> None:
        try:
            data = os.read(fd, 1024)
        except OSError:
            data = b""
        # If the terminal is gone, the session ends.
        for key in split_keys(data.decode(errors="ignore")) if data else [INTERRUPT]:
            keyboard.press(key)

    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        modes = termios.tcgetattr(fd)
        # Suspending is disabled, because it would leave the screen behind.
        modes[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(fd, termios.TCSANOW, modes)
        loop.add_reader(fd, read)
        yield
    finally:
        loop.remove_reader(fd)
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


@contextmanager
def _signals(loop: asyncio.AbstractEventLoop, keyboard: BenchKeys) -> Iterator[None]:
    """A signal to end is the same as quitting."""
    for number in _SIGNALS:
        loop.add_signal_handler(number, keyboard.press, INTERRUPT)
    try:
        yield
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


@contextmanager
def _failures(loop: asyncio.AbstractEventLoop, failed: asyncio.Future[None]) -> Iterator[None]:
    """An exception in a timer or a key ends the session, and is raised once the terminal is restored."""

    def fail(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context["message"])
        if not failed.done():
            failed.set_exception(error)

    loop.set_exception_handler(fail)
    try:
        yield
    finally:
        loop.set_exception_handler(None)


class _LogHandler(logging.Handler):
    """Writes the program's messages into the bench's log, because nothing else may write on the screen."""

    def __init__(self, bench: LiveBench) -> None:
        super().__init__(logging.WARNING)
        self._bench = bench

    def emit(self, record: logging.LogRecord) -> None:
        self._bench.say(f"{record.levelname.lower()}: {record.getMessage()}", LineTone.ALARM)


@contextmanager
def _messages(bench: LiveBench) -> Iterator[None]:
    handler, root = _LogHandler(bench), logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
