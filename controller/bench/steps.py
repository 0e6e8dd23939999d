"""The steps that people take at a simulated table, as data: those of a scenario's file and of the bench's page.

``docs/scenarios.md`` describes every option.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from config.nearest import did_you_mean
from config.values import Name, Section
from config.values import Text as Label
from controller.bench.rig import Rig
from controller.events.effect import Effect
from controller.events.event import Direction, Event
from hal.errors import check_known
from hal.mock.faults import FAULTS

if TYPE_CHECKING:
    from hal.mock.hands import Hands
    from hal.mock.world import World


def _listed(value: object) -> object:
    """A single name or section is a list of one."""
    return [value] if isinstance(value, str | dict) else value


def _keys(value: object) -> object:
    """Controls as text, with spaces between them."""
    return value.split() if isinstance(value, str) else value


def _yes(value: object) -> object:
    if value not in ("true", True):
        raise ValueError("write 'true', or remove the step")
    return True


StepText = Annotated[str, Field(min_length=1, max_length=2000)]
Digits = Annotated[str, Field(pattern="^[0-9]{1,12}$")]
Number = Annotated[str, Field(pattern="^[0-9]{1,8}$")]
Keys = Annotated[list[Name], Field(min_length=1), BeforeValidator(_keys)]
Pair = Annotated[list[Label], Field(min_length=2, max_length=2)]
Codes = Annotated[list[StepText], BeforeValidator(_listed)]
Time = Annotated[float, Field(gt=0, le=1_000_000)]
Count = Annotated[int, Field(ge=0)]
Yes = Annotated[Literal[True], BeforeValidator(_yes)]


class Part(Section):
    """A part of a scenario: a key that is given has a value."""

    @field_validator("*", mode="before")
    @classmethod
    def _has_value(cls, value: object) -> object:
        if value is None:
            raise ValueError("the key has no value; write one, or remove the key")
        return value


class Spin(Part):
    revolutions: float = Field(4, ge=0.1, le=20)
    direction: Direction = Direction.COUNTERCLOCKWISE
    stop_on: Label | None = None
    stop_between: Pair | None = None
    rest: bool = True

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.stop_on is not None and self.stop_between is not None:
            raise ValueError("stop_on and stop_between exclude each other; remove one of the two")
        return self


class Turn(Part):
    revolutions: float = Field(ge=-20, le=20)
    seconds: float = Field(4, ge=0.1, le=600)
    rest: bool = True

    @field_validator("revolutions")
    @classmethod
    def _moves(cls, value: float) -> float:
        if value == 0:
            raise ValueError("a turn by 0 revolutions does nothing; write how far, for example 1.2")
        return value


class Hand(Part):
    """Touch the wheel, whether it stands or turns: exactly one of the acts."""

    push_deg_s: float | None = Field(None, ge=-300, le=300)
    brake_nm: float | None = Field(None, gt=0, le=50)
    seconds: float = Field(1, ge=0.1, le=60)
    hold: bool = False
    let_go: bool = False

    @model_validator(mode="after")
    def _one_act(self) -> Self:
        given = self.model_fields_set - {"seconds"}
        if len(given) != 1 or not any(getattr(self, name) for name in given):
            raise ValueError("a hand does one thing: push_deg_s (not 0), brake_nm, hold: true, or let_go: true")
        if "seconds" in self.model_fields_set and self.brake_nm is None:
            raise ValueError("seconds goes with brake_nm only; remove it")
        return self

    def act(self, hands: "Hands") -> None:
        if self.push_deg_s is not None:
            hands.nudge(self.push_deg_s)
        elif self.brake_nm is not None:
            hands.brake(self.brake_nm, self.seconds)
        elif self.hold:
            hands.hold()
        else:
            hands.let_go()


class Rotor(Part):
    speed_rev_s: float = Field(0.4, ge=0, le=2)
    direction: Direction = Direction.CLOCKWISE
    wait_s: float = Field(4, ge=0, le=600)


class Ball(Part):
    turns: float = Field(9, ge=0.1, le=30)
    into: Label = ""
    with_rotor: bool = False
    leaves_after: float | None = Field(None, ge=0.1, le=31)
    rest: bool = True


class Fault(Part):
    name: Name
    target: Annotated[str, Field(max_length=80)] = ""
    amount: float = Field(0, ge=0, le=1_000_000)

    def strike(self, world: "World") -> None:
        check_known("fault", self.name, FAULTS)
        fault = FAULTS[self.name]
        if targets := fault.targets(world):
            check_known(fault.target, self.target, targets)
        if self.amount > fault.most:
            raise ValueError(f"the amount of '{self.name}' is at most {fault.most:g}")
        world.fault(self.name, self.target, self.amount)


class PowerCut(Part):
    off_s: float = Field(5, ge=0, le=1_000_000)
    opened: tuple[Name, ...] = ()


class Step(Part):
    """One step at any table: exactly one of the actions."""

    press: Keys | None = None
    spin: Spin | None = None
    turn: Turn | None = None
    hand: Hand | None = None
    rotor: Rotor | None = None
    ball: Ball | None = None
    take_ball: Yes | None = None
    fault: Fault | None = None
    repair: Yes | None = None
    power_cut: PowerCut | None = None

    @model_validator(mode="after")
    def _one_action(self) -> Self:
        given = sorted(self.model_fields_set)
        if not given:
            raise ValueError("the step has no action; write one of: " + ", ".join(type(self).model_fields))
        if len(given) > 1:
            raise ValueError(f"{len(given)} actions in one step ({', '.join(given)}); begin each with '- '")
        return self

    @property
    def action(self) -> str:
        """The name of the step's action."""
        return next(iter(self.model_fields_set))

    def take(self, rig: Rig) -> None:
        """Take this step at a table.

        Raises:
            HalError, ValueError, LookupError: the table cannot do it; nothing was done then.
        """
        _ACTIONS[self.action](rig, getattr(self, self.action))


