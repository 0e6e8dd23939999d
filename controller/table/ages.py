"""The age of dice or cards, in wall time: it also grows while the power is off."""

from collections.abc import Iterable
from dataclasses import replace

from controller.events.effect import Alert, CancelTimer, Effect, Note, StartTimer
from controller.events.event import ClockChecked
from controller.machine.offers import Equipment
from controller.table.data import TableData

_NS_PER_H = 3_600_000_000_000
WARN, RETIRE = "warn-", "retire-"
"""Begin the names of the timers of a piece of equipment."""

Aged = tuple[TableData, tuple[Effect, ...]]


def renewed(data: TableData, one: Equipment, utc_ns: int, by: str) -> Aged:
    """New equipment is in use from now on."""
    data = replace(
        data,
        fitted_utc_ns={**data.fitted_utc_ns, one.name: utc_ns},
        retired=tuple(name for name in data.retired if name != one.name),
    )
    timers = (StartTimer(WARN + one.name, one.warn_ns), StartTimer(RETIRE + one.name, one.retire_ns))
    return data, (Note("renewed", {"equipment": one.name, "by": by}), *timers)


def fresh(data: TableData, equipment: Iterable[Equipment]) -> bool:
    """Whether all equipment may be used for new wagers."""
    return all(one.name in data.fitted_utc_ns and one.name not in data.retired for one in equipment)


def elapsed(data: TableData, timer: str, equipment: Iterable[Equipment]) -> Aged | None:
    """A timer is due; None if it is not one of an age."""
    for one in equipment:
        hours: dict[str, str | int] = {"equipment": one.name, "hours": _hours(one.retire_ns), "clause": one.clause}
        if timer == WARN + one.name:
            return data, (Alert("age-near", parameters=hours),)
        if timer == RETIRE + one.name:
            retired = replace(data, retired=tuple(dict.fromkeys((*data.retired, one.name))))
            return retired, (CancelTimer(WARN + one.name), Alert("age-reached", parameters=hours))
    return None


def since(data: TableData, equipment: Iterable[Equipment], utc_ns: int) -> Aged:
    """The timers after a start or a change of the clock. One whose time has passed is due at once."""
    effects: list[Effect] = []
    for one in equipment:
        fitted = data.fitted_utc_ns.get(one.name)
        if fitted is None or one.name in data.retired:
            continue
        age_ns = utc_ns - fitted
        if age_ns < 0:
            data = replace(data, retired=(*data.retired, one.name))
            effects.append(Alert("age-unknown", parameters={"equipment": one.name}))
            continue
        effects.append(StartTimer(RETIRE + one.name, max(0, one.retire_ns - age_ns)))
        if age_ns < one.retire_ns:
            effects.append(StartTimer(WARN + one.name, max(0, one.warn_ns - age_ns)))
    return data, tuple(effects)


def clock_checked(data: TableData, equipment: Iterable[Equipment], event: ClockChecked) -> Aged:
    """The ages follow a wall time that was set; of one in doubt they are said to be uncertain."""
    if not event.doubt:
        fitted = {
            name: stamp + event.moved_ns if stamp >= event.started_utc_ns else stamp
            for name, stamp in data.fitted_utc_ns.items()
        }
        return since(replace(data, fitted_utc_ns=fitted), equipment, event.utc_ns)
    in_use = [one for one in equipment if one.name in data.fitted_utc_ns and one.name not in data.retired]
    alerts = (
        Alert(
            "age-uncertain",
            parameters={"equipment": one.name, "hours": _hours(event.utc_ns - data.fitted_utc_ns[one.name])},
        )
        for one in in_use
    )
    return data, tuple(alerts)


def _hours(ns: int) -> int:
    return ns // _NS_PER_H
