"""What must hold in every place of every game, whoever presses what. Each breach is a finding."""

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import NamedTuple

from people.explored import ANOTHER, FLOOR, Edge, Exploration

from controller.events.effect import Alert, Effect, Result, ResultWithdrawn, RoundOpened, Void, WagersReturned
from controller.events.event import Act
from controller.events.record import Outcome
from controller.machine.offers import Authority

WITHIN = 6
"""Presses, without credential number and PIN: a void with its reason takes four, and closing the table three."""
SETTLING = frozenset({"press clear", "press done", "floor unlock"})
"""Presses on the way out beside those of the menu: the round is settled, and a lock is opened first."""
VOID = "floor: void"
"""A void that the floorperson called and may take back, among what was keyed."""


class Finding(NamedTuple):
    """A breach of a rule."""

    where: str
    what: str
    place: Hashable


def exits(found: Exploration) -> Iterator[Finding]:
    """The floorperson leaves each state within so many presses, and comes to where a round can be opened."""
    out, states = _on_the_way_out(found), {place: found.state(place) for place in found.nodes}
    for place, edges in found.edges.items():
        state, repaired = states[place], not found.nodes[place].table.shut
        if place not in out:
            yield Finding(state, "no exit", place)
        elif repaired and not any(states[one] != state or ended for one, ended in _near(found, place)):
            yield Finding(state, f"cannot be left within {WITHIN} presses", place)
        taken = {edge.name for edge in edges if not edge.refused}
        for edge in edges:
            if edge.by_floor and edge.name not in taken:
                yield Finding(f"{state}: {edge.name}", "is in the menu, and refused", place)


def _near(found: Exploration, start: Hashable) -> Iterator[tuple[Hashable, bool]]:
    """The places to which the floorperson alone comes, by the menu and ``clear``, and whether the throw is void."""
    near, queue = {start: 0}, [start]
    for place in queue:
        for edge in found.edges.get(place, ()):
            presses = near[place] + edge.presses
            own = (edge.by_floor or edge.name == "press clear") and not edge.refused
            if own and presses <= WITHIN and presses < near.get(edge.to, WITHIN + 1):
                near[edge.to] = presses
                queue.append(edge.to)
                yield edge.to, edge.has(Void)


def _on_the_way_out(found: Exploration) -> set[Hashable]:
    """The places from which there is a way to where a round can be opened, or to a place that was not explored."""
    before: dict[Hashable, list[Hashable]] = {}
    for place, edges in found.edges.items():
        for edge in edges:
            # The dealer's void, which the law gives a reason for.
            calls = edge.by_dealer and isinstance(edge.event, Act) and edge.event.act in ("void", "no-roll")
            if edge.by_floor or edge.name in SETTLING | found.table.hands or _comes(edge) or calls:
                before.setdefault(edge.to, []).append(place)
    queue = [place for place in found.nodes if place not in found.edges or _is_out(found, place)]
    out = set(queue)
    for place in queue:
        queue += (earlier := set(before.get(place, ())) - out)
        out |= earlier
    return out


def _comes(edge: Edge) -> bool:
    """By itself, or by a technician's repair."""
    return (edge.name.startswith("timer ") and "retire-" not in edge.name) or edge.name == "door closed"


def _is_out(found: Exploration, place: Hashable) -> bool:
    """Wagers are open, or the table can be opened."""
    node, state = found.nodes[place], found.state(place)
    if state != node.state.value:
        return False
    opens = any(one.act in ("open", "inspect") and not one.unavailable for one in found.machine.offers())
    return opens or state in found.table.exits or found.table.new_wagers(state, node.data)


def corrections(found: Exploration) -> Iterator[Finding]:
    """What was keyed can be taken back on record, by whom the game says: the floorperson once it gave a result."""
    for place in found.edges:
        for what in found.nodes[place].keyed:
            if not _taken_back(found, place, what):
                yield Finding(found.state(place), f"{what} cannot be taken back", place)


def _taken_back(found: Exploration, start: Hashable, what: str) -> bool:
    """Whether there is a way to a place where it is not keyed, in the same round and on record."""
    by_floor = what.startswith("floor: ")
    unlit = not by_floor or found.nodes[start].result is not Result
    queue, seen = deque([(start, 0, unlit, not by_floor)]), {start}
    while queue:
        place, far, recorded, dealer = queue.popleft()
        for edge in found.edges.get(place, ()):
            repairs = edge.name.startswith(("floor unlock", "floor renew")) or _comes(edge)
            now = far + (0 if repairs else edge.presses)
            reversal = edge.name.startswith(("floor reverse", "floor correct"))
            ends = edge.has(Void, WagersReturned) or (edge.has(RoundOpened) and not reversal)
            allowed = repairs or (edge.by_floor and by_floor) or (edge.by_dealer and dealer)
            if edge.refused or now > WITHIN or ends or not allowed:
                continue
            withdrawn = recorded or edge.has(ResultWithdrawn)
            if (reversal or what != VOID) and withdrawn and what not in found.nodes[edge.to].keyed:
                return True
            if edge.to not in seen:
                seen.add(edge.to)
                queue.append((edge.to, now, withdrawn, dealer or (edge.by_floor and not repairs)))
    return not found.edges.keys() >= seen


