"""QEMU's `virt` board with the card as a disk that has a cache, as the Pi's card slot in QEMU has none.

The same card, kernel, initial ramdisk, root and RAUC; no U-Boot, whose part is played here: it counts a try, twice.
The kernel asks such a disk for flushes, and its log has them: what was not flushed may be lost, or there in part.
"""

import gzip
import shutil
import subprocess
from pathlib import Path

from image_programs import program
from made_bundle import WORK, call
from virtual_pi import Card, VirtualPi

boot_state = program("boot_state")
CONSOLE = "console=ttyAMA0 systemd.debug_shell=ttyAMA0"


class VirtualBoard(VirtualPi):
    """A board that starts the slot that U-Boot would take."""

    MACHINE = "qemu-system-aarch64 -M virt -cpu cortex-a53 -smp 1 -m 1024 -nic none"
    SERIAL = ("-serial", "stdio")
    CARD_DRIVE = "if=none,id=card"
    CARD_DEVICE = ("-device", "virtio-blk-pci,drive=card")
    STICK_DEVICE = ("-device", "qemu-xhci", "-device", "usb-storage,drive=stick")

    def _kernel(self, card: Card, slot: str, arguments: str) -> list[str]:
        words = super()._kernel(card, slot, f"{arguments} {CONSOLE}")
        at = words.index("-dtb")
        del words[at : at + 2]
        initrd = Path(words[words.index("-initrd") + 1])
        initrd.write_bytes(initrd.read_bytes() + self._driver())
        return words

    def _driver(self) -> bytes:
        """A second archive for the initial ramdisk, with the driver of the disk."""
        folder = self._folder / "driver"
        (folder / "modules").mkdir(parents=True)
        (packed,) = WORK.glob("slot/usr/lib/modules/*/kernel/drivers/block/virtio_blk.ko.xz")
        shutil.copy(packed, folder / "modules")
        call("xz", "-d", folder / "modules" / packed.name)
        order = (WORK / "initrd/modules/order").read_text()
        (folder / "modules/order").write_text(f"/modules/virtio_blk.ko\n{order}")
        names = "modules\nmodules/order\nmodules/virtio_blk.ko\n"
        archive = subprocess.run(
            ["cpio", "--create", "--format=newc", "--quiet"],
            input=names.encode(),
            cwd=folder,
            check=True,
            capture_output=True,
        ).stdout
        return gzip.compress(archive)


def count_try(card: Card) -> tuple[str, bytes]:
    """What boot.cmd does at a start: the slot that it takes, and what it writes to both places."""
    state = boot_state.read(card.file)
    slot = next(name for name in state["BOOT_ORDER"].split() if int(state[f"BOOT_{name}_LEFT"]) > 0)
    name = f"BOOT_{slot}_LEFT"
    boot_state.write(card.file, state | {name: str(int(state[name]) - 1)})
    return slot, card.sectors(boot_state.PLACES[0])
