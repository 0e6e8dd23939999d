"""``update``: shows what runs and what is offered, or offers an update of a card's image to the table on it.

The floorperson's key at the table confirms it; the table's system installs it and starts the computer anew.
"""

import os
import subprocess
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from controller.commands.columns import as_json, port
from controller.configuration.shipped import load_table
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain
from controller.runtime.update_folder import FilesOfUpdates
from controller.screens.client import ScreensClient, UnreachableError
from controller.updating.folder import FolderState, InstallState, Offer, RunningSlot

NAME = "update"
HELP = "install an update of a card's image, or show which version runs"
EXAMPLES = (
    ("update", "which version runs, and what is offered"),
    ("sudo update table-0.2.0.raucb", "offers an update; the floorperson's key at the table confirms it"),
)

PROGRAM = Path("/usr/lib/table-image/offer")
"""The card's program that examines a bundle and offers it to the table."""
TABLE = Path("/etc/table-controller/table.yaml")
"""The file of the card's table: where its screens are."""
_ASK_S = 0.5
_NO_CARD = (
    "this computer takes no updates of a card's image: no card with two slots runs here (docs/image.md); an "
    "installed table is updated by installing the new version, `sudo make install`"
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the update, NAME.raucb; else only show")
    parser.add_argument("--json", action="store_true", help="print what runs and what is offered as JSON")
    parser.add_argument(
        "--port", type=port, metavar="N", help="the port of the table's screens, if not the usual one"
    )


def run(arguments: Namespace) -> int:
    files = FilesOfUpdates()
    try:
        if not files.exists():
            raise UnreachableError(_NO_CARD)
        if arguments.file is None:
            return _show(files.read(), arguments.json)
        return _install(files, arguments.file, arguments.port)
    except UnreachableError as error:
        complain(f"table-controller update: {error}")
        return exits.FAILED


# -- an update ---------------------------------------------------------------------------------------------------


def _install(files: FilesOfUpdates, file: Path, at_port: int | None) -> int:
    """Offer an update, and wait until it is installed, or not."""
    client = ScreensClient(load_table(TABLE).config, at_port)
    client.act("/update", {"show": True})  # A table runs: else nobody can confirm anything.
    offer = _offered(files, file)
    try:
        answer = client.act("/update", {"ask": offer.digest})
    except UnreachableError:
        if files.read().confirmed != offer.digest:  # Else the key was turned before this program came to it.
            raise
    else:
        files.forget()
        within = f"within {answer['waits_s']} s"
        print(f"update {offer.version}: turn the floorperson's key at the table {within} to install it")
        print(f"the dealer's screen says: {answer['prompt']}", flush=True)
    return _Following(files, client, offer).to_the_end()


def _offered(files: FilesOfUpdates, file: Path) -> Offer:
    """The offer that the card's system makes of a file.

    Raises:
        UnreachableError: it cannot be taken; the message says why.
    """
    if os.geteuid() != 0:
        raise UnreachableError(f"only root may offer an update: sudo table-controller update {file}")
    if not PROGRAM.exists():
        raise UnreachableError(f"this card has no {PROGRAM}: use a USB stick, or make a new card (docs/image.md)")
    print(f"examining {file} ...", flush=True)
    try:
        ended = subprocess.run([PROGRAM, file.absolute()], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnreachableError(f"{PROGRAM} cannot be run: {error.strerror}") from error
    offer = files.read().offer
    if offer is not None and offer.problem:
        raise UnreachableError(offer.problem)
    if ended.returncode or offer is None:
        lines = (ended.stderr or ended.stdout).strip().splitlines() or ["it gives no reason"]
        raise UnreachableError(f"{file} cannot be offered: {lines[-1]}")
    return offer


class _Following:
    """Follows an update from the question to its end, by the files of both sides."""

    def __init__(self, files: FilesOfUpdates, client: ScreensClient, offer: Offer) -> None:
        self._files = files
        self._client = client
        self._offer = offer
        self._last_line = ""
        self._confirmed = False

    def to_the_end(self) -> int:
        """Wait, and print what changes.

        Returns:
            the exit code.

        Raises:
            UnreachableError: it is not installed; the message says why.
        """
        while True:
            time.sleep(_ASK_S)
            asks = self._confirmed or bool(self._client.act("/update", {"show": True})["asks"])
            folder = self._files.read()  # After that: whoever has confirmed by now is seen.
            handed_over, progress = folder.confirmed == self._offer.digest, folder.progress
            if handed_over and not self._confirmed:
                self._confirmed = True
                self._say("confirmed: the table is closed while it is installed")
            if progress is None or progress.digest != self._offer.digest:
                if not handed_over and (self._confirmed or not asks):
                    return self._not_installed()
            elif progress.state is InstallState.FAILED:
                raise UnreachableError(f"not installed: {progress.why}")
            elif progress.state is InstallState.RESTARTING:
                self._say("installed: the computer is started anew with it")
                return exits.OK
            else:
                self._say(f"installing: {progress.percent} %")

    def _not_installed(self) -> int:
        if self._confirmed:
            raise UnreachableError("not installed: the dealer's screen says why")
        raise UnreachableError("not confirmed at the table; the version that runs goes on")

    def _say(self, words: str) -> None:
        if words != self._last_line:
            self._last_line = words
            print(words, flush=True)


# -- what runs ---------------------------------------------------------------------------------------------------


def _show(folder: FolderState, json: bool) -> int:
    if json:
        print(as_json(_data(folder)))
        return exits.OK
    running, offer, progress = folder.running, folder.offer, folder.progress
    print(_running(running))
    if offer is None:
        print("offered: nothing")
    elif offer.problem:
        print(f"offered: {offer.version or 'an update'} ({offer.source}), which cannot be taken: {offer.problem}")
    else:
        print(f"offered: {offer.version} ({offer.source}), sha256 {offer.digest}")
    if progress is not None:
        print(
            f"progress: {progress.state.value} {progress.percent} %" + (f": {progress.why}" if progress.why else "")
        )
    elif folder.confirmed is not None:
        print("confirmed; the system has not begun to install it")
    return exits.OK


def _running(running: RunningSlot | None) -> str:
    if running is None:
        return "running: not known; the card's system has not said it"
    bundle = f", sha256 {running.digest}" if running.digest else ", as the card was made"
    return f"running: {running.version} in slot {running.slot}{bundle}"


def _data(folder: FolderState) -> Mapping[str, object]:
    running, offer, progress = folder.running, folder.offer, folder.progress
    return {
        "running": None
        if running is None
        else {"version": running.version, "slot": running.slot, "digest": running.digest},
        "offered": None
        if offer is None
        else {"version": offer.version, "digest": offer.digest, "from": offer.source, "problem": offer.problem},
        "confirmed": folder.confirmed,
        "progress": None
        if progress is None
        else {
            "digest": progress.digest,
            "state": progress.state.value,
            "percent": progress.percent,
            "why": progress.why,
        },
    }
