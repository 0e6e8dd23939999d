"""What there is to settle of an alert: the choices, both branches of a fork, and what was settled before."""

import json
import shlex
import zlib

from sqlalchemy import Connection, func, select

from controller.floor.pages.alert_documents import (
    AlertDocument,
    Branch,
    BranchRound,
    Fork,
    SettlementRow,
    SettlingChoice,
)
from controller.floor.queries.overview import alert_rows
from controller.floor.queries.times import ms_of
from controller.floor.settlement import DISPUTED, KINDS, NEITHER, STORED
from controller.floor.store import schema
from controller.floor.store.alerts import FALSE, FORK, GAP, GROUP, WHEEL

MOST_ROUNDS = 30
"""How many rounds of a branch are shown."""
MOST_FORKS = 5
MOST_SETTLEMENTS = 20
MOST_ENDS = 20

_alerts = schema.alerts.c
_rounds = schema.rounds.c
_disputed = schema.disputed.c
_settled = schema.settlements.c


def alert_document(db: Connection, id_: int, floor: str, now_ms: int) -> AlertDocument | None:
    """An alert with all that a person needs who settles it; None if there is none of this number."""
    alerts = alert_rows(db, 1, ended=True, id_=id_)
    if not alerts:
        return None
    (alert,) = alerts
    choices = _choices(db, id_)
    forks = _forks(db, alert["table"]) if alert["kind"] == FORK and choices else []
    ends = _ends(db, id_) if choices else []
    return {
        "floor": floor,
        "alert": alert,
        "choices": choices,
        "ends": ends,
        "forks": forks,
        "settlements": settlements(db, alert["table"]),
        "utc_ms": now_ms,
    }


def _choices(db: Connection, id_: int) -> list[SettlingChoice]:
    """What a person may choose of an alert; nothing of one that no person settles, or that is over."""
    alert = db.execute(select(schema.alerts).where(_alerts.id == id_, _alerts.ended.is_(None))).first()
    if alert is None or alert.kind not in KINDS:
        return []
    table = alert.table
    if alert.kind == GAP:
        return [_choice("the missing entries are gone for good", GAP, table)]
    if alert.kind == FALSE:
        return [_choice("it is explained; what was refused stays refused", FALSE, table)]
    if alert.kind == GROUP:
        return [_choice("the group's floor goes without what was deleted here", GROUP, table)]
    if alert.kind == WHEEL:
        wheel, _, holder = alert.key.rpartition(":")
        return [
            _choice(f"wheel {wheel} is at table {one} now", WHEEL, "--serial", wheel, one)
            for one in (table, holder)
        ]
    stored = _choice("the branch that was stored first counts", FORK, "--keep", STORED, table)
    if db.execute(select(_disputed.id).where(_disputed.table == table).limit(1)).first() is None:
        return [stored]
    return [
        stored,
        _choice("the branch that was kept apart counts", FORK, "--keep", DISPUTED, table),
        _choice("neither counts, from where they part", FORK, "--keep", NEITHER, table),
    ]


def _choice(words: str, *arguments: str) -> SettlingChoice:
    command = shlex.join(("table-controller", "settle", "floor.yaml", *arguments))
    return {"words": words, "command": f"{command} --person NAME --reason TEXT"}


def settlements(db: Connection, table: str) -> list[SettlementRow]:
    """What people settled of a table, the newest first."""
    of_table = select(schema.settlements).where(_settled.table == table)
    return [
        {
            "kind": row.kind,
            "what": row.what,
            "person": row.person,
            "reason": row.reason,
            "requested_ms": ms_of(row.asked),
            "done_ms": ms_of(row.done) if row.done else None,
            "outcome": row.outcome,
        }
        for row in db.execute(of_table.order_by(_settled.id.desc()).limit(MOST_SETTLEMENTS))
    ]


def _ends(db: Connection, id_: int) -> list[str]:
    """The texts of the alerts that end together with one."""
    alert = db.execute(select(schema.alerts).where(_alerts.id == id_)).one()
    wheel = alert.key.rpartition(":")[0]
    of_wheel = _alerts.key.startswith(f"{wheel}:", autoescape=True)
    whose = of_wheel if alert.kind == WHEEL else _alerts.table == alert.table
    together = select(_alerts.text).where(_alerts.kind == alert.kind, _alerts.ended.is_(None), whose)
    return list(db.execute(together.order_by(_alerts.id).limit(MOST_ENDS)).scalars())


def _forks(db: Connection, table: str) -> list[Fork]:
    """The records of a table of which rounds are kept apart, each with both branches from where they part."""
    query = select(_disputed.record).where(_disputed.table == table).group_by(_disputed.record)
    records = db.execute(query.order_by(func.min(_disputed.id)).limit(MOST_FORKS)).scalars()
    return [_fork(db, table, record) for record in records]


def _fork(db: Connection, table: str, record: str) -> Fork:
    apart = (_disputed.table == table, _disputed.record == record)
    rows = db.execute(select(_disputed.payload).where(*apart).order_by(_disputed.seq).limit(MOST_ROUNDS))
    theirs = [_round(json.loads(zlib.decompress(payload))) for payload in rows.scalars()]
    parts = min((one["first"] for one in theirs), default=0)
    here = (_rounds.table == table, _rounds.record == record, _rounds.seq >= parts)
    columns = [_rounds[name] for name in (*BranchRound.__annotations__, "closed") if name != "closed_ms"]
    stored = db.execute(select(*columns).where(*here).order_by(_rounds.seq).limit(MOST_ROUNDS)).mappings()
    ours = [_round(dict(row)) for row in stored]
    return {
        "record": record,
        "parts": parts,
        "stored": _branch(ours, db.execute(select(func.count()).where(*here)).scalar() or 0),
        "disputed": _branch(theirs, db.execute(select(func.count()).where(*apart)).scalar() or 0),
    }


def _branch(rounds: list[BranchRound], total: int) -> Branch:
    return {"total": total, "rounds": rounds}


def _round(said: dict[str, object]) -> BranchRound:
    """A round of the store, or a message of one that was kept apart: all that both say."""
    shown = {name: said.get(name) for name in BranchRound.__annotations__}
    return {**shown, "closed_ms": ms_of(str(said["closed"]))}  # type: ignore[typeddict-item]
