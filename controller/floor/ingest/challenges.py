"""Asks each table for its software, once a day at a time that nobody knows before, and judges the answers.

What an answer shows, and what not: :mod:`controller.runtime.challenge`. The same release runs on every table of a
floor; of an installation, which differs by computer, the floor has nothing to compare with.
"""

import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from config.floor import SoftwareSection
from controller.floor.ingest.validation import Accepted, Arrived, receive
from controller.messages.models import Challenge, ChallengeAnswered, OnlineMessage
from controller.messages.topics import Topic, house_of, parse
from controller.runtime.challenge import UnansweredError, of_reference

PATIENCE_NS = 15 * 60 * 1_000_000_000
"""An answer that takes longer is missing: a Raspberry Pi needs some seconds."""
MOST_TABLES = 10_000
_H = 3600 * 1_000_000_000


@dataclass(slots=True)
class _TableChallenge:
    next_ns: int
    online: bool = False
    nonce: str = ""
    """Of the open challenge; empty if there is none."""
    sent_ns: int = 0


@dataclass(frozen=True, slots=True)
class JudgedSoftware:
    """What a challenge has shown.

    Attributes:
        problem: empty if the table has the release.
    """

    table: str
    problem: str


class Challenges:
    """The challenges to all tables. Reads no clock; callers pass the nanoseconds of a monotonic one.

    Args:
        draw: a part of the time between two challenges, from 0 to 1.
    """

    def __init__(self, section: SoftwareSection, draw: Callable[[], float] = random.random) -> None:
        self._release = Path(section.release)
        self._every_ns = section.every_h * _H
        self._draw = draw
        self._tables: dict[str, _TableChallenge] = {}
        self._answers: list[ChallengeAnswered] = []

    def ask(self, table: str, now_ns: int) -> None:
        """Ask a table now that was heard of, as an administrator wants."""
        if table in self._tables:
            self._tables[table].next_ns = now_ns

    def leave(self, table: str) -> None:
        """Another worker asks this table from now on."""
        self._tables.pop(table, None)

    def heard(self, arrived: Arrived, now_ns: int) -> None:
        """Note a message: whether a table can be asked, or an answer."""
        try:
            table, topic = parse(arrived.topic)
        except ValueError:
            return
        if topic not in (Topic.ONLINE, Topic.ANSWER) or house_of(table):  # A house's floor asks its own tables.
            return
        received = receive(arrived)
        if not isinstance(received, Accepted):
            return
        if isinstance(received.message, OnlineMessage):
            self._note(received.table, received.message.online, now_ns)
        elif isinstance(received.message, ChallengeAnswered) and received.table in self._tables:
            self._answers.append(received.message)

    def due(self, now_ns: int) -> list[tuple[str, Challenge]]:
        """The challenges to send now. A table that is away is asked when it is back."""
        found = []
        for table, open_ in self._tables.items():
            if open_.online and open_.next_ns <= now_ns and not open_.nonce:
                open_.nonce, open_.sent_ns = secrets.token_hex(32), now_ns
                # After half the time to one and a half: nobody knows when the next one comes.
                open_.next_ns = now_ns + int((0.5 + self._draw()) * self._every_ns)
                found.append((table, Challenge(nonce=open_.nonce)))
        return found

    def judged(self, now_ns: int) -> list[JudgedSoftware]:
        """What has been answered, or was not in time. Reads the release."""
        answers, self._answers = self._answers, []
        found = [one for answer in answers if (one := self._judge(answer)) is not None]
        for table, open_ in list(self._tables.items()):
            if open_.nonce and now_ns - open_.sent_ns >= PATIENCE_NS:
                open_.nonce = ""
                found.append(JudgedSoftware(table, "it has not answered a challenge for its software"))
        return found

    def _note(self, table: str, online: bool, now_ns: int) -> None:
        open_ = self._tables.get(table)
        if open_ is not None:
            open_.online = online
        elif len(self._tables) < MOST_TABLES:
            self._tables[table] = _TableChallenge(now_ns + int(self._draw() * self._every_ns), online)

    def _judge(self, answer: ChallengeAnswered) -> JudgedSoftware | None:
        """None for an answer to nothing that is asked now, as a repeated one."""
        open_ = self._tables.get(answer.table)
        if open_ is None or not open_.nonce or answer.nonce != open_.nonce:
            return None
        open_.nonce = ""
        if answer.problem:
            return JudgedSoftware(answer.table, f"it cannot answer a challenge for its software: {answer.problem}")
        try:
            right = of_reference(answer.nonce, self._release).package
        except UnansweredError as error:
            return JudgedSoftware(answer.table, f"its answer for its software cannot be judged: {error}")
        fits = answer.package == right
        return JudgedSoftware(answer.table, "" if fits else f"its software is not that of {self._release}")
