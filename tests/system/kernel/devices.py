"""The far ends of the virtual machine's devices: its keyboard, a serial line's peer, lamps on its SPI."""

import re
import socket

from machine import Machine

_WRITE = re.compile(r"parallel_ioport_write .* addr 0x0([02]) val 0x(..)")
_CONTROL = "2"
"""The number of the register whose bits are the control lines; the other is the data lines."""
_CLOCK, _SENT, _SELECT = 0x01, 0x80, 0x08
"""The bits of the port's registers that are the bus (``guest/spi.sh``)."""


def strike(guest: Machine, key: str) -> None:
    """Press a key of the machine's PS/2 keyboard and let it go; its name is QEMU's."""
    guest.monitor(f"sendkey {key}")


class SerialPeer:
    """What is at the other end of the machine's serial line. What the machine sends is not read."""

    def __init__(self, guest: Machine) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(f"{guest.work}/line.sock")

    def send(self, line: str) -> None:
        self._line.sendall(f"{line}\r\n".encode())

    def close(self) -> None:
        self._line.close()


def lamps(guest: Machine, outputs: int) -> set[int]:
    """The outputs that are on of a chain of 74HC595 on the machine's SPI, the chip select being the latch.

    The chain shifts as the clock rises, and its outputs take over when it is no longer selected.
    """
    held = shown = 0
    clock = selected = False
    for register, value in _WRITE.findall((guest.work / "qemu.log").read_text()):
        bits = int(value, 16)
        if register == _CONTROL:
            if selected and not bits & _SELECT:
                shown = held
            selected = bool(bits & _SELECT)
        else:
            if selected and bits & _CLOCK and not clock:
                held = (held << 1 | bool(bits & _SENT)) % 2**outputs
            clock = bool(bits & _CLOCK)
    return {output for output in range(outputs) if shown >> output & 1}
