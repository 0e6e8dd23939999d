"""``witness``: signs what extends the records of tables, and keeps their last sizes and roots: for a regulator."""

import asyncio
import logging
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.loader import load_witness, read
from config.signing import WitnessConfig
from controller.commands.console import Colour, complain, log_handler, paint
from controller.runtime import exit_codes as exits
from controller.runtime.systemd import ServiceManager

if TYPE_CHECKING:
    from controller.transparency.notice import SignerNotice
    from controller.transparency.witness import Witness, WitnessAnswer

NAME = "witness"
HELP = "sign what extends the records of tables, as a witness of one's own"
EXAMPLES = (
    ("witness witness.yaml --make-key", "makes its key, and prints the public part"),
    ("witness witness.yaml", "signs until it is stopped"),
    ("witness witness.yaml --heads", "what it signed last, for an audit"),
)

log = logging.getLogger("witness")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("witness", metavar="FILE", help="the witness's YAML file")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--check", action="store_true", help="report every problem in the file, and end")
    only.add_argument(
        "--make-key", action="store_true", help="make the key if there is none, print its public part, end"
    )
    only.add_argument("--show-key", action="store_true", help="print the public part of the key, and end")
    only.add_argument(
        "--heads",
        action="store_true",
        help="print what was signed last of each record, signed anew, for audits; and end",
    )


def run(arguments: Namespace) -> int:
    path = Path(arguments.witness)
    config = load_witness(read(path), str(path))
    if arguments.check:
        print(f"{path}: {paint('in order', Colour.GOOD, sys.stdout)}")
        return exits.OK
    from controller.transparency.note import NoteError
    from controller.transparency.witness import WitnessError

    try:
        if arguments.show_key or arguments.make_key:
            from controller.witnessing.opening import signer_of

            print(signer_of(config.name, Path(config.key), make=arguments.make_key).key)
            return exits.OK
        if arguments.heads:
            from controller.transparency.witness_heads import witness_heads
            from controller.witnessing.opening import signer_of

            signer = signer_of(config.name, Path(config.key), make=False)
            print("\n".join(map(str, witness_heads(Path(config.file), signer, int(time.time())))))
            return exits.OK
        witness = _opened(config)
        try:
            logging.basicConfig(level=logging.INFO, handlers=[log_handler()])
            return asyncio.run(_serve(config, witness))
        finally:
            witness.close()
    except (NoteError, WitnessError) as error:
        complain(f"witness: {error}")
    return exits.FAILED


def _opened(config: WitnessConfig) -> "Witness":
    from controller.witnessing.opening import open_witness

    witness = open_witness(config, config.name)
    log.info("the witness signs as %s", witness.key)
    return witness


class _Log:
    """Logs what contradicts a record; only the log of the regulator's witness has it, and the table's own."""

    def answered(self, answer: "WitnessAnswer", seconds: int) -> None:
        if answer.alarm:
            log.error("table %s: %s", answer.table, answer.alarm)

    def noticed(self, table: str, notice: "SignerNotice", seconds: int) -> None:
        log.error("table %s: its signer says: %s", table, notice.words)


async def _serve(config: WitnessConfig, witness: "Witness") -> int:
    from controller.web.opening import keep_open
    from controller.web.server import HttpServer
    from controller.witnessing.running import run_until_stopped
    from controller.witnessing.site import BODY_BYTES, WitnessSite

    manager = ServiceManager.of_environment(os.environ)
    site = WitnessSite(witness, _Log())
    server = HttpServer(site, body_bytes=BODY_BYTES)
    served, unavailable = (
        "the witness is asked at %s, port %d",
        "%s, port %d: the witness cannot be asked: %s; retrying",
    )
    opening = await keep_open(server.open, config.address, config.port, log, served, unavailable)
    try:
        await run_until_stopped([asyncio.Event().wait()], manager)
    finally:
        if opening is not None:
            opening.cancel()
        server.close()
        site.close()
        manager.close()
    return exits.OK
