"""Decide a recorded round again, compare the decisions with the record, and draw the spin.

examples:
  table-controller replay 12 table.yaml
      decides round 12 again
  table-controller replay 12 table.journal --table table.yaml --svg round.svg
      decides it again from a copy of the journal, and draws it
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from controller.commands.journal_files import add_file_and_table, file_and_table, opened, traces
from controller.commands.local_time import in_local_time
from controller.commands.output import Colour, paint, print_json, whole_number, write_text
from controller.configuration.shipped import LoadedTable
from controller.drawing.plots import Plot, svg, text
from controller.errors import FAILED, OK, UserError
from controller.journal.record import entry_line, plain
from controller.journal.replay.replay import ReplayedRound
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.round_replay import plots_of, replay_round, sensors_of, this_decider


def configure(parser: ArgumentParser) -> None:
    number = whole_number(0, 10**10, "replay 12 table.yaml")
    parser.add_argument(
        "round", type=number, metavar="ROUND", help="the round's number; 0 is what came before the first"
    )
    add_file_and_table(parser, "JOURNAL")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="also draw what the sensors saw, as an SVG picture")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    loaded, file = file_and_table(arguments)
    with opened(file) as journal, traces(file) as edges:
        replayed, unread = replay_round(arguments.round, loaded, journal, edges)
    notes = [*_notes(replayed, loaded), *unread]
    plots = plots_of(replayed, loaded)
    if arguments.json:
        print_json(_data(replayed, loaded, notes))
    else:
        _print(replayed, loaded, notes, plots)
    if arguments.svg is not None:
        if not plots:
            why = "no movement of the round was kept" if sensors_of(loaded) else "the table has no sensor head"
            raise UserError(f"{arguments.svg} was not written: {why}")
        write_text(arguments.svg, svg(plots, f"round {replayed.number} of {loaded.config.table}"))
    return FAILED if replayed.differences else OK


def _notes(replayed: ReplayedRound, loaded: LoadedTable) -> list[str]:
    """What a reader of the comparison has to know."""
    this = this_decider(loaded)
    notes = [
        f"{decider} decided the round, and this is {this}: differences may come from that; replay it with the same"
        for decider in replayed.deciders
        if decider != this
    ]
    edges = replayed.edge_replay
    if edges is not None:
        if edges.lost:
            notes.append(f"{edges.lost} edges of the round were lost in the kernel")
        notes += map(str, [*edges.readings, *edges.open])
    elif sensors_of(loaded) is not None:
        there = f"those of rounds {replayed.kept[0]} to {replayed.kept[-1]} are" if replayed.kept else "none are"
        notes.append(
            f"no edges of round {replayed.number} are kept, {there}: the journal's events alone were replayed"
        )
    return notes


def _print(replayed: ReplayedRound, loaded: LoadedTable, notes: Sequence[str], plots: Sequence[Plot]) -> None:
    print(f"round {replayed.number} of {loaded.config.table}, decided again")
    words = words_of(find_game(loaded.config.game))
    for again in replayed.entries:
        print(in_local_time(entry_line(again.entry, again.record, words)))
        for difference in again.differences:
            print(f"    ≠   {difference}")
    same, edges = sum(not again.differences for again in replayed.entries), replayed.edge_replay
    print(f"\n{same} of {_count(len(replayed.entries), 'decision')} as on record")
    if edges is not None:
        print(f"{_count(edges.same, 'event')} of the sensors found again in their edges, as on record")
        for difference in edges.differences:
            print(f"    ≠   {difference}")
    for note in notes:
        print(paint(f"note: {note}", Colour.WARNING))
    for plot in plots:
        print(f"\n{text(plot)}")
    print(f"\n{paint(_verdict(replayed), Colour.BAD if replayed.differences else Colour.GOOD)}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _verdict(replayed: ReplayedRound) -> str:
    if replayed.differences:
        return f"DIFFERENT from the record: {_count(len(replayed.differences), 'difference')}"
    if replayed.edge_replay is None:
        return "the decisions are as on record"
    compared = ", where they can be compared" if replayed.edge_replay.open else ""
    return f"decisions and sensors are as on record{compared}"


def _data(replayed: ReplayedRound, loaded: LoadedTable, notes: Sequence[str]) -> dict[str, object]:
    """The comparison for programs."""
    edges, sensors = replayed.edge_replay, None
    if edges is not None:
        sensors = {
            "same": edges.same,
            "open": [asdict(one) for one in edges.open],
            "lost": edges.lost,
            "readings": [one._asdict() for one in edges.readings],
        }
    return {
        "round": replayed.number,
        "table": loaded.config.table,
        "same": not replayed.differences,
        "software": this_decider(loaded)._asdict(),
        "decided_by": [decider._asdict() for decider in replayed.deciders],
        "entries": [
            {"seq": again.entry.seq, "utc": again.entry.utc, **plain(again.record), "same": not again.differences}
            for again in replayed.entries
        ],
        "sensors": sensors,
        "differences": [asdict(difference) for difference in replayed.differences],
        "notes": list(notes),
    }
