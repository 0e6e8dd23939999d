"""Work that is spread over processes is all done, however many parts there are."""

import subprocess
import sys

import pytest
from contracts.loop import PATIENCE_S

from controller.bench.workers import spread

CODE = """
from controller.bench import workers
if __name__ == "__main__":
    workers._RECYCLE = 2
    print(sorted(workers.spread(abs, list(range(0, -11, -1)), 2)))
"""


def test_work_goes_on_when_its_processes_are_replaced() -> None:
    """In a process of its own: work that hangs would hang the tests."""
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stdout.strip() == str([(number, number) for number in range(11)])


@pytest.mark.parametrize("workers", [1, 2])
def test_a_part_that_fails_is_reported(workers: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread((1).__truediv__, [1, 0, 2], workers))
