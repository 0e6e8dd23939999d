"""What must hold in every place of every game's machine, whoever presses what: each breach is a finding.

Every place has an exit for the floorperson, the truth can be put on record, no press of the dealer alone undoes a
result, corrections are on record with both entries, nothing is recorded that nobody gave, and whoever is refused
reads what to do. What people read is judged in :mod:`campaigns.people_words`.
"""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from campaigns.explored import Edge, Exploration, Finding, Node, persons
from campaigns.people_words import menus, one_action, refusals, true_words

from controller.bench.people import KEY, PERSONS, pressed
from controller.events.effect import (
    Alert,
    Effect,
    InspectionLogged,
    Note,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.events.text import plain
from controller.statechart.machine import Outcome

WITHIN = 6
"""Presses within which an exit must lie, and the truth must be on record."""


def findings(found: Exploration) -> Iterator[Finding]:
    """All findings of a table."""
    for rule in RULES.values():
        yield from rule(found)


# -- exits and the truth -----------------------------------------------------------------------------------------


def away(found: Exploration) -> dict[Node, int]:
    """How many presses lead from each place to one between two rounds; places without an exit are missing."""
    return found.distances(lambda node: _between(found, node), lambda edge: _by_people(found, edge))


def exits(found: Exploration) -> Iterator[Finding]:
    """The floorperson can end the round from every place."""
    stuck = _stuck(found)
    if stuck and not found.whole:
        found.explore_beyond(
            stuck, WITHIN, lambda edge: _by_people(found, edge), lambda node: _between(found, node)
        )
        stuck = _stuck(found)
    for node in stuck:
        yield Finding("exit", node[0].value, f"no exit within {WITHIN} presses", node)


def _stuck(found: Exploration) -> list[Node]:
    near = away(found)
    return [node for node in found.places if near.get(node, WITHIN + 1) > WITHIN]


def _between(found: Exploration, node: Node) -> bool:
    return found.people.between(node[0].value, node[1])


def _by_people(found: Exploration, edge: Edge) -> bool:
    if edge.control:
        return edge.control not in found.people.invented
    return edge.kind.startswith("timer ") or edge.on in found.people.by_hand


def truths(found: Exploration) -> Iterator[Finding]:
    """What really happened can be keyed, corrected or voided, in so many presses."""
    for node in found.places:
        for truth in found.people.truths(node[0].value, node[1]):
            ways = (way for way in truth.ways if len(way) <= WITHIN)
            if not any(truth.kept(*found.after(node, way)) for way in ways):
                yield Finding("truth", f"{node[0].value}: {truth.what}", "no way to record it", node)


# -- results and corrections -------------------------------------------------------------------------------------


def alone(found: Exploration) -> set[Node]:
    """Places to which no key of the floorperson led since the round opened or its last result was given."""
    return _without_key(found, [next(iter(found.places)), *_begun(found)])


def _begun(found: Exploration) -> Iterator[Node]:
    """Places where a round has just opened, or a result was given."""
    return (edge.to for edges in found.places.values() for edge in edges if edge.has(RoundOpened | Result))


def _without_key(found: Exploration, starts: Iterable[Node]) -> set[Node]:
    """Places to which anything but the floorperson's key leads from these."""
    frontier = deque(starts)
    seen = set(frontier)
    while frontier:
        for edge in found.places.get(frontier.popleft(), ()):
            if edge.outcome is Outcome.ACCEPTED and edge.control != KEY and edge.to not in seen:
                seen.add(edge.to)
                frontier.append(edge.to)
    return seen


def dealer_alone(found: Exploration) -> Iterator[Finding]:
    """No single press undoes or voids what dice, cards or sensors have given, but behind the floorperson's key."""
    people, without_key = found.people, alone(found)
    for node, edges in found.places.items():
        state, data = node[0].value, node[1]
        given = people.given(state, data) if node in without_key else ""
        for edge in edges if given else ():
            if not edge.control or edge.control == KEY or edge.outcome is not Outcome.ACCEPTED:
                continue
            if people.given(edge.to[0].value, edge.to[1]):
                continue
            if edge.has(Void | WagersReturned):
                yield Finding("dealer-alone", f"{state}: {edge.control}", f"voids {given}", node)
            elif not people.over(state, data):
                yield Finding("dealer-alone", f"{state}: {edge.control}", f"undoes {given}", node)


def corrections(found: Exploration) -> Iterator[Finding]:
    """What is replaced or dropped is on record with what replaced it."""
    label = found.people.corrects
    for node, edges in found.places.items():
        before = label(node[1])
        for edge in edges:
            if edge.outcome is not Outcome.ACCEPTED:
                continue
            after, said = label(edge.to[1]), " | ".join(_texts(edge.effects))
            if not before and not after:
                continue
            results = [effect for effect in edge.effects if isinstance(effect, Result)]
            where = f"{node[0].value}: {edge.on}"
            if before and results and not all(_corrected(before, one.label, said) for one in results):
                yield Finding("correction", where, f"{before} is replaced, and no note has both", node)
            elif before and not results and not after and before not in said and not edge.has(Void):
                yield Finding("correction", where, f"{before} is dropped, and no text says so", node)
            elif not before and after not in said:
                yield Finding("correction", where, f"{after} is taken back, and no text says so", node)


def _corrected(before: str, label: str, said: str) -> bool:
    after = label.partition(",")[0]
    return f"{before} was corrected to {after}" in said


def _texts(effects: tuple[Effect, ...]) -> Iterator[str]:
    """All that effects say."""
    for effect in effects:
        if isinstance(effect, Note | Alert):
            yield effect.text
        elif isinstance(effect, Void):
            yield f"{effect.reason} {effect.detail}"
        elif isinstance(effect, WagersReturned):
            yield effect.reason
        elif isinstance(effect, InspectionLogged):
            yield f"{effect.credential} {effect.witness}"


# -- what nobody gave --------------------------------------------------------------------------------------------


def inventions(found: Exploration) -> Iterator[Finding]:
    """Persons come from the key that they turned, reasons from what was pressed or seen."""
    later = _without_key(found, _begun(found))
    for node, edges in found.places.items():
        remembered = persons(node[1])
        for edge in edges:
            if edge.outcome is Outcome.ACCEPTED:
                given = (
                    {edge.by} if node in later and edge.by else set() if node in later else remembered | {edge.by}
                )
                yield from _unfounded(found, node, edge, frozenset(given))
        nobody = found.take(node, f"press {KEY}", pressed(KEY, ""))
        if _named(nobody.effects) - remembered:
            yield Finding("invention", f"{node[0].value}: {KEY}", "names a person who did not identify", node)


def _named(effects: tuple[Effect, ...]) -> frozenset[str]:
    """The persons whom effects name."""
    texts = tuple(_texts(effects))
    return frozenset(one for one in PERSONS if any(one in text for text in texts))


def _unfounded(found: Exploration, node: Node, edge: Edge, given: frozenset[str]) -> Iterator[Finding]:
    """What an edge puts on record without anybody having given it.

    Args:
        given: who turned the key on the way, as far as the table remembers it, or turns it now. Who turned it
            before the present round or result began is remembered too long.
    """
    where, named = f"{node[0].value}: {edge.on}", _named(edge.effects)
    for effect in edge.effects:
        if isinstance(effect, InspectionLogged) and not {effect.credential, effect.witness} - {""} <= given:
            yield Finding("invention", where, f"the log names {effect.credential!r}, who only was keyed", node)
        elif isinstance(effect, Void) and not _reason_given(found, node, edge, effect):
            yield Finding("invention", where, f"the reason {effect.reason} was given by nobody", node)
    if named - given or persons(edge.to[1]) - persons(node[1]) - {edge.by}:
        yield Finding("invention", where, "names a person whose key was not turned", node)
    elif named and edge.by and edge.by not in named:
        yield Finding("invention", where, "names another person than the one who turns the key", node)


def _reason_given(found: Exploration, node: Node, edge: Edge, void: Void) -> bool:
    """Whether a reason is the event's, or was read by who pressed: in the prompt, or at the entry of the menu."""
    if void.reason in found.people.voids.get(edge.kind, ()):
        return True
    read = [found.prompt(node)] if edge.control else []
    read += [entry.words for entry in found.menu(node) if entry.control == edge.control]
    words = re.split(r" \(|; ", void.detail)[0]
    return any(plain(void.reason) in text or (words != "" and words in text) for text in read)


RULES: dict[str, Callable[[Exploration], Iterator[Finding]]] = {
    "exit": exits,
    "truth": truths,
    "dealer-alone": dealer_alone,
    "correction": corrections,
    "invention": inventions,
    "refusal": refusals,
    "prompt": one_action,
    "menu": menus,
    "true-words": true_words,
}
"""Every rule, by the name that exemptions use."""


def exempted(finding: Finding, wheres: Collection[tuple[str, str]]) -> tuple[str, str] | None:
    """The exemption that covers a finding, by rule and place; None if none does."""
    state, _, rest = finding.where.partition(": ")
    for where in (finding.where, state, f"*: {rest}", "*"):
        key = (finding.rule, where)
        if key in wheres:
            return key
    return None
