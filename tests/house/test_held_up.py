"""`pytest --held-up`: threads and event loops are delayed, alike for a seed, and do the same work."""

import asyncio
import threading
from pathlib import Path

import pytest
from held_up import HeldUp

pytest_plugins = ["pytester"]


def delays_of(seed: int, test: str = "a") -> list[float]:
    waited: list[float] = []
    held_up = HeldUp(seed, waited.append)
    held_up.begin(test)
    for _ in range(20):
        held_up.delay(1.0)
    return waited


def test_a_seed_gives_the_same_delays_and_each_test_others() -> None:
    assert delays_of(1) == delays_of(1)
    assert len({tuple(delays_of(seed, test)) for seed in (1, 2) for test in "ab"}) == 4
    assert all(0 <= wait <= 1 for wait in delays_of(1))


def test_threads_and_executors_are_late_and_what_they_do_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    HeldUp(1, waited.append).install(monkeypatch.setattr)
    done: list[str] = []

    async def work() -> str:
        return await asyncio.to_thread(lambda: "executor")

    for number in range(20):
        thread = threading.Thread(target=done.append, args=(f"thread {number}",))
        thread.start()
        thread.join()
        done.append(asyncio.run(work()))
    assert done == [each for number in range(20) for each in (f"thread {number}", "executor")]
    assert len(waited) > 20


def test_it_finds_a_test_that_takes_an_order_of_threads_for_granted(pytester: pytest.Pytester) -> None:
    support = Path(__file__).parents[1] / "support"
    pytester.makeconftest(
        f"""
import sys
sys.path.insert(0, {str(support)!r})
import held_up

def pytest_addoption(parser):
    held_up.add_option(parser)

def pytest_configure(config):
    delays = held_up.held_up(config)
    if delays is not None:
        config.pluginmanager.register(delays)
"""
    )
    pytester.makepyfile(
        """
import threading, time, pytest

@pytest.mark.parametrize("time_", range(20))
def test_it(time_):
    done = []
    threading.Thread(target=lambda: done.append(1)).start()
    time.sleep(0.002)
    assert done
"""
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--held-up", "1")
    assert result.parseoutcomes()["failed"] > 0
