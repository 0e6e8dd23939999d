"""The contract of the floor's store: what of a table's messages counts, and what does not.

Beside the subclass, a fixture ``fresh`` of the module or wider gives the URL of a new database at each call.
"""

from collections.abc import Callable, Iterator

import pytest
from floor_messages import alert_of, arrived, parts_of, record, spin
from sqlalchemy import update

from contracts.floor_store_cases import TABLE, active_alerts, opened, rows
from controller.floor.store import schema
from controller.floor.store.store import Store

STUCK = "the wheel is stuck"


class FloorProofContract:
    """False, stripped, cut and doubled rounds; wheels at two tables."""

    @pytest.fixture
    def store(self, fresh: Callable[[], str]) -> Iterator[Store]:
        store = opened(fresh())
        yield store
        store.close()

    # -- false rounds ----------------------------------------------------------------------------------------

    def test_a_false_round_is_refused_with_an_alert_and_the_true_one_is_stored_after_it(self, store: Store) -> None:
        messages = record([2, 2], results=["10"], wheel="W-1")
        false = messages[1].model_copy(update={"results": ["40"], "dealer": "13"})
        taken = store.take([arrived(one) for one in (messages[0], false, false)])
        assert (taken.rounds, taken.refused) == (1, 2)
        (alert,) = active_alerts(store, "false")
        assert "dealer is said to be '13', and is '' by its entries" in alert["text"]
        assert store.take([arrived(messages[1])]).rounds == 1
        assert [row["results"] for row in rows(store, schema.rounds)] == [["10"], ["10"]]
        assert active_alerts(store, "false"), "it does not end by itself"

    def test_a_repeat_that_says_otherwise_is_refused_with_an_alert(self, store: Store) -> None:
        (message,) = record([2], results=["10"])
        false = message.model_copy(update={"results": ["40"], "entries": None})
        taken = store.take([arrived(message), arrived(message), arrived(false)])
        assert (taken.rounds, taken.repeats, taken.refused) == (1, 1, 1)
        assert "results is said to be ['40'], and is ['10']" in active_alerts(store, "false")[0]["text"]
        assert [row["results"] for row in rows(store, schema.rounds)] == [["10"]]

    def test_a_false_round_that_an_earlier_version_stored_is_put_right_by_the_true_one(self, store: Store) -> None:
        (message,) = record([2], results=["10"])
        store.take([arrived(message)])
        with store.engine.begin() as db:
            db.execute(update(schema.rounds).values(results=["40"], wheel="W-1", derived=False, entries=None))
        assert store.take([arrived(message), arrived(message)]).repeats == 2
        (row,) = rows(store, schema.rounds)
        assert (row["results"], row["wheel"], row["derived"]) == (["10"], "W-1", True)
        assert "another results than its entries say" in active_alerts(store, "false")[0]["text"]

    def test_sums_of_hours_follow_a_round_that_is_put_right(self, store: Store) -> None:
        """They had what an earlier version believed of it."""
        messages = record([2, 3], results=["10"], corrections=1)
        store.take([arrived(one) for one in messages])
        (true,) = rows(store, schema.hour_sums)
        with store.engine.begin() as db:
            false = {"voids": ["sensor", "sensor"], "corrections": 3}
            one = schema.rounds.c.number == messages[1].number
            db.execute(update(schema.rounds).where(one).values(**false, derived=False))
            summed = {"voids": {"sensor": 2}, "corrections": true["corrections"] + 2, "spins": true["spins"] + 2}
            db.execute(update(schema.hour_sums).values(**summed))
        store._messages.forget()
        store.take([arrived(messages[1])])
        (put_right,) = rows(store, schema.hour_sums)
        assert {**put_right, "voids": {}} == {**true, "voids": {}}
        assert not any(put_right["voids"].values())

    def test_a_made_up_alert_is_named_when_its_round_comes(self, store: Store) -> None:
        messages = record([2, 2], alerts=[STUCK])
        made_up = [alert_of(messages[0], text="all is well"), alert_of(messages[1], part=3)]
        store.take([arrived(one) for one in (*made_up, messages[0])])
        assert "said to be 'all is well', and is 'the wheel is stuck'" in active_alerts(store, "false")[0]["text"]
        store.take([arrived(messages[1])])
        texts = [row["text"] for row in rows(store, schema.alerts, schema.alerts.c.kind == "table")]
        assert sorted(texts) == [STUCK] * 3
        assert not active_alerts(store, "table")

    # -- rounds that cannot be derived -------------------------------------------------------------------------

    def test_a_round_without_its_entries_counts_for_nothing_until_they_come(self, store: Store) -> None:
        messages = record([3, 3], spins=[spin(3)], wheel="W-1")
        stripped = messages[1].model_copy(update={"entries": None})
        taken = store.take([arrived(one) for one in (messages[0], stripped, stripped)])
        assert (taken.rounds, taken.unproven, taken.repeats) == (1, 1, 1)
        lack = taken.lacks[TABLE]
        assert lack is not None
        assert (lack.after, lack.seen, lack.patient) == (3, True, True)
        assert [row["number"] for row in rows(store, schema.rounds)] == [0]
        assert [row["spins"] for row in rows(store, schema.wheels)] == [1]
        (alert,) = active_alerts(store, "unproven")
        assert "it came without its entries" in alert["text"]
        assert store.take([arrived(messages[1])]).rounds == 1
        assert not active_alerts(store, "unproven")
        assert not rows(store, schema.unproven)

    def test_a_round_that_an_earlier_publisher_sends_is_unproven_and_no_contradiction(self, store: Store) -> None:
        messages = record([2, 2, 2])
        earlier = [one.model_copy(update={"opening": None, "before": None}) for one in messages]
        taken = store.take([arrived(one) for one in earlier])
        assert (taken.rounds, taken.unproven) == (1, 2)
        assert "a version before 0.2.0; update it" in active_alerts(store, "unproven")[0]["text"]
        assert store.take([arrived(one) for one in messages]).rounds == 2

    def test_unproven_rounds_do_not_fill_the_store(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("controller.floor.store.unproven.MOST_KEPT", 5)
        stripped = [one.model_copy(update={"entries": None}) for one in record([1] * 12)]
        store.take([arrived(one) for one in stripped])
        assert [row["number"] for row in rows(store, schema.unproven)] == [7, 8, 9, 10, 11]

    # -- rounds in parts -------------------------------------------------------------------------------------

    def test_a_round_in_parts_is_stored_whole_once_all_are_there(self, store: Store) -> None:
        messages = record([3, 9], results=["10"])
        parts, rest = parts_of(messages[1], [3, 2, 1])
        store.take([arrived(one) for one in (messages[0], parts[0], parts[2], rest)])
        assert len(rows(store, schema.rounds)) == 1
        assert "its first entries have not arrived" in active_alerts(store, "unproven")[0]["text"]
        assert store.take([arrived(parts[1]), arrived(rest), arrived(rest)]).rounds == 1
        (row,) = rows(store, schema.rounds, schema.rounds.c.number == 1)
        assert (row["results"], row["seq"], row["derived"]) == (["10"], 12, True)
        assert not rows(store, schema.parts)
        assert not active_alerts(store, "unproven")

    def test_parts_of_another_branch_do_not_displace_those_of_a_round(self, store: Store) -> None:
        ours, theirs = (record([3, 9], changed_from=change) for change in (None, 1))
        parts, rest = parts_of(ours[1], [3, 3])
        false, _ = parts_of(theirs[1], [3, 3])
        taken = store.take([arrived(one) for one in (ours[0], *false, *parts, *false, rest)])
        assert (taken.rounds, taken.refused) == (2, 0)

    def test_a_round_in_parts_that_says_other_than_its_entries_is_refused(self, store: Store) -> None:
        messages = record([3, 9], results=["10"])
        parts, rest = parts_of(messages[1], [4, 4])
        false = rest.model_copy(update={"corrections": 4})
        taken = store.take([arrived(one) for one in (messages[0], *parts, false)])
        assert (taken.rounds, taken.refused) == (1, 1)
        assert "corrections is said to be 4, and is 0" in active_alerts(store, "false")[0]["text"]
        assert store.take([arrived(rest)]).rounds == 1

    def test_parts_do_not_fill_the_store(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("controller.floor.store.parts.MOST_PARTS", 4)
        parts, _ = parts_of(record([1, 12])[1], [1] * 10)
        store.take([arrived(part) for part in parts])
        assert [row["seq"] for row in rows(store, schema.parts)] == [8, 9, 10, 11]

    # -- a wheel at two tables -------------------------------------------------------------------------------

    def test_spins_under_the_serial_number_of_another_tables_wheel_do_not_reach_it(self, store: Store) -> None:
        ours = record([2, 2], wheel="W-1", spins=[spin(1)])
        theirs = record([2, 2, 2], "big-six-2", "other", wheel="W-1", spins=[spin(9)])
        store.take([arrived(one) for one in (ours[0], *theirs, ours[1])])
        spins = {row["wheel"]: row["spins"] for row in rows(store, schema.wheels)}
        assert spins == {"W-1": 2, "W-1 at big-six-2": 3}
        assert {row["wheel"] for row in rows(store, schema.rounds, schema.rounds.c.table == "big-six-2")} == {
            "W-1 at big-six-2"
        }
        (alert,) = active_alerts(store, "wheel")
        assert alert["table"] == "big-six-2"
        assert "big-six-2 names the wheel W-1, which is at table big-six-1" in alert["text"]

    def test_a_wheel_goes_to_another_table_once_the_first_says_that_it_has_another(self, store: Store) -> None:
        old = record([2], wheel="W-1", spins=[spin(1)])
        new = record([2], salt="new", wheel="W-2", replaces="a new start", spins=[spin(2)], begins=60)
        theirs = record([2, 2], "big-six-2", "other", wheel="W-1", spins=[spin(9)], begins=90)
        store.take([arrived(one) for one in (*old, *new, *theirs)])
        assert not active_alerts(store, "wheel")
        assert {row["wheel"]: row["spins"] for row in rows(store, schema.wheels)} == {"W-1": 3, "W-2": 1}

    def test_a_wheel_of_a_store_that_knows_no_places_is_where_its_last_round_was(self, store: Store) -> None:
        store.take([arrived(one) for one in record([2], wheel="W-1", spins=[spin(1)])])
        with store.engine.begin() as db:
            db.execute(schema.wheel_places.delete())
        store.take([arrived(one) for one in record([2], "big-six-2", "other", wheel="W-1", spins=[spin(9)])])
        assert len(active_alerts(store, "wheel")) == 1
