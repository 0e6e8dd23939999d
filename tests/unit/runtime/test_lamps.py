"""Lamps that fail while nothing changes: players rely on them, so the fault is reported."""

from controller.bench.rig import Rig
from controller.events.event import PanelFault
from controller.runtime.lamps import CHECK_NS, RETRY_NS, Lamps
from hal.errors import HalError
from hal.mock.clock import VirtualClock

LAMPS = frozenset({"small", "big"})


class Panel:
    """Lamps whose supply can be cut."""

    def __init__(self) -> None:
        self.burning: frozenset[str] = frozenset()
        self.answers = True
        self.polls = 0

    def show(self, areas: frozenset[str]) -> None:
        self._ask()
        self.burning = areas

    def read_back(self) -> frozenset[str] | None:
        self._ask()
        return self.burning

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


def test_a_falsely_lit_lamp_is_reported_once_before_the_next_event(dreamcatcher: Rig) -> None:
    dreamcatcher.world.fault("burning-lamp", "40")
    dreamcatcher.wait(CHECK_NS / 1e9)

    def burning() -> list[tuple[str, ...]]:
        return [record.event.burning for record in dreamcatcher.records() if isinstance(record.event, PanelFault)]

    assert burning() == [("40",)]
    dreamcatcher.wait(60)
    assert len(burning()) == 1


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
