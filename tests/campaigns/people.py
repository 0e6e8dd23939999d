"""The matrix of people: what they can press, in whatever state of every game, and what must hold then.

Every registered game with a ``people.py`` is explored (:mod:`campaigns.explored`) and held to the rules of
:mod:`campaigns.people_rules`. An exemption of a game that covers nothing any more is a failure, too: it expires.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from campaigns.explored import Exploration, Finding, explore
from campaigns.people_rules import away, exempted, findings
from campaigns.people_words import prompts

from controller.bench.people import Exemption, People, people_of
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Refused
from controller.statechart.registry import find_game, game_names

WIDE = 2_500
"""Places of each table that are explored, the nearest first."""


@dataclass(frozen=True)
class Figures:
    """What an exploration of a table comes to.

    Attributes:
        name: of the table.
        whole: every place was explored.
        places, edges: states with their data, and what can happen in them.
        longest: presses of the longest way out.
        prompts, refusals: different texts.
    """

    name: str
    whole: bool
    places: int
    edges: int
    longest: int
    prompts: int
    refusals: int


@dataclass
class GameReport:
    """A game's tables, and what was found there.

    Attributes:
        figures: of each table.
        failures: findings that no exemption covers, as text with the place and the presses that lead there.
        used: how often each exemption was needed.
        unreached: states of the machine that no table reached.
    """

    game: str
    people: People
    figures: list[Figures] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    used: dict[Exemption, int] = field(default_factory=dict)
    unreached: frozenset[str] = frozenset()

    def expired(self, states: Iterable[str]) -> Iterator[str]:
        """Exemptions that cover nothing any more, of states that this game has."""
        names = {"*", *states}
        for one in (*self.people.rulings, *self.people.open_findings):
            if not self.used.get(one) and one.where.partition(": ")[0] in names:
                yield f"{self.game}: the exemption {one.rule}, {one.where} covers nothing any more: remove it"


def explored_games() -> list[str]:
    """The games that say what people can do at them."""
    return [name for name in game_names() if people_of(find_game(name)) is not None]


def report(game: str, most: int = WIDE) -> GameReport:
    """Explore all tables of a game, and judge them."""
    people = people_of(find_game(game))
    assert people is not None
    made = GameReport(game, people)
    states: set[str] = set()
    reached: set[str] = set()
    for setup in people.setups(load_table(table_path(game)).config):
        found = explore(people, setup, most)
        states |= {state.value for state in setup.machine.states}
        reached |= {node[0].value for node in found.places}
        made.failures.extend(_failures(made, found))
        made.figures.append(_figures(found))  # The rule on exits has followed long ways beyond what is explored.
    made.unreached = frozenset(states - reached)
    made.failures.extend(f"{game}: the state {state} was not reached" for state in sorted(made.unreached))
    return made


def _failures(made: GameReport, found: Exploration) -> Iterator[str]:
    exemptions = {(one.rule, one.where): one for one in (*made.people.rulings, *made.people.open_findings)}
    failed: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings(found):
        key = exempted(finding, exemptions)
        if key is not None:
            made.used[exemptions[key]] = made.used.get(exemptions[key], 0) + 1
        else:
            failed.setdefault((finding.rule, finding.where, finding.detail), []).append(finding)
    for (rule, where, detail), places in failed.items():
        nearest = min((found.way(one.node) for one in places), key=len)
        data = next(one.node[1] for one in places if found.way(one.node) == nearest)
        presses = ", ".join(nearest) or "at the beginning"
        yield (
            f"{made.game}, {found.setup.name}: {rule}: {where}: {detail} ({len(places)} places)\n"
            f"    way: {presses}\n    data: {data}"
        )


def _figures(found: Exploration) -> Figures:
    edges = [edge for leaving in found.places.values() for edge in leaving]
    refusals = {one.waiting_for for edge in edges for one in edge.effects if isinstance(one, Refused)}
    near = away(found)
    longest = max(near.get(node, 0) for node in found.places)
    whole = found.whole
    return Figures(
        found.setup.name, whole, len(found.places), len(edges), longest, len(prompts(found)), len(refusals)
    )


def states_of(game: str) -> set[str]:
    """Every state of a game's machine."""
    machine = find_game(game).machine(load_table(table_path(game)).config)
    return {state.value for state in machine.states}
