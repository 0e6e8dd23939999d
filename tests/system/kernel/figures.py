"""What reading an encoder costs on a real kernel's lines, ours against gpiozero's RotaryEncoder, in one run.

``make figures-kernel`` (as root). The virtual machine is emulated on one processor, many times slower than the one
it runs on: only what stands beside something else in the table says anything.
"""

import sys
from typing import Any

from conftest import LABEL, compile_programs
from live import be_a_pi
from machine import Machine
from trains import listen_to, listener, rotary, train

from benchmarks.report import Measured, main, rate

EDGES = 4000
RATES = (500, 1000, 2000, 4000, 6000)
BURST = 1000
COUNTS_PER_TURN = 1440


def share(found: dict[str, Any]) -> str:
    """Of the processor, while the train ran."""
    return f"{100 * found['cpu_s'] / found['drove_s']:.0f}%"


def at_rate(guest: Machine, chip: str, per_second: int) -> list[Measured]:
    """Both of them on the same train."""
    edges = train(EDGES, round(1e6 / per_second))
    label = f"asked for {per_second} edges/s"
    return side_by_side(guest, chip, edges, EDGES, label)


def burst(guest: Machine, chip: str) -> list[Measured]:
    """As fast as the lines can be moved, and no more than the kernel keeps for a request."""
    return side_by_side(guest, chip, train(BURST, 0), BURST, f"{BURST} edges at once")


def side_by_side(guest: Machine, chip: str, edges: str, count: int, label: str) -> list[Measured]:
    """Ours with the tracker behind it, and gpiozero's encoder."""
    ours = listen_to(guest, chip, edges, listener(counts_per_turn=COUNTS_PER_TURN))
    theirs = listen_to(guest, chip, edges, rotary())
    wrong = abs(4 * theirs["steps"] - count)
    drove = " and ".join(rate(count / found["drove_s"]) for found in (ours, theirs))
    kept = ours["edges"] == count and ours["lost"] == 0 and ours["travel"] == count
    return [
        Measured(f"{label}; driven", drove),
        Measured("  edges lost, ours", str(count - ours["edges"]), "", "none", kept),
        Measured("  edges lost, RotaryEncoder", str(wrong)),
        Measured("  processor share, ours with tracking", share(ours), f"{ours['cpu_s'] / theirs['cpu_s']:.2f}"),
        Measured("  processor share, RotaryEncoder", share(theirs), "1"),
    ]


def measure() -> list[Measured]:
    """At each rate."""
    guest = Machine()
    try:
        compile_programs(guest)
        be_a_pi(guest)
        chip = guest.run(f"/srv/project/tests/system/kernel/guest/chip.sh pi {LABEL}").out.strip()
        lines = [line for per_second in RATES for line in at_rate(guest, chip, per_second)]
        return [*lines, *burst(guest, chip)]
    finally:
        guest.close()


if __name__ == "__main__":
    sys.exit(main(measure))
