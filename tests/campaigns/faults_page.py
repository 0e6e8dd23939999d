"""Writes the outcome of every fault in every state of every game, and of slips in it: ``docs/faults.md``.

It takes some minutes. A test plays a sample of the cells anew and compares. The outcomes are those of
``tests/campaigns/fault_matrix.py`` and ``tests/campaigns/slip_matrix.py``; each of them was played.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from campaigns.fault_cases import Cell
from campaigns.fault_matrix import GAMES, Column, Fault, Matrix, counts, failures, matrix, outcome
from campaigns.slip_kinds import Moment
from campaigns.slip_matrix import OPEN, SlipCell, SlipMatrix, slip_counts, slip_failures, slip_matrix

from controller.bench.ways import absent
from controller.bench.ways import states as states_of
from controller.commands.progress import shown_progress
from controller.statechart.registry import find_game

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

Keys: a key that sticks is pressed once by that, and heard no more. Amounts are those of the bench's fault menu.

Each cell is played again with a slip that people make while a device is broken: one of each cell, by a fixed
rotation in which every state sees every slip, and every game every slip before, during and after a fault. They slip
0.7 s before the device breaks, 0.1 s after it broke, or 0.1 s after it was repaired; then the device is repaired,
and people take the ways out that the screen names. Dice and cards that lie there are keyed once the table asks for
them; a result that a slip entered wrong is corrected. Besides what is said above, in no cell was the second press
of a key within a second taken for something else, was there a result without a throw, toss or deal, did a round end
with nothing on record, or was a void or alert given for a reason that was not so. The tables of slips count the
outcomes. A key that is down as the power is switched on presses nothing; it is named after ten seconds, as one that
sticks later is, and a keypad that is unplugged then is named at once.

| slip | what people do |
| --- | --- |
| the due key twice, three times | what comes next in that state, besides pressing it as they go on; 0.35 s apart |
| the next key ahead | the key of the state after it, then the due one |
| a wrong number first | another digit or rank than the due one, then the due one |
| no more bets, late or again | `no-more-bets`, whatever the table waits for |
| the floorperson's key, and left | the key is turned, and nobody comes for a minute |
| the power off and on | for four seconds, "because it hangs"; what they press meanwhile is lost |
| others | in the world: wheel, ball, rotor, dice or cards are used though the table does not wait for it |
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


def page(found: Matrix, slips: SlipMatrix | None = None) -> str:
    """The whole page."""
    slips = slips or {}
    total = ", ".join(f"{name} {count}" for name, count in counts(found).most_common())
    played = f"\n{counts(found).total()} cells: {total}.\n"
    cells = [cell for of_game in slips.values() for cell in of_game]
    played += f"\nWith slips, {len(cells)} cells: {_outcomes(cells)}.\n" if cells else ""
    return _HEAD + played + "".join(_game(game, columns, slips.get(game, ())) for game, columns in found.items())


def _game(game: str, columns: Mapping[str, Column], slips: Sequence[SlipCell] = ()) -> str:
    lacking = [f"`{state}`: {why}" for state, why in absent(game).items()]
    left_out = f"Not reached: {'; '.join(lacking)}.\n\n" if lacking else ""
    rows = "".join(_rows(columns))
    return (
        f"\n## {find_game(game).title}\n\n{len(columns)} states: {', '.join(columns)}.\n\n{left_out}"
        f"| device | fault | outcome | in |\n| --- | --- | --- | --- |\n{rows}"
        f"{_slips(slips) if slips else ''}{_open(game) if slips else ''}"
    )


def _open(game: str) -> str:
    """What is open."""
    return "".join(f"\nOpen: {cell}: {why}.\n" for (where, cell), why in OPEN.items() if where == game)


def _slips(cells: Sequence[SlipCell]) -> str:
    """Each slip: how often it was made before, during and after the fault, and the outcomes."""
    kinds = dict.fromkeys(cell.slip.what for cell in cells)
    rows = "".join(_slip_row(what, [cell for cell in cells if cell.slip.what == what]) for what in sorted(kinds))
    moments = "/".join(moment.value for moment in Moment)
    return f"\nSlips, {len(cells)} cells:\n\n| slip | {moments} | outcomes |\n| --- | --- | --- |\n{rows}"


def _slip_row(what: str, cells: Sequence[SlipCell]) -> str:
    times = "/".join(str(sum(cell.slip.moment is moment for cell in cells)) for moment in Moment)
    return f"| {what} | {times} | {_outcomes(cells)} |\n"


def _outcomes(cells: Sequence[SlipCell]) -> str:
    return ", ".join(f"{name} {count}" for name, count in slip_counts(cells).most_common())


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
    """Play the matrix, without and with slips, and write the page; 1 if it fails."""
    workers = os.cpu_count() or 1
    with shown_progress("states", 2 * sum(len(states_of(game)) for game in GAMES)) as progress:
        found = matrix(GAMES, workers, progress)
        slips = slip_matrix(GAMES, workers, progress)
    wrong = [*failures(found), *slip_failures(slips)]
    if wrong:
        print("\n".join(["not written, for the matrix fails:", *wrong]))
        return 1
    FILE.write_text(page(found, slips), encoding="utf-8")
    print(f"{FILE.name}: {counts(found).total()} cells, {sum(map(len, slips.values()))} with slips")
    return 0


if __name__ == "__main__":
    sys.exit(main())
