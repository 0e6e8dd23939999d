"""What people asked for, and which of it this process lets take effect now. The store calls it in a transaction."""

from sqlalchemy import Connection

from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import settling
from controller.floor.store.alerts import WHEEL
from controller.floor.store.claims import Claim
from controller.floor.store.message_writer import MessageWriter
from controller.floor.store.settling import pending


def settle_pending(
    db: Connection, record: FloorRecord | None, claim: Claim, messages: MessageWriter, utc: str
) -> list[str]:
    """Let what was asked of this process's tables take effect, each once it is on the floor's record.

    Args:
        record: the floor's own; without it everything waits.

    Returns:
        what each led to, as text.
    """
    if record is None:
        return []
    outcomes: list[str] = []
    requests = pending(db)
    owned = claim.own(db, {row.table for row in requests})
    for row in requests:
        if row.table not in owned:
            continue
        what = {"table": row.table, "what": row.what, "reason": row.reason, "number": row.id}
        record.write(f"{row.kind}-settled", row.person, what)
        if row.kind == WHEEL:
            messages.take_wheel(db, row.what)
        outcomes.append(settling.apply(db, row, utc, messages))
    messages.flush(db)
    return outcomes
