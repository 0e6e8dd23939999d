"""``audit``: compares a journal with the signatures of table and floor, on any computer, and names the first wrong
entry. It changes no file. ``--make-key`` makes the keys."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.columns import as_json
from controller.commands.console import complain
from controller.commands.progress import followed, shown_progress
from controller.runtime import exit_codes as exits

if TYPE_CHECKING:
    from controller.signing.audit import Verdict

NAME = "audit"
HELP = "name the first entry of a journal that is not the one that table and floor signed; make their keys"
EXAMPLES = (
    (
        "audit table.journal --receipts receipts.jsonl --floor-key floor.key.pub --table-key table.key.pub",
        "whether every entry up to the last receipt is the one that the floor has",
    ),
    (
        "audit table.journal --receipts receipts.jsonl have.json --floor-key floor.key.pub "
        "--table-key table.key.pub --floor-entries entries.jsonl",
        "also with the newest receipt from the broker and the floor's own entries; names the exact entry",
    ),
    (
        "sudo -u table-controller-publish audit --make-key /var/lib/table-controller-publish/table.key",
        "makes a table's private key, and table.key.pub beside it",
    ),
)


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
    from controller.signing.keys import SigningError, make_key

    needed = {"JOURNAL": arguments.journal, "--receipts": arguments.receipts}
    needed |= {"--floor-key": arguments.floor_key, "--table-key": arguments.table_key}
    missing = [name for name, value in needed.items() if value is None]
    try:
        if arguments.make_key is not None:
            print(f"the public key is {make_key(arguments.make_key)}")
            return exits.OK
        if missing:
            complain(f"audit: missing: {', '.join(missing)}; table-controller audit --help has examples")
            return exits.USAGE
        verdict = _audit(arguments)
    except SigningError as error:
        complain(f"audit: {error}")
        return exits.CONFIGURATION if arguments.make_key is None else exits.FAILED
    _print(verdict, arguments.json)
    return exits.FAILED if verdict.finding or verdict.problems else exits.OK


def _audit(arguments: Namespace) -> "Verdict":
    from controller.signing.audit import Audit
    from controller.signing.evidence import entries_of
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


def _print(verdict: "Verdict", in_json: bool) -> None:
    found = verdict.finding
    if in_json:
        first = found._asdict() if found is not None else None
        of = {name: getattr(verdict, name) for name in ("table", "record", "entries", "proven", "signed")}
        print(as_json({**of, "finding": first, "problems": verdict.problems, "notes": verdict.notes}))
        return
    print(f"table {verdict.table or 'unknown'}, record {verdict.record or 'unknown'}: {verdict.entries} entries")
    if verdict.proven:
        print(f"entries 1 to {verdict.proven} are those that the floor has")
    if found is None and verdict.proven < verdict.entries:
        print(f"from entry {verdict.proven + 1} on, only the table vouches; it signed up to entry {verdict.signed}")
    for note in verdict.notes:
        print(note)
    for problem in ([str(found)] if found is not None else []) + verdict.problems:
        complain(problem)
