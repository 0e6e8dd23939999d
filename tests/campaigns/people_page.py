"""Writes what people can do in every state of every game, and what is exempt from the rules: ``docs/people.md``.

It takes some minutes. It is not written, and the exit code is 1, if a rule does not hold in some place or an
exemption covers nothing any more.
"""

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

from campaigns.people import WIDE, Figures, explored_games, report, states_of

from controller.bench.people import Exemption
from controller.statechart.registry import find_game

FILE = Path(__file__).parents[2] / "docs" / "people.md"
RULES = {
    "exit": (
        "people come to a round that is open again, a closed table or a shuffle within six presses, with no card "
        "or a choice that nobody gave"
    ),
    "truth": "what really happened can be keyed, corrected or voided within six presses",
    "dealer-alone": "no press of the dealer undoes a result or a reading, but behind the floorperson's key",
    "correction": "what is taken back is on record, with what replaced it",
    "invention": "persons come from the key that they opened, reasons from what was pressed or what a sensor saw",
    "refusal": "who is refused reads a key or an act that is possible there",
    "prompt": "its first clause names two keys at most, and it has four clauses at most; a question counts as one",
    "menu": "the prompt beside a menu offers none of its entries: the list does; clear may be named as the way out",
    "true-words": "a key that a prompt tells people to press is taken",
}
HEAD = f"""# What people can press

Written by `python -m campaigns.people_page`, which explores the machine of every game, the nearest places
first, up to {WIDE:,} of a table: in each, every press of every key, every timer, every failure of a device, and
what wheel, ball, dice, shaker or reader may report there. A place is a state with its data; a few dice, cards,
sections and pockets stand for all, one round and one fault for every other. `tests/campaigns/people_rules.py` and
`tests/campaigns/people_words.py` have the rules, each game's `people.py` what its machine cannot say of itself. The
longest way out is measured once ways have been followed beyond the places explored. In every place:

| rule | holds |
| --- | --- |
{"".join(f"| {name} | {words} |{chr(10)}" for name, words in RULES.items())}
Not explored: a round that another version decided (`rules-changed`), limits and odds that change, and what the
table does with keys before the machine hears of them (log-on, PIN).
"""


@dataclass(frozen=True)
class Explored:
    """What the exploration of a game came to, to be passed between processes."""

    game: str
    figures: tuple[Figures, ...]
    failures: tuple[str, ...]
    rulings: tuple[tuple[Exemption, int], ...]
    open_findings: tuple[tuple[Exemption, int], ...]


def explored(game: str) -> Explored:
    """Explore a game."""
    made = report(game)

    def used(exemptions: Iterable[Exemption]) -> tuple[tuple[Exemption, int], ...]:
        return tuple((one, made.used[one]) for one in exemptions if one in made.used)

    failures = (*made.failures, *made.expired(states_of(game)))
    return Explored(game, tuple(made.figures), failures, used(made.people.rulings), used(made.people.open_findings))


def page(found: Iterable[Explored]) -> str:
    """The whole page."""
    found = list(found)
    figures = [(one.game, table) for one in found for table in one.figures]
    places, edges = (sum(getattr(table, name) for _, table in figures) for name in ("places", "edges"))
    total = f"\n{places:,} places, {edges:,} edges.\n"
    return "".join((HEAD, total, *_tables(figures), *_exempt("Rulings", found), *_exempt("Open findings", found)))


def _tables(figures: list[tuple[str, Figures]]) -> Iterator[str]:
    yield "\n| game | table | places | edges | longest way out | prompts | refusals |\n"
    yield "| --- | --- | --- | --- | --- | --- | --- |\n"
    for game, one in figures:
        places = f"{one.places:,}{'' if one.whole else ', the nearest'}"
        yield f"| {find_game(game).title} | {one.name} | {places} | {one.edges:,} | {one.longest} |"
        yield f" {one.prompts} | {one.refusals} |\n"


def _exempt(title: str, found: list[Explored]) -> Iterator[str]:
    rows = [
        (one.game, *exempt)
        for one in found
        for exempt in (one.rulings if title == "Rulings" else one.open_findings)
    ]
    if not rows:
        yield f"\n## {title}\n\nNone.\n"
        return
    yield f"\n## {title}\n\n| game | rule | where | places | why |\n| --- | --- | --- | --- | --- |\n"
    for game, exempt, count in rows:
        yield f"| {find_game(game).title} | {exempt.rule} | {exempt.where} | {count} | {exempt.why} |\n"


def main() -> int:
    """Explore all games and write the page; 1 if a rule does not hold."""
    with ProcessPoolExecutor(cpu_count()) as pool:
        found = list(pool.map(explored, explored_games()))
    for one in found:
        for exempt, count in one.open_findings:
            print(f"open: {one.game}: {exempt.rule}: {exempt.where}: {exempt.why} ({count} places)")
    failures = [failure for one in found for failure in one.failures]
    if failures:
        print("\n".join(["not written:", *failures]))
        return 1
    FILE.write_text(page(found), encoding="utf-8")
    print(f"{FILE.name}: {sum(table.places for one in found for table in one.figures):,} places")
    return 0


if __name__ == "__main__":
    sys.exit(main())
