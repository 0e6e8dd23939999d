"""Carries out the steps of a scenario at a simulated table. Used by :mod:`controller.bench.scenarios.script`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from config.problems import Path
from controller.access.credentials import Role
from controller.bench.rig import NS_PER_S, Rig
from controller.bench.scenarios.checks import boundary_number, section_number
from controller.bench.scenarios.expectations import Observation, Seen, differences
from controller.bench.scenarios.steps import FloorStep, HandStep, PersonPart, ScenarioStep, SpinStep
from controller.events.event import Direction
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import LOOKS_NS
from controller.table.desk import Staff
from hal.errors import HalError
from hal.wall_time import SetBy

NS_PER_H = 3600 * NS_PER_S


@dataclass(frozen=True)
class People:
    """The people of a scenario, by credential number. Their PINs are compared without the cost of a hash."""

    people: Mapping[str, PersonPart]

    def knows(self, number: str, role: Role) -> bool:
        person = self.people.get(number)
        return person is not None and person.role == role.value

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and self.people[number].pin == pin

    @property
    def staff(self) -> Staff | None:
        """None where there is nobody: the key alone is sufficient."""
        dealer_pin = any(one.role == "dealer" and one.pin is not None for one in self.people.values())
        return Staff(self, dealer_pin=dealer_pin) if self.people else None

    @property
    def floorperson(self) -> str:
        """The number of the first floorperson; empty where there is none."""
        return next((one for one in self.people if self.knows(one, Role.FLOORPERSON)), "")

    def pin(self, number: str) -> str:
        person = self.people.get(number)
        return person.pin or "" if person is not None else ""


class ClockedRig(Rig):
    """A rig whose computer has a clock that can be set, and that stops with the power if its battery is low."""

    def _start(self) -> Table:
        clock = TableClock(self.clock, lambda: self.world.computer.set_by)
        clock.begin(newest_on_record(self.journal))
        self.world.lend(clock)
        self.wall = clock
        return super()._start()

    def power_off(self) -> None:
        super().power_off()
        self._off_utc_ns = self.clock.utc_ns()

    def power_on(self) -> None:
        if self.world.computer.battery().low:
            self.clock.set_utc(self._off_utc_ns)
        super().power_on()

    def set_clock(self, utc_ns: int) -> None:
        """The network sets the computer's clock; the table notices it at its next look."""
        self.clock.set_utc(utc_ns)
        self.world.computer.set_by = SetBy.NETWORK
        self.wait(LOOKS_NS / NS_PER_S)


@dataclass
class ExpectationError(Exception):
    """An expectation does not hold."""

    path: Path
    found: dict[str, Seen]


@dataclass
class StepError(Exception):
    """A step cannot be carried out: the simulated hardware cannot do it, or the floor menu does not have it."""

    path: Path
    reason: str


class Player:
    """Carries out steps.

    Args:
        seen: what is observed of the table.
        begins: called with the place of each step before it, in the file.
    """

    def __init__(
        self, rig: ClockedRig, people: People, seen: Observation, begins: Callable[[Path, ScenarioStep], None]
    ) -> None:
        self._rig, self._people, self._seen, self._begins = rig, people, seen, begins
        self._true_utc_ns = rig.clock.utc_ns() - rig.clock.now_ns()

    def step(self, path: Path, step: ScenarioStep) -> None:
        """Carry out a step.

        Raises:
            ExpectationError: an expectation does not hold.
            StepError: it is not possible.
        """
        at = (*path, step.action)
        self._begins(at, step)
        if step.repeat is not None:
            for _ in range(step.repeat.times):
                for number, inner in enumerate(step.repeat.steps):
                    self.step((*at, "steps", number), inner)
            return
        try:
            self._people_act(step)
            self._wheels_turn(step)
            self._hardware(step)
        except (HalError, ValueError, LookupError) as error:
            raise StepError(at, str(error)) from error
        if step.expect is not None:
            found = differences(step.expect, self._rig, self._seen)
            self._seen.expected(self._rig)
            if found:
                raise ExpectationError(at, found)

    def _people_act(self, step: ScenarioStep) -> None:
        rig = self._rig
        rig.press(*(step.press or ()), *(step.keys or ()))
        if step.floor is not None:
            self._floor(step.floor)
        if step.log_on is not None:
            rig.log_on(step.log_on, self._people.pin(step.log_on))
        if step.wait_s is not None:
            rig.wait(float(step.wait_s))
        if step.wait_h is not None:
            rig.wait(float(step.wait_h) * 3600)

    def _floor(self, floor: FloorStep) -> None:
        present = self._rig.table.desk.identified(self._rig.clock.now_ns())
        by = floor.by or present or self._people.floorperson
        self._rig.floor(floor.act or "", floor.argument or "", by, self._people.pin(by))

    def _wheels_turn(self, step: ScenarioStep) -> None:
        rig = self._rig
        if step.spin is not None:
            self._spin(step.spin)
        if step.turn is not None:
            rig.turn(float(step.turn.revolutions), float(step.turn.seconds), step.turn.rest)
        if step.hand is not None:
            self._hand(step.hand)
        if step.rotor is not None:
            turned = step.rotor
            rig.turn_rotor(float(turned.speed_rev_s), Direction(turned.direction), float(turned.wait_s))
        if step.ball is not None:
            ball, out = step.ball, step.ball.leaves_after
            leaves_after = None if out is None else float(out)
            rig.throw_ball(float(ball.turns), ball.into or "", ball.with_rotor, leaves_after, ball.rest)

    def _spin(self, spin: SpinStep) -> None:
        order = self._rig.order
        stop_on = section_number(spin.stop_on, order) if spin.stop_on is not None else None
        between = boundary_number(spin.stop_between, order) if spin.stop_between is not None else None
        self._rig.spin(float(spin.revolutions), Direction(spin.direction), stop_on, between, spin.rest)

    def _hand(self, hand: HandStep) -> None:
        hands = self._rig.world.hands
        if hand.push_deg_s is not None:
            hands.nudge(float(hand.push_deg_s))
        elif hand.brake_nm is not None:
            hands.brake(float(hand.brake_nm), float(hand.seconds))
        elif hand.hold:
            hands.hold()
        else:
            hands.let_go()

    def _hardware(self, step: ScenarioStep) -> None:
        rig, cut = self._rig, step.power_cut
        if step.fault is not None:
            rig.world.fault(step.fault.name, step.fault.target, float(step.fault.amount))
        if step.repair:
            rig.world.repair()
        if cut is not None:
            rig.power_cut(float(cut.off_s), cut.opened)
        if step.set_clock is not None:
            wrong_ns = int(step.set_clock.wrong_h * NS_PER_H)
            rig.set_clock(self._true_utc_ns + rig.clock.now_ns() + wrong_ns)
