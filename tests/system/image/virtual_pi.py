"""A virtual Raspberry Pi 3 with a copy of the card's image: QEMU's raspi3b with processor, card and serial line."""

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from project import ROOT

IMAGE = ROOT / "build" / "image" / "table.img"
CARD_BYTES = 2 << 30
"""A small card. QEMU's have sizes that are powers of two."""
SECTOR = 512
PATIENCE_S = 1500.0
"""Emulated, a start takes minutes; beside others that work on the same processors, more."""
PROMPT = "virtual-pi-ready"


def parts(image: Path = IMAGE) -> dict[int, tuple[int, int]]:
    """The partitions' first sectors and lengths, by number."""
    table = subprocess.run(["sfdisk", "--dump", str(image)], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"img\d*?(\d) : start= *(\d+), size= *(\d+)", table)
    return {int(number): (int(start), int(size)) for number, start, size in found}


def _file(card: "Card", log: Path | None) -> str:
    """The card's file, and where its writes are logged."""
    if log is None:
        return f"file={card.file},format=raw,cache=writethrough"
    with log.open("wb") as empty:
        empty.truncate(2 << 30)
    logged = f"driver=blklogwrites,log.driver=file,log.filename={log},log-sector-size={SECTOR}"
    return f"{logged},file.driver=file,file.filename={card.file}"


class Card:
    """A card with a copy of the image."""

    def __init__(self, folder: Path, image: Path = IMAGE, size: int = CARD_BYTES) -> None:
        self.file = Path(tempfile.mkdtemp(dir=folder)) / "card.img"
        subprocess.run(["cp", "--sparse=always", str(image), str(self.file)], check=True)
        with self.file.open("r+b") as card:
            card.truncate(size)
        self._parts = parts(image)

    def _place(self, part: int) -> str:
        return f"{self.file}@@{self._parts[part][0] * SECTOR}"

    def take(self, part: int, name: str, to: Path) -> Path:
        """Copy a file out of a FAT partition."""
        subprocess.run(["mcopy", "-n", "-i", self._place(part), f"::{name}", str(to)], check=True)
        return to

    def put(self, part: int, name: str, text: str) -> None:
        """Write a file into a FAT partition, as the technician does."""
        subprocess.run(["mcopy", "-o", "-i", self._place(part), "-", f"::{name}"], check=True, input=text.encode())

    def change_byte(self, part: int, offset: int) -> None:
        """Let the card have one bit of a partition wrong."""
        with self.file.open("r+b") as card:
            card.seek(self._parts[part][0] * SECTOR + offset)
            byte = card.read(1)[0]
            card.seek(-1, os.SEEK_CUR)
            card.write(bytes([byte ^ 1]))

    def write_part(self, part: int, file: Path) -> None:
        """Write a partition as RAUC does."""
        place = (
            "bs=1M",
            "oflag=seek_bytes",
            f"seek={self._parts[part][0] * SECTOR}",
            "conv=notrunc",
            "status=none",
        )
        subprocess.run(["dd", f"if={file}", f"of={self.file}", *place], check=True)

    def _data(self, command: str) -> None:
        """A command of debugfs on the data partition, cut out: e2fsck opens it a second time, by its name alone."""
        first, count = parts(self.file)[3]
        part = self.file.with_suffix(".data")
        cut = ("bs=1M", "iflag=skip_bytes,count_bytes", f"skip={first * SECTOR}", f"count={count * SECTOR}")
        subprocess.run(["dd", f"if={self.file}", f"of={part}", *cut, "conv=sparse", "status=none"], check=True)
        # After a power cut its journal comes first: it would write over what is changed here.
        assert subprocess.run(["e2fsck", "-p", str(part)], check=False, capture_output=True).returncode < 4
        subprocess.run(["debugfs", "-w", "-R", command, str(part)], check=True, capture_output=True)
        self.write_part(3, part)
        part.unlink()

    def take_data(self, name: str, to: Path) -> Path:
        """Copy a file out of the data partition."""
        self._data(f"dump /{name} {to}")
        return to

    def put_data(self, file: Path, name: str) -> None:
        """Write a file into the data partition."""
        self._data(f"rm /{name}")
        self._data(f"write {file} /{name}")

    def sectors(self, first: int, count: int = 1) -> bytes:
        """What lies on the card outside the partitions."""
        with self.file.open("rb") as card:
            card.seek(first * SECTOR)
            return card.read(count * SECTOR)


