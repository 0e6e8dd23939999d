"""``audit``: holds the exported evidence of a record against what table and witnesses signed, on any computer."""

import json
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.columns import as_json
from controller.commands.console import complain
from controller.commands.local_time import in_local_time, local_time
from controller.commands.progress import shown_progress
from controller.runtime import exit_codes as exits

if TYPE_CHECKING:
    from controller.transparency.auditing import RecordAudit, Verdict
    from controller.transparency.evidence import EvidenceFolder

NAME = "audit"
HELP = "prove that an exported record is the one that was signed, or name the first entry that is not"
EXAMPLES = (
    (
        "audit evidence --table-key KEY --witness-key KEY",
        "whether the record is the one that table and witness signed",
    ),
    (
        "audit evidence --table-key KEY --witness-key KEY --head heads.txt --round 12",
        "also against what the witness says itself; prints the proof of round 12",
    ),
)

_MOST_HEADS = 4 << 20
_NS = 1_000_000_000


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="made by: journal export JOURNAL --evidence FOLDER"
    )
    parser.add_argument("--table-key", required=True, metavar="KEY", help="the table's public key, NAME+ID+BASE64")
    parser.add_argument(
        "--witness-key",
        action="append",
        default=[],
        metavar="KEY",
        help="the public key of a witness that must have signed every closed round; may be repeated",
    )
    parser.add_argument(
        "--head",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="what a witness says that it signed last (witness --heads); only this shows rounds that were cut off",
    )
    parser.add_argument(
        "--tsa-certificate", type=Path, metavar="PEM", help="verify the timestamps of this authority"
    )
    parser.add_argument(
        "--also", action="append", default=[], metavar="RECORD", help="another record of the table, audited as well"
    )
    parser.add_argument("--round", type=int, metavar="N", help="print the proof of round N, as JSON")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def run(arguments: Namespace) -> int:
    from controller.transparency.evidence import EvidenceError, EvidenceFolder
    from controller.transparency.note import NoteError

    try:
        with shown_progress("entries") as advance:
            evidence = EvidenceFolder(arguments.folder, advance)
            verdict = _audit(evidence, arguments).run()
        if arguments.round is not None and not verdict.problems:
            return _proof(evidence, arguments.round, verdict)
    except (EvidenceError, NoteError) as error:
        complain(f"audit: {error}")
        return exits.FAILED
    _print(verdict, arguments.json)
    return exits.FAILED if verdict.problems else exits.OK


def _audit(evidence: "EvidenceFolder", arguments: Namespace) -> "RecordAudit":
    """The audit that is asked for.

    Raises:
        NoteError: a key, a head or a certificate cannot be read.
    """
    from controller.transparency.auditing import RecordAudit
    from controller.transparency.evidence_checkpoints import read_heads
    from controller.transparency.note import COSIGNATURE, ED25519, NoteError, VerifierKey

    table = VerifierKey.parse(arguments.table_key)
    witnesses = [VerifierKey.parse(key) for key in arguments.witness_key]
    if table.type != ED25519 or any(key.type != COSIGNATURE for key in witnesses):
        raise NoteError("--table-key takes a table's key, and --witness-key a witness's")
    heads = [head for file in arguments.head for head in read_heads(_text(file), witnesses)]
    authority = None
    if arguments.tsa_certificate is not None:
        from controller.transparency.timestamps import TimestampAuthority

        authority = TimestampAuthority(arguments.tsa_certificate)
    return RecordAudit(evidence, table, witnesses, heads, authority, arguments.also)


def _text(file: Path) -> str:
    """The text of a file of heads.

    Raises:
        NoteError: it cannot be read.
    """
    from controller.transparency.note import NoteError

    try:
        with file.open("rb") as stream:
            return stream.read(_MOST_HEADS).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise NoteError(f"{file}: it cannot be read: {error}") from error


def _proof(evidence: "EvidenceFolder", number: int, verdict: "Verdict") -> int:
    from controller.transparency.round_proof import round_proof

    proof = round_proof(evidence, number, verdict.best) if verdict.best is not None else None
    if proof is None:
        complain(f"audit: there is no proof of round {number}: it is not here, or not all of it is signed")
        return exits.FAILED
    print(json.dumps(proof, ensure_ascii=False, indent=1))
    return exits.OK


def _print(verdict: "Verdict", in_json: bool) -> None:
    if in_json:
        witnessed = {name: {"entry": size, "at": _utc(at_s)} for name, (size, at_s) in verdict.witnessed.items()}
        stamped = {"entry": verdict.stamped[0], "at": verdict.stamped[1].isoformat()} if verdict.stamped else None
        found = {"entries": verdict.entries, "signed": verdict.signed, "witnessed": witnessed, "stamped": stamped}
        print(as_json({**found, "problems": verdict.problems}))
        return
    for problem in verdict.problems:
        complain(in_local_time(problem))
    print(f"{verdict.entries} entries are as they were signed; the table's key signed up to entry {verdict.signed}")
    for name, (size, seconds) in verdict.witnessed.items():
        print(f"{name} signed up to entry {size}" + (f", at {local_time(seconds * _NS)}" if size else ""))
    if verdict.stamped is not None:
        size, at = verdict.stamped
        print(f"stamped up to entry {size}, at {local_time(int(at.timestamp()) * _NS)}")
    if not verdict.witnessed:
        print("no key of a witness was given: whoever has the table's key could have signed all of this anew")


def _utc(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s after 1970"
