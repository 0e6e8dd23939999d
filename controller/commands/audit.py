"""Compare a journal with the signatures of table and floor; name the first wrong entry.

It runs on any computer and changes no file. --make-key makes the keys.

examples:
  table-controller audit table.journal --receipts receipts.jsonl \\
      --floor-key floor.key.pub --table-key table.key.pub
      compares every entry up to the last receipt
  table-controller audit table.journal --receipts receipts.jsonl have.json \\
      --floor-key floor.key.pub --table-key table.key.pub --floor-entries entries.jsonl
      also uses the newest receipt from the broker and the floor's own entries,
      and names the exact entry
  table-controller audit --make-key table.key
      makes a private key, and table.key.pub beside it
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.output import complain, print_json
from controller.commands.progress import followed, shown_progress
from controller.errors import FAILED, OK, UsageError

if TYPE_CHECKING:
    from controller.signing.audit import Verdict


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("journal", nargs="?", type=Path, metavar="JOURNAL", help="a journal that no table writes")
    parser.add_argument(
        "--receipts",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="the publisher's receipts.jsonl, and retained messages of floor/TABLE/have",
    )
    parser.add_argument("--floor-key", type=Path, metavar="FILE", help="the floor's public key, PEM")
    parser.add_argument("--table-key", type=Path, metavar="FILE", help="the table's public key, PEM")
    parser.add_argument(
        "--floor-entries",
        type=Path,
        metavar="FILE",
        help="the record's entries from the floor's database, one JSON object per line (docs/security.md)",
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    parser.add_argument("--make-key", type=Path, metavar="FILE", help="make a private key and FILE.pub, and end")


def run(arguments: Namespace) -> int:
    if arguments.make_key is not None:
        from controller.signing.keys import make_key

        print(f"the public key is {make_key(arguments.make_key)}")
        return OK
    needed = {
        "JOURNAL": arguments.journal,
        "--receipts": arguments.receipts,
        "--floor-key": arguments.floor_key,
        "--table-key": arguments.table_key,
    }
    if missing := [name for name, value in needed.items() if value is None]:
        raise UsageError(f"missing: {', '.join(missing)}; table-controller audit --help has examples")
    verdict = _audit(arguments)
    if arguments.json:
        first = verdict.finding._asdict() if verdict.finding is not None else None
        of = {name: getattr(verdict, name) for name in ("table", "record", "entries", "proven", "signed")}
        print_json({**of, "finding": first, "problems": verdict.problems, "notes": verdict.notes})
    else:
        _print(verdict)
    return FAILED if verdict.finding or verdict.problems else OK


def _audit(arguments: Namespace) -> "Verdict":
    from controller.signing.audit import Audit, entries_of
    from controller.signing.keys import Domain, Verifier
    from controller.signing.receipts import read_receipts

    floor = Verifier(arguments.floor_key, Domain.RECEIPT)
    table = Verifier(arguments.table_key, Domain.HEAD)
    read = [(file, *read_receipts(file)) for file in arguments.receipts]
    receipts = [receipt for _, receipts, _ in read for receipt in receipts]
    with shown_progress("entries") as advance:
        copy = entries_of(arguments.floor_entries) if arguments.floor_entries is not None else ()
        verdict = Audit(followed(entries_of(arguments.journal), advance), receipts, floor, table, copy).run()
    verdict.notes += [f"{file}: lines that are no receipts: {none}" for file, _, none in read if none]
    return verdict


def _print(verdict: "Verdict") -> None:
    print(f"table {verdict.table or 'unknown'}, record {verdict.record or 'unknown'}: {verdict.entries} entries")
    if verdict.proven:
        print(f"entries 1 to {verdict.proven} are those that the floor has")
    if verdict.finding is None and verdict.proven < verdict.entries:
        print(f"from entry {verdict.proven + 1} on, only the table vouches; it signed up to entry {verdict.signed}")
    for said in verdict.notes:
        print(said)
    for problem in ([str(verdict.finding)] if verdict.finding is not None else []) + verdict.problems:
        complain(problem)
