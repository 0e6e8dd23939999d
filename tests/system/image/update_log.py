"""Where the card and the logs of an update are kept, for the cuts of image_update_cuts.py: build/image/update."""

import shutil
import subprocess
from pathlib import Path

from made_bundle import MadeBundle
from virtual_pi import IMAGE, Card

LOGS = {"pi": IMAGE.parent / "update", "cache": IMAGE.parent / "update-cache"}
"""Of the Pi's card, and of one with a cache (virtual_board.py)."""
FIRST_TRY = "first-try.bin"
"""What U-Boot would have written, where it was not there."""


def begin(board: str, card: Card, bundle: MadeBundle, name: str) -> Path:
    """Keep the card as it is now; the log of what comes."""
    logs = LOGS[board]
    if name == "install":
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir()
        shutil.copy(bundle.boot, logs / "boot.img")
    subprocess.run(["cp", "--sparse=always", str(card.file), str(logs / f"{name}.img")], check=True)
    return logs / f"{name}.part"


def keep(board: str, name: str) -> None:
    """The log is whole: the machine is off."""
    part = LOGS[board] / f"{name}.part"
    if part.exists():
        part.rename(LOGS[board] / f"{name}.log")
