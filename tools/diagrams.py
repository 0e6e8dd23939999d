"""Draws each game's state machine, as mermaid, into ``docs/machines.md``. Run by ``make docs``; a test checks it.

It is made from the machine's transitions, so a diagram always agrees with the code.
"""

from pathlib import Path

from controller.configuration.shipped import load_table, shipped_tables
from controller.statechart.any_machine import AnyMachine
from controller.statechart.registry import find_game, game_names

FILE = Path(__file__).parents[1] / "docs" / "machines.md"
_HEAD = """# State machines

Drawn from the machines themselves by `make docs`; a test fails when this page is not current. An arrow's label
is the fact that takes it, with its condition in brackets. Left out of the drawings is what changes nothing but
the record (sensor health, notes), and what every state answers to a failure of the controller's own code: it
locks or closes the table. A press that a state does not list is refused with what the table is waiting for.
"""
_EVERYWHERE = ("machine-failed",)


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    print(f"{FILE.name}: {len(game_names())} machines")


def page() -> str:
    """The whole page."""
    return _HEAD + "".join(f"\n## {find_game(name).title}\n\n{diagram(_machine(name))}" for name in game_names())


def diagram(machine: AnyMachine) -> str:
    """A machine as a mermaid state diagram."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in machine.transitions:
        if row.to is not None and row.to is not row.source and row.on not in _EVERYWHERE:
            label = row.on.removeprefix("press ") + (f" [{row.why}]" if row.why else "")
            labels = arrows.setdefault((row.source.value, row.to.value), [])
            if label not in labels:
                labels.append(label)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {_id(machine.initial.value)}"]
    lines += [f"    {_id(state.value)}: {state.value}" for state in machine.states]
    for (source, to), labels in arrows.items():
        lines.append(f"    {_id(source)} --> {_id(to)}: {'<br/>'.join(labels)}")
    return "\n".join([*lines, "```", ""])


def _id(state: str) -> str:
    return state.replace("-", "_")


def _machine(name: str) -> AnyMachine:
    return find_game(name).machine(load_table(shipped_tables()[name]).config)


if __name__ == "__main__":
    main()
