"""The settings of a new card's table, from its first partition: ``table.yaml``, a whole table's file, or
``first-start.yaml`` with a few lines, the network's among them. Called by table-first-start.service, as root, with
the table's own Python.

What is wrong with it is said on the screen and in the log, and the board's green light blinks: docs/image.md.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from ipaddress import ip_address, ip_interface
from pathlib import Path

import yaml

CARD = Path("/dev/disk/by-partuuid/7ab1e001-01")
SETTINGS = Path("/etc/table-controller")
COMMAND = "/opt/table-controller/bin/table-controller"
WIRED = "wired.network"
"""The network's settings beside the table's, as systemd.network(5) has them."""
NETWORK_COMMAND = "/usr/lib/table-image/network"
PAGES = ("board", "dealer")
"""What a display at the board may show."""
SENTENCES = Path("/run/table-first-start")
"""What is said on the console, for the display's page, too."""
NO_FILE, WRONG_FILE = 2, 3
"""Flashes of the board's light."""


class RefusedError(Exception):
    """The settings cannot be used; ``flashes`` says it to who has no screen."""

    def __init__(self, words: str, flashes: int = WRONG_FILE) -> None:
        super().__init__(words)
        self.flashes = flashes


def lines_of(folder: Path) -> dict[object, object]:
    """What the short file says; empty where there is none.

    Args:
        folder: the first partition of the card.
    """
    short = folder / "first-start.yaml"
    if not short.exists():
        return {}
    try:
        lines = yaml.safe_load(short.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RefusedError(f"first-start.yaml: {error}") from error
    if not isinstance(lines, dict):
        raise RefusedError("first-start.yaml: it takes lines such as  game: sic-bo")
    if unknown := sorted(set(map(str, lines)) - {"game", "name", "network", "kiosk"}):
        known = "it takes game, name, kiosk and network"
        raise RefusedError(f"first-start.yaml: unknown: {', '.join(unknown)}; {known}")
    return lines


def table_text(folder: Path, tables: Path) -> str:
    """The table's file that the card's folder asks for.

    Args:
        folder: the first partition of the card.
        tables: the shipped tables' files, by game.
    """
    whole = folder / "table.yaml"
    if whole.exists():
        return whole.read_text("utf-8")
    lines = lines_of(folder)
    if not lines:
        raise RefusedError("put table.yaml or first-start.yaml on the card's first partition", NO_FILE)
    games = sorted(file.stem for file in tables.glob("*.yaml"))
    if lines.get("game") not in games:
        raise RefusedError(f"first-start.yaml: game: one of {', '.join(games)}")
    text = (tables / f"{lines['game']}.yaml").read_text("utf-8")
    name = lines.get("name", lines["game"])
    if not isinstance(name, str) or not re.fullmatch("[a-z0-9-]{1,40}", name):
        raise RefusedError("first-start.yaml: name: small letters, digits and hyphens, at most 40")
    return with_kiosk(re.sub("(?m)^table: .*$", f"table: {name}", text, count=1), lines.get("kiosk"))


def with_kiosk(text: str, page: object) -> str:
    """A shipped table's file with the page at the board's own display; unchanged without one."""
    if page is None:
        return text
    if page not in PAGES:
        raise RefusedError(f"first-start.yaml: kiosk: {' or '.join(PAGES)}, or leave it out for no display")
    return re.sub("(?m)^# screens:$", f"screens:\n  kiosk: {page}\n#", text, count=1)


def network_text(folder: Path) -> str:
    """The network's settings that the card's folder asks for; empty for an address by DHCP."""
    asked = lines_of(folder).get("network", "dhcp")
    if asked == "dhcp":
        return ""
    how = "first-start.yaml: network: dhcp, or address: 192.168.7.20/24, and with it gateway: and dns:"
    if not isinstance(asked, dict) or "address" not in asked or asked.keys() - {"address", "gateway", "dns"}:
        raise RefusedError(how)
    if "/" not in str(asked["address"]):
        raise RefusedError(
            f"first-start.yaml: network: address: with the length of its network, as {asked['address']}/24"
        )
    named = asked.get("dns", [])
    try:
        address = ip_interface(str(asked["address"]))
        gateways = [ip_address(str(asked["gateway"]))] if "gateway" in asked else []
        servers = [ip_address(str(one)) for one in (named if isinstance(named, list) else [named])]
    except ValueError as error:
        raise RefusedError(f"first-start.yaml: network: {error}") from error
    if any(gateway not in address.network for gateway in gateways):
        raise RefusedError(f"first-start.yaml: network: gateway: {gateways[0]} is not in {address.network}")
    lines = [f"Address={address}", *(f"Gateway={one}" for one in gateways), *(f"DNS={one}" for one in servers)]
    return "\n".join(["[Match]", "Name=en* eth*", "", "[Network]", *lines, ""])


def accept(text: str, settings: Path, network: str = "") -> None:
    """Check the table's file, and put it in its place whole or not at all; the network's settings before it."""
    new = settings / "table.yaml.new"
    new.write_text(text, "utf-8")
    new.chmod(0o640)
    with suppress(LookupError):
        shutil.chown(settings, group="table-controller")
        shutil.chown(new, group="table-controller")
    checked = subprocess.run([COMMAND, "check", str(new)], capture_output=True, text=True, check=False)
    if checked.returncode:
        new.unlink()
        raise RefusedError(f"{checked.stdout}{checked.stderr}".replace(str(new), "table.yaml"))
    if network:
        put(settings / WIRED, network)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.rename(settings / "table.yaml")
    folder = os.open(settings, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def put(file: Path, text: str) -> None:
    """Write a file durably."""
    with file.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def report(words: str, flashes: int) -> None:
    """On the screen, the serial line and in the log."""
    print(words, file=sys.stderr)
    with suppress(OSError):
        SENTENCES.write_text(f"{words}\n", "utf-8")
        SENTENCES.chmod(0o644)
    for screen in ("/dev/tty1", "/dev/console"):
        with suppress(OSError):
            Path(screen).write_text(f"\r\n*** The table has no settings ***\r\n{words}\r\n", "utf-8")
    with suppress(OSError):
        subprocess.run(["/usr/lib/table-image/blink", str(flashes)], check=False)


@contextmanager
def mounted(partition: Path) -> Iterator[Path]:
    """The card's first partition, only read, for as long as it is needed."""
    folder = Path("/run/table-card")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "vfat", "-o", "ro,nosuid,nodev,noexec", str(partition), str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=False)


def main() -> int:
    """Make the table's file if there is none yet; 78 if what the card says is wrong."""
    if (SETTINGS / "table.yaml").exists():
        return 0
    try:
        with mounted(CARD) as folder:
            text, network = table_text(folder, Path(str(files("config") / "tables"))), network_text(folder)
        accept(text, SETTINGS, network)
    except RefusedError as error:
        report(str(error), error.flashes)
        return 78
    except (OSError, subprocess.CalledProcessError) as error:
        report(f"the card's first partition cannot be read: {error}", NO_FILE)
        return 78
    if network:
        subprocess.run([NETWORK_COMMAND], check=False)
    print(f"the table's file is {SETTINGS / 'table.yaml'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
