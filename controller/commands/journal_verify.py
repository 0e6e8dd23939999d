"""``journal verify``: every entry against the one before, and the end against the head anchor."""

import sys
from argparse import Namespace

from controller.commands.columns import as_json
from controller.commands.console import Colour, complain, paint
from controller.commands.progress import followed, shown_progress
from controller.journal.chain import ChainVerdict, verify
from controller.journal.journal import Journal
from controller.runtime import exit_codes as exits


def verify_journal(journal: Journal, arguments: Namespace) -> int:
    """Verify a journal, and print what was found."""
    with shown_progress("entries", len(journal)) as advance:
        verdict = verify(followed(journal.entries(), advance))
    if not verdict.problem and (missing := journal.missing_at_end()):
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
    return exits.FAILED if verdict.problem else exits.OK
