"""Draws what ``docs/position.md`` says of a wheel, from the simulation's geometry and motion. See ``make docs``.

``position-leather.svg``: a peg, the leather and the contact, to scale. ``position-spins.svg``: the squared speed of
an honest, a braked and a pushed spin. ``position-rests.svg``: the three ways to come to rest at a peg. A test fails
when they are not current.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from config.schema import WheelSection
from controller.bench.recording_session import advance_to_rest, session_of
from controller.drawing.plots import Curve, Events, Mark, Plot, svg
from controller.events.event import WheelRested
from controller.runtime.wheel_geometry import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.hands import Hands
from hal.mock.legs import CLOSES, OPENS
from hal.mock.settings import WheelSettings
from hal.mock.world import World
from tools.leather_drawing import leather_drawing

FOLDER = Path(__file__).parents[1] / "docs"
WHEEL = WheelSettings(sections=54, seed=2, chatter_part=0.0, peg_error_deg=0.0)
"""The wheel of all drawings: that of the bench, with pegs that stand where they should."""
_SET_DEG = 0.2
"""The leather of the drawing hangs a little to one side, as most do."""
_NS = 1_000_000_000
_THROWN_TURNS, _THROWN_S = 5.0, 0.5
_HAND_AFTER_S = 8.0
_SHOWN_DEG = 2160.0
_BEFORE_S, _SHOWN_S, _EVERY_S = 8.0, 4.5, 0.02
_FROM_DEG = -4.0
"""From the pointer to the peg when a drawing of its arrival begins."""
_STILL_DEG = 0.005
_PEG = 20
_TURNS = 2


def drawings() -> dict[str, str]:
    """Every drawing by the name of its file."""
    return {
        "position-leather.svg": leather_drawing(WHEEL.model_copy(update={"set_deg": _SET_DEG})),
        "position-spins.svg": svg(_spins(), "The squared speed of three spins"),
        "position-rests.svg": svg(_rests(), "Where a wheel can rest"),
    }


# -- spins ---------------------------------------------------------------------------------------------------------


def _spins() -> list[Plot]:
    """The same throw three times: let alone, braked, pushed."""
    assert WHEEL.sections is not None
    file = WheelSection(counts_per_turn=WHEEL.counts_per_turn, index_offset_counts=0, reversed=False)
    session = session_of(WHEEL, file, date(2026, 1, 1))
    for _ in session.steps():
        pass
    calibrated = session.calibrated.wheel
    return [
        _spin("A spin that nobody touches", calibrated, None),
        _spin("A hand rubs on the rim for a second", calibrated, lambda hands: hands.brake(3.0, 1.0)),
        _spin("A hand pushes for a third of a second", calibrated, lambda hands: hands.push(20.0)),
    ]


def _spin(title: str, wheel: WheelSection, touch: Callable[[Hands], None] | None) -> Plot:
    """What the table measures of a spin, and what it makes of it."""
    assert WHEEL.sections is not None
    clock = VirtualClock()
    world = World.of(clock)
    head = world.fit_wheel(WHEEL)
    tracker = WheelTracker(geometry(wheel, WHEEL.sections), head.levels())
    rests: list[WheelRested] = []

    def feed(batch: EdgeBatch) -> None:
        events = [*tracker.tick(batch.timestamps_ns[0]), *tracker.feed(batch)]
        rests.extend(event for event in events if isinstance(event, WheelRested))

    head.start(feed)
    head.push(head.sections * 1.3, 15.0)
    advance_to_rest(clock, head)
    tracker.tick(clock.now_ns())
    world.hands.throw_about(_THROWN_TURNS, _THROWN_S)
    began, turned = head.x, 0.0
    if touch is not None:
        clock.advance_to(clock.now_ns() + round(_HAND_AFTER_S * _NS))
        turned = (head.x - began) * 360 / head.sections
        touch(world.hands)
    advance_to_rest(clock, head)
    rests += [event for event in tracker.tick(clock.now_ns()) if isinstance(event, WheelRested)]
    run, rested = tracker.run, rests[-1]
    assert run is not None
    section_deg = 360 / run.per_turn
    points = tuple(((mark + 0.5) * section_deg, speed / 1000) for mark, speed in enumerate(run.speeds))
    turns = tuple(Mark(str(n), n * 360.0) for n in range(1, int(points[-1][0] // 360) + 1))
    says = f"void: {rested.touched}" if rested.touched else "a spin"
    hand = (Events("a hand", (turned,)),) if touch is not None else ()
    return Plot(
        title,
        _SHOWN_DEG,
        (Curve("squared speed between marks, 1000 (°/s)²", points),),
        hand,
        turns,
        Mark(says, points[-1][0]),
        "degrees",
    )


# -- rests ---------------------------------------------------------------------------------------------------------


def _rests() -> list[Plot]:
    """How a wheel that turns counterclockwise comes to rest at one peg, as far as its speed carries it."""
    physics = World.of(VirtualClock()).fit_wheel(WHEEL).physics
    slip = physics.leather.sides[1].slip
    held = physics.held_bend(_PEG, 1)
    assert held is not None, "this leather pushes every wheel away"
    return [
        _rest(
            "Free before the peg: the leather pushes the wheel back, and the contact opens where it closed",
            0.9 * slip,
        ),
        _rest("Bent: friction holds the wheel against the leather, and the contact stays closed", held),
        _rest("Free behind the peg: the leather slips off, and the contact opens beyond", slip + 0.05),
    ]


def _rest(title: str, bend: float) -> Plot:
    """The end of a spin that carries the wheel so far beyond the touch of the peg."""
    clock = VirtualClock()
    head = World.of(clock).fit_wheel(WHEEL)
    edges: list[tuple[int, int]] = []
    head.start(lambda batch: edges.extend(zip(batch.edges, batch.timestamps_ns, strict=True)))
    peg = _PEG + _TURNS * head.sections
    head.throw_to(head.physics.leather.touch(peg, 1) + bend)
    clock.advance_to(head.at_rest_ns - round(_BEFORE_S * _NS))
    while _beyond(head, peg) < _FROM_DEG:
        clock.advance_to(clock.now_ns() + round(_EVERY_S * _NS))
    begins_ns, points = clock.now_ns(), []
    while clock.now_ns() <= begins_ns + _SHOWN_S * _NS:
        points.append(((clock.now_ns() - begins_ns) / _NS, _beyond(head, peg)))
        clock.advance_to(clock.now_ns() + round(_EVERY_S * _NS))
    rests_s = max(at for at, (_, place) in enumerate(points) if abs(place - points[-1][1]) > _STILL_DEG) * _EVERY_S
    head.poll()

    def moments(letter: bytes) -> tuple[float, ...]:
        return tuple((at - begins_ns) / _NS for edge, at in edges if edge == letter[0] and at >= begins_ns)

    return Plot(
        title,
        _SHOWN_S,
        (Curve("degrees that the peg is beyond the pointer", tuple(points)),),
        (Events("closes", moments(CLOSES)), Events("opens", moments(OPENS))),
        (Mark("rest", rests_s),),
        None,
        marked="wheel",
    )


def _beyond(head: MockHead, peg: int) -> float:
    """How far a peg is beyond the pointer, in degrees."""
    return (head.x - head.physics.peg_at(peg)) * 360 / head.sections


def main() -> None:
    for name, drawing in drawings().items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
