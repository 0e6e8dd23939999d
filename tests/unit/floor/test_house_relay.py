"""A house's floor relays to its group's: whatever fails on the way, in the end the group has each round, once."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from contracts.floor_store_cases import active_alerts, rows
from floor_messages import HOUR_NS, parts_of, record, spin, state_after
from hypothesis import given, settings
from hypothesis import strategies as st
from relayed_houses import Line, rounds_of

from config.floor import RetentionSection
from controller.floor.store import schema
from controller.journal.chain import utc_text
from controller.messages import held_entries

TABLES = ("big-six-1", "big-six-2")
DAY_NS = 24 * HOUR_NS


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    made = Line(tmp_path)
    yield made
    made.close()


RELAYS = [(0.0, 0.0, False), (0.3, 0.3, False), (1.0, 0.0, False), (0.0, 0.0, True)]
"""What is lost and repeated, and whether the house's process is killed."""
ACTS = st.one_of(
    st.tuples(st.just("happens"), st.integers(0, 11)),
    st.tuples(
        st.just("relay"),
        st.sampled_from(RELAYS),
    ),
    st.tuples(st.just("arrive"), st.booleans()),
    st.tuples(st.sampled_from(["restart", "restart_group"]), st.just(None)),
)


@settings(max_examples=15, deadline=None)
@given(st.lists(ACTS, max_size=40), st.integers(0, 1 << 16))
@pytest.mark.campaign
def test_in_any_order_with_any_loss_and_any_restart_the_group_has_each_round_once(
    acts: list[tuple[str, Any]], seed: int
) -> None:
    messages = [one for table in TABLES for one in record([2, 3, 1, 2, 2, 4], table, salt=table, dealer="1041")]
    with TemporaryDirectory() as folder:
        line = Line(Path(folder), seed=seed)
        for act, given_ in acts:
            if act == "happens":
                line.happens([messages[given_]])  # In any order: the house's own floor may have gaps meanwhile.
            elif act == "relay":
                line.relay(*given_)
            elif act == "arrive":
                line.arrive(given_)
            else:
                getattr(line, act)()
        line.happens(messages)
        line.happens([state_after(messages[5]), state_after(messages[11])])
        line.finish()
        assert len(rounds_of(line.group)) == len(messages)
        assert not rows(line.group, schema.disputed)
        assert not rows(line.group, schema.refused)
        line.close()


def test_a_round_is_the_same_at_the_group_to_the_byte_of_its_entries(line: Line) -> None:
    said: dict[str, Any] = {"wheel": "B6-1", "voids": ["slow"], "results": ["10"], "spins": [spin(4)]}
    line.happens(record([4, 4, 4], alerts=["the lamp # is broken"], corrections=1, dealer="1041", **said))
    line.finish()
    assert rounds_of(line.group, "north") == rounds_of(line.house)
    assert {row["wheel"] for row in rows(line.group, schema.rounds)} == {"B6-1"}
    assert [row["text"] for row in rows(line.group, schema.alerts)] == [
        row["text"] for row in rows(line.house, schema.alerts)
    ]
    assert rows(line.group, schema.wheel_counts) == rows(line.house, schema.wheel_counts)


def test_a_round_that_is_too_long_for_a_message_comes_in_parts(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = record([1, 6, 1])
    parts, rest = parts_of(messages[1], [2, 3])
    line.happens([messages[0], *parts, rest, messages[2]])
    entries = messages[1].entries or []
    monkeypatch.setattr(held_entries, "MOST_BYTES", 2 * max(len(one.body) * 2 for one in entries) + 600)
    line.finish()
    assert rounds_of(line.group, "north") == rounds_of(line.house)
    assert line.sent > 3, "nothing came in parts"
    assert not rows(line.group, schema.parts), "parts of a stored round are kept"


# -- retention ---------------------------------------------------------------------------------------------------


def _deletes(line: Line, days: float) -> None:
    for _ in range(6):
        line.house.upkeep({}, line.now_ns + int(days * DAY_NS))


def _house(folder: Path) -> Line:
    return Line(folder, retention=RetentionSection(rounds_days=10), holds_days=5)


def test_rounds_that_the_group_lacks_are_kept_longer_with_an_alert_that_ends(tmp_path: Path) -> None:
    line = _house(tmp_path)
    line.happens(record([1] * 6))
    line.source.keep([line.source.due(1)[0]], utc_text(line.now_ns))
    _deletes(line, 12)
    assert [row["seq"] for row in rows(line.house, schema.rounds)] == [2, 3, 4, 5, 6]
    (held,) = active_alerts(line.house, "group")
    assert held["text"].startswith("rounds from entry 2 on are older than retention")
    while due := line.source.due(1):
        line.source.keep(due, utc_text(line.now_ns))
    _deletes(line, 12.1)
    assert [row["seq"] for row in rows(line.house, schema.rounds)] == [6]
    assert not active_alerts(line.house, "group")
    line.close()
