"""Where the card and the logs of an update are kept, for the cuts of image_update_cuts.py: build/image/update."""

import shutil
import subprocess
from pathlib import Path

from made_bundle import MadeBundle
from virtual_pi import IMAGE, Card

LOGS = IMAGE.parent / "update"


def begin(card: Card, bundle: MadeBundle, name: str) -> Path:
    """Keep the card as it is now; the log of what comes."""
    if name == "install":
        shutil.rmtree(LOGS, ignore_errors=True)
        LOGS.mkdir()
        shutil.copy(bundle.boot, LOGS / "boot.img")
    subprocess.run(["cp", "--sparse=always", str(card.file), str(LOGS / f"{name}.img")], check=True)
    return LOGS / f"{name}.part"


def keep(name: str) -> None:
    """The log is whole: the machine is off."""
    part = LOGS / f"{name}.part"
    if part.exists():
        part.rename(LOGS / f"{name}.log")
