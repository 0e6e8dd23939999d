"""Questions at a terminal while the event loop keeps running, for the technician's commands."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable

Ask = Callable[[str], Awaitable[str]]
"""Asks a question and returns the line of the answer, stripped."""
Say = Callable[[str], None]


def keyboard() -> Ask:
    """Questions at the terminal; end of input ends the command. Call it in the event loop."""
    loop = asyncio.get_running_loop()
    answers: asyncio.Queue[str] = asyncio.Queue()

    def read_lines() -> None:
        for line in iter(sys.stdin.readline, ""):
            loop.call_soon_threadsafe(answers.put_nowait, line)
        loop.call_soon_threadsafe(answers.put_nowait, "")

    threading.Thread(target=read_lines, daemon=True).start()

    async def ask(question: str) -> str:
        print(question, end=" ", file=sys.stderr, flush=True)
        answer = await answers.get()
        if not answer:
            raise KeyboardInterrupt
        return answer.strip()

    return ask


async def yes(ask: Ask, question: str) -> bool:
    """Ask until the answer is yes or no."""
    while True:
        answer = (await ask(f"{question} [y/n]")).lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
