"""All benchmarks, in one table: ``python -m benchmarks``."""

import sys

from benchmarks import crowd, decoding, journal, latency, rounds, startup
from benchmarks.report import Measured, main


def measure() -> list[Measured]:
    """Everything, one after the other: they would slow each other down."""
    lines: list[Measured] = []
    for benchmark in (decoding, rounds, journal, latency, crowd, startup):
        lines += benchmark.measure()
    return lines


if __name__ == "__main__":
    sys.exit(main(measure))
