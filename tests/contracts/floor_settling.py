"""The contract of the floor's store: what people settle, and what is missing at a record's end.

Beside the subclass, a fixture ``fresh`` of the module or wider gives the URL of a new database at each call.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from floor_messages import LATER_NS, NOON_NS, arrived, record, spin, state_after
from sqlalchemy import select

from contracts.floor_store_cases import TABLE, active_alerts, opened, rows
from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import Settlement, SettlementError, outcome, settle
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from hal.mock.clock import VirtualClock

NOW = utc_text(LATER_NS)
MINUTE_NS = 60_000_000_000


class FloorSettlingContract:
    """Forks, gaps, wheels and forged messages that a person decides on; records that end too early."""

    @pytest.fixture
    def store(self, fresh: Callable[[], str], kept: FloorRecord) -> Iterator[Store]:
        store = opened(fresh(), kept)
        yield store
        store.close()

    @pytest.fixture
    def kept(self) -> Iterator[FloorRecord]:
        made = FloorRecord(None, VirtualClock())
        yield made
        made.close()

    def settled(self, store: Store, kept: FloorRecord, kind: str, what: str = "", table: str = TABLE) -> str:
        """Settle something, and let the floor take it up."""
        number = settle(store.engine, Settlement(kind, table, "m.weber", "I looked at it", what), NOW)
        assert outcome(store.engine, number) is None
        assert len(store.look_after([], NOW)) == 1
        entry = kept.latest(1)[0]
        said = json.loads(entry.body)
        assert entry.kind == f"{kind}-settled"
        assert (said["person"], said["reason"], said["table"]) == ("m.weber", "I looked at it", table)
        led_to = outcome(store.engine, number)
        assert led_to is not None
        return led_to

    def sums_of_days_are_those_of_hours(self, store: Store) -> None:
        """What was withdrawn is in neither."""
        hours = rows(store, schema.hour_sums)
        sums = schema.period_sums.c
        for kind, period in (("table", "2026-03-01"), ("game", "2026-03"), ("dealer", "2026"), ("wheel", "2026")):
            found = rows(store, schema.period_sums, sums.kind == kind, sums.period == period)
            for number in ("rounds", "spins", "corrections"):
                assert sum(row[number] for row in found) == sum(row[number] for row in hours), (kind, number)

    def forked(self, store: Store) -> tuple[list[Any], list[Any]]:
        """A record of four rounds, and another branch of its last two rounds, which came later."""
        ours, theirs = (record([3, 3, 3, 2], spins=[spin(1)], changed_from=change) for change in (None, 2))
        store.take([arrived(one) for one in (*ours[:3], *theirs[2:])])
        assert len(active_alerts(store, "fork")) == 1
        return ours, theirs

    # -- forks -----------------------------------------------------------------------------------------------

    def test_a_fork_is_settled_for_the_stored_branch_which_goes_on(self, store: Store, kept: FloorRecord) -> None:
        ours, theirs = self.forked(store)
        self.settled(store, kept, "fork", "stored")
        assert not active_alerts(store, "fork")
        (alert,) = rows(store, schema.alerts, schema.alerts.c.kind == "fork")
        assert "settled by m.weber: I looked at it" in alert["remedy"]
        assert store.take([arrived(ours[3])]).rounds == 1
        assert len(rows(store, schema.disputed)) == 2, "the other branch stays apart"
        store.take([arrived(theirs[2])])
        assert not active_alerts(store, "fork"), "what was settled is no news"
        anew = record([3, 3, 3, 2], spins=[spin(1)], changed_from=3)
        store.take([arrived(anew[3])])
        assert len(active_alerts(store, "fork")) == 1, "what contradicts the record anew is a new alert"

    def test_a_fork_is_settled_for_the_disputed_branch(self, store: Store, kept: FloorRecord) -> None:
        ours, theirs = self.forked(store)
        led_to = self.settled(store, kept, "fork", "disputed")
        assert led_to == "1 rounds that were stored are kept apart; 2 that were apart are stored"
        want = {one.hash for one in (*ours[:2], *theirs[2:])}
        assert {row["hash"] for row in rows(store, schema.rounds)} == want
        assert sum(row["rounds"] for row in rows(store, schema.hour_sums)) == 3, "and round 0"
        self.sums_of_days_are_those_of_hours(store)
        assert [row["hash"] for row in rows(store, schema.disputed)] == [ours[2].hash]
        (place,) = rows(store, schema.records)
        assert (place["seq"], place["hash"]) == (theirs[3].seq, theirs[3].hash)
        (wheel,) = rows(store, schema.wheels)
        assert wheel["spins"] == sum(row["count"] for row in rows(store, schema.wheel_counts)) == 4
        assert not active_alerts(store, "fork")
        assert store.take([arrived(ours[2])]).rounds == 0

    def test_a_fork_of_which_neither_branch_counts(self, store: Store, kept: FloorRecord) -> None:
        ours, theirs = self.forked(store)
        self.settled(store, kept, "fork", "neither")
        assert [row["hash"] for row in rows(store, schema.rounds)] == [one.hash for one in ours[:2]]
        assert sum(row["rounds"] for row in rows(store, schema.hour_sums)) == 1, "and round 0"
        self.sums_of_days_are_those_of_hours(store)
        again = [arrived(one) for one in (ours[2], theirs[2], ours[3], theirs[3])]
        assert store.take(again).rounds == 0
        assert len(rows(store, schema.rounds)) == 2

    # -- gaps ------------------------------------------------------------------------------------------------

    def test_entries_that_are_gone_for_good_are_missing_no_more(self, store: Store, kept: FloorRecord) -> None:
        messages = record([2, 3, 4, 1, 1])
        store.take([arrived(one) for one in (messages[0], messages[2], messages[4])])
        assert self.settled(store, kept, "gap") == "entries 3 to 5, 10 to 10 are gone for good"
        assert not active_alerts(store, "gap")
        assert store.lacks() == {TABLE: None}
        assert store.take([arrived(messages[1])]).rounds == 1, "if they come after all, they are taken"

    # -- wheels ----------------------------------------------------------------------------------------------

    def test_a_wheel_that_was_moved_counts_at_its_new_table(self, store: Store, kept: FloorRecord) -> None:
        ours = record([2, 2], wheel="W-1", spins=[spin(1)])
        theirs = record([2, 2, 2], "big-six-2", "other", wheel="W-1", spins=[spin(9)])
        store.take([arrived(one) for one in (ours[0], theirs[0])])
        led_to = self.settled(store, kept, "wheel", "W-1", "big-six-2")
        assert led_to == f"wheel W-1 is at table big-six-2, and was at {TABLE}"
        assert not active_alerts(store, "wheel")
        store.take([arrived(theirs[1])])
        spins = {row["wheel"]: row["spins"] for row in rows(store, schema.wheels)}
        assert spins == {"W-1": 2, "W-1 at big-six-2": 1}

    # -- what cannot be settled --------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"kind": "fork", "what": "stored"}, "no active alert of the kind fork"),
            ({"kind": "fork", "what": "mine"}, "stored, disputed or neither"),
            ({"kind": "wheel"}, "serial number"),
            ({"kind": "rain"}, "cannot be settled"),
            ({"person": " "}, "the person is missing"),
            ({"reason": ""}, "the reason is missing"),
            ({"reason": "x" * 1001}, "at most 1000"),
            ({"person": "a\nb"}, "printable"),
        ],
    )
    def test_what_cannot_be_settled_is_refused(self, store: Store, changed: dict[str, str], why: str) -> None:
        given = {"kind": "gap", "table": TABLE, "person": "m.weber", "reason": "the disk died", **changed}
        with pytest.raises(SettlementError, match=why):
            settle(store.engine, Settlement(**given), NOW)
        assert not rows(store, schema.settlements)

    def test_without_the_floors_record_nothing_is_settled(self, fresh: Callable[[], str]) -> None:
        store = opened(fresh())
        self.forked(store)
        settle(store.engine, Settlement("fork", TABLE, "m.weber", "I looked at it", "stored"), NOW)
        assert store.look_after([], NOW) == []
        assert active_alerts(store, "fork")
        store.close()

    # -- the end of a record -----------------------------------------------------------------------------------

    def test_what_is_missing_at_the_end_is_an_alert_without_a_further_round(self, store: Store) -> None:
        messages = record([2, 3])
        store.take([arrived(messages[0]), arrived(state_after(messages[1]))])
        store.look_after([TABLE], NOW)
        (alert,) = active_alerts(store, "gap")
        assert "entries 3 to 5 of the table's record have not arrived" in alert["text"]
        store.take([arrived(messages[1])])
        store.look_after([], NOW)
        assert not active_alerts(store, "gap")

    def test_a_record_that_was_cut_is_named_at_once(self, store: Store) -> None:
        messages = record([2, 3, 3])
        store.take([arrived(one) for one in messages])
        store.take([arrived(state_after(messages[1], length=5))])
        (alert,) = active_alerts(store, "fork")
        assert "ends at entry 5, and was here up to 8: it was cut or put back" in alert["text"]

    def test_a_record_with_another_end_is_named_at_once(self, store: Store) -> None:
        ours, theirs = record([2, 3]), record([2, 3], changed_from=1)
        store.take([arrived(one) for one in ours])
        store.take([arrived(state_after(theirs[1]))])
        (alert,) = active_alerts(store, "fork")
        assert f"entry 5 was {ours[1].hash[:12]}" in alert["text"]

    def test_an_old_state_that_the_broker_kept_is_no_cut_record(self, store: Store) -> None:
        messages = record([2, 3, 3])
        store.take([arrived(one) for one in messages])
        store.take([arrived(state_after(messages[1], length=5), retained=True)])
        assert not active_alerts(store, "fork")

    def test_a_state_that_came_before_the_last_round_is_no_cut_record(self, store: Store) -> None:
        """As one that waited for the store while that was away."""
        messages = record([2, 3, 3])
        store.take([arrived(one) for one in messages[:2]])
        store.take([arrived(messages[2], LATER_NS + 2_000_000)])
        store.take([arrived(state_after(messages[1], length=5), LATER_NS + 1_000_000)])
        assert not active_alerts(store, "fork")
        store.take([arrived(state_after(messages[1], length=5), LATER_NS + 3_000_000)])
        assert active_alerts(store, "fork")

    def test_a_kept_state_of_the_same_millisecond_as_the_last_entry_is_no_cut_record(self, store: Store) -> None:
        messages = record([2, 3, 3])
        store.take([arrived(one) for one in messages])
        same = state_after(messages[1], length=5).model_copy(update={"at": messages[2].closed})
        store.take([arrived(same, retained=True)])
        assert not active_alerts(store, "fork")
        store.take([arrived(same)])
        assert active_alerts(store, "fork")

    # -- clocks ----------------------------------------------------------------------------------------------

    def test_a_gap_says_that_a_clock_is_ahead_and_is_not_requested_before_it_can_be_filled(
        self, store: Store
    ) -> None:
        messages = record([2, 3, 4])
        first_ns = NOON_NS + MINUTE_NS
        store.take([arrived(messages[0], first_ns)])
        assert store.take([arrived(messages[1], first_ns - 57 * MINUTE_NS)]).refused == 1
        lack = store.take([arrived(messages[2], first_ns)]).lacks[TABLE]
        assert lack is not None
        assert (lack.patient, lack.wait_ns) == (True, 0)
        (alert,) = active_alerts(store, "gap")
        assert "(refused: the table's clock is 58 minutes ahead" in alert["text"]
        store.take([arrived(messages[1], first_ns)])
        assert not active_alerts(store, "gap")
        with store.engine.connect() as db:
            assert db.execute(select(schema.tables.c.obstacle)).scalar() is None

    def test_what_a_clock_ahead_made_refused_is_waited_for(self, store: Store) -> None:
        messages = record([2, 60])
        at_ns = NOON_NS + MINUTE_NS
        store.take([arrived(messages[0], at_ns), arrived(state_after(messages[0], handed_over=62), at_ns)])
        assert store.take([arrived(messages[1], at_ns - 57 * MINUTE_NS)]).refused == 1
        again = arrived(state_after(messages[0], handed_over=62), at_ns - 5 * MINUTE_NS)
        lack = store.take([again]).lacks[TABLE]
        assert lack is not None
        assert lack.wait_ns == MINUTE_NS
