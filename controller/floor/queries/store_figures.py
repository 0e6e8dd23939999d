"""What the store says of all tables, for the floor's metrics. It costs by their number, for no round is read."""

import json
from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, Text, cast, func, select

from controller.floor.store.schema import alerts, tables
from controller.web.label_values import LabelValues

_MOST_STATES = 200
"""Of all games together."""
_MOST_DEVICES = 100
_MOST_HEALTH = 10
"""States of a device."""


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Tables that have this in common.

    Attributes:
        state: of the game's machine, as the table last said; empty if it never did.
    """

    game: str
    online: bool
    running: bool
    state: str


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """The tables, their alerts and devices.

    Attributes:
        tables: how many there are of each group.
        alerts: active ones, by kind.
        devices: out of order as their tables last said, by name and state.
    """

    tables: Counter[TableGroup]
    alerts: Counter[str]
    devices: Counter[tuple[str, str]]


class FiguresReader:
    """Reads the figures. What tables call their games, states and devices is kept to few names."""

    def __init__(self) -> None:
        self._games, self._kinds = LabelValues(), LabelValues()
        self._states, self._devices = LabelValues(_MOST_STATES), LabelValues(_MOST_DEVICES)
        self._health = LabelValues(_MOST_HEALTH)

    def read(self, db: Connection) -> StoreFigures:
        """The figures as the store has them now.

        Raises:
            SQLAlchemyError: it cannot be read.
        """
        return StoreFigures(self._tables(db), self._alerts(db), self._devices_out_of_order(db))

    def _tables(self, db: Connection) -> Counter[TableGroup]:
        state = tables.c.state["state"].as_string().label("machine_state")
        each = select(tables.c.game, tables.c.online, tables.c.running, state).subquery().c
        columns = (each.game, each.online, each.running, each.machine_state)
        found: Counter[TableGroup] = Counter()
        for game, online, running, name, count in db.execute(select(*columns, func.count()).group_by(*columns)):
            group = TableGroup(self._games.of(game), online, running, self._states.of(name) if name else "")
            found[group] += count
        return found

    def _alerts(self, db: Connection) -> Counter[str]:
        query = select(alerts.c.kind, func.count()).where(alerts.c.ended.is_(None)).group_by(alerts.c.kind)
        kinds: Counter[str] = Counter()
        for kind, count in db.execute(query):
            kinds[self._kinds.of(kind)] += count
        return kinds

    def _devices_out_of_order(self, db: Connection) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        query = select(cast(tables.c.health, Text)).where(tables.c.health.is_not(None))
        for text in db.execute(query).scalars():
            message = json.loads(text) or {}
            for device in message.get("devices", ()):
                if device["state"] != "ok":
                    found[self._devices.of(device["device"]), self._health.of(device["state"])] += 1
        return found
