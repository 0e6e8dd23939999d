"""A round that other software, or another file, decided otherwise ends by the record: the table closes and asks."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from on_record import LaterRig, recovered, rewritten

from config.schema import TableConfig
from controller import __version__
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.events.effect import Effect, Note, Result, Win
from controller.events.event import Event, OnRecord, RulesChanged, trigger
from controller.events.record import Decision
from controller.journal.chain import Entry
from controller.journal.deciders import Decider
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.journal.recovery import Recovered
from controller.journal.replay.replay import replay
from controller.machine.registry import find_game, game_names
from controller.table.machine import TableMachine

Shipped = Callable[[str], TableConfig]
Decides = Callable[[Event, Decision], Decision]
GAMES = sorted(game_names())
OLD_SOFTWARE = {f'"version":"{__version__}"': '"version":"0.0.1"'}
OLD_FILE = {f'"configuration":"{"0" * 64}"': f'"configuration":"{"a" * 64}"'}


class Seen(NamedTuple):
    """A table after an entry."""

    entry: Entry
    on_record: OnRecord
    lit: set[str]


class Played:
    """A game's round up to its end, and what its players saw after each entry."""

    def __init__(self, config: TableConfig) -> None:
        self.config, self._results = config, find_game(config.game).result_states
        oracle = Oracle()
        self._rig = Rig(config, listeners=(oracle,))
        self.seen = [Seen(entry, OnRecord.NOTHING, set()) for entry in self._rig.journal.entries()]
        self._rig.table.listeners.append(self._recorded)
        Dealer(self._rig, random.Random(5), oracle, careless=0).play(2)
        self._rig.journal.close()

    def _recorded(self, recorded: RecordedDecision) -> None:
        machine = self._rig.machine
        found = OnRecord.NOTHING
        if machine.rounds.under_way() or machine.rounds.wagers_open():
            found = OnRecord.WAGERS
        if recorded.record.state in self._results:
            found = OnRecord.RESULT
        self.seen.append(Seen(recorded.entry, found, self._rig.lit()))

    @property
    def entries(self) -> list[Entry]:
        return [seen.entry for seen in self.seen]

    def cuts(self) -> Iterator[list[Seen]]:
        """The last round that is over, cut at some eight places, with the last entry before the checkpoint."""
        first, last = [at for at, seen in enumerate(self.seen) if seen.entry.checkpoint is not None][-2:]
        yield from (self.seen[:count] for count in reversed(range(last, first, -1 - (last - first) // 8)))


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, shipped: Shipped) -> Played:
    return Played(shipped(request.param))


# -- other rules ---------------------------------------------------------------------------------------------------


def _without(control: str) -> Decides:
    def decides(event: Event, decision: Decision) -> Decision:
        return decision._replace(effects=(Note("x"),)) if trigger(event) == control else decision

    return decides


def _wins_elsewhere(event: Event, decision: Decision) -> Decision:
    def changed(effect: Effect) -> Effect:
        return replace(effect, wins=(Win("elsewhere", "1 to 1"),)) if isinstance(effect, Result) else effect

    return decision._replace(effects=tuple(map(changed, decision.effects)))


def _raises(event: Event, decision: Decision) -> Decision:
    if trigger(event) == "press no-more-bets":
        raise LookupError("no such rule")
    return decision


BEGINS_OTHERWISE = _without("press no-more-bets")
CHANGES = {
    "software begins otherwise": (OLD_SOFTWARE, BEGINS_OTHERWISE),
    "file lets others win": (OLD_FILE, _wins_elsewhere),
    "software ends otherwise": (OLD_SOFTWARE, _without("press done")),
    "software fails": (OLD_SOFTWARE, _raises),
}


@contextmanager
def under(decides: Decides) -> Iterator[None]:
    """While a table decides otherwise."""
    handle = TableMachine.handle

    def handles(machine: TableMachine, event: Event) -> Decision:
        decision = handle(machine, event)
        return decision if isinstance(event, RulesChanged) or machine.table.settle else decides(event, decision)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TableMachine, "handle", handles)
        yield


# -- other software, another file ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("other", "decides"), CHANGES.values(), ids=CHANGES)
def test_the_table_closes_and_asks_wherever_it_was_cut(
    played: Played, tmp_path: Path, other: dict[str, str], decides: Decides
) -> None:
    for number, seen in enumerate(played.cuts()):
        file, last = tmp_path / str(number), seen[-1]
        rewritten((one.entry for one in seen), file, **other).close()
        with under(decides):
            rig = LaterRig(played.config, file)
            first = next(rig.journal.entries(after=len(seen)))
            assert (first.kind == "rules-changed") == interrupts(played.config, rig.journal, len(seen))
            if first.kind == "rules-changed":
                assert_ended(rig, json.loads(first.body), last, "file" if other is OLD_FILE else "software")
            else:
                assert rig.lit() == last.lit
        rig.close()
    assert first.kind == "rules-changed"
    again, oracle = LaterRig(played.config, file), Oracle()
    again.table.listeners.append(oracle)
    Dealer(again, random.Random(1), oracle, careless=0).play(1)
    assert again.journal.verify().problem == ""
    again.close()


def interrupts(config: TableConfig, journal: Journal, count: int) -> bool:
    """Whether one of the entries after the checkpoint is decided otherwise now."""
    start, last = journal.last_checkpoint(count), journal.entry(count)
    assert start is not None
    assert last is not None
    differences = replay(last.round, config.game, machines(config), journal).differences
    return any(start.seq < one.seq <= count for one in differences)


def assert_ended(rig: Rig, body: dict[str, Any], last: Seen, what: str) -> None:
    """The record counts: what was lit stays so until the floorperson has settled it, or wagers go back."""
    reason = f"{what}-changed"
    before = rig.machine.snapshot()
    rig.power_cut()
    assert rig.machine.snapshot() == before
    assert [record.event.kind for record in rig.records()].count("rules-changed") == 1
    effects = {effect["kind"]: effect for effect in body["effects"]}
    if last.on_record is OnRecord.RESULT:
        assert rig.state.value == "locked"
        assert effects["lock"]["cause"] == reason
        rig.press("done", "clear", "no-more-bets")
        assert rig.lit() == last.lit
        rig.floor()
    else:
        assert effects["alert"]["text"] == reason
        returned = effects.get("wagers-returned", {}).get("reason")
        assert returned == effects.get("void", {}).get("reason")
        assert returned == (reason if last.on_record is OnRecord.WAGERS else None)
    assert rig.lit() == set()


def found(played: Played, journal: Journal) -> Recovered:
    """The table that this software recovers from a journal."""
    return recovered(played.config, journal, Decider(__version__, "", "0" * 64))


def test_what_was_decided_by_the_same_software_and_file_is_damage(played: Played) -> None:
    *_, seen = played.cuts()
    entries = [one.entry for one in seen]
    with under(BEGINS_OTHERWISE), pytest.raises(JournalDamagedError, match=r"entry \d+ \(press\): effects: "):
        found(played, rewritten(entries, None))
    journal = rewritten(entries, None, **OLD_SOFTWARE)
    with under(BEGINS_OTHERWISE):
        interrupted = found(played, journal).interrupted
    assert interrupted is not None
    assert str(interrupted.decider).startswith("version 0.0.1 (configuration 000000000000)")
    assert found(played, journal).interrupted is None, "what is decided alike goes on"


UNREADABLE = {
    "event": {'"control":"no-more-bets"': '"control":"no-more-bets","force":9'},
    "effect": {'"effects":[]': '"effects":[{"kind":"trumpet"}]'},
    "kind": {'"kind":"press"': '"kind":"weighed"'},
}


@pytest.mark.parametrize("changes", UNREADABLE.values(), ids=UNREADABLE)
def test_an_entry_that_this_software_cannot_read_ends_the_round(played: Played, changes: dict[str, str]) -> None:
    *_, seen = played.cuts()
    entries = [one.entry for one in seen]
    interrupted = found(played, rewritten(entries, None, **OLD_SOFTWARE, **changes)).interrupted
    assert interrupted is not None
    assert interrupted.what == "entry-unreadable"
    assert (interrupted.on_record, set(interrupted.lit)) == (seen[-1].on_record, seen[-1].lit)
    with pytest.raises(JournalDamagedError, match=f"entry {interrupted.entry} "):
        found(played, rewritten(entries, None, **changes))


def test_the_end_of_such_a_round_is_replayed_as_recorded(played: Played, tmp_path: Path) -> None:
    """Whatever the rules are by then: it depends on nothing but its own entry, and the last checkpoint."""
    *_, seen = played.cuts()
    rewritten((one.entry for one in seen), tmp_path / "t", **OLD_SOFTWARE).close()
    with under(BEGINS_OTHERWISE):
        rig = LaterRig(played.config, tmp_path / "t")
        rig.table.stop()
        again = replay(seen[-1].entry.round, played.config.game, machines(played.config), rig.journal)
    rig.journal.close()
    assert {one.version for one in again.deciders} == {"0.0.1", __version__}
    assert {one.kind for one in again.differences} == {"press"}
    assert any(one.entry.kind == "rules-changed" for one in again.entries)
