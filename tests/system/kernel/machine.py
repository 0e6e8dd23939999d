"""A virtual machine with a real kernel, a GPIO chip and systemd, for the tests here. Made by ``build.sh``."""

import json
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from io import BufferedRWPair
from pathlib import Path

from project import ROOT

PARTS = ROOT / "build" / "kernel"
BOOT_S = 600.0
"""Only ends a hang: emulated without help of the processor, it starts in 20 s on an idle machine."""
NEVER_IDLE = "chrt --idle 0 sh -c 'while :; do :; done' > /dev/null 2>&1 < /dev/null &"
"""In an idle guest, time would pass as on the host."""
GRACE_S = 600.0
"""How much longer than a command may take its answer may be on the way."""
PYTHON = "PYTHONPATH=/srv/project:/srv/site python3"
"""Python in the guest, with the project and the libraries of this Python (both are 3.11)."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a command in the guest."""

    code: int
    out: str
    err: str


class Machine:
    """A running virtual machine. ``work`` is a folder that both sides write to, in the guest ``/srv/work``.

    Besides its disk it has a keyboard, a parallel port and a serial line on PCI; ``devices.py`` is their far ends.

    Args:
        drives: further arguments of QEMU, for disks besides the first, which is forgotten with the machine.
    """

    def __init__(self, parts: Path = PARTS, drives: Sequence[str] = ()) -> None:
        self.work = Path(tempfile.mkdtemp(prefix="table-kernel-"))
        self._socket = self.work / "agent.sock"
        self._console = self.work / "console.log"
        self._disk = self.work / "disk.qcow2"
        self._command = [*self._machine(parts), *drives]
        layer = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw"]
        subprocess.run([*layer, "-b", str(parts.resolve() / "disk.img"), str(self._disk)], check=True)
        try:
            self._power_on()
        except BaseException:
            self.close()
            raise

    def _power_on(self) -> None:
        """Boot from the disk as it is."""
        self._socket.unlink(missing_ok=True)
        self._connection = socket.socket(socket.AF_UNIX)
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL)
        self._line = self._connect()
        self.run(NEVER_IDLE)
        self.run("mkdir -p /srv/project /srv/site /srv/work")
        for share, option in (("project", "ro"), ("site", "ro"), ("work", "rw")):
            mount = f"mount -t 9p -o trans=virtio,version=9p2000.L,{option} {share} /srv/{share}"
            self.run(f"mountpoint -q /srv/{share} || {mount}")

    def _machine(self, parts: Path) -> list[str]:
        shares = {"project": ROOT, "site": Path(sysconfig.get_paths()["purelib"]), "work": self.work}
        # One processor: with two, gpio-sim's own threads lose edges and disorder them.
        command = "qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 768 -display none -no-reboot".split()
        # Time is counted in instructions (4 ns each), so that a busy host does not hold up the guest; so is that of
        # its clock with a battery, or the table would doubt the one that goes ahead of the other.
        command += ["-icount", "shift=2", "-rtc", "base=utc,clock=vm"]
        command += ["-kernel", f"{parts}/vmlinuz", "-initrd", f"{parts}/initrd"]
        command += ["-append", "console=ttyS0 panic=-1 quiet systemd.show_status=0"]
        # Not unsafe caching, which is what snapshot=on means: a flush of the guest's must be one.
        command += ["-drive", f"file={self._disk},if=virtio,format=qcow2"]
        command += ["-serial", f"file:{self._console}", "-serial", f"unix:{self._socket},server=on,wait=off"]
        command += ["-monitor", f"unix:{self.work}/monitor.sock,server=on,wait=off"]
        command += ["-chardev", f"socket,id=line,path={self.work}/line.sock,server=on,wait=off"]
        command += ["-device", "pci-serial,chardev=line,addr=0x18"]
        command += ["-parallel", "null", "-trace", "parallel_ioport_write", "-D", f"{self.work}/qemu.log"]
        for tag, path in shares.items():
            readonly = "off" if tag == "work" else "on"
            command += ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none,readonly={readonly}"]
        return command

    def _connect(self) -> BufferedRWPair:
        end_s = time.monotonic() + BOOT_S
        # The socket's file exists before QEMU listens.
        while self._connection.connect_ex(str(self._socket)):
            assert self._process.poll() is None, "the virtual machine did not start"
            assert time.monotonic() < end_s, "the virtual machine did not start in time"
            time.sleep(0.05)
        self._connection.settimeout(BOOT_S)
        line = self._connection.makefile("rwb")
        try:
            assert json.loads(line.readline()) == {"ready": True}
        except TimeoutError:
            output = self._console.read_text(errors="replace")[-2000:]
            raise AssertionError(f"the guest did not start in time:\n{output}") from None
        self._connection.settimeout(None)
        return line

    def run(self, command: str, timeout_s: float = 60, fails: bool = False) -> Done:
        """Run a shell command in the guest.

        Args:
            fails: it may; else a failure is an error of the test.
        """
        self._line.write(json.dumps({"run": command, "timeout_s": timeout_s}).encode() + b"\n")
        self._line.flush()
        self._connection.settimeout(timeout_s + GRACE_S)
        try:
            done = Done(**json.loads(self._line.readline()))
        except TimeoutError:
            output = self._console.read_text(errors="replace")[-3000:]
            raise AssertionError(f"the guest does not answer to: {command}\n{output}") from None
        assert fails or done.code == 0, f"{command}\n{done.out}{done.err}"
        return done

    def cut(self) -> None:
        """Cut the power and let it come back; returns when it has booted.

        There is no shutdown: what the guest had not written to its disk is lost.
        """
        self._power_off()
        self._power_on()

    def _power_off(self) -> None:
        self._connection.close()
        self._process.kill()
        self._process.wait()

    def monitor(self, command: str) -> None:
        """Run a command of QEMU's monitor."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(GRACE_S)
            connection.connect(f"{self.work}/monitor.sock")
            _until_prompt(connection)
            connection.sendall(f"{command}\n".encode())
            _until_prompt(connection)

    def close(self) -> None:
        self._power_off()
        shutil.rmtree(self.work, ignore_errors=True)


def _until_prompt(connection: socket.socket) -> None:
    """Read until the monitor waits for a command."""
    output = b""
    while not output.endswith(b"(qemu) "):
        more = connection.recv(4096)
        assert more, f"QEMU's monitor has gone: {output.decode(errors='replace')}"
        output += more
