"""A house's floor and its group's with a line between them that the test holds: what is lost, repeated, comes late.

No broker and no clock: messages are handed from one store to the other, time passes when the test says so.
"""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from contracts.floor_store_cases import Lopsided, opened
from floor_messages import LATER_NS, arrived
from sqlalchemy import select

from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.relay.relay_source import DueRound, RelaySource
from controller.floor.relay.relayed_again import RelayedAgain
from controller.floor.relay.table_states import TableStates
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import Message

STEP_NS = 90_000_000_000
"""So much passes from one look at the store to the next: every limit on requests has been filled up a little."""
_COMPARED = (
    "record",
    "seq",
    "hash",
    "first",
    "previous",
    "number",
    "game",
    "opened",
    "closed",
    "dealer",
    "results",
)


def rounds_of(store: Store, house: str = "") -> list[tuple[Any, ...]]:
    """Every stored round, with what is derived of it; of one house's tables alone, under their own names."""
    known = schema.rounds.c
    columns = [
        known[name] for name in (*_COMPARED, "results", "voids", "corrections", "phases", "spins", "entries")
    ]
    with store.engine.connect() as db:
        query = select(known.table, *columns).order_by(known.table, known.record, known.seq)
        found = [tuple(row) for row in db.execute(query)]
    prefix = f"{house}/" if house else ""
    return [(row[0].removeprefix(prefix), *row[1:]) for row in found if row[0].startswith(prefix)]


class Line:
    """The way from a house to its group.

    Args:
        loses: which messages are lost: one in so many; 0 for none.

    Attributes:
        sent: how many messages of rounds the group's broker has taken.
    """

    def __init__(self, folder: Path, house: str = "north", seed: int = 0, **of_house: Any) -> None:
        self.name = house
        self.house = Store(f"sqlite:///{folder}/{house}.db", evidence=Lopsided, **of_house)
        self.group = opened(f"sqlite:///{folder}/group.db")
        self.now_ns = LATER_NS
        self.sent = 0
        self._random = random.Random(seed)
        self._on_the_way: list[Arrived] = []
        self._kept: dict[tuple[str, str], Message] = {}
        self.requests = ResendRequests()
        self.restart()

    def restart(self) -> None:
        """The house's process is killed and begins anew: what its store does not have is forgotten."""
        self.source = RelaySource(self.house, self.name)
        self.again = RelayedAgain(self.source)
        self.states = TableStates(self.name)

    def restart_group(self) -> None:
        """The group's floor begins anew: what was on the way to it is lost, but for what the broker keeps."""
        self._on_the_way = [arrived(one, self.now_ns, retained=True) for one in self._kept.values()]
        self.requests = ResendRequests()
        self.requests.note(self.group.lacks(), self.now_ns)

    def happens(self, messages: Iterable[Message]) -> None:
        """The tables of the house send these, and it stores them."""
        self.house.take([arrived(one, self.now_ns) for one in messages])

    def relay(self, loses: float = 0.0, repeats: float = 0.0, dies: bool = False) -> None:
        """The relay looks once at what is due.

        Args:
            loses: the probability that the broker takes a message and loses it.
            repeats: that a message comes twice.
            dies: the house's process is killed before it has kept that the first round is out.
        """
        self.now_ns += STEP_NS
        for one in self.source.due(3):
            self._send(one, loses, repeats)
            if dies:
                self.restart()
                return
            self.source.keep([one], utc_text(self.now_ns))
        for state in self.states.due(self.source.tables(), self.source.done, self.now_ns, 10):
            self._kept[state.message.table, state.topic.value] = state.message
            self._put(state.message, 0.0, repeats)
            self.states.published(state, self.now_ns)
        for one in self.again.due(50, self.now_ns, utc_text(self.now_ns)):
            self._send(one, loses, repeats)

    def arrive(self, shuffled: bool = False) -> None:
        """What is on the way arrives at the group's floor, which requests what it lacks."""
        if shuffled:
            self._random.shuffle(self._on_the_way)
        messages, self._on_the_way = self._on_the_way, []
        if messages:
            self.requests.note(self.group.take(messages).lacks, self.now_ns)
        for table, request in self.requests.due(self.now_ns):
            self.again.note(table.removeprefix(f"{self.name}/"), request)

    def finish(self, steps: int = 400) -> None:
        """The line holds from now on: relay until the group has everything, for so many looks at the most."""
        for _ in range(steps):
            if rounds_of(self.house) == rounds_of(self.group, self.name):
                return
            self.relay()
            self.arrive()
        missing = set(map(repr, rounds_of(self.house))) - set(map(repr, rounds_of(self.group, self.name)))
        raise AssertionError(f"the group lacks {len(missing)} rounds")

    def close(self) -> None:
        self.house.close()
        self.group.close()

    def _send(self, one: DueRound, loses: float, repeats: float) -> None:
        for _, message in one.messages:
            self.sent += 1
            self._put(message, loses, repeats)

    def _put(self, message: Message, loses: float, repeats: float) -> None:
        if self._random.random() >= loses:
            copies: Sequence[int] = range(2 if self._random.random() < repeats else 1)
            self._on_the_way += [arrived(message, self.now_ns) for _ in copies]
