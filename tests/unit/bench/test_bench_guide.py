"""Who follows the bench's guide plays a whole round, and the bench does an inspection by it."""

from itertools import count
from typing import Any

import pytest

from controller.bench.live import LiveBench
from controller.bench.web.page import WebBench
from controller.configuration.shipped import load_table, table_path
from controller.machine.registry import game_names
from hal.mock.clock import VirtualClock

NS_PER_S = 1_000_000_000
MOST = 200
"""Steps and waits of a first round, inspection included."""


class Newcomer:
    """Does what the guide says, one thing at a time, and waits where it says nothing."""

    def __init__(self, game: str, seed: int) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(load_table(table_path(game)).config, seed=seed, clock=self.clock)
        self.page = WebBench(self.bench)
        self.said: list[str] = []
        self.waited = 0

    def line(self) -> dict[str, Any]:
        guide = self.page.picture()["guide"]
        assert guide is not None, f"nothing to do in {self.bench.table.machine.state.value}: {self.said}"
        return dict(guide)

    def step(self) -> None:
        line = self.line()
        self.said.append(line["words"])
        if line["control"]:
            self.page.act({"press": line["control"]})
            self.waited = 0
        elif line["key"]:
            self.page.act({"key": line["key"]})
            self.waited = 0
        else:
            self.waited += 1
            assert self.waited < 60, f"the guide waits for ever: {line['words']}"
        self.clock.advance_to(self.clock.now_ns() + NS_PER_S)


@pytest.mark.parametrize("game", game_names())
def test_who_follows_the_guide_plays_a_round(game: str) -> None:
    newcomer = Newcomer(game, 1)
    try:
        for number in count():
            assert number < MOST, newcomer.said[-5:]
            if newcomer.line()["words"].startswith("That was a round."):
                break
            newcomer.step()
        refused = [line.text for line in newcomer.bench.watch.log if "REFUSED" in line.text]
        assert refused == []
        assert newcomer.bench.table.machine.round == 2
        assert any("RESULT" in line.text for line in newcomer.bench.watch.log)
    finally:
        newcomer.bench.close()


@pytest.mark.parametrize("game", game_names())
def test_the_bench_does_the_inspection_by_keys(game: str) -> None:
    newcomer = Newcomer(game, 1)
    try:
        assert newcomer.page.picture()["inspection"]
        newcomer.page.act({"inspect": True})
        newcomer.clock.advance_to(newcomer.clock.now_ns() + 180 * NS_PER_S)
        assert not newcomer.page.picture()["inspection"], newcomer.bench.watch.log
        log = [line.text for line in newcomer.bench.watch.log]
        assert "> do the inspection" in log
        assert not any("REFUSED" in line or "does not go on" in line for line in log)
        with pytest.raises(ValueError, match="waits for no inspection"):
            newcomer.page.act({"inspect": True})
    finally:
        newcomer.bench.close()


def test_an_inspection_that_cannot_go_on_is_left_to_people() -> None:
    newcomer = Newcomer("sic-bo", 1)
    try:
        newcomer.page.act({"fault": "keys-unplugged"})
        newcomer.page.act({"inspect": True})
        newcomer.clock.advance_to(newcomer.clock.now_ns() + 60 * NS_PER_S)
        assert any("does not go on" in line.text for line in newcomer.bench.watch.log)
        assert newcomer.page.picture()["inspection"]
    finally:
        newcomer.bench.close()
