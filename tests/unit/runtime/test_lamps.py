"""Lamps that fail while nothing changes: players rely on them, so the fault is reported."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import shipped_tables
from controller.events.event import PanelFault
from controller.runtime.lamps import CHECK_NS, RETRY_NS, Lamps
from hal.errors import HalError
from hal.mock.clock import VirtualClock

LAMPS = frozenset({"small", "big"})


class Panel:
    """Lamps whose supply can be cut, with a read-back that can be missing."""

    def __init__(self, tells: bool = True) -> None:
        self.burning: frozenset[str] = frozenset()
        self.answers = True
        self.polls = 0
        self._tells = tells

    def show(self, areas: frozenset[str]) -> None:
        self._ask()
        self.burning = areas

    def read_back(self) -> frozenset[str] | None:
        self._ask()
        return self.burning if self._tells else None

    def close(self) -> None:
        pass

    def _ask(self) -> None:
        self.polls += 1
        if not self.answers:
            raise HalError("panel: no answer")


def shown(panel: Panel, areas: frozenset[str]) -> tuple[Lamps, VirtualClock, list[PanelFault]]:
    clock, faults = VirtualClock(), list[PanelFault]()
    lamps = Lamps(panel, clock, faults.append)
    lamps.show(areas)
    return lamps, clock, faults


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_a_falsely_lit_lamp_is_reported_before_the_next_event(
    shipped: Callable[[str], TableConfig], game: str
) -> None:
    table = Rig(shipped(game))
    area = next(iter(table.config.devices.panel.lamps))
    table.world.fault("burning-lamp", area)
    table.wait(CHECK_NS / 1e9)
    [fault] = [record.event for record in table.records() if isinstance(record.event, PanelFault)]
    assert fault.burning == (area,)
    table.wait(60)
    assert len([1 for record in table.records() if isinstance(record.event, PanelFault)]) == 1, "reported once"


def test_a_panel_that_does_not_answer_is_polled_less_often_and_lit_when_it_returns() -> None:
    panel = Panel()
    _, clock, faults = shown(panel, LAMPS)
    panel.answers = False
    clock.advance_to(CHECK_NS)
    assert [(fault.dark, fault.detail) for fault in faults] == [(("big", "small"), "panel: no answer")]
    polls = panel.polls
    clock.advance_to(CHECK_NS + RETRY_NS - 1)
    assert panel.polls == polls, "each question may take long"
    panel.answers, panel.burning = True, frozenset()
    clock.advance_to(3 * RETRY_NS)
    assert panel.burning == LAMPS
    assert len(faults) == 2, "that its lamps had gone out is reported, too"


def test_a_loose_contact_does_not_fill_the_journal() -> None:
    panel = Panel()
    _, clock, faults = shown(panel, LAMPS)
    for k in range(1, 60):
        panel.burning = frozenset({"big"})
        clock.advance_to(k * CHECK_NS)
    assert len(faults) == 1
