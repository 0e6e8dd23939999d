"""A scenario's file: people, and one model for each step. ``docs/scenarios.md`` describes every option."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from config.problems import did_you_mean
from config.values import Name, Section
from config.values import Text as Label
from controller.events.effect import Effect
from controller.events.event import Direction, Event


def _listed(value: object) -> object:
    """A single name or section is a list of one."""
    return [value] if isinstance(value, str | dict) else value


def _keys(value: object) -> object:
    """Controls as text, with spaces between them."""
    return value.split() if isinstance(value, str) else value


StepText = Annotated[str, Field(min_length=1, max_length=2000)]
Digits = Annotated[str, Field(pattern="^[0-9]{1,12}$")]
Number = Annotated[str, Field(pattern="^[0-9]{1,8}$")]
Keys = Annotated[list[Name], Field(min_length=1), BeforeValidator(_keys)]
Pair = Annotated[list[Label], Field(min_length=2, max_length=2)]
Codes = Annotated[list[StepText], BeforeValidator(_listed)]
Time = Annotated[float, Field(gt=0, le=1_000_000)]
Count = Annotated[int, Field(ge=0)]


class StepPart(Section):
    """A part of a scenario: a key that is given has a value."""

    @field_validator("*", mode="before")
    @classmethod
    def _has_value(cls, value: object) -> object:
        if value is None:
            raise ValueError("the key has no value; write one, or remove the key")
        return value


class SpinStep(StepPart):
    """Throw the wheel."""

    revolutions: float = Field(4, ge=0.1, le=20)
    direction: Direction = Direction.COUNTERCLOCKWISE
    stop_on: Label | None = None
    stop_between: Pair | None = None
    rest: bool = True

    @model_validator(mode="after")
    def _one_place(self) -> "SpinStep":
        if self.stop_on is not None and self.stop_between is not None:
            raise ValueError("stop_on and stop_between exclude each other; remove one of the two")
        return self


class TurnStep(StepPart):
    """Turn the wheel by hand."""

    revolutions: float = Field(ge=-20, le=20)
    seconds: float = Field(4, ge=0.1, le=600)
    rest: bool = True

    @field_validator("revolutions")
    @classmethod
    def _moves(cls, value: float) -> float:
        if value == 0:
            raise ValueError("a turn by 0 revolutions does nothing; write how far, for example 1.2")
        return value


class HandStep(StepPart):
    """Touch the wheel, whether it stands or turns: exactly one of the acts."""

    push_deg_s: float | None = Field(None, ge=-300, le=300)
    brake_nm: float | None = Field(None, gt=0, le=50)
    seconds: float = Field(1, ge=0.1, le=60)
    hold: bool = False
    let_go: bool = False

    @model_validator(mode="after")
    def _one_act(self) -> "HandStep":
        given = self.model_fields_set - {"seconds"}
        if len(given) != 1 or not any(getattr(self, name) for name in given):
            raise ValueError("a hand does one thing: push_deg_s (not 0), brake_nm, hold: true, or let_go: true")
        if "seconds" in self.model_fields_set and self.brake_nm is None:
            raise ValueError("seconds goes with brake_nm only; remove it")
        return self


class RotorStep(StepPart):
    """Set a roulette wheel's rotor turning."""

    speed_rev_s: float = Field(0.4, ge=0, le=2)
    direction: Direction = Direction.CLOCKWISE
    wait_s: float = Field(4, ge=0, le=600)


class BallStep(StepPart):
    """Throw the ball of a roulette wheel."""

    turns: float = Field(9, ge=0.1, le=30)
    into: Label = ""
    with_rotor: bool = False
    leaves_after: float | None = Field(None, ge=0.1, le=31)
    rest: bool = True


class FloorStep(StepPart):
    """The floorperson turns the key, identifies if the table asks, and chooses in the menu."""

    act: Name = ""
    argument: Name = ""
    by: Number = ""

    @model_validator(mode="after")
    def _argument_of_an_act(self) -> "FloorStep":
        if self.argument and not self.act:
            raise ValueError("argument goes with act; write the act, or remove argument")
        return self


class FaultStep(StepPart):
    """Break something."""

    name: Name
    target: Annotated[str, Field(max_length=80)] = ""
    amount: float = Field(0, ge=0, le=1_000_000)


class PowerCutStep(StepPart):
    """Cut the power and switch on again."""

    off_s: float = Field(5, ge=0, le=1_000_000)
    opened: tuple[Name, ...] = ()


class SetClockStep(StepPart):
    """The network sets the computer's clock."""

    wrong_h: float = Field(0, ge=-100_000, le=100_000)


class RecordPart(StepPart):
    """An event or effect of a kind, and what some of its fields must be."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Name

    @model_validator(mode="after")
    def _on_record(self) -> "RecordPart":
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


Records = Annotated[list[RecordPart], Field(min_length=1), BeforeValidator(_listed)]


class ExpectStep(StepPart):
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
    def _something(self) -> "ExpectStep":
        if not self.model_fields_set:
            raise ValueError("nothing is expected; write at least one of: " + ", ".join(ExpectStep.model_fields))
        return self


class RepeatStep(StepPart):
    """Steps that are carried out several times."""

    times: int = Field(ge=1, le=10_000)
    steps: list["ScenarioStep"] = Field(min_length=1)


class ScenarioStep(StepPart):
    """One step: exactly one of the actions."""

    press: Keys | None = None
    spin: SpinStep | None = None
    turn: TurnStep | None = None
    hand: HandStep | None = None
    rotor: RotorStep | None = None
    ball: BallStep | None = None
    floor: FloorStep | None = None
    log_on: Number | None = None
    wait_s: Time | None = None
    fault: FaultStep | None = None
    repair: Literal[True] | None = None
    power_cut: PowerCutStep | None = None
    set_clock: SetClockStep | None = None
    repeat: RepeatStep | None = None
    expect: ExpectStep | None = None

    @field_validator("repair", mode="before")
    @classmethod
    def _is_true(cls, value: object) -> object:
        if value != "true":
            raise ValueError("write 'repair: true', or remove the step")
        return True

    @model_validator(mode="after")
    def _one_action(self) -> "ScenarioStep":
        given = sorted(self.model_fields_set)
        if not given:
            raise ValueError("the step has no action; write one of: " + ", ".join(ScenarioStep.model_fields))
        if len(given) > 1:
            raise ValueError(f"{len(given)} actions in one step ({', '.join(given)}); begin each with '- '")
        return self

    @property
    def action(self) -> str:
        """The name of the step's action."""
        return next(iter(self.model_fields_set))


class PersonPart(StepPart):
    """Somebody whom the table knows."""

    role: Literal["floorperson", "dealer"] = "floorperson"
    pin: Digits | None = None

    @model_validator(mode="after")
    def _floorperson_has_a_pin(self) -> "PersonPart":
        if self.role == "floorperson" and self.pin is None:
            raise ValueError("a floorperson needs a PIN; write pin, or role: dealer")
        return self


class Scenario(StepPart):
    """A scenario's file."""

    game: Name | None = None
    about: StepText | None = None
    people: dict[Number, PersonPart] = Field(default={}, min_length=1)
    steps: list[ScenarioStep] = Field(min_length=1)
