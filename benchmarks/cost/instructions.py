"""Instructions of a process, on a machine whose clock counts them: a nanosecond of processor time is one.

That holds under QEMU with ``-icount shift=0``, and :mod:`benchmarks.cost.check` verifies it there.
"""

import time
from collections.abc import Callable


def of_process(pid: int) -> int:
    """What all threads of a process have taken so far."""
    return time.clock_gettime_ns((~pid << 3) | 2)  # As clock_getcpuclockid(3) has it.


def of(step: Callable[[], object]) -> int:
    """What a step takes in this process, without what taking the time itself does."""
    begun = time.process_time_ns()
    between = time.process_time_ns()
    step()
    ended = time.process_time_ns()
    return ended - between - (between - begun)


def say(name: str, instructions: float) -> None:
    """Print a figure for the host."""
    print(f"cost {name} {instructions:.0f}", flush=True)
