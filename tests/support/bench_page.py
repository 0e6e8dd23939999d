"""The bench's page, driven by the test."""

import json
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.live import LiveBench
from hal.mock.clock import VirtualClock


class Page:
    """A page of a bench on virtual time: steps go in, documents come out, as JSON both ways."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=1, clock=self.clock)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def do(self, wait_s: float = 0.3, /, **body: object) -> None:
        self.bench.do(json.loads(json.dumps(body)))
        self.wait(wait_s)

    def key(self, key: str, wait_s: float = 0.3) -> None:
        """A key for what hands do; its capital letter is the other way round."""
        (found,) = (one for one in self.bench.keys if one.key == key.lower())
        self.do(wait_s, **((found.step if key.islower() else found.reverse) or {}))

    def refusal(self, body: object) -> str:
        """Why a step is refused; nothing was done then."""
        before = self.picture, len(self.bench.journal)
        with pytest.raises(ValueError, match=r"^.{10,600}$") as refused:
            self.bench.do(body)
        assert (self.picture, len(self.bench.journal)) == before
        return str(refused.value)

    @property
    def picture(self) -> dict:
        return json.loads(json.dumps(self.bench.picture(), allow_nan=False, ensure_ascii=False).encode())

    @property
    def state(self) -> str:
        return str(self.bench.state.value)

    def log(self) -> list[str]:
        return [line["text"] for line in self.picture["log"]]
