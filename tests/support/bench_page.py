"""The bench's page, driven by the test."""

import json
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.live import LiveBench
from controller.bench.web.page import WebBench
from controller.journal.deciders import decider_of
from hal.mock.clock import VirtualClock


class Page:
    """A page of a bench on virtual time: actions go in, documents come out, as JSON both ways."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=2, clock=self.clock)
        self.web = WebBench(self.bench)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def act(self, wait_s: float = 0.3, /, **body: object) -> None:
        self.web.act(json.loads(json.dumps(body)))
        self.wait(wait_s)

    def keys(self, *keys: str, wait_s: float = 0.3) -> None:
        for key in keys:
            self.act(wait_s, key=key)

    def refusal(self, body: object) -> str:
        """Why an action is refused; nothing was done then."""
        before = self.sees
        with pytest.raises(ValueError, match=r"^.{10,600}$") as refused:
            self.web.act(body)
        assert self.sees == before
        return str(refused.value)

    @property
    def picture(self) -> dict:
        return json.loads(json.dumps(self.web.picture(), allow_nan=False, ensure_ascii=False).encode())

    @property
    def sees(self) -> tuple[object, ...]:
        """All that an action could change, at this moment."""
        return (self.picture, len(self.bench.journal), self.bench.random.getstate(), self.state)

    @property
    def state(self) -> str:
        return str(self.bench.table.machine.state.value)

    @property
    def file_on_record(self) -> str:
        """The digest of the table's file that the record names at its end."""
        decider = decider_of(self.bench.journal, len(self.bench.journal))
        assert decider is not None
        return decider.configuration

    def log(self) -> list[str]:
        return [line["text"] for line in self.picture["log"]]