class VirtualPi:
    """A Pi that has been switched on; everything that it says on its serial line is in ``log``."""

    MACHINE = "qemu-system-aarch64 -M raspi3b"
    SERIAL: tuple[str, ...] = ("-serial", "null", "-serial", "stdio")
    CARD_DRIVE = "if=sd"
    CARD_DEVICE: tuple[str, ...] = ()
    STICK_DEVICE: tuple[str, ...] = ("-device", "usb-storage,drive=stick")

    def __init__(
        self,
        card: Card,
        folder: Path,
        slot: str = "A",
        loader: bool = False,
        arguments: str = "",
        stick: Path | None = None,
        log: Path | None = None,
        devices: Sequence[str] = (),
    ) -> None:
        """Switch it on.

        Args:
            card: what it starts from.
            folder: for its own files.
            slot: which slot, without the boot loader.
            loader: by U-Boot, which chooses the slot.
            arguments: for the kernel, without the boot loader.
            stick: the image of a USB stick in one of its sockets.
            log: where every write of the card is logged, in order.
            devices: what else is connected, in QEMU's words.
        """
        self._folder = Path(tempfile.mkdtemp(dir=folder))
        self.log = ""
        self._began_s = time.monotonic()
        command = [*self.MACHINE.split(), *"-display none -monitor none -no-reboot".split(), *self.SERIAL]
        command += ["-drive", f"{self.CARD_DRIVE},{_file(card, log)}", *self.CARD_DEVICE]
        if stick is not None:
            command += ["-drive", f"file={stick},if=none,id=stick,format=raw", *self.STICK_DEVICE]
        command += devices
        command += self._loader(card) if loader else self._kernel(card, slot, arguments)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )
        self._heard = threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _kernel(self, card: Card, slot: str, arguments: str) -> list[str]:
        """Without the boot loader: what it would load from the slot. Faster by a minute."""
        boot, root = {"A": (5, 6), "B": (7, 8)}[slot]
        for name in ("kernel.gz", "initrd.gz", "slot.env", "broadcom/bcm2837-rpi-3-b.dtb"):
            card.take(boot, name, self._folder / Path(name).name)
        line = (self._folder / "slot.env").read_text().strip().removeprefix("table_arguments=")
        line += f" table.root={root} rauc.slot={slot} {arguments}"
        return [
            *("-kernel", str(self._folder / "kernel.gz"), "-initrd", str(self._folder / "initrd.gz")),
            *("-dtb", str(self._folder / "bcm2837-rpi-3-b.dtb"), "-append", line),
        ]

    def _loader(self, card: Card) -> list[str]:
        """As the firmware hands over: U-Boot and the board's device tree, from the first partition."""
        for name in ("u-boot.bin", "bcm2837-rpi-3-b.dtb"):
            card.take(1, name, self._folder / name)
        return ["-kernel", str(self._folder / "u-boot.bin"), "-dtb", str(self._folder / "bcm2837-rpi-3-b.dtb")]

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while data := self._process.stdout.read(4096):
            with self._heard:
                self.log += data.decode("utf-8", "replace")
                self._heard.notify_all()
        with self._heard:
            self._heard.notify_all()

    def wait_for(self, pattern: str, after: int = 0, timeout_s: float = PATIENCE_S) -> re.Match[str]:
        """Wait until the Pi has said it; ``after``: not what it said before this place of the log."""
        end_s = time.monotonic() + timeout_s
        with self._heard:
            while not (found := re.compile(pattern).search(self.log, after)):
                left_s = end_s - time.monotonic()
                ended = self._process.poll() is not None
                assert not ended, f"it is off: {pattern}\n{self.log[-3000:]}"
                assert left_s > 0, f"too late: {pattern}\n{self.log[-3000:]}"
                self._heard.wait(min(left_s, 1.0))
        return found

    def wait_off(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until it starts anew, at which QEMU ends here."""
        self._process.wait(timeout_s)

    def seconds(self) -> float:
        """Since it was switched on."""
        return time.monotonic() - self._began_s

    def login(self) -> None:
        """To the shell that the kernel's command line asks systemd for; the image has none of its own."""
        end_s = time.monotonic() + PATIENCE_S
        while f"{PROMPT}-4" not in self.log:
            assert time.monotonic() < end_s, self.log[-3000:]
            assert self._process.poll() is None, self.log[-3000:]
            self._type(f"[ $0 = sh ] || exec env PS1= PS2= sh -c 'stty -echo; echo {PROMPT}-$((2 + 2)); exec sh'")
            with self._heard:
                self._heard.wait_for(lambda: f"{PROMPT}-4" in self.log, timeout=15)
        # What kernel and systemd say on the same line would be part of a command's output. 55: SIGRTMIN+21.
        self.run("dmesg -n 1; kill -55 1")

    def run(self, command: str, timeout_s: float = PATIENCE_S) -> str:
        """Run a command in that shell; its output. A failure is an error of the test."""
        after = len(self.log)
        self._type(f'{{ {command}\n}} 2>&1; echo "[code=$?]"')
        found = self.wait_for(r"\[code=(\d+)\]", after, timeout_s)
        output = self.log[after : found.start()].replace("\r\n", "\n").strip()
        assert found[1] == "0", f"{command}\n{output}"
        return output

    def _type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def cut(self) -> None:
        """Cut the power."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def close(self) -> None:
        self.cut()
        shutil.rmtree(self._folder, ignore_errors=True)


def times(steps: Mapping[str, float]) -> str:
    """What each step took, for the log of a run."""
    return "\n".join(f"-- {name}: {seconds:.0f} s" for name, seconds in steps.items())
