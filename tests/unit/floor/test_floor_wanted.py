"""When the floor asks a table for what it lacks: at once, then more and more rarely, and never for the past."""

from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.store.gaps import MissingRange
from controller.messages.models import ResendRequest

S = 1_000_000_000
A, B = "a" * 64, "b" * 64


def lack(
    after: int = 5, record: str = A, seen: bool = True, online: bool = True, forked: bool = False
) -> MissingRange:
    return MissingRange(record, after, seen, online, forked)


def asked_at(requests: ResendRequests, until_s: int, begin_s: int = 0) -> list[int]:
    """The seconds at which a question is asked of the one table."""
    return [second for second in range(begin_s, until_s) if requests.due(second * S)]


def test_a_gap_is_asked_for_at_once_and_then_more_and_more_rarely() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(5)}, 0)
    assert requests.due(0) == [("t-1", ResendRequest(record=A, after=5))]
    assert asked_at(requests, 600, 1) == [10, 30, 70, 150, 270, 390, 510]


def test_what_was_handed_over_may_be_under_way_for_five_seconds() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(seen=False)}, 0)
    assert asked_at(requests, 20) == [5, 15]
    requests = ResendRequests()
    requests.note({"t-1": lack(seen=False)}, 0)
    requests.note({"t-1": None}, 4 * S)
    assert asked_at(requests, 200) == []


def test_a_gap_that_shows_while_something_is_under_way_is_asked_for_at_once() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(seen=False)}, 0)
    requests.note({"t-1": lack(seen=True)}, 2 * S)
    assert asked_at(requests, 10) == [0 + 2]


def test_while_rounds_come_nothing_is_asked_again() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(0)}, 0)
    assert asked_at(requests, 1) == [0]
    for second in range(1, 60):
        requests.note({"t-1": lack(second)}, second * S)
        assert not requests.due(second * S)
    assert requests.due(69 * S) == [("t-1", ResendRequest(record=A, after=59))]
    requests.note({"t-1": None}, 70 * S)
    assert asked_at(requests, 1000, 70) == []


def test_another_record_is_another_question() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(5)}, 0)
    requests.due(0)
    requests.note({"t-1": lack(0, record=B)}, S)
    assert requests.due(S) == [("t-1", ResendRequest(record=B, after=0))]


def test_a_table_or_a_broker_that_comes_back_is_asked_at_once() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(online=False), "t-2": lack(online=False)}, 0)
    assert len(requests.due(0)) == 2
    requests.note({"t-1": lack(online=True)}, 3 * S)
    assert [table for table, _ in requests.due(3 * S)] == ["t-1"]
    requests.connected(4 * S)
    assert [table for table, _ in requests.due(4 * S)] == ["t-1", "t-2"]


def test_a_record_that_contradicts_itself_is_asked_for_once_an_hour_in_the_end() -> None:
    requests = ResendRequests()
    requests.note({"t-1": lack(forked=True)}, 0)
    times = asked_at(requests, 20_000)
    assert times[:4] == [0, 10, 30, 70]
    assert times[-1] - times[-2] == 3600
