"""``sign``: signs a table's journal and has it witnessed, in a process that only reads the journal."""

import asyncio
import logging
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.problems import ConfigError, Problem
from config.schema import TableConfig
from config.signing import SigningSection
from controller.commands.console import complain, log_handler
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.runtime import exit_codes as exits
from controller.runtime.media import JournalFiles, files_of
from controller.runtime.systemd import ServiceManager

if TYPE_CHECKING:
    from controller.transparency.signing_key import Signer

NAME = "sign"
HELP = "sign a table's journal, and have witnesses sign it"
EXAMPLES = (
    ("sign table.yaml", "signs until it is stopped; its service does the same"),
    ("sudo sign --show-key /etc/table-controller/table.yaml", "the public key, for witnesses and audits"),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file, with a section signing:")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configured one")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--make-key", action="store_true", help="make the key if there is none, print its public part, end"
    )
    only.add_argument("--show-key", action="store_true", help="print the public part of the key, and end")
    only.add_argument(
        "--configured", action="store_true", help="exit 0 if the file has a section signing:, 1 if not, and end"
    )


def run(arguments: Namespace) -> int:
    loaded = load_table(table_path(arguments.table))
    section = loaded.config.signing
    if arguments.configured:
        return exits.OK if section is not None else exits.FAILED
    if section is None:
        remedy = "add `signing:`; every key in it has a default"
        words = "the table's record is not to be signed"
        raise ConfigError([Problem(str(loaded.path), 1, 1, "signing", words, remedy)])
    from controller.transparency.note import NoteError
    from controller.transparency.store import CheckpointsError

    try:
        if arguments.show_key or arguments.make_key:
            print(_signer(loaded.config, section, make=arguments.make_key).key)
            return exits.OK
        logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
        return asyncio.run(_sign(loaded, section, files_of(loaded.config, arguments.journal)))
    except (NoteError, CheckpointsError) as error:
        complain(f"sign: {error}")
    return exits.FAILED


def _signer(config: TableConfig, section: SigningSection, make: bool) -> "Signer":
    """The table's signer.

    Raises:
        NoteError: the key cannot be read or made.
    """
    from controller.transparency.key_file import KeyFile, make_key
    from controller.transparency.leaves import key_name
    from controller.transparency.signing_key import Signer

    file = Path(section.key)
    if make and not file.exists():
        make_key(file)
    return Signer(key_name(config.table), KeyFile(file))


async def _sign(loaded: LoadedTable, section: SigningSection, files: JournalFiles) -> int:
    from controller.transparency.store import Checkpoints
    from controller.witnessing.client import WitnessClient
    from controller.witnessing.following import TableSigner
    from controller.witnessing.running import run_until_stopped

    signer = _signer(loaded.config, section, make=True)
    file = Path(section.checkpoints)
    kept = Checkpoints(file)
    manager = ServiceManager.of_environment(os.environ)
    try:
        witnesses = [WitnessClient(one) for one in section.witnesses]
        table = loaded.config.table
        logging.getLogger("sign").info("table %s signs as %s", table, signer.key)
        following = TableSigner(
            table, lambda: files.file, signer, kept, file, witnesses, lambda words: manager.notify(STATUS=words)
        )
        work = [following.run()]
        if section.timestamp is not None:
            from controller.witnessing.stamping import Stamper

            work.append(Stamper(section.timestamp, kept, following.newest).run())
        await run_until_stopped(work, manager)
    finally:
        kept.close()
        manager.close()
    return exits.OK
