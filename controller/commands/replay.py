"""Decide a recorded round again, and compare the decisions with the record.

examples:
  table-controller replay 12 table.yaml  # decides round 12 again
  table-controller replay 12 table.yaml --journal copy.journal --svg round.svg
      decides it again from a copy of the journal, and draws it
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from config.problems import counted
from controller.commands.arguments import add_game_or_file, add_journal, add_json, journal_of, whole_number
from controller.commands.journal import not_kept
from controller.commands.output import BAD, GOOD, WARNING, in_local_time, paint, show, write_text
from controller.configuration.shipped import LoadedTable, find_table
from controller.drawing.plots import svg
from controller.errors import FAILED, OK, UserError
from controller.journal.record import entry_line, plain
from controller.journal.replay.replay import ReplayedRound
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.round_replay import plots_of, replay_round, sensors_of, this_decider
from controller.runtime.table_client import opened


def configure(parser: ArgumentParser) -> None:
    number, words = whole_number(0, 10**10), "its number; 0 is before the first round"
    parser.add_argument("round", type=number, metavar="ROUND", help=words)
    add_game_or_file(parser)
    add_journal(parser)
    parser.add_argument("--svg", type=Path, metavar="OUT", help="also draw what the sensors saw, as an SVG picture")
    add_json(parser)


def run(arguments: Namespace) -> int:
    loaded = find_table(arguments.table)
    file = journal_of(loaded.config, arguments)
    with opened(file) as journal:
        replayed, unread = replay_round(arguments.round, loaded, journal, file)
    notes = [*_notes(replayed, loaded), *unread]
    show(arguments.json, _data(replayed, loaded, notes), _lines(replayed, loaded, notes))
    if arguments.svg is not None:
        plots = plots_of(replayed, loaded)
        if not plots:
            why = "no movement of the round was kept" if sensors_of(loaded) else "the table has no sensor head"
            raise UserError(f"{arguments.svg} was not written: {why}")
        write_text(arguments.svg, svg(plots, f"round {replayed.number} of {loaded.config.table}"))
    return FAILED if replayed.differences else OK


def _notes(replayed: ReplayedRound, loaded: LoadedTable) -> Iterator[str]:
    """What a reader of the comparison has to know."""
    this, edges = this_decider(loaded), replayed.edge_replay
    for decider in replayed.deciders:
        if decider != this:
            yield (
                f"{decider} decided the round, and this is {this}: differences may come from that; "
                "replay it with the same"
            )
    if edges is not None:
        if edges.lost:
            yield f"{edges.lost} edges of the round were lost in the kernel"
        yield from map(str, [*edges.readings, *edges.open])
    elif sensors_of(loaded) is not None:
        yield f"{not_kept(replayed.number, replayed.kept)}: the journal's events alone were replayed"


def _lines(replayed: ReplayedRound, loaded: LoadedTable, notes: Sequence[str]) -> Iterator[str]:
    words, entries, edges = words_of(find_game(loaded.config.game)), replayed.entries, replayed.edge_replay
    yield f"round {replayed.number} of {loaded.config.table}, decided again"
    for again in entries:
        yield in_local_time(entry_line(again.entry, again.record, words))
        yield from (f"    ≠   {difference}" for difference in again.differences)
    same = sum(not again.differences for again in entries)
    yield f"\n{same} of {counted(len(entries), 'decision')} as on record"
    if edges is not None:
        yield f"{counted(edges.same, 'event')} of the sensors found again in their edges, as on record"
        yield from (f"    ≠   {difference}" for difference in edges.differences)
    yield from (paint(f"note: {note}", WARNING) for note in notes)
    if differences := replayed.differences:
        yield "\n" + paint(f"DIFFERENT from the record: {counted(len(differences), 'difference')}", BAD)
    elif edges is None:
        yield "\n" + paint("the decisions are as on record", GOOD)
    else:
        where = ", where they can be compared" if edges.open else ""
        yield "\n" + paint(f"decisions and sensors are as on record{where}", GOOD)


def _data(replayed: ReplayedRound, loaded: LoadedTable, notes: Sequence[str]) -> dict[str, object]:
    """The comparison for programs."""
    edges = replayed.edge_replay
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
        "sensors": edges
        and {
            "same": edges.same,
            "open": [asdict(one) for one in edges.open],
            "lost": edges.lost,
            "readings": [one._asdict() for one in edges.readings],
        },
        "differences": [asdict(difference) for difference in replayed.differences],
        "notes": list(notes),
    }
