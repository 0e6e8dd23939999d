"""``replay``: decides a recorded round again with the same code, and compares the result with the record."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from controller.commands.columns import as_json
from controller.commands.console import Colour, complain, paint
from controller.commands.journal_files import opened
from controller.commands.local_time import in_local_time
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.drawing.plots import Plot, svg, text
from controller.journal.journal_file import holder
from controller.journal.reading import copied
from controller.journal.record import plain
from controller.journal.replay.replay import ReplayedRound
from controller.journal.replay.trace import trace_file
from controller.journal.text import entry_line
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime import exit_codes as exits
from controller.runtime.media import files_of
from controller.runtime.round_replay import plots_of, replay_round, sensors_of, this_decider

NAME = "replay"
HELP = "decide a round again from what was recorded, compare, and draw it"
EXAMPLES = (
    ("replay 12 table.yaml", "decides round 12 again"),
    (
        "replay 12 table.journal --table table.yaml --svg round.svg",
        "the same from a copy of the journal, and draws it",
    ),
)


class UsageError(Exception):
    """The arguments of the command contradict one another; the message says which to use."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "round", type=_round, metavar="ROUND", help="the round's number; 0 is what came before the first"
    )
    parser.add_argument("file", metavar="JOURNAL|FILE", help="the YAML file of a table, or a journal with --table")
    parser.add_argument("--table", metavar="FILE", help="the YAML file of the table that wrote the journal")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="also draw what the sensors saw, as an SVG picture")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _round(word: str) -> int:
    if not word.isdecimal():
        raise ArgumentTypeError(f"'{word}' is not a round's number; for example: replay 12 table.yaml")
    return int(word)


def run(arguments: Namespace) -> int:
    try:
        loaded, file = _table(arguments)
    except UsageError as error:
        complain(f"table-controller replay: {error}")
        return exits.USAGE
    traced = trace_file(file)
    running = bool(holder(file))  # Then its edges are read where they are: their file is no table's alone.
    kept = nullcontext(traced) if running or not traced.exists() else copied(traced)
    with opened(file) as journal, kept as edges:
        replayed, unread = replay_round(arguments.round, loaded, journal, edges)
    notes = [*_notes(replayed, loaded), *unread]
    plots = plots_of(replayed, loaded)
    if arguments.json:
        print(as_json(_data(replayed, loaded, notes)))
    else:
        _print(replayed, loaded, notes, plots)
    drawn = arguments.svg is None or _drawn(arguments.svg, replayed, loaded, plots)
    return exits.OK if drawn and not replayed.differences else exits.FAILED


def _table(arguments: Namespace) -> tuple[LoadedTable, Path]:
    """The table and its journal.

    Raises:
        UsageError: one of the two was not named, or one twice.
        ConfigError: the table's file is wrong.
    """
    path = table_path(arguments.file)
    is_table = path.suffix in (".yaml", ".yml")
    if is_table and arguments.table is not None:
        raise UsageError(f"{path} is a table's file: name the journal in its place, or leave --table out")
    if is_table:
        loaded = load_table(path)
        return loaded, files_of(loaded.config).file
    if arguments.table is None:
        raise UsageError(f"{path}: a journal does not say how its table is built: add --table with its YAML file")
    return load_table(table_path(arguments.table)), path


# -- output --------------------------------------------------------------------------------------------------------


def _notes(replayed: ReplayedRound, loaded: LoadedTable) -> list[str]:
    """What a reader of the comparison has to know."""
    this = this_decider(loaded)
    notes = [
        f"{decider} decided the round, and this is {this}: differences may come from that; replay it with the same"
        for decider in replayed.deciders
        if decider != this
    ]
    if replayed.edge_replay is not None:
        if replayed.edge_replay.lost:
            notes.append(f"{replayed.edge_replay.lost} edges of the round were lost in the kernel")
        notes += map(str, [*replayed.edge_replay.readings, *replayed.edge_replay.open])
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
    same, edge_replay = sum(not again.differences for again in replayed.entries), replayed.edge_replay
    print(f"\n{same} of {_count(len(replayed.entries), 'decision')} as on record")
    if edge_replay is not None:
        print(f"{_count(edge_replay.same, 'event')} of the sensors found again in their edges, as on record")
        for difference in edge_replay.differences:
            print(f"    ≠   {difference}")
    for note in notes:
        print(paint(f"note: {note}", Colour.WARNING, sys.stdout))
    for plot in plots:
        print(f"\n{text(plot)}")
    colour = Colour.BAD if replayed.differences else Colour.GOOD
    print(f"\n{paint(_verdict(replayed), colour, sys.stdout)}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _verdict(replayed: ReplayedRound) -> str:
    if replayed.differences:
        return f"DIFFERENT from the record: {_count(len(replayed.differences), 'difference')}"
    if replayed.edge_replay is None:
        return "the decisions are as on record"
    return "decisions and sensors are as on record" + (
        "" if not replayed.edge_replay.open else ", where they can be compared"
    )


def _data(replayed: ReplayedRound, loaded: LoadedTable, notes: Sequence[str]) -> dict[str, object]:
    """The comparison for programs."""
    edge_replay = replayed.edge_replay
    entries = [
        {"seq": again.entry.seq, "utc": again.entry.utc, **plain(again.record), "same": not again.differences}
        for again in replayed.entries
    ]
    sensors: dict[str, object] | None = None
    if edge_replay is not None:
        sensors = {
            "same": edge_replay.same,
            "open": [asdict(one) for one in edge_replay.open],
            "lost": edge_replay.lost,
        }
        if edge_replay.readings:
            sensors["readings"] = [one._asdict() for one in edge_replay.readings]
    return {
        "round": replayed.number,
        "table": loaded.config.table,
        "same": not replayed.differences,
        "software": this_decider(loaded)._asdict(),
        "decided_by": [decider._asdict() for decider in replayed.deciders],
        "entries": entries,
        "sensors": sensors,
        "differences": [asdict(difference) for difference in replayed.differences],
        "notes": list(notes),
    }


def _drawn(out: Path, replayed: ReplayedRound, loaded: LoadedTable, plots: Sequence[Plot]) -> bool:
    """Write the picture; False if it cannot be written."""
    if not plots:
        why = (
            "no movement of the round was kept"
            if sensors_of(loaded) is not None
            else "the table has no sensor head"
        )
        complain(f"table-controller replay: {out} was not written: {why}")
        return False
    try:
        out.write_text(svg(plots, f"round {replayed.number} of {loaded.config.table}"), encoding="utf-8")
    except OSError as error:
        complain(f"table-controller replay: {out}: {error.strerror}; name another file")
        return False
    print(f"{out} written", file=sys.stderr)
    return True
