"""What waits to be stored is bounded by table and in all: one table that floods keeps no other one back."""

import pytest

from controller.floor import ingest
from controller.floor.ingest import MOST_OF_TABLE, Inbox
from controller.floor.store import Arrived
from controller.floor.wire import Batch, WireError, read


def arrived(table: str, number: int) -> Arrived:
    return Arrived(f"tables/{table}/entries", b"%d" % number)


def test_a_flooding_table_is_dropped_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox, most = Inbox(), MOST_OF_TABLE
    for _ in range(2):
        for number in range(most + 3):
            inbox.add(arrived("bad", number))
        inbox.add(arrived("t-1", 0))
        assert len(inbox) == most + 1
        expected = [*(arrived("bad", number) for number in range(most)), arrived("t-1", 0)]
        assert inbox.take() == (expected, {"bad": 3})
        assert (inbox.take(), inbox.arrived.is_set()) == (([], {}), False)
    monkeypatch.setattr(ingest, "MOST_BYTES", 2)
    for number in range(4):
        inbox.add(arrived(f"t-{number}", number))
    assert inbox.take() == ([arrived("t-0", 0), arrived("t-1", 1)], {"t-2": 1, "t-3": 1})


def test_a_transaction_is_bounded_and_the_rest_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "_AT_ONCE", 2)
    inbox = Inbox()
    for number in range(3):
        inbox.add(arrived(f"t-{number}", number))
    assert ([len(inbox.take()[0]), inbox.arrived.is_set()], len(inbox.take()[0])) == ([2, True], 1)


@pytest.mark.parametrize(
    "utc", ["2026-02-30T00:00:00.000Z", "2026-11-29T24:00:00.000Z", "9999-12-31T23:00:00.000Z"]
)
def test_a_time_that_no_page_could_show_is_refused(utc: str) -> None:
    row = f'[0, 0, "{utc}", "press", "{{}}", null, "{"0" * 64}"]'
    message = f'{{"record": "{"0" * 64}", "first": 1, "entries": [{row}]}}'
    with pytest.raises(WireError, match=r"entries\.0\.2"):
        read(Batch, message.encode())
    for right in ("2026-11-29T12:00:00.000Z", "1970-01-01T00:00:00.000Z"):  # Also of a clock that was never set.
        assert read(Batch, message.replace(utc, right).encode())
