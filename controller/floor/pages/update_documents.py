"""The document of the page on which the floor shows the updates of its tables: ``/updates.json``."""

from typing import TypedDict


class OfferedBundle(TypedDict):
    """A bundle that is offered."""

    name: str
    release: str
    size: int
    digest: str


class TableUpdateRow(TypedDict):
    """A table: what runs, and what it has made of the bundle that is offered."""

    table: str
    online: bool
    takes: bool | None
    """Whether it takes updates of the floor's; None while it has not said so."""
    running: str
    slot: str
    not_offered: str
    """Why it is not offered the bundle; empty if it is, or there is none."""
    stage: str
    """Of the bundle that is offered now; empty while the table reports nothing of it."""
    received: int
    """Bytes."""
    why: str


class UpdatesDocument(TypedDict):
    """``/updates.json``."""

    floor: str
    folder: str
    problem: str
    """Why nothing is offered; empty if something is, or the folder is empty."""
    bundle: OfferedBundle | None
    tables: list[TableUpdateRow]
