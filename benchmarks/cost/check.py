"""Whether a nanosecond of processor time is an instruction here: a loop of a known length says so."""

import ctypes
import mmap
import struct
import sys

from benchmarks.cost.instructions import of, say

ROUNDS = 50_000_000
CODE = struct.pack("<3I", 0xF1000400, 0x54FFFFE1, 0xD65F03C0)
"""``subs x0, x0, #1``; ``b.ne`` back to it; ``ret``: two instructions a round."""


def main() -> int:
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    loop = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(address)
    say("loop", of(lambda: loop(ROUNDS)) * 1000 / (2 * ROUNDS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
