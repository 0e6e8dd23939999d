"""Compare a journal with the signatures of table and floor; name the first wrong entry.

It runs on any computer and changes no file.

examples:
  table-controller audit table.journal --receipts receipts.jsonl \\
      --floor-key floor.key.pub --table-key table.key.pub
      compares every entry up to the last receipt
  table-controller audit table.journal --receipts receipts.jsonl have.json \\
      --floor-key floor.key.pub --table-key table.key.pub --floor-entries entries.jsonl
      also uses the newest receipt from the broker and the floor's own entries,
      and names the exact entry
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.commands.arguments import add_json
from controller.commands.output import complain, followed, show
from controller.errors import FAILED, OK

if TYPE_CHECKING:
    from controller.signing.audit import Verdict


def configure(parser: ArgumentParser) -> None:
    def file(name: str, words: str, **more: Any) -> None:
        parser.add_argument(name, type=Path, help=words, **{"metavar": "FILE", **more})

    receipts = "the publisher's receipts.jsonl, and retained messages of floor/TABLE/have"
    file("journal", "a journal that no table writes", metavar="JOURNAL")
    file("--receipts", receipts, nargs="+", required=True)
    file("--floor-key", "the floor's public key, PEM", required=True)
    file("--table-key", "the table's public key, PEM", required=True)
    file("--floor-entries", "the floor's entries of the record, a JSON object per line (docs/security.md)")
    add_json(parser)


def run(arguments: Namespace) -> int:
    from controller.signing.audit import Audit, entries_of
    from controller.signing.keys import Domain, Verifier
    from controller.signing.receipts import read_receipts

    floor = Verifier(arguments.floor_key, Domain.RECEIPT)
    table = Verifier(arguments.table_key, Domain.HEAD)
    read = [(file, *read_receipts(file)) for file in arguments.receipts]
    receipts = [receipt for _, receipts, _ in read for receipt in receipts]
    copy = entries_of(arguments.floor_entries) if arguments.floor_entries is not None else ()
    verdict = Audit(followed(entries_of(arguments.journal), "entries"), receipts, floor, table, copy).run()
    verdict.notes += [f"{file}: lines that are no receipts: {none}" for file, _, none in read if none]
    verdict.notes += [f"{file}: there is no receipt in it" for file, found, _ in read if not found]
    data = {name: getattr(verdict, name) for name in ("table", "record", "entries", "proven", "signed")}
    first = verdict.finding._asdict() if verdict.finding is not None else None
    data |= {"finding": first, "problems": verdict.problems, "notes": verdict.notes}
    show(arguments.json, data, _lines(verdict))
    problems = [str(verdict.finding)] * (verdict.finding is not None) + verdict.problems
    if problems and not arguments.json:
        complain("\n".join(problems))
    return FAILED if problems else OK


def _lines(verdict: "Verdict") -> Iterator[str]:
    yield f"table {verdict.table or 'unknown'}, record {verdict.record or 'unknown'}: {verdict.entries} entries"
    if verdict.proven:
        yield f"entries 1 to {verdict.proven} are those that the floor has"
    if verdict.finding is None and verdict.proven < verdict.entries:
        yield f"from entry {verdict.proven + 1} on, only the table vouches; it signed up to entry {verdict.signed}"
    yield from verdict.notes
