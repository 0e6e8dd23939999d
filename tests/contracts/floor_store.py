"""The contract of the floor's store on every database.

Beside the subclass, a fixture ``fresh`` of the module or wider gives the URL of a new database at each call.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from floor_messages import (
    HOUR_NS,
    LATER_NS,
    NOON_NS,
    alert_of,
    arrived,
    online,
    record,
    spin,
    state_after,
)
from hypothesis import given, settings

from contracts.floor_store_cases import TABLE, active_alerts, delivered, deliveries, forked, opened, rows
from controller.floor.ingest.validation import Arrived
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import write


class FloorStoreContract:
    """Rounds stored once, gaps, forks, alerts, wheels, refusals."""

    @pytest.fixture
    def url(self, fresh: Callable[[], str]) -> str:
        return fresh()

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        store = opened(url)
        yield store
        store.close()

    # -- rounds ----------------------------------------------------------------------------------------------

    @settings(max_examples=40)
    @given(deliveries())
    def test_each_round_is_stored_once_however_it_arrives(self, fresh: Any, delivery: Any) -> None:
        messages, batches = delivery
        store = delivered(fresh(), batches)
        try:
            assert sorted(row["seq"] for row in rows(store, schema.rounds)) == [one.seq for one in messages]
            (place,) = rows(store, schema.records)
            assert (place["seq"], place["hash"]) == (messages[-1].seq, messages[-1].hash)
            assert not active_alerts(store, "gap")
            assert not rows(store, schema.disputed)
        finally:
            store.close()

    @settings(max_examples=40)
    @given(forked(in_order=False))
    def test_contradicting_rounds_are_disputed_and_the_rest_is_stored(self, fresh: Any, delivery: Any) -> None:
        delivered(fresh(), delivery[1]).close()

    @settings(max_examples=40)
    @given(forked(in_order=True))
    def test_the_branch_that_was_first_seen_is_stored_alone(self, fresh: Any, delivery: Any) -> None:
        branch, batches = delivery
        store = delivered(fresh(), batches)
        try:
            ends = {(one.seq, one.hash) for one in branch}
            assert {(row["seq"], row["hash"]) for row in rows(store, schema.rounds)} <= ends
            assert not {(row["seq"], row["hash"]) for row in rows(store, schema.disputed)} & ends
        finally:
            store.close()

    def test_a_repeat_changes_nothing_and_is_counted(self, store: Store) -> None:
        messages = [arrived(one) for one in record([3, 2])]
        assert store.take(messages).rounds == 2
        before = rows(store, schema.rounds)
        taken = store.take([messages[1], messages[0], messages[1]])
        assert (taken.rounds, taken.repeats, taken.disputed) == (0, 3, 0)
        assert rows(store, schema.rounds) == before

    def test_a_round_is_stored_with_all_its_fields(self, store: Store) -> None:
        said: dict[str, Any] = {"results": ["10"], "voids": ["no-turn"], "dealer": "4711", "wheel": "W-1"}
        said |= {"corrections": 2, "returned": ["void"], "spins": [spin(3)]}
        (message,) = record([6], **said)
        store.take([arrived(message)])
        (row,) = rows(store, schema.rounds)
        for name, value in said.items():
            assert row[name] == ([spin(3).model_dump()] if name == "spins" else value), name
        for name in ("number", "game", "opened", "closed", "phases"):
            assert row[name] == getattr(message, name), name
        assert row["checked"]
        assert row["derived"]
        kept = json.loads(zlib.decompress(row["entries"]))
        assert [entry["hash"] for entry in kept] == [entry.hash for entry in message.entries or ()]
        assert row["received"] == utc_text(LATER_NS)

    def test_both_branches_of_a_fork_are_stored_and_its_alert_names_both_hashes(self, store: Store) -> None:
        ours, theirs = record([2, 2]), record([2, 2], changed_from=1)
        taken = store.take([arrived(one) for one in (*ours, theirs[1], theirs[1])])
        assert (taken.rounds, taken.disputed, taken.repeats) == (2, 1, 1)
        (kept,) = rows(store, schema.disputed)
        assert zlib.decompress(kept["payload"]) == write(theirs[1])
        (alert,) = active_alerts(store, "fork")
        assert ours[1].hash[:12] in alert["text"]
        assert theirs[1].hash[:12] in alert["text"]

    def test_what_follows_a_disputed_round_is_disputed_though_it_lies_beyond_what_is_stored(
        self, store: Store
    ) -> None:
        ours, theirs = record([2, 2, 2]), record([2, 4, 2], changed_from=1)
        store.take([arrived(one) for one in (ours[0], ours[1], theirs[1], theirs[2])])
        assert [row["seq"] for row in rows(store, schema.rounds)] == [2, 4]
        assert not active_alerts(store, "gap")
        assert store.take([arrived(ours[2])]).rounds == 1

    # -- gaps ------------------------------------------------------------------------------------------------

    def test_a_gap_alert_names_the_missing_entries_and_ends_when_they_arrive(self, store: Store) -> None:
        messages = record([2, 3, 4, 1, 1])
        lack = store.take([arrived(one) for one in (messages[0], messages[2], messages[4])]).lacks[TABLE]
        assert lack is not None
        assert (lack.record, lack.after, lack.seen) == (messages[0].record, 2, True)
        (alert,) = active_alerts(store, "gap")
        assert "entries 3 to 5, 10 to 10 of" in alert["text"]
        store.take([arrived(messages[1])])
        assert "entries 10 to 10 of" in active_alerts(store, "gap")[0]["text"]
        assert store.take([arrived(messages[3])]).lacks[TABLE] is None
        assert not active_alerts(store, "gap")

    def test_a_table_first_heard_of_late_has_its_earlier_rounds_requested(self, store: Store) -> None:
        lack = store.take([arrived(record([2, 3, 4])[2])]).lacks[TABLE]
        assert lack is not None
        assert lack.after == 0
        assert "entries 1 to 5 of" in active_alerts(store, "gap")[0]["text"]

    def test_rounds_that_the_table_handed_over_but_never_arrived_are_missing(self, store: Store) -> None:
        messages = record([2, 3])
        assert store.take([arrived(messages[0]), arrived(state_after(messages[0]))]).lacks[TABLE] is None
        lack = store.take([arrived(state_after(messages[1]))]).lacks[TABLE]
        assert lack is not None
        assert (lack.after, lack.seen) == (2, False)
        assert store.lacks() == {TABLE: lack}

    def test_no_resend_is_requested_of_a_replaced_record(self, store: Store) -> None:
        old, new = record([2, 2, 2]), record([2, 2], salt="new", replaces="a damaged journal")
        late = LATER_NS + HOUR_NS
        store.take([arrived(old[0]), arrived(old[2])])
        assert store.take([arrived(new[0], late)]).lacks[TABLE] is None
        # The state says which record is the present one, whichever arrived last.
        assert store.take([arrived(state_after(old[2]), late)]).lacks[TABLE] is not None

    # -- records ---------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["old-first", "new-first"])
    def test_a_new_record_says_what_it_replaces(self, store: Store, order: tuple[int, int]) -> None:
        both = [record([2, 2]), record([2, 2], salt="new", replaces="entry 7 did not fit")]
        for n in order:
            store.take([arrived(one) for one in both[n]])
        (alert,) = active_alerts(store, "record")
        assert "entry 7 did not fit" in alert["text"]
        assert not active_alerts(store, "fork")
        assert len(rows(store, schema.rounds)) == 4

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["one-first", "other-first"])
    def test_a_second_record_that_replaces_nothing_is_a_fork(self, store: Store, order: tuple[int, int]) -> None:
        both = [record([2, 2]), record([2, 2], salt="new")]
        for n in order:
            store.take([arrived(one) for one in both[n]])
        (alert,) = active_alerts(store, "fork")
        assert "does not say what it replaces" in alert["text"]

    def test_a_record_whose_beginning_has_not_arrived_is_no_fork(self, store: Store) -> None:
        old, new = record([2, 2]), record([2, 2], salt="new", replaces="entry 7 did not fit")
        store.take([arrived(new[1]), arrived(old[0]), arrived(old[1]), arrived(new[0])])
        assert not active_alerts(store, "fork")
        assert active_alerts(store, "record")

    # -- tables and their alerts -------------------------------------------------------------------------------

    def test_a_table_goes_online_and_offline(self, store: Store) -> None:
        def table() -> dict[str, Any]:
            return rows(store, schema.tables)[0]

        message = record([2])[0]
        store.take([arrived(message, NOON_NS + HOUR_NS)])
        assert (table()["online"], table()["game"]) == (False, "big-six")
        came, went = NOON_NS + 2 * HOUR_NS, NOON_NS + 3 * HOUR_NS
        store.take([arrived(online(), came), arrived(online(), came + HOUR_NS // 2)])
        assert (table()["online"], table()["changed"]) == (True, utc_text(came))
        store.take([arrived(online(is_online=False), went)])
        assert (table()["online"], table()["running"], table()["software"]) == (False, False, "1.0")
        assert (table()["heard"], table()["changed"]) == (utc_text(went), utc_text(went))

    def test_an_old_state_that_a_broker_kept_does_not_replace_a_newer_one(self, store: Store) -> None:
        messages = record([2, 2])
        store.take([arrived(state_after(messages[1]), LATER_NS)])
        store.take([arrived(state_after(messages[0]), LATER_NS + HOUR_NS, retained=True)])
        (row,) = rows(store, schema.tables)
        assert row["state"]["seq"] == messages[1].seq
        assert row["heard"] == utc_text(LATER_NS)
        # A table whose clock was put back says so itself.
        store.take([arrived(state_after(messages[0]), LATER_NS + HOUR_NS)])
        assert rows(store, schema.tables)[0]["state"]["seq"] == messages[0].seq

    def test_an_alert_is_active_until_its_round_is_closed(self, store: Store) -> None:
        messages = record([2, 2], alerts=["the wheel is stuck"])
        alert = alert_of(messages[1])
        store.take([arrived(alert), arrived(alert), arrived(messages[0])])
        assert [row["text"] for row in active_alerts(store, "table")] == [alert.text]
        store.take([arrived(messages[1])])
        assert sorted(row["ended"] for row in rows(store, schema.alerts)) == [one.closed for one in messages]

    def test_an_alert_that_arrives_after_its_round_is_not_active(self, store: Store) -> None:
        (message,) = record([2], alerts=["the wheel is stuck"])
        other = alert_of(message, part=1)
        store.take([arrived(message), arrived(other)])
        assert [row["ended"] for row in rows(store, schema.alerts)] == [message.closed] * 2

    def test_alerts_of_a_record_that_was_replaced_end(self, store: Store) -> None:
        old, new = record([2]), record([2], salt="new", replaces="a damaged journal")
        store.take([arrived(alert_of(old[0]))])
        store.take([arrived(state_after(new[0])), arrived(new[0])])
        assert not active_alerts(store, "table")

    # -- wheels ----------------------------------------------------------------------------------------------

    def test_the_highest_evidence_is_kept_over_all_spins(self, url: str) -> None:
        up, down = [spin(0)] * 4, [spin(53)] * 3
        for message in record(
            [3, 3, 3], wheel="W-1", spins=[*up, *down]
        ):  # A restart after each: what counts is in the store.
            store = opened(url)
            store.take([arrived(message), arrived(message)])
            store.close()
        store = opened(url)
        (wheel,) = rows(store, schema.wheels)
        assert (wheel["spins"], wheel["evidence"], wheel["highest"]) == (21, 3.0, 6.0)
        assert wheel["labels"][0] == "joker"
        assert wheel["suspicion"] == "section joker is favoured"
        (alert,) = active_alerts(store, "fairness")
        assert "10^4.0 to 1 within 7 spins" in alert["text"]
        counts = {row["position"]: row["count"] for row in rows(store, schema.wheel_counts)}
        assert counts == {0: 12, 53: 9}
        store.close()

    def test_only_stored_rounds_count_for_a_wheel(self, store: Store) -> None:
        ours = record([2, 2], spins=[spin(1)])
        theirs = record([2, 2], spins=[spin(1)], changed_from=1)
        store.take([arrived(one) for one in (*ours, *ours, *theirs)])
        (wheel,) = rows(store, schema.wheels)
        assert (wheel["wheel"], wheel["spins"]) == (TABLE, 2)
        assert wheel["alarmed"] is None

    def test_a_wheel_with_another_number_of_sections_is_another_wheel(self, store: Store) -> None:
        old = record([2], wheel="W" * 80, spins=[spin(5)])
        rules = {"wheel": "double-zero", "result": "keypad"}
        roulette: dict[str, Any] = {"game": "roulette", "rules": rules, "results": ["17", "00"]}
        new = record([2], wheel="W" * 80, replaces="a damaged journal", **roulette)
        store.take([arrived(old[0])])
        store.take([arrived(new[0])])
        assert sorted((row["of"], row["spins"]) for row in rows(store, schema.wheels)) == [(38, 2), (54, 1)]
        (alert,) = active_alerts(store, "fairness")
        assert "is reported with 38 sections" in alert["text"]

    # -- what is none ----------------------------------------------------------------------------------------

    def test_bad_messages_are_counted_and_never_stored(self, store: Store) -> None:
        (good,) = record([2])
        topic = arrived(good).topic
        bad = [
            Arrived(topic, b"\xff\x00 not JSON", LATER_NS),
            Arrived(topic, b"{}", LATER_NS),
            Arrived(topic, b"x" * 300_000, LATER_NS),
            Arrived("tables/\0\ud800/round", write(good), LATER_NS),
            Arrived("tables/other/round", write(good), LATER_NS),
            Arrived(topic, write(good), NOON_NS - HOUR_NS),
            Arrived(topic, write(good.model_copy(update={"hash": "0" * 64})), LATER_NS),
            Arrived(topic, write(good).replace(b'"big-six"', b'"\\u0000"'), LATER_NS),
            Arrived(topic, write(good.model_copy(update={"wheel": "a\0b"})), LATER_NS),
            Arrived(topic, write(good.model_copy(update={"wheel": "W-2"})), LATER_NS),
        ]
        taken = store.take([*bad, arrived(good)])
        assert (taken.refused, taken.rounds) == (len(bad), 1)
        counts = {(row["table"], row["reason"]): row["count"] for row in rows(store, schema.refused_count)}
        assert counts == {
            (TABLE, "not-json"): 1,
            (TABLE, "schema"): 3,
            (TABLE, "huge"): 1,
            (TABLE, "future"): 1,
            (TABLE, "chain"): 1,
            (TABLE, "contradiction"): 1,
            ("other", "table"): 1,
            ("", "topic"): 1,
        }
        kept = rows(store, schema.refused)
        assert len(kept) == len(bad)
        assert max(len(row["detail"]) for row in kept) < 1300

    def test_the_last_thousand_refusals_are_kept_and_all_are_counted(self, store: Store) -> None:
        for n in range(3):
            store.take([Arrived("elsewhere", b"%d" % (n * 700 + i), LATER_NS) for i in range(700)])
        kept = rows(store, schema.refused)
        assert len(kept) == 1000
        assert max(kept, key=lambda row: int(row["id"]))["detail"].endswith(": 2099")
        (count,) = rows(store, schema.refused_count)
        assert count["count"] == 2100

    def test_invented_table_names_do_not_fill_the_store(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("controller.floor.ingest.refusals.MOST_NAMED", 10)
        for n in range(4):
            store.take([Arrived(f"tables/t{n}-{i}/round", b"", LATER_NS) for i in range(8)])
        counts = {row["table"]: row["count"] for row in rows(store, schema.refused_count)}
        assert len(counts) == 11
        assert counts[""] == 22

    def test_a_message_that_the_database_cannot_store_does_not_stop_others(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A message that validation accepts by mistake is refused by the store, alone."""
        monkeypatch.setattr("controller.floor.ingest.validation._unacceptable", lambda message, payload: "")
        monkeypatch.setattr("controller.floor.ingest.validation.difference", lambda message, entries: "")
        messages = record([1, 1, 1])
        unstorable = messages[1].model_copy(update={"corrections": 1 << 70, "phases": {"bets-open": 1 << 80}})
        taken = store.take([arrived(messages[0]), arrived(unstorable), arrived(messages[2])])
        assert (taken.rounds, taken.refused) == (2, 1)
        assert [row["reason"] for row in rows(store, schema.refused)] == ["schema"]
        assert active_alerts(store, "gap")

    def test_a_batch_that_fails_is_rolled_back_and_can_be_stored_again(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The store breaks in the middle of a batch; the wheel's spins are not counted twice afterwards."""
        from sqlalchemy.exc import OperationalError

        from controller.floor.ingest import refusals
        from controller.floor.store.store import StoreAwayError

        def broken(*_: object) -> None:
            raise OperationalError("INSERT", {}, Exception("disk full"))

        batch = [arrived(one) for one in record([3, 2], spins=[spin(0), spin(7)])]
        with monkeypatch.context() as patch:
            patch.setattr(refusals, "keep", broken)
            with pytest.raises(StoreAwayError, match="disk full"):
                store.take(batch)
        assert not rows(store, schema.rounds)
        assert store.take(batch).rounds == 2
        (wheel,) = rows(store, schema.wheels)
        assert (wheel["spins"], wheel["evidence"]) == (4, 2.0)