def ways_back(found: Exploration) -> Iterator[Finding]:
    """No key of the dealer's takes away a void that the floorperson could take back, until the next throw."""
    for place, edges in found.edges.items():
        state = found.state(place) if VOID in found.nodes[place].keyed else ""
        for edge in edges if state else ():
            stays = not edge.refused and edge.name != "press no-more-bets" and found.state(edge.to) == state
            if stays and edge.by_dealer and VOID not in found.nodes[edge.to].keyed:
                yield Finding(f"{state}: {edge.name}", "takes a way back", place)


def authority(found: Exploration) -> Iterator[Finding]:
    """No dealer alone undoes a result or does the floorperson's act; nobody contradicts a sensor."""
    for place, edges in found.edges.items():
        node, state = found.at(place), found.state(place)
        offers = found.machine.offers()
        floors = {(one.act, one.argument) for one in offers if one.authority is Authority.FLOORPERSON}
        for edge in edges:
            if not edge.by_dealer or edge.refused:
                continue
            if isinstance(edge.event, Act) and (edge.event.act, edge.event.argument) in floors:
                yield Finding(f"{state}: {edge.name}", "needs the floorperson", place)
            kept = found.nodes[edge.to].result or edge.has(RoundOpened)
            if node.result and (not kept or any(map(_undoes, edge.effects))):
                yield Finding(f"{state}: {edge.name}", "undoes a result", place)
        for reason in found.table.contradicted(node.state.value, node.data):
            for act in (Act(0, "void", reason, by=FLOOR), Act(0, "void", reason, floor=False)):
                if not found.take(node, act).refused:
                    yield Finding(f"{state}: void {reason}", "a sensor contradicts it", place)


def _undoes(effect: Effect) -> bool:
    """All wagers go back, or a result is taken back."""
    return isinstance(effect, ResultWithdrawn) or (isinstance(effect, WagersReturned) and not effect.areas)


def inventions(found: Exploration) -> Iterator[Finding]:
    """An act is void for its own reason; who acted is on record, and nobody but those of acts before."""
    for place, edges in found.edges.items():
        node = found.at(place)
        known = {one for one in (FLOOR, ANOTHER) if one in repr(node.data)}
        for edge in edges:
            where, act = f"{found.state(place)}: {edge.name}", edge.event
            by, reason = (act.by, act.argument) if isinstance(act, Act) else ("", "")
            called = edge.name.split()[1:2] in (["void"], ["no-roll"])
            if reason and called and any(isinstance(one, Void) and one.reason != reason for one in edge.effects):
                yield Finding(where, "is void for another reason", place)
            if edge.by_floor and edge.has(Alert, Void) and by not in _names(edge):
                yield Finding(where, "does not name who acted", place)
            if _names(edge) - known - {by}:
                yield Finding(where, "names a person who did not act", place)
            if by == FLOOR and _names(found.take(node, replace(edge.event, by=ANOTHER))) - known - {ANOTHER}:
                yield Finding(where, "names another person", place)


def _names(edge: Edge) -> set[str]:
    return {one for one in (FLOOR, ANOTHER) if one in repr(edge.effects)}


def ages(found: Exploration) -> Iterator[Finding]:
    """No wager for a new round is accepted on dice or cards that have reached their age."""
    for place, edges in found.edges.items():
        node = found.at(place)
        old = {one.name for one in found.machine.rounds.in_use} & {*node.table.retired}
        if old and found.table.new_wagers(node.state.value, node.data):
            if found.state(place) == node.state.value:
                yield Finding(node.state.value, "wagers are open on old equipment", place)
            if any(one.name == "press no-more-bets" and one.outcome is Outcome.ACCEPTED for one in edges):
                yield Finding(node.state.value, "a round begins on old equipment", place)


RULES = (exits, corrections, ways_back, authority, inventions, ages)


def report(found: Exploration) -> str:
    """All findings, each once with the nearest place; empty if there is none."""
    places: dict[tuple[str, str, str], list[Hashable]] = {}
    for rule in RULES:
        for one in rule(found):
            places.setdefault((rule.__name__, one.where, one.what), []).append(one.place)
    return "\n".join(
        f"{': '.join(what)} ({len(where)} places)\n    way: {found.way(where[0])}\n    {found.nodes[where[0]]}"
        for what, where in places.items()
    )
