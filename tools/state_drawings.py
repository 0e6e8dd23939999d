"""Draw the state machines of games from their rows, as Mermaid: ``python -m tools.state_drawings [GAME ...]``.

The table layer adds two states around every round, which are not drawn. *locked*: a fault, an open contact or a
long power cut. *equipment-due*: dice or cards have reached their age while wagers are open. After both, the round
goes on in the same state. Rows that stay in their state are not drawn either.
"""

import sys

from controller.configuration.machines import table_machine
from controller.configuration.shipped import find_table
from controller.machine.registry import find_game, game_names
from controller.table.machine import TableMachine


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
    for name in sys.argv[1:] or game_names():
        game = find_game(name)
        print(f"## {game.title}\n\n{diagram(table_machine(game, find_table(name).config))}")


if __name__ == "__main__":
    main()
