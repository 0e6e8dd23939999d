"""The transitions of every game's machine as tables, in place of the diagrams, which need a script to be drawn."""

from collections.abc import Iterator

from controller.configuration.shipped import load_table, shipped_tables
from controller.statechart.any_machine import AnyMachine
from controller.statechart.registry import find_game
from tools.site.markdown import plain, table
from tools.state_drawings import FILE


def page() -> str:
    """The page of all machines."""
    head = FILE.read_text(encoding="utf-8").partition("\n\n")[0]
    text = (
        f"{head}\n\nMade from the machines themselves. What changes no state, and what every state answers to a "
        "failure of the controller's own code, is left out. `docs/machines.md` in the repository has the same as "
        "diagrams.\n"
    )
    for name in shipped_tables():
        game = find_game(name)
        machine = game.machine(load_table(shipped_tables()[name]).config)
        text += f"\n## {game.title}\n\nIt begins in `{machine.initial.value}`.\n\n{transitions(machine)}"
    return text


def transitions(machine: AnyMachine) -> str:
    """A machine's transitions that lead to another state."""
    return table(("in", "on", "if", "goes to"), _rows(machine))


def _rows(machine: AnyMachine) -> Iterator[tuple[str, str, str, str]]:
    seen = set()
    for row in machine.transitions:
        if row.to is None or row.to is row.source or row.on == "machine-failed":
            continue
        cells = (f"`{row.source.value}`", f"`{row.on}`", plain(row.why or ""), f"`{row.to.value}`")
        if cells not in seen:
            seen.add(cells)
            yield cells
