"""Draws the state machine of each game's rounds from its rows: ``docs/machines.md``. Run by ``make docs``."""

from pathlib import Path

from controller.configuration.machines import table_machine
from controller.configuration.shipped import load_table, shipped_tables
from controller.machine.registry import find_game, game_names
from controller.table.machine import TableMachine

FILE = Path(__file__).parents[1] / "docs" / "machines.md"
_HEAD = """# State machines

Drawn from the rows of the machines by `make docs`. An arrow's label is the event, with its condition in brackets:
a key, an act of the floor menu (`act close`), a timer, or a sensor's report. Rows that stay in their state are not
drawn.

The table layer adds two states around every round, which are not drawn either. *locked*: a fault, an open contact
or a long power cut. *equipment-due*: dice or cards have reached their age while wagers are open. After both, the
round goes on in the same state.
"""


def page() -> str:
    """The whole page."""
    tables = ((find_game(name), load_table(shipped_tables()[name]).config) for name in game_names())
    return _HEAD + "".join(f"\n## {game.title}\n\n{diagram(table_machine(game, table))}" for game, table in tables)


def diagram(machine: TableMachine) -> str:
    """A machine as a mermaid state diagram."""
    arrows: dict[tuple[str, str], dict[str, None]] = {}
    for row in machine.transitions:
        if row.to is not None and row.to is not row.source:
            label = row.on.removeprefix("press ") + (f" [{row.why}]" if row.why else "")
            arrows.setdefault((row.source.value, row.to.value), {})[label] = None
    states = dict.fromkeys(state for arrow in arrows for state in arrow)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {_id(machine.rounds.initial.value)}"]
    lines += [f"    {_id(state)}: {state}" for state in states]
    lines += [f"    {_id(one)} --> {_id(to)}: {'<br/>'.join(labels)}" for (one, to), labels in arrows.items()]
    return "\n".join([*lines, "```", ""])


def _id(state: str) -> str:
    return state.replace("-", "_")


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    print(f"{FILE.name}: {len(game_names())} machines")


if __name__ == "__main__":
    main()
