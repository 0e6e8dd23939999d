"""Writes the outcome of every fault in every state of every game: ``docs/faults.md``.

It takes some minutes. A test plays a sample of the cells anew and compares. The outcomes are those of
``tests/campaigns/fault_matrix.py``; each of them was played.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from campaigns.fault_cases import Cell
from campaigns.fault_matrix import GAMES, Column, Fault, Matrix, counts, failures, matrix, outcome
from ways import states as states_of

from controller.commands.progress import shown_progress
from controller.machine.registry import find_game

FILE = Path(__file__).parents[2] / "docs" / "faults.md"
EVERY, OTHERS = "every state", "every other state"
_STOPS = {
    "locked": "locks",
    "closed": "closes",
    "malfunction": "malfunction: settled before the floorperson, then closed",
}
_HEAD = """# What every fault comes to

Written by `python -m campaigns.faults_page` from the fault matrix, which plays
each cell on simulated hardware: a table is brought into a state, a device breaks, and its people go on as if
nothing were wrong, until a whole round was played with the fault, the table has stopped, or nothing changes any
more. Then everything is repaired, and the table must come back to play without a restart. In no cell was a result
wrong, did a lamp burn or stay dark but by its own fault, or was a table stuck; else this page would not have been
written. A test plays a sample anew.

The fault occurs a twentieth of a second after the state was entered. The outcome is the first that the table
did and said because of it, wherever play had come to by then: a fault that strikes while wagers are open shows,
as a rule, in the spin that follows. The panel is read back whenever its lamps change, and once a second between.
States that are not named in a row of lamps have no such lamp.

| outcome | means |
| --- | --- |
| void | the spin or roll does not count, for the reason named |
| locks, closes | play stops until the floorperson's key, or a new opening, after the fault was repaired |
| malfunction | Sic Bo: the round is settled before the floorperson, then the table is closed until inspected anew |
| alert | the screen names the fault, the buzzer sounds; what follows is given after it |
| waits, no report | play does not go on; the screen says what the table waits for, not why it does not come |
| not seen | a lamp failed, and before the panel was next read back its lamps changed, and it was right again |
| – | nothing: what broke was not needed, or the other sensors or people made good for it |

Keys: a key that sticks is pressed once by that, and heard no more. A key that is down as the power is switched on
presses nothing; it is named after ten seconds, as one that sticks later is. Amounts are those of the bench's fault
menu.
"""


def words(cell: Cell) -> str:
    """An outcome as text."""
    reaction = cell.reaction
    if reaction is None:
        return {"unseen": "not seen", "waits": "waits, no report", "none": "–"}.get(outcome(cell), outcome(cell))
    parts = [f"void {reaction.void}"] if reaction.void else []
    stop = _STOPS.get(reaction.stop, "")
    if stop:
        parts.append(stop)
    said = ", ".join(parts) or "alert"
    said += f" ({reaction.alert})" if reaction.alert else ""
    return said + (f", then {_STOPS[cell.end]}" if cell.end in _STOPS and not reaction.stop else "")


def page(found: Matrix) -> str:
    """The whole page."""
    total = ", ".join(f"{name} {count}" for name, count in counts(found).most_common())
    played = f"\n{counts(found).total()} cells: {total}.\n"
    return _HEAD + played + "".join(_game(game, columns) for game, columns in found.items())


def _game(game: str, columns: Mapping[str, Column]) -> str:
    return (
        f"\n## {find_game(game).title}\n\n{len(columns)} states: {', '.join(columns)}.\n\n"
        f"| device | fault | outcome | in |\n| --- | --- | --- | --- |\n{''.join(_rows(columns))}"
    )


def _rows(columns: Mapping[str, Column]) -> Iterator[str]:
    """Faults of one device with the same outcomes share a row."""
    shared: dict[tuple[str, tuple[tuple[str, str], ...]], list[Fault]] = {}
    for fault in next(iter(columns.values())):
        groups = tuple(_groups({state: column[fault] for state, column in columns.items()}))
        shared.setdefault((fault.device, groups), []).append(fault)
    for (device, groups), faults in shared.items():
        for number, (said, states) in enumerate(groups):
            first = (device, _together(faults)) if number == 0 else ("", "")
            yield f"| {' | '.join((*first, said, states))} |\n"


def _groups(cells: Mapping[str, Cell | None]) -> Iterator[tuple[str, str]]:
    """Each outcome and its states; the most common one is last."""
    states: dict[str, list[str]] = {}
    for state, cell in cells.items():
        if cell is not None:
            states.setdefault(words(cell), []).append(state)
    if len(states) == 1:
        named = EVERY if None not in cells.values() else ", ".join(*states.values())
        yield next(iter(states)), named
        return
    commonest = max(states, key=lambda said: len(states[said]), default="")
    for said, where in states.items():
        if said != commonest:
            yield said, ", ".join(where)
    if commonest:
        yield commonest, OTHERS if None not in cells.values() else ", ".join(states[commonest])


def _together(faults: Sequence[Fault]) -> str:
    """``a line stuck high: index, clapper; head unplugged``."""
    targets: dict[str, list[str]] = {}
    for fault in faults:
        targets.setdefault(fault.words, []).append(fault.target)
    return "; ".join(f"{fault}: {', '.join(struck)}" if any(struck) else fault for fault, struck in targets.items())


def read(text: str) -> dict[tuple[str, str, str], dict[str, str]]:
    """What a page says: by the game's title, the device and the fault with its target, the outcome by state."""
    said: dict[tuple[str, str, str], dict[str, str]] = {}
    title, rows = "", [""]
    device = fault = ""
    for line in text.splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
        rows = line.split(" | ")
        if not title or len(rows) != 4 or rows[0] in ("| device", "| ---"):
            continue
        device, fault = (rows[0].removeprefix("| "), rows[1]) if rows[1] else (device, fault)
        for one in _apart(fault):
            states = rows[3].removesuffix(" |").split(", ")
            said.setdefault((title, device, one), {}).update(dict.fromkeys(states, rows[2]))
    return said


def _apart(together: str) -> Iterator[str]:
    """Each fault of a row, with its target: ``a line stuck high: index``."""
    for part in together.split("; "):
        fault, colon, targets = part.partition(": ")
        yield from (f"{fault}: {target}" for target in targets.split(", ")) if colon else (fault,)


def main() -> int:
    """Play the matrix, and write the page; 1 if it fails."""
    with shown_progress("states", sum(len(states_of(game)) for game in GAMES)) as progress:
        found = matrix(GAMES, os.cpu_count() or 1, progress)
    wrong = list(failures(found))
    if wrong:
        print("\n".join(["not written, for the matrix fails:", *wrong]))
        return 1
    FILE.write_text(page(found), encoding="utf-8")
    print(f"{FILE.name}: {counts(found).total()} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
