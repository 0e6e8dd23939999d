"""What people settle on the floor: which branch of a fork counts, a gap for good, a wheel that was moved.

:func:`settle` asks for it in the store, from any process that can write there, as the command ``settle`` does. The
running floor takes it up within a second, writes it on its own record, and only then lets it take effect. A floor
that does not run does so when it starts.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import DBAPIError

from controller.floor.store import schema
from controller.floor.store.alerts import FALSE, FORK, GAP, GROUP, WHEEL
from controller.floor.store.engine import WRITING, StoreAwayError, error_text

KINDS = (FORK, GAP, WHEEL, FALSE, GROUP)
"""What can be settled, by the kind of its alert."""
STORED, DISPUTED, NEITHER = "stored", "disputed", "neither"
KEEPS = (STORED, DISPUTED, NEITHER)
"""Which branch of a fork counts: the one that was stored first, the one that was kept apart, or none of them."""
MOST_REASON = 1000


class SettlementError(ValueError):
    """It cannot be settled so; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a person settles.

    Attributes:
        kind: one of :data:`KINDS`.
        table: whose alert it is; for a wheel, the table at which it is now.
        person: who says so.
        reason: why, in that person's words.
        what: one of :data:`KEEPS` for a fork; the serial number for a wheel; else empty.
    """

    kind: str
    table: str
    person: str
    reason: str
    what: str = ""


def settle(engine: Engine, settlement: Settlement, utc: str) -> int:
    """Ask for a settlement; returns its number in the store's ``settlements``.

    Args:
        utc: the time, in the format of messages.

    Raises:
        SettlementError: there is nothing of the kind to settle, or a part of it is missing.
        StoreAwayError: the store cannot be written.
    """
    _check(settlement)
    alerts = schema.alerts.c
    active = (alerts.table == settlement.table, alerts.kind == settlement.kind, alerts.ended.is_(None))
    made = insert(schema.settlements).values(**asdict(settlement), asked=utc).returning(schema.settlements.c.id)
    try:
        with engine.execution_options(**{WRITING: True}).begin() as db:
            if settlement.kind != WHEEL and db.execute(select(alerts.id).where(*active).limit(1)).first() is None:
                raise SettlementError(
                    f"table {settlement.table} has no active alert of the kind {settlement.kind}; see its page"
                )
            return int(db.execute(made).scalar_one())
    except DBAPIError as error:
        raise StoreAwayError(f"the store cannot be written: {error_text(error)}; try again") from error


def outcome(engine: Engine, number: int) -> str | None:
    """What a settlement led to, as text; None while the floor has not taken it up."""
    settled = schema.settlements.c
    with engine.connect() as db:
        row = db.execute(select(settled.done, settled.outcome).where(settled.id == number)).one()
    return row.outcome if row.done is not None else None


def _check(settlement: Settlement) -> None:
    if settlement.kind not in KINDS:
        raise SettlementError(f"'{settlement.kind[:40]}' cannot be settled; {_listed(KINDS)} can")
    if settlement.kind == FORK and settlement.what not in KEEPS:
        raise SettlementError(f"say which branch of the fork is kept: {_listed(KEEPS)}")
    if settlement.kind == WHEEL and not settlement.what:
        raise SettlementError("say the serial number of the wheel that is at the table")
    for name in ("person", "reason"):
        if not getattr(settlement, name).strip():
            raise SettlementError(f"the {name} is missing: a settlement stays on record with who said so, and why")
    limits = {"table": 80, "what": 80, "person": 120, "reason": MOST_REASON}
    for name, most in limits.items():
        text = getattr(settlement, name)
        if len(text) > most or not text.isprintable():
            raise SettlementError(f"the {name} must be printable text of at most {most} characters")


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
