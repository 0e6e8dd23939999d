"""The self-test of a sensor head: of a wheel with a clapper, and of a roulette wheel."""

from dataclasses import dataclass, field
from typing import Any

from config.schema import TableConfig
from controller.commissioning.check_verdict import CheckVerdict, failed, passed, untried
from controller.commissioning.dialogue import Ask
from controller.commissioning.wheel_measurement import even, measure
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording, seen_edges
from controller.events.event import Event, Health, RotorTurned, SensorHealth
from controller.events.table_words import TABLE_WORDS, text_of
from controller.machine.registry import find_game
from controller.runtime.trackers import rotor_geometry
from controller.tracking.roulette.wheel import RouletteTracker
from hal.events import BALL_1, BALL_2, CLAPPER, LINES, EdgeBatch
from hal.interfaces import EdgeSource


@dataclass(frozen=True, slots=True)
class SensorHeadCheck:
    """The test of a table's sensor head.

    Args:
        ask: asks the technician to turn the wheel; None for an unattended test.
    """

    config: TableConfig
    ask: Ask | None

    async def wheel(self, head: EdgeSource, section: Any) -> CheckVerdict:
        wheel = self.config.wheel
        assert wheel is not None
        levels = head.levels()
        if self.ask is None:
            if levels[CLAPPER]:
                remedy = "if the wheel does not stand on a peg, the clapper's wire is broken or its contact stuck"
                return failed("the clapper reads as deflected", remedy)
            return untried(f"it opens; {_levels(levels)}", "turn the wheel by hand")
        recording = WheelRecording(levels, wheel)
        head.start(recording.feed)
        await self.ask("turn the wheel by hand, counterclockwise, once around and a little more, then Enter here:")
        head.poll()
        try:
            if recording.lost:
                raise MeasurementError("edges were lost, or came out of order; look at the encoder's lines A and B")
            passes = seen_edges(recording).passes
            way = 1 if 2 * sum(one.direction > 0 for one in passes) > len(passes) else -1
            one_way = [one for one in passes if one.direction == way]  # Hands turn back a little.
            measured = measure(one_way, even(one_way, len(find_game(self.config.game).wheel)))
            if measured.missing:
                silent = f"{len(measured.missing)} of {len(measured.pegs_deg)} pegs did not open the contact"
                raise MeasurementError(f"{silent}; look at it, at its wire and at the leather, and turn again")
        except MeasurementError as error:
            strikes = sum(direction != 0 for _, direction in recording.contact.edges)
            return failed(f"{strikes} strikes", str(error))
        if way < 0:
            return failed("the counts ran backwards", "change wheel.reversed, or swap A and B")
        farthest = max(abs(error or 0.0) for error in measured.pegs_deg)
        found = f"{wheel.counts_per_turn} counts from index to index, {len(measured.pegs_deg)} pegs"
        return passed(f"{found}, the worst {farthest:.2f} degrees off")

    async def rotor(self, head: EdgeSource, section: Any) -> CheckVerdict:
        rotor = self.config.rotor
        assert rotor is not None
        levels = head.levels()
        beams = [line for line in (BALL_1, BALL_2) if line in levels]
        if dark := [line for line in beams if levels[line]]:
            seen = f"{', '.join(map(_line_name, dark))}: something blocks the beam"
            return failed(seen, "take it out; if nothing is there, its wire or lamp is broken")
        if self.ask is None:
            return untried(f"it opens; {_levels(levels)}", "turn the rotor by hand")
        observed = _RotorObservation(RouletteTracker(rotor_geometry(rotor, section), levels))
        head.start(observed.take)
        await self.ask("turn the rotor by hand, counterclockwise, twice around, then Enter here:")
        head.poll()
        if (problem := observed.problem_of_turn()) is not None:
            return failed(*problem)
        await self.ask("hold a finger into each beam and take it out again, then Enter here:")
        head.poll()
        if blind := [line for line in beams if not {line, line.lower()} <= observed.edges]:
            seen = f"not seen: {', '.join(map(_line_name, blind))}"
            return failed(seen, "check the beam's lamp, its receiver and its wire")
        return passed(f"a turn of {rotor.counts_per_turn} counts, {len(beams)} beams")


@dataclass(slots=True)
class _RotorObservation:
    """What the head of a roulette wheel reports while a person tries it.

    Attributes:
        edges: the letters of the edges that were seen.
    """

    tracker: RouletteTracker
    events: list[Event] = field(default_factory=list)
    edges: set[str] = field(default_factory=set)

    def take(self, batch: EdgeBatch) -> None:
        self.events.extend(self.tracker.feed(batch))
        self.edges.update(batch.edges.decode())

    def problem_of_turn(self) -> tuple[str, str] | None:
        """What was seen instead of a turn counterclockwise, and the remedy."""
        health = (event for event in self.events if isinstance(event, SensorHealth))
        if faults := [event for event in health if event.health is not Health.OK]:
            return text_of(faults[-1], TABLE_WORDS), "check its wires, and counts_per_turn"
        turned = [event.direction.value for event in self.events if isinstance(event, RotorTurned)]
        if not turned:
            return "no turn from index to index was seen", "turn it again, or repair the index"
        if turned != ["counterclockwise"]:
            remedy = "if it did not, wires A and B are crossed, or change rotor.reversed; else turn it again"
            return f"the rotor turned {turned[-1]}", remedy
        return None


def _line_name(line: str) -> str:
    return next(name for name, letter in LINES.items() if letter == line)


def _levels(levels: Any) -> str:
    return ", ".join(f"{_line_name(line)} {'high' if level else 'low'}" for line, level in levels.items())
