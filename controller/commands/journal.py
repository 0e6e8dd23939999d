"""``journal``: show the record by round, verify its chain, export it, print a roulette table's inspection log."""

import contextlib
import csv
import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from controller.commands.columns import as_json, columns
from controller.commands.console import complain, warn
from controller.commands.journal_files import journal_file, opened
from controller.commands.journal_verify import verify_journal
from controller.commands.local_time import in_local_time
from controller.commands.progress import followed, shown_progress
from controller.events.effect import InspectionLogged
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Words, plain
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.journal_file import holder
from controller.journal.quarantine import recover_from
from controller.journal.reading import copied
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from controller.journal.text import entry_line
from controller.machine.game import words_of
from controller.machine.registry import UnknownGameError, find_game
from controller.runtime import exit_codes as exits

NAME = "journal"
_LOG = (
    "date",
    "time",
    "table",
    "adjustment or replacement",
    "description",
    "inspection",
    "signature",
    "credential",
    "security",
)
_INSPECTED = {True: "completed", False: "required, not made"}
_NOBODY = "the floorperson"
"""A person at a table that asks nobody who he is."""
HELP = "show, verify or export a table's journal; print its inspection log; make it anew from its mirror"
EXAMPLES = (
    ("journal show table.journal --last 3", "the last three rounds in words, in local time"),
    ("journal show table.yaml --round 12 --json", "round 12 of the table with this file, for a program"),
    ("journal verify table.yaml", "whether every entry fits the one before"),
    ("journal export table.journal --format csv", "every entry, for a spreadsheet"),
    ("journal export table.journal --trace 12", "the edges of round 12, for PulseView"),
    ("journal inspections roulette.journal", "the inspection log of a roulette wheel"),
    (
        "sudo journal recover /var/lib/table-controller/table.journal --from /mnt/mirror/table.journal",
        "makes the journal of its mirror, and keeps the old one",
    ),
)


def configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print the record, by round, for people")
    export = actions.add_parser("export", help="print every entry for programs")
    verify = actions.add_parser("verify", help="check every entry against the one before")
    inspections = actions.add_parser("inspections", help="print the inspection log of a roulette wheel")
    recover = actions.add_parser("recover", help="make a journal of its mirror, or a mirror of its journal")
    recover.add_argument("journal", metavar="JOURNAL", help="the file that is made; what is there is kept")
    recover.add_argument("--from", dest="source", required=True, metavar="FILE", help="the file that counts")
    for action in (show, export, verify, inspections):
        action.add_argument("journal", metavar="JOURNAL|FILE", help="a journal, or the YAML file of its table")
    for action in (show, export):
        action.add_argument("--round", type=int, metavar="N", help="only this round")
    show.add_argument("--last", type=int, metavar="N", help="only the last N rounds")
    export.add_argument("--trace", type=int, metavar="N", help="the edges and presses of round N, as a VCD file")
    export.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="JSON lines (default) or CSV")
    for action in (show, verify, inspections):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    actions: dict[str, Callable[[Journal, Namespace], int]] = {
        "show": _show,
        "verify": verify_journal,
        "export": _export,
        "inspections": _inspections,
    }
    if arguments.action == "recover":
        return _recover(Path(arguments.journal), Path(arguments.source))
    file = journal_file(arguments.journal)
    with opened(file) as journal:
        code = actions[arguments.action](journal, arguments)
        if arguments.action != "verify" and (problem := journal.missing_at_end()):
            complain(f"table-controller journal: {file}: {problem}")
            return exits.FAILED
        return code


def _recover(file: Path, source: Path) -> int:
    made = recover_from(file, source, time.time_ns())
    print(f"{file} has the {made.entries} entries of {source}; head {made.head}")
    if made.kept is not None:
        print(f"what was there is kept as {made.kept.name}")
    if made.only_there:
        warn(f"{made.kept} has {made.only_there} entries more that fit: what they say is not in {file}")
    return exits.OK


def _entries(journal: Journal, arguments: Namespace) -> Iterator[Entry]:
    if arguments.round is not None:
        return journal.entries(round_=arguments.round)
    last = getattr(arguments, "last", None)
    return journal.entries() if last is None else journal.entries(after=journal.before_last_rounds(last))


def _show(journal: Journal, arguments: Namespace) -> int:
    entries = list(_entries(journal, arguments))
    if arguments.json:
        print(as_json([_plain(entry) for entry in entries]))
        return exits.OK
    if not entries:
        print("no entries")
    shown, words = None, _words(journal)
    for entry in entries:
        if entry.round != shown:
            print(f"\nround {entry.round}" if entry.round else "\nbefore the first round")
            shown = entry.round
        print(in_local_time(entry_line(entry, of_entry(entry), words)))
    return exits.OK


