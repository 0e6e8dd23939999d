"""The houses of a group's floor: whether each is there, whether it is one and the same, whether its clock is right.

A house's tables are known by their rounds as any table is. A house says of itself only that it is there: with its
connection its tables are lost, too.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, func, select, update

from controller.floor.ingest.validation import Accepted, Refusal, refusal
from controller.floor.queries.times import ms_of
from controller.floor.store import schema
from controller.floor.store.alerts import CLOCK, HOUSE, end_alerts, is_active, raise_alert
from controller.floor.store.engine import upsert
from controller.floor.store.schema import houses
from controller.messages.models import HouseMessage, OnlineMessage
from controller.messages.topics import house_itself, house_of

MOST_APART_MS = 120_000
"""How far a house's clock may be from this floor's. Rounds of the future are refused by their own times."""
ALONE_MS = 3_600_000
"""After so long without a word of a second store under a house's name its alert ends."""
_TWO = (
    "see whether the house's floor was given a new store; if not, another floor uses the house's name or "
    "certificate: find it, and give it its own"
)
_CLOCK = "set the clock of the house's computer or of this one (timedatectl); rounds of the future are refused"

_known = schema.tables.c


def keep(db: Connection, messages: Sequence[Accepted]) -> None:
    """Note what houses say of themselves, in the order in which it arrived."""
    for one in messages:
        if isinstance(one.message, HouseMessage):
            _keep(db, one, one.message)


def _keep(db: Connection, one: Accepted, message: HouseMessage) -> None:
    utc, house = one.arrived.utc, message.house
    known = db.execute(select(houses).where(houses.c.house == house)).mappings().first()
    if known is not None and not message.online and known["store"] != message.store:
        return  # The last word of another floor of this name says nothing of this one.
    row: dict[str, Any] = dict(known) if known is not None else {"other": None, "other_heard": None, "changed": utc}
    if known is not None and known["online"] != message.online:
        row["changed"] = utc
    if known is not None and known["store"] != message.store:
        row |= {"other": known["store"], "other_heard": known["heard"]}
        _raise_two(db, message, known["store"], utc)
    elif row["other"] is not None and ms_of(utc) - ms_of(row["other_heard"]) > ALONE_MS:
        row |= {"other": None, "other_heard": None}
        end_alerts(db, house_itself(house), HOUSE, "", utc)
    row |= {"house": house, "store": message.store, "online": message.online, "heard": utc}
    if message.online:
        row |= message.model_dump(include={"floor", "software", "tables", "waiting", "oldest"})
    row["ahead_ms"] = _ahead_ms(db, one, message, row.get("ahead_ms"))
    defaults = {"floor": "", "software": "", "tables": 0, "waiting": 0, "oldest": None}
    upsert(db, houses, [{**defaults, **row}])


def _raise_two(db: Connection, message: HouseMessage, before: str, utc: str) -> None:
    """One alert at a time stands for all floors that use a house's name."""
    table = house_itself(message.house)
    if is_active(db, table, HOUSE, ""):
        return
    text = (
        f"house {message.house} has another store ({message.store[:12]}…) than before ({before[:12]}…): two floors "
        "may use this name"
    )
    raise_alert(db, table, HOUSE, f"{message.store}:{utc}", utc, text, utc, _TWO)


def _ahead_ms(db: Connection, one: Accepted, message: HouseMessage, known: int | None) -> int | None:
    """How far the house's clock is ahead; keeps its alert."""
    if not message.online or one.arrived.retained:
        return known  # It was written some time before.
    utc, table = one.arrived.utc, house_itself(message.house)
    ahead_ms = ms_of(message.at) - ms_of(utc)
    if abs(ahead_ms) <= MOST_APART_MS:
        end_alerts(db, table, CLOCK, "", utc)
    elif not is_active(db, table, CLOCK, ""):
        which = "ahead of" if ahead_ms > 0 else "behind"
        text = (
            f"the clock of house {message.house} is {_span(abs(ahead_ms))} {which} this floor's: "
            f"it said {message.at} at {utc}"
        )
        raise_alert(db, table, CLOCK, utc, utc, text, utc, _CLOCK)
    return ahead_ms


def _span(ms: int) -> str:
    """A difference of clocks in words, as a person would say it."""
    for name, length_ms in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)):
        count = ms // length_ms
        if count >= 2 or name == "minute":
            return f"{count:,} {name}s"
    raise AssertionError("minutes are the last")


def without_line(db: Connection, messages: Sequence[Accepted]) -> None:
    """Tables of houses that are away are away, too, whatever the broker keeps of them."""
    said = (HouseMessage, OnlineMessage)
    named = {house_of(one.table) for one in messages if isinstance(one.message, said)} - {""}
    if not named:
        return
    away = select(houses.c.house, houses.c.heard).where(houses.c.house.in_(named), houses.c.online.is_(False))
    for house, heard in db.execute(away).all():
        of_house = _known.table.startswith(house_itself(house), autoescape=True)
        db.execute(update(schema.tables).where(of_house, _known.online).values(online=False, changed=heard))


def within_limits(
    db: Connection, messages: Sequence[Accepted | Refusal], most: int | None
) -> tuple[list[Accepted | Refusal], dict[str, int]]:
    """The messages, with refusals in the place of those of a house's tables that are too many.

    Args:
        most: how many tables a house may have; None for any number.

    Returns:
        the messages in their order, and how many of each house were refused, by the name of the house itself.
    """
    found, refused = list(messages), dict[str, int]()
    new = _new_tables(db, (one.table for one in messages if isinstance(one, Accepted)))
    if most is None or not new:
        return found, refused
    counts: dict[str, int] = {}
    over: set[str] = set()
    for table in new:
        itself = house_itself(house_of(table))
        if itself not in counts:
            of_house = _known.table.startswith(itself, autoescape=True)
            counts[itself] = db.execute(select(func.count()).where(of_house)).scalar() or 0
        counts[itself] += 1
        if counts[itself] > most:
            over.add(table)
    for place, one in enumerate(messages):
        if isinstance(one, Accepted) and one.table in over:
            itself = house_itself(house_of(one.table))
            found[place] = refusal(one.arrived, "tables", f"house {itself[:-1]} has {most} tables already")
            refused[itself] = refused.get(itself, 0) + 1
    return found, refused


def _new_tables(db: Connection, tables: Iterable[str]) -> list[str]:
    """Tables of houses that have not sent anything before, in the order in which they came."""
    named = dict.fromkeys(table for table in tables if house_of(table) and not table.endswith("/"))
    if not named:
        return []
    known = set(db.execute(select(_known.table).where(_known.table.in_(named))).scalars())
    return [table for table in named if table not in known]
