"""Writes ``docs/events.md``: every significant event, how it is detected, shown, locked, kept and tested.

What a table does about an event is asked of every game's machine, twice: while wagers are open, and while a result
is lit. Run by ``make docs``; a test fails when the document is not current, or does not have a kind of event.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import get_args

from controller.bench.dealer import HOPELESS, Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.effect import Alert, Effect, Result
from controller.events.event import Event
from controller.games.shared.table_data import Closable
from controller.statechart.any_machine import AnyMachine
from tools.event_row import ORDINARY, SignificantEvent
from tools.significant_events import EVENTS

FILE = Path(__file__).parents[1] / "docs" / "events.md"
_WORDS = {"locked": "locks", "closed": "closes", "malfunction": "malfunction"}
_OPEN = "bets-open"
_HEAD = """# Significant events

Written by `make docs` from the code: kinds and docstrings of the events, and what every game's machine decides
on an example of each while wagers are open, and while a result is lit. The rest stands in
`tools/significant_events.py`. A test fails if a kind of event is missing here, or a test that is named does not
exist.

Each event is an entry of the journal before anything is lit or shown: [architecture](architecture.md).
`/rounds` shows the record by round, the dealer's screen the alerts and the list of devices. *Alert on the
floor*: the alert is published with its text and remedy ([floor.md](floor.md)). *After the round*: the round is
settled as it lies, and no new one begins. What locks or closes a table opens again by the floorperson's key,
with who turned it on record; while a contact that locks is open, or a supply that locks too low, the key is
refused. What is no significant event is listed at the end.

An opened contact locks unless the table's file says `alert`. A round in progress is not cut off, for its wagers
lie on the layout and its result is seen by all: it is settled first.

| event | on record as | detected by | wagers open | result lit | shown, kept | tests |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "".join(map(_row, EVENTS)) + "".join(_end())


def kinds() -> dict[str, str]:
    """Every kind of event, with the first sentence of its docstring."""
    found = {}
    for event in get_args(Event):
        words = " ".join((event.__doc__ or "").split())
        found[str(event.__dataclass_fields__["kind"].default)] = words.partition(". ")[0].rstrip(".") + "."
    return found


def named() -> set[str]:
    """Every kind that the document has."""
    return {kind for event in EVENTS for kind in event.kinds} | ORDINARY.keys()


def _end() -> Iterator[str]:
    yield "\n## Every kind of event\n\n| kind | |\n| --- | --- |\n"
    for kind, words in kinds().items():
        why = f" *Not significant: {ORDINARY[kind]}.*" if kind in ORDINARY else ""
        yield f"| `{kind}` | {words}{why} |\n"


def _row(event: SignificantEvent) -> str:
    when_open, when_lit, alerts = _decisions(event)
    kept = f"; {event.kept}" if event.kept else ""
    floor = "; alert on the floor" if alerts else ""
    tests = "<br>".join(f"`{test}`" for test in event.tests)
    on_record = ", ".join(f"`{kind}`" for kind in event.kinds)
    cells = (event.name, on_record, event.detected, when_open, when_lit, f"{event.shown}{floor}{kept}", tests)
    return f"| {' | '.join(cells)} |\n"


def _decisions(event: SignificantEvent) -> tuple[str, str, bool]:
    """What the machines do, in the two moments, and whether any alerts."""
    if not event.examples:
        return event.locks, event.locks, False
    moments, alerts = [], False
    for number in (0, 1):
        said: dict[str, list[str]] = {}
        for game in shipped_tables():
            machine = _machines(game)[number]
            words, alert = _decided(machine, event.examples)
            said.setdefault(words, []).append(game)
            alerts = alerts or alert
        moments.append(_grouped(said))
    return moments[0], moments[1], alerts


def _grouped(said: dict[str, list[str]]) -> str:
    if len(said) == 1:
        return next(iter(said))
    return "; ".join(f"{words}: {', '.join(games)}" for words, games in said.items())


def _decided(machine: AnyMachine, examples: Sequence[Event]) -> tuple[str, bool]:
    """The strongest of what a machine does about examples; it is unchanged afterwards."""
    before, state = machine.snapshot(), str(machine.state.value)
    effects: list[Effect] = []
    stops = later = False
    for example in examples:
        effects += machine.handle(example).effects
        after = str(machine.state.value)
        stops = stops or (after != state and after in _WORDS)
        later = later or bool(isinstance(machine.data, Closable) and machine.data.cause)
        words = _WORDS.get(after, "")
        machine.restore(before)
        if stops:
            return words, any(isinstance(effect, Alert) for effect in effects)
    alerts = any(isinstance(effect, Alert) for effect in effects)
    if later:
        return "after the round", alerts
    return ("alert" if alerts else "no"), alerts


@cache
def _machines(game: str) -> tuple[AnyMachine, AnyMachine]:
    """A machine with open wagers, and one with a result."""
    return _played(game, False), _played(game, True)


def _played(game: str, result: bool) -> AnyMachine:
    config = load_table(shipped_tables()[game]).config
    rig = Rig(config, options={"seed": 1})
    dealer = Dealer(rig, random.Random(1), Oracle(), no_rolls=0.0)
    for _ in range(HOPELESS):
        last = rig.records()[-1]
        if any(isinstance(effect, Result) for effect in last.effects) if result else last.state == _OPEN:
            break
        dealer.act()
    rig.table.stop()
    rig.journal.close()
    machine: AnyMachine = rig.machine
    return machine


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    print(f"{FILE.name}: {len(EVENTS)} significant events, {len(kinds())} kinds")


if __name__ == "__main__":
    main()
