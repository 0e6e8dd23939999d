"""Questions at a terminal while the event loop runs on, for the commands that a technician works with."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable

Ask = Callable[[str], Awaitable[str]]
"""Asks a question and waits for the answer's line, without blanks around it."""
Say = Callable[[str], None]


def keyboard() -> Ask:
    """Asks at the terminal; an end of input ends the command. Call it in the event loop."""
    loop = asyncio.get_running_loop()
    answers: asyncio.Queue[str] = asyncio.Queue()

    def listen() -> None:
        for line in iter(sys.stdin.readline, ""):
            loop.call_soon_threadsafe(answers.put_nowait, line)
        loop.call_soon_threadsafe(answers.put_nowait, "")

    threading.Thread(target=listen, daemon=True).start()

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
