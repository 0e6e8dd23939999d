"""Opens a witness from its section of a file, or a key of its own."""

from pathlib import Path

from config.signing import WitnessSection
from controller.transparency.key_file import KeyFile, make_key
from controller.transparency.note import VerifierKey
from controller.transparency.signing_key import Signer
from controller.transparency.witness import Witness


def signer_of(name: str, file: Path, make: bool) -> Signer:
    """A witness's signer.

    Args:
        make: whether a key is made if there is none.

    Raises:
        NoteError: the key cannot be read or made.
    """
    if make and not file.exists():
        make_key(file)
    return Signer(name, KeyFile(file), cosigns=True)


def open_witness(section: WitnessSection, name: str) -> Witness:
    """The witness of a section; its key is made if there is none.

    Raises:
        NoteError: a key cannot be used.
        WitnessError: its file cannot be used.
    """
    tables = {table: VerifierKey.parse(key) for table, key in section.tables.items()}
    return Witness(Path(section.file), signer_of(name, Path(section.key), make=True), tables)
