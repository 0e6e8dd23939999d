"""``journal export --evidence``: what an audit on another computer needs of a record."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.schema import TableConfig
from controller.commands.console import complain
from controller.commands.journal_files import journal_file, signed_files, table_config
from controller.commands.progress import shown_progress
from controller.runtime import exit_codes as exits

if TYPE_CHECKING:
    from controller.transparency.note import VerifierKey


def export_to_folder(arguments: Namespace) -> int:
    """Export the evidence of a record into a folder."""
    from controller.transparency.evidence import EvidenceError
    from controller.transparency.exporting import export_evidence
    from controller.transparency.leaves import key_name
    from controller.transparency.note import NoteError, VerifierKey
    from controller.transparency.store import CheckpointsError

    folder: Path = arguments.evidence
    files = signed_files(arguments.journal, arguments.checkpoints)
    if files is None:
        complain("journal: name the table's YAML file with a section signing:, or --checkpoints and --table-key")
        return exits.USAGE
    try:
        config = table_config(arguments.journal)
        key = VerifierKey.parse(arguments.table_key) if arguments.table_key else _key(config)
        table = files.table or key.name.removeprefix(key_name(""))
        with shown_progress("entries") as advance:
            file = journal_file(arguments.journal)
            exported = export_evidence(file, table, files.checkpoints, key, folder, advance)
    except (NoteError, CheckpointsError, EvidenceError) as error:
        complain(f"journal: {error}")
        return exits.FAILED
    print(
        f"{exported.entries} entries and {exported.checkpoints} checkpoints are in {folder}; the table's key: {key}"
    )
    if exported.problem:
        complain(f"journal: {file}: {exported.problem}")
        return exits.FAILED
    return exits.OK


def _key(config: TableConfig | None) -> "VerifierKey":
    """The public key of a table whose private key is here.

    Raises:
        NoteError: it is not, or may not be read.
    """
    from controller.transparency.key_file import KeyFile
    from controller.transparency.leaves import key_name
    from controller.transparency.note import NoteError
    from controller.transparency.signing_key import Signer

    if config is None or config.signing is None:
        raise NoteError("give the table's public key: --table-key")
    return Signer(key_name(config.table), KeyFile(Path(config.signing.key))).key
