"""The stand-in for NumPy of the bench without a server: it draws the same, and wheels do the same to the bit."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from project import ROOT

from tools.site_bench.__main__ import files_of_numpy
from tools.site_bench.arrays import random as own_random

DRAWS = 2000
_SPINS = """
import hashlib
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.settings import WheelSettings

for seed in (1, 2):
    clock, found = VirtualClock(), hashlib.sha256()
    bent = {3: 0.4} if seed == 2 else {}
    wheel = MockHead(WheelSettings(sections=54, seed=seed, chatter_part=0.5, bent_pegs=bent), clock, 20_000_000)
    wheel.start(lambda batch: found.update(batch.edges + str(list(batch.timestamps_ns)).encode()))
    wheel.throw_past(3, 1, -1, 0.2)
    clock.advance_to(clock.now_ns() + 20_000_000_000)
    wheel.lines.faults.noise_hz, wheel.lines.faults.lost = {"A": 3000.0, "C": 200.0}, 0.01
    wheel.push(20, 3)
    clock.advance_to(clock.now_ns() + 6_000_000_000)
    print(found.hexdigest(), wheel.x)
"""


@pytest.mark.parametrize("seed", [1, 2**70, (5, 3)])
def test_the_same_seed_draws_the_same(seed: int | tuple[int, ...]) -> None:
    theirs, own = np.random.default_rng(seed), own_random.default_rng(seed)
    for number in range(DRAWS):
        assert own.normal(1, 0.2) == theirs.normal(1, 0.2)
        assert own.uniform(-2, 5) == theirs.uniform(-2, 5)
        assert own.poisson(number % 300 / 10) == theirs.poisson(number % 300 / 10)
        for below in (1, 7, 256, 2**32, 2**33 + 5):
            assert own.integers(0, below) == theirs.integers(0, below)


def test_choices_and_orders_are_the_same() -> None:
    theirs, own = np.random.default_rng(9), own_random.default_rng(9)
    gates, parts = ("none", "a", "ab"), (0.3, 0.3, 0.4)
    for _ in range(DRAWS // 10):
        assert own.choice(54, 2, replace=False).tolist() == theirs.choice(54, 2, replace=False).tolist()
        assert own.choice(gates, p=parts) == str(theirs.choice(gates, p=parts))
        assert own.integers(1, 500, (2, 5)).tolist() == theirs.integers(1, 500, (2, 5)).tolist()
        one, other = list(range(9)), list(range(9))
        own.shuffle(one)
        theirs.shuffle(other)
        assert one == other


def test_simulated_wheels_do_the_same_to_the_nanosecond(tmp_path: Path) -> None:
    (tmp_path / "numpy").mkdir()
    for name, data in files_of_numpy():
        (tmp_path / name).write_bytes(data)
    assert _edges(str(tmp_path)) == _edges("")


def _edges(before: str) -> str:
    """A digest of every edge of some spins, with the numpy that is found in a folder before any other."""
    paths = os.pathsep.join(filter(None, (before, str(ROOT))))
    done = subprocess.run(
        [sys.executable, "-c", _SPINS], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, check=True
    )
    return done.stdout.decode()