_ACTIONS: dict[str, Callable[[Rig, Any], None]] = {
    "press": lambda rig, controls: rig.press(*controls),
    "spin": lambda rig, spin: rig.spin(**dict(spin)),
    "turn": lambda rig, turn: rig.turn(**dict(turn)),
    "hand": lambda rig, hand: hand.act(rig.world.hands),
    "rotor": lambda rig, rotor: rig.turn_rotor(**dict(rotor)),
    "ball": lambda rig, ball: rig.throw_ball(**dict(ball)),
    "take_ball": lambda rig, _: rig.take_ball(),
    "fault": lambda rig, fault: fault.strike(rig.world),
    "repair": lambda rig, _: rig.world.repair(),
    "power_cut": lambda rig, cut: rig.power_cut(cut.off_s, cut.opened),
}


# -- a scenario ----------------------------------------------------------------------------------------------------


class Floor(Part):
    act: Name = ""
    argument: Name = ""
    by: Number = ""

    @model_validator(mode="after")
    def _argument_of_an_act(self) -> Self:
        if self.argument and not self.act:
            raise ValueError("argument goes with act; write the act, or remove argument")
        return self


class SetClock(Part):
    wrong_h: float = Field(0, ge=-100_000, le=100_000)


class Recorded(Part):
    """An event or effect of a kind, and what some of its fields must be."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Name

    @model_validator(mode="after")
    def _on_record(self) -> Self:
        things = (*Event.__subclasses__(), *Effect.__subclasses__())
        kinds = {thing.kind: [field.name for field in fields(thing)] for thing in things}
        _known("event or effect", self.kind, kinds)
        for name in self.wanted:
            _known("field", name, kinds[self.kind])
        return self

    @property
    def wanted(self) -> dict[str, object]:
        return self.model_extra or {}


def _known(what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise ValueError(f"no {what} '{name}'; {did_you_mean(name, known) or 'use one of: ' + ', '.join(known)}")


Records = Annotated[list[Recorded], Field(min_length=1), BeforeValidator(_listed)]


class Expect(Part):
    """What is expected at this moment. Refusals, alerts and records are those since the expectation before."""

    state: Name | None = None
    round: Count | None = None
    lit: list[Name] | None = None
    instruction: StepText | None = None
    prompt: StepText | None = None
    menu: Codes | None = None
    refused: StepText | None = None
    alerts: Codes | None = None
    recorded: Records | None = None
    not_recorded: Records | None = None
    beeps_at_least: Count | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("nothing is expected; write at least one of: " + ", ".join(Expect.model_fields))
        return self


class Repeat(Part):
    times: int = Field(ge=1, le=10_000)
    steps: list["ScenarioStep"] = Field(min_length=1)


class ScenarioStep(Step):
    """A step of a scenario."""

    floor: Floor | None = None
    log_on: Number | None = None
    until: Name | None = None
    wait_s: Time | None = None
    set_clock: SetClock | None = None
    repeat: Repeat | None = None
    expect: Expect | None = None


class Person(Part):
    """Somebody whom the table knows."""

    role: Literal["floorperson", "dealer"] = "floorperson"
    pin: Digits | None = None

    @model_validator(mode="after")
    def _floorperson_has_a_pin(self) -> Self:
        if self.role == "floorperson" and self.pin is None:
            raise ValueError("a floorperson needs a PIN; write pin, or role: dealer")
        return self


class Scenario(Part):
    """A scenario's file."""

    game: Name | None = None
    about: StepText | None = None
    people: dict[Number, Person] = Field(default={}, min_length=1)
    steps: list[ScenarioStep] = Field(min_length=1)
