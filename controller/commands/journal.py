"""Show, verify, export or recover a table's journal; print its inspection log.

examples:
  table-controller journal show table.journal --last 3
      shows the last three rounds in words, in local time
  table-controller journal show table.yaml --round 12 --json  # prints round 12 of this table as JSON
  table-controller journal verify table.yaml                  # checks that every entry fits the one before
  table-controller journal export table.journal --format csv  # prints every entry for a spreadsheet
  table-controller journal export table.journal --trace 12
      prints the edges of round 12, for PulseView or bench --capture
  table-controller journal inspections roulette.journal  # prints the inspection log of a roulette wheel
  sudo table-controller journal recover table.journal --from /mnt/mirror/table.journal
      copies the mirror to the journal, and keeps the old journal
"""

import csv
import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from controller.commands.cli import whole_number
from controller.commands.output import GOOD, columns, complain, followed, in_local_time, paint, show, warn
from controller.configuration.shipped import load_table, table_path
from controller.errors import FAILED, OK, UserError
from controller.events.effect import InspectionLogged
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Words, plain
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import entry_line, exported, of_entry
from controller.journal.set_aside import recover_from
from controller.machine.game import words_of
from controller.machine.registry import UnknownGameError, find_game
from controller.runtime.media import files_of
from controller.runtime.table_client import opened, traces_of

_LOG = (
    *("date", "time", "table", "adjustment or replacement", "description", "inspection", "signature"),
    *("credential", "security"),
)
_CSV = ("seq", "round", "utc", "at_ns", "kind", "outcome", "state", "event", "effects", "hash")
_NOBODY = "the floorperson"
"""A person at a table that asks nobody who he is."""


def configure(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print the record, by round, for people")
    export = actions.add_parser("export", help="print every entry for programs")
    check = actions.add_parser("verify", help="check every entry against the one before")
    inspections = actions.add_parser("inspections", help="print the inspection log of a roulette wheel")
    recover = actions.add_parser("recover", help="make a journal of its mirror, or a mirror of its journal")
    recover.add_argument("journal", metavar="JOURNAL", help="the file that is made; what is there is kept")
    recover.add_argument("--from", dest="source", required=True, metavar="FILE", help="the file that counts")
    for action, do in ((show, _show), (export, _export), (check, _verify), (inspections, _inspections)):
        action.set_defaults(do=do)
        action.add_argument("journal", metavar="JOURNAL|FILE", help="a journal, or the YAML file of its table")
        if action is not export:
            action.add_argument("--json", action="store_true", help="print JSON")
    for action in (show, export):
        action.add_argument("--round", type=whole_number(0, 10**10), metavar="N", help="only this round")
    show.add_argument("--last", type=whole_number(1, 10**10), metavar="N", help="only the last N rounds")
    words = "the edges and presses of round N, as a VCD file"
    export.add_argument("--trace", type=whole_number(0, 10**10), metavar="N", help=words)
    export.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="JSON lines (default) or CSV")


def run(arguments: Namespace) -> int:
    if arguments.action == "recover":
        return _recover(Path(arguments.journal), Path(arguments.source))
    path = table_path(arguments.journal)
    file = files_of(load_table(path).config).file if path.suffix in (".yaml", ".yml") else path
    with opened(file) as journal:
        code: int = arguments.do(journal, file, arguments)
        if arguments.action != "verify" and (problem := journal.missing_at_end()):
            raise UserError(f"{file}: {problem}")
        return code


def _recover(file: Path, source: Path) -> int:
    made = recover_from(file, source, time.time_ns())
    print(f"{file} has the {made.entries} entries of {source}; head {made.head}")
    if made.kept is not None:
        print(f"what was there is kept as {made.kept.name}")
    if made.only_there:
        warn(f"{made.kept} has {made.only_there} entries more that fit: what they say is not in {file}")
    return OK


# -- for people and programs ---------------------------------------------------------------------------------------


def _verify(journal: Journal, file: Path, arguments: Namespace) -> int:
    """Every entry against the one before, and the end against the head anchor."""
    verdict = journal.verify(seen=lambda entries: followed(entries, "entries", len(journal)))
    if verdict.problem and not arguments.json:
        complain(f"{verdict.problem}; the {verdict.entries} entries before it are verified")
        return FAILED
    lines = [f"{paint(f'{verdict.entries} entries verified', GOOD)}; head {verdict.head}"]
    if journal.known_head is None:
        lines.append("it has no head anchor (JOURNAL.head): entries that are missing at its end would not show")
    show(arguments.json, verdict._asdict(), lines)
    return FAILED if verdict.problem else OK


