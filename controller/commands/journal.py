"""Show, verify, export or recover a table's journal; print its inspection log.

examples:
  table-controller journal show table.journal --last 3
      shows the last three rounds in words, in local time
  table-controller journal show table.yaml --round 12 --json  # prints round 12 of this table as JSON
  table-controller journal verify table.yaml                  # checks that every entry fits the one before
  table-controller journal export table.journal               # prints every entry, a JSON object per line
  table-controller journal export table.journal --trace 12
      prints the edges of round 12, for PulseView or bench --capture
  table-controller journal inspections roulette.journal  # prints the inspection log of a roulette wheel
  sudo table-controller journal recover table.journal --from /mnt/mirror/table.journal
      copies the mirror to the journal, and keeps the old journal
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from controller.commands.arguments import add_json, whole_number
from controller.commands.output import (
    GOOD,
    columns,
    complain,
    followed,
    in_local_time,
    paint,
    show,
    show_json,
    warn,
)
from controller.configuration.shipped import load_table, table_path
from controller.errors import FAILED, OK, UserError
from controller.events.effect import InspectionLogged
from controller.events.table_words import TABLE_WORDS
from controller.events.words import Words, plain
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
_NO_LOG = "nothing was logged; only a roulette table has an inspection log"
_NOBODY = "the floorperson"
"""A person at a table that asks nobody who he is."""


def configure(parser: ArgumentParser) -> None:
    number = whole_number(0, 10**10)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="print the record, by round, for people")
    export = actions.add_parser("export", help="print every entry for programs, as JSON lines")
    check = actions.add_parser("verify", help="check every entry against the one before")
    inspections = actions.add_parser("inspections", help="print the inspection log of a roulette wheel")
    recover = actions.add_parser("recover", help="make a journal of its mirror, or a mirror of its journal")
    recover.add_argument("journal", metavar="JOURNAL", help="the file that is made; what is there is kept")
    recover.add_argument("--from", dest="source", required=True, metavar="FILE", help="the file that counts")
    for action, do in ((show, _show), (export, _export), (check, _verify), (inspections, _inspections)):
        action.set_defaults(do=do)
        action.add_argument("journal", metavar="JOURNAL|FILE", help="a journal, or the YAML file of its table")
        if action is not export:
            add_json(action)
    for action in (show, export):
        action.add_argument("--round", type=number, metavar="N", help="only this round")
    show.add_argument("--last", type=whole_number(1, 10**10), metavar="N", help="only the last N rounds")
    export.add_argument("--trace", type=number, metavar="N", help="the edges and presses of round N, as a VCD file")


def run(arguments: Namespace) -> int | None:
    if arguments.action == "recover":
        _recover(Path(arguments.journal), Path(arguments.source))
        return OK
    path = table_path(arguments.journal)
    file = files_of(load_table(path).config).file if path.suffix in (".yaml", ".yml") else path
    with opened(file) as journal:
        code: int | None = arguments.do(journal, file, arguments)
        if arguments.action != "verify" and (problem := journal.missing_at_end()):
            raise UserError(f"{file}: {problem}")
        return code


def _recover(file: Path, source: Path) -> None:
    made = recover_from(file, source, time.time_ns())
    print(f"{file} has the {made.entries} entries of {source}; head {made.head}")
    if made.kept is not None:
        print(f"what was there is kept as {made.kept.name}")
    if made.only_there:
        warn(f"{made.kept} has {made.only_there} entries more that fit: what they say is not in {file}")


def _verify(journal: Journal, file: Path, arguments: Namespace) -> int:
    """Every entry against the one before, and the end against the head anchor."""
    verdict = journal.verify(seen=lambda entries: followed(entries, "entries", len(journal)))
    if not verdict.problem and (found := journal.page_problem()):
        anew = f"table-controller journal recover {file} --from {file} makes it anew"
        verdict = verdict._replace(problem=f"the file is damaged after its entries ({found}): {anew}")
    if verdict.problem and not arguments.json:
        complain(f"{verdict.problem}; the {verdict.entries} entries before it are verified")
        return FAILED
    lines = [f"{paint(f'{verdict.entries} entries verified', GOOD)}; head {verdict.head}"]
    if journal.known_head is None:
        lines.append("it has no head anchor (JOURNAL.head): entries that are missing at its end would not show")
    show(arguments.json, verdict._asdict(), lines)
    return FAILED if verdict.problem else OK


def _show(journal: Journal, file: Path, arguments: Namespace) -> None:
    after, number, last = 0, arguments.round, arguments.last
    if number is None and last is not None:
        after = journal.before_round(journal.last_round() - last + 1)
    entries = journal.entries(after, number)
    if arguments.json:
        show_json([exported(entry) for entry in entries])
        return
    shown, words = None, _words(journal)
    for entry in entries:
        if entry.round != shown:
            print(f"\nround {entry.round}" if entry.round else "\nbefore the first round")
            shown = entry.round
        print(in_local_time(entry_line(entry, of_entry(entry), words)))
    if shown is None:
        print("no entries")


def _words(journal: Journal) -> Words:
    """Sentences for the codes of the journal's game; those of the table layer, if it names none that is here."""
    with suppress(ValueError, KeyError, TypeError, UnknownGameError):
        if (start := journal.last_checkpoint()) is not None:
            return words_of(find_game(json.loads(start.checkpoint or "")["game"]))
    return TABLE_WORDS


def _export(journal: Journal, file: Path, arguments: Namespace) -> None:
    if arguments.trace is not None:
        _trace(journal, file, arguments.trace)
        return
    entries = journal.entries(round_=arguments.round)
    if not sys.stdout.isatty():  # On a terminal the entries themselves show the progress.
        entries = followed(entries, "entries", len(journal))
    for entry in entries:
        print(json.dumps(exported(entry), ensure_ascii=False))


def _trace(journal: Journal, file: Path, number: int) -> None:
    """A round's edges as a VCD file."""
    from controller.journal.replay.vcd import write_vcd  # Only this needs its library.

    with traces_of(file) as kept:
        stretches, there = (list(kept.of(number)), kept.rounds()) if kept is not None else ([], [])
    if not stretches:
        raise UserError(not_kept(number, there))
    entries = list(journal.entries(round_=number))
    starts = [at for at, entry in enumerate(entries) if entry.kind in ("power-restored", "table-started")]
    if starts and starts[-1]:
        warn(f"round {number}: only what came after the last start of the table is written")
        entries = entries[starts[-1] :]
        stretches = [one for one in stretches if one.seq >= entries[0].seq]
    write_vcd(stretches, list(map(of_entry, entries)), f"round {number} of {file}", sys.stdout)


def not_kept(number: int, kept: Sequence[int]) -> str:
    """A round without edges beside the journal, and the rounds that have some."""
    there = f"only those of rounds {kept[0]} to {kept[-1]}" if kept else "and those of no other round either"
    return f"no edges of round {number} are kept, {there}"


def _inspections(journal: Journal, file: Path, arguments: Namespace) -> None:
    """The inspection log, with every field that the regulation requires (58 Pa. Code § 617a.2(e))."""
    logged = [
        effect
        for entry in followed(journal.entries(), "entries", len(journal))
        if "inspection-logged" in entry.body  # Only few entries have one: the others need not be decoded.
        for effect in of_entry(entry).effects
        if isinstance(effect, InspectionLogged)
    ]
    if arguments.json:
        show_json([dict(zip(_LOG, _logged(effect, UTC), strict=True)) for effect in logged])
    else:
        print(columns(_LOG, [_logged(effect, None) for effect in logged]) if logged else _NO_LOG)


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
