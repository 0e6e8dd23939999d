"""What a house's tables are now, as the group's floor is to know it: online, state and health, the latest of each.

Pure. A state says how far its table's rounds were relayed, not how far they have come to the house: else the
group's floor would request what is on its way.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Row

from controller.floor.store.relayed import RecordPlace
from controller.messages.models import HealthMessage, Message, OnlineMessage, StateMessage
from controller.messages.topics import Topic

STATE_NS = 2_000_000_000
"""The least time between two messages of a table's state."""
_UNIMPORTANT = ("at", "seq", "hash", "length")
"""What is no news of a state: that the record has one more entry."""


class DueState(NamedTuple):
    """A message of what a table is.

    Attributes:
        essence: what of it would have to change for it to be published again.
    """

    topic: Topic
    message: Message
    essence: object


class TableStates:
    """What was published of each table over this connection. Callers pass nanoseconds of a monotonic clock."""

    def __init__(self, house: str) -> None:
        self._house = house
        self._published: dict[tuple[str, Topic], object] = {}
        self._state_ns: dict[str, int] = {}

    def connected(self) -> None:
        """The connection is another one: everything is published again."""
        self._published.clear()
        self._state_ns.clear()

    def due(
        self, rows: Iterable[Row[Any]], done: Mapping[RecordPlace, int], now_ns: int, most: int
    ) -> list[DueState]:
        """What is news, of at most so many messages: whether tables are there first, what waits longest next.

        Args:
            rows: every table, as :meth:`RelaySource.tables` gives them.
            done: how far each record was relayed.
        """
        found: list[tuple[int, DueState]] = []
        for row in rows:
            path = f"{self._house}/{row.table}"
            online = OnlineMessage(table=path, online=row.online, running=row.running, software=row.software)
            if self._is_news(path, Topic.ONLINE, online):
                found.append((-1, DueState(Topic.ONLINE, online, online)))
            if self._is_news(path, Topic.HEALTH, row.health) and (health := _parsed(row.health)) is not None:
                message = HealthMessage.model_validate_json(json.dumps({**health, "table": path}))
                found.append((0, DueState(Topic.HEALTH, message, row.health)))
            said_ns = self._state_ns.get(path)
            if said_ns is None or now_ns - said_ns >= STATE_NS:
                found += [(said_ns or 0, one) for one in self._state(row, path, done)]
        found.sort(key=lambda one: one[0])
        return [one for _, one in found[:most]]

    def published(self, one: DueState, now_ns: int) -> None:
        """The broker has taken a message."""
        self._published[one.message.table, one.topic] = one.essence
        if one.topic is Topic.STATE:
            self._state_ns[one.message.table] = now_ns

    def _state(self, row: Row[Any], path: str, done: Mapping[RecordPlace, int]) -> list[DueState]:
        state = _parsed(row.state)
        if state is None:
            return []
        relayed = done.get(RecordPlace(row.table, state["record"]), 0)
        said = {**state, "table": path, "handed_over": min(relayed, state["handed_over"])}
        essence = {name: value for name, value in said.items() if name not in _UNIMPORTANT}
        if not self._is_news(path, Topic.STATE, essence):
            return []
        return [DueState(Topic.STATE, StateMessage.model_validate_json(json.dumps(said)), essence)]

    def _is_news(self, path: str, topic: Topic, essence: object) -> bool:
        return self._published.get((path, topic)) != essence


def _parsed(text: str | None) -> dict[str, Any] | None:
    """A message as the store has it; None if there is none, which the store may have as JSON's null."""
    message: dict[str, Any] | None = json.loads(text) if text else None
    return message