def _show(journal: Journal, file: Path, arguments: Namespace) -> int:
    entries = _entries(journal, arguments)
    if arguments.json:
        show(True, [exported(entry) for entry in entries], ())
        return OK
    shown, words = None, _words(journal)
    for entry in entries:
        if entry.round != shown:
            print(f"\nround {entry.round}" if entry.round else "\nbefore the first round")
            shown = entry.round
        print(in_local_time(entry_line(entry, of_entry(entry), words)))
    if shown is None:
        print("no entries")
    return OK


def _entries(journal: Journal, arguments: Namespace) -> Iterator[Entry]:
    if arguments.round is not None:
        return journal.entries(round_=arguments.round)
    last = getattr(arguments, "last", None)
    after = 0 if last is None else journal.before_round(journal.last_round() - last + 1)
    return journal.entries(after=after)


def _words(journal: Journal) -> Words:
    """Sentences for the codes of the journal's game; those of the table layer, if it names none that is here."""
    with suppress(ValueError, KeyError, TypeError, UnknownGameError):
        if (start := journal.last_checkpoint()) is not None:
            return words_of(find_game(json.loads(start.checkpoint or "")["game"]))
    return TABLE_WORDS


def _export(journal: Journal, file: Path, arguments: Namespace) -> int:
    if arguments.trace is not None:
        return _trace(journal, file, arguments)
    entries = _entries(journal, arguments)
    if not sys.stdout.isatty():  # On a terminal the entries themselves show the progress.
        entries = followed(entries, "entries", len(journal))
    if arguments.format == "jsonl":
        for entry in entries:
            print(json.dumps(exported(entry), ensure_ascii=False))
        return OK
    writer = csv.writer(sys.stdout)
    writer.writerow(_CSV)
    for entry in entries:
        data = exported(entry)
        texts = {name: json.dumps(data[name], ensure_ascii=False) for name in ("event", "effects")}
        writer.writerow([{**data, **texts}[name] for name in _CSV])
    return OK


def _trace(journal: Journal, file: Path, arguments: Namespace) -> int:
    """A round's edges as a VCD file."""
    from controller.journal.replay.vcd import write_vcd  # Only this needs its library.

    number, stretches, there = arguments.trace, [], list[int]()
    with traces_of(file) as kept:
        if kept is not None:
            stretches, there = list(kept.of(number)), kept.rounds()
    if not stretches:
        shown = f"those of rounds {there[0]} to {there[-1]} are" if there else "nor of any other round"
        raise UserError(f"no edges of round {number} are kept, {shown}")
    entries = list(journal.entries(round_=number))
    starts = [at for at, entry in enumerate(entries) if entry.kind in ("power-restored", "table-started")]
    if starts and starts[-1]:
        warn(f"round {number}: only what came after the last start of the table is written")
        entries = entries[starts[-1] :]
        stretches = [one for one in stretches if one.seq >= entries[0].seq]
    write_vcd(stretches, list(map(of_entry, entries)), f"round {number} of {arguments.journal}", sys.stdout)
    return OK


def _inspections(journal: Journal, file: Path, arguments: Namespace) -> int:
    """The inspection log, with every field that the regulation requires (58 Pa. Code § 617a.2(e))."""
    logged = [
        effect
        for entry in followed(journal.entries(), "entries", len(journal))
        if "inspection-logged" in entry.body  # Only few entries have one: the others need not be decoded.
        for effect in of_entry(entry).effects
        if isinstance(effect, InspectionLogged)
    ]
    data = [dict(zip(_LOG, _logged(effect, UTC), strict=True)) for effect in logged]
    rows = [_logged(effect, None) for effect in logged]
    show(arguments.json, data, [columns(_LOG, rows) if rows else "nothing was logged"])
    return OK


def _logged(effect: InspectionLogged, zone: tzinfo | None) -> tuple[str, ...]:
    """A row of the log. Without a zone its times are local, and name theirs."""
    at = datetime.fromtimestamp(effect.utc_ns / 1e9, UTC).astimezone(zone)
    works = [plain(work) for work in effect.work]
    kinds = dict.fromkeys(work.partition(" of ")[0] for work in works)
    inspected = "completed" if effect.inspected else "required, not made"
    return (
        f"{at:%Y-%m-%d}",
        f"{at:%H:%M:%S}Z" if zone else f"{at:%H:%M:%S %Z}",
        effect.table,
        ", ".join(kinds) or "none",
        "; ".join(works) or "-",
        f"refused: {plain(effect.refused)}" if effect.refused else inspected,
        effect.signature,
        effect.credential or _NOBODY,
        effect.witness or (_NOBODY if works else "-"),
    )