def _words(journal: Journal) -> Words:
    """Sentences for the codes of the journal's game; those of the table layer, if it names none that is here."""
    start = journal.last_checkpoint()
    with contextlib.suppress(ValueError, KeyError, TypeError, UnknownGameError):
        return words_of(find_game(json.loads(start.checkpoint or "")["game"])) if start is not None else TABLE_WORDS
    return TABLE_WORDS


def _export(journal: Journal, arguments: Namespace) -> int:
    if arguments.trace is not None:
        return _trace(journal, arguments)
    # On a terminal the entries themselves show how far it is.
    following = contextlib.nullcontext(None) if sys.stdout.isatty() else shown_progress("entries", len(journal))
    with following as advance:
        entries = _entries(journal, arguments)
        _write_entries(entries if advance is None else followed(entries, advance), arguments.format)
    return exits.OK


def _write_entries(entries: Iterable[Entry], form: str) -> None:
    if form == "jsonl":
        for entry in entries:
            print(json.dumps(_plain(entry), ensure_ascii=False))
        return
    writer = csv.writer(sys.stdout)
    writer.writerow(("seq", "round", "utc", "at_ns", "kind", "outcome", "state", "event", "effects", "hash"))
    for entry in entries:
        body = json.loads(entry.body)
        event, effects = (json.dumps(body[key], ensure_ascii=False) for key in ("event", "effects"))
        row = (entry.seq, entry.round, entry.utc, entry.at_ns, entry.kind, body["outcome"], body["state"])
        writer.writerow((*row, event, effects, entry.hash))


def _inspections(journal: Journal, arguments: Namespace) -> int:
    """The inspection log, with every field that the regulation requires."""
    with shown_progress("entries", len(journal)) as advance:
        logged = list(_inspections_of(followed(journal.entries(), advance)))
    if arguments.json:
        print(as_json([dict(zip(_LOG, _logged(effect, UTC), strict=True)) for effect in logged]))
        return exits.OK
    rows = [_logged(effect, None) for effect in logged]
    print(columns(_LOG, rows) if rows else "nothing was logged")
    return exits.OK


def _inspections_of(entries: Iterable[Entry]) -> Iterator[InspectionLogged]:
    for entry in entries:
        if "inspection-logged" in entry.body:  # Only few entries have one: the others need not be decoded.
            yield from (one for one in of_entry(entry).effects if isinstance(one, InspectionLogged))


def _logged(effect: InspectionLogged, zone: tzinfo | None) -> tuple[str, ...]:
    """A row of the log. Without a zone its times are local, and name theirs."""
    at = datetime.fromtimestamp(effect.utc_ns / 1e9, UTC).astimezone(zone)
    works = [plain(work) for work in effect.work]
    kinds = dict.fromkeys(work.partition(" of ")[0] for work in works)
    return (
        f"{at:%Y-%m-%d}",
        f"{at:%H:%M:%S}Z" if zone else f"{at:%H:%M:%S %Z}",
        effect.table,
        ", ".join(kinds) or "none",
        "; ".join(works) or "-",
        f"refused: {plain(effect.refused)}" if effect.refused else _INSPECTED[effect.inspected],
        effect.signature,
        effect.credential or _NOBODY,
        effect.witness or (_NOBODY if works else "-"),
    )


def _trace(journal: Journal, arguments: Namespace) -> int:
    """A round's edges, for PulseView or ``bench --capture``."""
    from controller.journal.replay.vcd import write_vcd  # Only this command needs it.

    number, file = arguments.trace, trace_file(journal_file(arguments.journal))
    stretches, there = _kept(file, number)
    if not stretches:
        shown = f"rounds {there[0]} to {there[-1]} are there" if there else "none are there"
        complain(f"table-controller journal: no edges of round {number} are kept; {shown}")
        return exits.FAILED
    entries = list(journal.entries(round_=number))
    starts = [at for at, entry in enumerate(entries) if entry.kind in ("power-restored", "table-started")]
    if starts and starts[-1]:
        warn(f"round {number}: only what came after the last start of the table is written")
        entries = entries[starts[-1] :]
        stretches = [one for one in stretches if one.seq >= entries[0].seq]
    records = [of_entry(entry) for entry in entries]
    write_vcd(stretches, records, f"round {number} of {arguments.journal}", sys.stdout)
    return exits.OK


def _kept(file: Path, number: int) -> tuple[list[EdgeStretch], list[int]]:
    """The edges of a round, and the rounds of which any are kept."""
    if not file.exists():
        return [], []
    with nullcontext(file) if holder(file) else copied(file) as place, closing(Traces(place, rounds=0)) as kept:
        return list(kept.of(number)), kept.rounds()


def _plain(entry: Entry) -> dict[str, object]:
    head = {"seq": entry.seq, "round": entry.round, "utc": entry.utc, "at_ns": entry.at_ns, "kind": entry.kind}
    return {**head, **json.loads(entry.body), "hash": entry.hash}
