"""What counts as a change of a contact depends on its edges alone, not on when anyone asks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hal.gpiozero.contacts import ContactChange, Debouncer

BOUNCE = 10
NAMES = ("a", "b", "c")

edges = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 2 * BOUNCE)), max_size=40)
"""Which contact moves, and how long after the edge before it."""


def stamped(moves: list[tuple[str, int]]) -> list[tuple[str, bool, int]]:
    """Each contact closes and opens in turn."""
    closed, at, found = dict.fromkeys(NAMES, False), 0, []
    for name, pause in moves:
        at += pause
        closed[name] = not closed[name]
        found.append((name, closed[name], at))
    return found


def stayed(moves: list[tuple[str, bool, int]]) -> list[ContactChange]:
    """Every edge that was the last of its contact for so long, if the contact was not so before."""
    found: list[ContactChange] = []
    for name in NAMES:
        own = [(closed, at) for mover, closed, at in moves if mover == name]
        was = False
        for (closed, at), (_, after) in pairwise([*own, (False, 10**9)]):
            if after - at >= BOUNCE and closed != was:
                found.append(ContactChange(name, closed, at))
                was = closed
    return sorted(found, key=lambda change: (change.at_ns, change.name))


@given(edges, st.data())
def test_a_contact_changes_after_a_stable_time_however_often_it_is_polled(
    moves: list[tuple[str, int]], data: st.DataObject
) -> None:
    contacts = Debouncer(dict.fromkeys(NAMES, False), BOUNCE)
    found: list[ContactChange] = []
    for name, closed, at in stamped(moves):
        if data.draw(st.booleans()):  # The timer was in time.
            found += contacts.settle(at)
        found += contacts.edge(name, closed, at)
    found += contacts.settle(10**9)
    assert found == stayed(stamped(moves))
    assert contacts.due_ns is None


@given(edges)
def test_a_change_is_reported_when_due_and_not_before(moves: list[tuple[str, int]]) -> None:
    contacts = Debouncer(dict.fromkeys(NAMES, False), BOUNCE)
    for name, closed, at in stamped(moves):
        contacts.edge(name, closed, at)
    while (due := contacts.due_ns) is not None:
        assert contacts.settle(due - 1) == []
        assert contacts.settle(due) != []
