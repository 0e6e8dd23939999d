"""A wheel of any number of sections is read as it stands: simulated wheel and tracker share the number alone."""

import pytest

from controller.events.event import WheelRested
from controller.tracking.clapper_wheel.geometry import PegSide, Places, WheelGeometry
from controller.tracking.clapper_wheel.passage import Passage
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.world import World


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("sections", [12, 24, 37, 54, 60])
def test_every_section_and_peg_is_read_as_it_stands(sections: int, direction: int) -> None:
    clock = VirtualClock()
    world = World.of(clock)
    head = world.fit_wheel(WheelSettings(sections=sections))
    tracker = WheelTracker(WheelGeometry(1440, 7, sections), head.levels())
    rested: list[WheelRested] = []

    def feed(batch: EdgeBatch) -> None:
        rested.extend(event for event in tracker.feed(batch) if isinstance(event, WheelRested))

    def rest() -> WheelRested:
        clock.advance_to(head.at_rest_ns + 4 * NS_PER_S)
        head.poll()
        rested.extend(event for event in tracker.tick(clock.now_ns()) if isinstance(event, WheelRested))
        return rested[-1]

    head.start(feed)
    head.push(1.3 * sections, 8.0)
    rest()
    for section in range(sections):
        world.wheel.throw_into(section, 3.1, direction)
        assert (rest().section, head.true_position()) == (section, (section, False))
    for boundary in range(0, sections, 5):
        world.wheel.throw_onto(boundary, 3.1, direction)
        assert rest().boundary == boundary


def test_before_any_strike_the_count_alone_says_the_section_or_the_nearest_peg() -> None:
    sections, turn, index = 54, 1440, 7
    side = PegSide(0, 800, 1200)
    passage = Passage(WheelGeometry(turn, index, sections, places=Places(side, side)))
    found = [passage.rest_position(count, bent=False) for count in range(turn)]
    for count, (section, boundary, fault) in enumerate(found):
        along = (count + index + 0.5) * sections / turn
        assert fault is None
        if boundary is None:
            assert section == int(along) % sections
        else:
            assert boundary == round(along) % sections
    assert {boundary for _, boundary, _ in found} == {None, *range(sections)}
