"""``journal verify``: every entry against the one before, the end against the head anchor, all against what was
signed."""

import sys
from argparse import Namespace
from contextlib import closing

from controller.commands.columns import as_json
from controller.commands.console import Colour, complain, paint
from controller.commands.journal_files import SignedFiles, signed_files
from controller.commands.progress import followed, shown_progress
from controller.events.event import TableStarted
from controller.journal.chain import ChainVerdict, verify
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime import exit_codes as exits
from controller.transparency.last_signed import contradiction, last_signed_file, read_last_signed, tables_of
from controller.transparency.leaves import leaf_of, origin_of
from controller.transparency.store import Checkpoints, CheckpointsError


def verify_journal(journal: Journal, arguments: Namespace) -> int:
    """Verify a journal, and print what was found."""
    with shown_progress("entries", len(journal)) as advance:
        verdict = verify(followed(journal.entries(), advance))
    signed = 0
    if not verdict.problem:
        files = signed_files(arguments.journal, arguments.checkpoints)
        problem, signed = _signed(journal, files) if files is not None else ("", 0)
        if missing := problem or journal.missing_at_end():
            verdict = ChainVerdict(verdict.entries, verdict.head, f"{arguments.journal}: {missing}")
    if arguments.json:
        print(as_json(verdict._asdict()))
    elif verdict.problem:
        complain(f"{verdict.problem}; the {verdict.entries} entries before it are verified")
    else:
        print(f"{paint(f'{verdict.entries} entries verified', Colour.GOOD, sys.stdout)}; head {verdict.head}")
        if not journal.head_is_known:
            print(
                "it has no head anchor (JOURNAL.head), so this does not show whether entries are missing at its end"
            )
        if signed:
            print(f"the first {signed} are those that were signed")
    return exits.FAILED if verdict.problem else exits.OK


def _signed(journal: Journal, files: SignedFiles) -> tuple[str, int]:
    """How a journal contradicts what was signed, in words, or empty; and up to which entry it was signed.

    The signatures are not verified here: whoever cannot be trusted with the signer's files is found by ``audit``.
    """
    last = read_last_signed(last_signed_file(files.checkpoints))
    first = journal.entry(1)
    event = of_entry(first).event if first is not None else None
    replaces = event.replaces if isinstance(event, TableStarted) else ""
    for table in [files.table] if files.table else tables_of(last):
        problem = contradiction(journal, table, last, replaces)
        origin = origin_of(table, first.hash) if first is not None else ""
        if problem:
            return _named(journal, files, origin) or problem, 0
        if signed := next((one for one in last if one.origin == origin), None):
            return "", signed.size
    return "", 0


def _named(journal: Journal, files: SignedFiles, origin: str) -> str:
    """The first entry that is not the one that was signed, if the checkpoints can be read."""
    try:
        with closing(Checkpoints(files.checkpoints, read_only=True)) as kept:
            for entry, leaf in zip(journal.entries(), kept.leaves(origin), strict=False):
                if leaf_of(entry) != leaf:
                    words = f"entry {entry.seq} (round {entry.round}, {entry.kind}) is not the one that was signed"
                    return f"{words}: it was changed, taken out or put in"
    except CheckpointsError:
        return ""
    return ""
