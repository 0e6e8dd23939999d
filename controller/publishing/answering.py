"""Answers the floor's challenges: whether the table has every byte of its software.

What an answer shows, and what not: :mod:`controller.runtime.challenge`.
"""

import asyncio
import json
import logging
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress

from controller.messages.link import Link
from controller.messages.models import Challenge, ChallengeAnswered
from controller.messages.topics import Topic, of_table
from controller.runtime.verified_import import process_command
from hal.interfaces import Clock

log = logging.getLogger("floor")

LEAST_NS = 60_000_000_000
"""A challenge that comes sooner after another is not answered: each costs seconds of a processor."""
PATIENCE_S = 600.0


class Answering:
    """The answers of one table, each computed by a process of its own.

    Args:
        command: that process, without the nonce; by default this installation's.
    """

    def __init__(self, table: str, clock: Clock, command: Sequence[str] | None = None) -> None:
        self._table = table
        self._clock = clock
        self._command = list(command or process_command("controller", "verify-software", "--json", "--challenge"))
        self._next_ns = clock.now_ns()

    async def take(self, payload: bytes, link: Link) -> None:
        """Answer a challenge as it arrived.

        Raises:
            LinkError: the answer cannot be published.
        """
        try:
            challenge = Challenge.model_validate_json(payload)
        except ValueError:
            log.warning("the floor's challenge cannot be read: %.200r", payload)
            return
        if self._clock.now_ns() < self._next_ns:
            log.warning("a challenge of the floor's is not answered: it came too soon after another")
            return
        answer = await self._answer(challenge.nonce)
        self._next_ns = self._clock.now_ns() + LEAST_NS
        log.info("a challenge of the floor's is answered%s", f": {answer.problem}" if answer.problem else "")
        await link.publish(of_table(self._table, Topic.ANSWER), answer)

    async def _answer(self, nonce: str) -> ChallengeAnswered:
        try:
            out = await asyncio.wait_for(self._run(nonce), PATIENCE_S)
            return ChallengeAnswered(table=self._table, nonce=nonce, **json.loads(out))
        except (OSError, ValueError, TypeError, TimeoutError) as error:
            problem = (str(error) or "it took too long").splitlines()[0][:1000]
            return ChallengeAnswered(table=self._table, nonce=nonce, problem=problem)

    async def _run(self, nonce: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._command, nonce, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
        )
        try:
            out, err = await process.communicate()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode:
            raise ValueError(err.decode(errors="replace").strip() or f"exit code {process.returncode}")
        return out
