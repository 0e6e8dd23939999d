"""When the floor requests missing rounds: at once, then at growing intervals, never of a replaced record."""

from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.store.gaps import MissingRange
from controller.messages.models import ResendRequest

S = 1_000_000_000
A, B = "a" * 64, "b" * 64


def lack(
    after: int = 5, record: str = A, seen: bool = True, online: bool = True, forked: bool = False
) -> MissingRange:
    return MissingRange(record, after, seen, online, forked)


def requested_at(requests: ResendRequests, until_s: int, begin_s: int = 0) -> list[int]:
    """The seconds at which a request is sent to the table."""
    return [second for second in range(begin_s, until_s) if requests.due(second * S)]


def test_a_gap_is_requested_at_once_and_then_at_growing_intervals() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(5)}, 0)
    assert requests.due(0) == [("t-1", ResendRequest(record=A, after=5))]
    assert requested_at(requests, 600, 1) == [10, 30, 70, 150, 270, 390, 510]


def test_a_handed_over_round_has_five_seconds_to_arrive() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(seen=False)}, 0)
    assert requested_at(requests, 20) == [5, 15]
    requests = ResendRequests()
    requests.note({"t-1": lack(seen=False)}, 0)
    requests.note({"t-1": None}, 4 * S)
    assert requested_at(requests, 200) == []


def test_no_request_is_repeated_while_rounds_arrive() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(0)}, 0)
    assert requested_at(requests, 1) == [0]
    for second in range(1, 60):
        requests.note({"t-1": lack(second)}, second * S)
        assert not requests.due(second * S)
    assert requests.due(69 * S) == [("t-1", ResendRequest(record=A, after=59))]
    requests.note({"t-1": None}, 70 * S)
    assert requested_at(requests, 1000, 70) == []


def test_a_forked_record_is_requested_at_most_once_an_hour() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(forked=True)}, 0)
    times = requested_at(requests, 20_000)
    assert times[:4] == [0, 10, 30, 70]
    assert times[-1] - times[-2] == 3600


def test_what_was_refused_for_a_clock_ahead_is_requested_once_it_can_be_taken() -> None:
    requests = ResendRequests()
    waits = lack(5)._replace(patient=True, wait_ns=3000 * S)
    requests.note({"t-1": waits}, 0)
    requests.connected(10 * S)
    assert requested_at(requests, 3100)[0] == 3000
    requests.note({"t-1": waits._replace(wait_ns=20_000 * S)}, 3100 * S)
    assert requested_at(requests, 6800, 3100)[0] == 6700, "an hour is the longest: the clock may be corrected"


def test_what_is_missing_for_a_minute_is_overdue_once() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(5, seen=False), "t-2": lack(5)}, 0)
    requests.note({"t-2": None}, 30 * S)
    assert [requests.overdue(second * S) for second in (59, 60, 61)] == [[], ["t-1"], []]
