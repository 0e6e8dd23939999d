"""The steps of a scenario: one model for each action, with every option, its unit and its default.

:mod:`controller.bench.scenarios.script` reads a scenario's file into these models and carries the steps out;
``docs/scenarios.md`` describes the same for people.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from config.fields import Name
from config.fields import Text as Label
from config.scalars import Quantity, Whole, YesNo, read_quantity, read_whole
from config.schema import Section


def _listed(value: object) -> object:
    """A single name is a list of one."""
    return [value] if isinstance(value, str) else value


def _keys(value: object) -> object:
    """Keypad text: keys separated by spaces."""
    return value.split() if isinstance(value, str) else value


Names = Annotated[list[Name], Field(min_length=1), BeforeValidator(_listed)]
Keys = Annotated[list[Name], Field(min_length=1), BeforeValidator(_keys)]
Pair = Annotated[list[Label], Field(min_length=2, max_length=2)]
Seconds = Annotated[Decimal, Field(gt=0, le=1_000_000), BeforeValidator(read_quantity)]
Number = Annotated[int, Field(ge=0), BeforeValidator(read_whole)]
Repetitions = Annotated[int, Field(ge=1), BeforeValidator(read_whole)]
StepText = Annotated[str, Field(min_length=1, max_length=2000)]


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

    revolutions: Quantity = Field(
        Decimal(4), ge=Decimal("0.1"), le=20, description="about how many; with a place to stop, the least"
    )
    direction: Literal["clockwise", "counterclockwise"] = "counterclockwise"
    stop_on: Label | None = Field(None, description="a section: its name (the first of that name), or 'section N'")
    stop_between: Pair | None = Field(None, description="two neighbouring sections, as for stop_on")
    rest: YesNo = Field(True, description="wait until the wheel stands and the table has seen it")

    @model_validator(mode="after")
    def _one_place(self) -> "SpinStep":
        if self.stop_on is not None and self.stop_between is not None:
            raise ValueError("stop_on and stop_between exclude each other; remove one of the two")
        return self


class TurnStep(StepPart):
    """Turn the wheel by hand."""

    revolutions: Quantity = Field(ge=-20, le=20, description="how far; negative is clockwise")
    seconds: Quantity = Field(Decimal(4), ge=Decimal("0.1"), le=600, description="how long it takes")
    rest: YesNo = Field(True, description="wait until the wheel stands and the table has seen it")

    @field_validator("revolutions")
    @classmethod
    def _moves(cls, value: Decimal) -> Decimal:
        if value == 0:
            raise ValueError("a turn by 0 revolutions does nothing; write how far, for example 1.2")
        return value


class HandStep(StepPart):
    """Touch the wheel, whether it stands or turns: exactly one of the acts."""

    push_deg_s: Quantity | None = Field(
        None, ge=-300, le=300, description="so much faster at once, in degrees a second; negative is clockwise"
    )
    brake_nm: Quantity | None = Field(None, gt=0, le=50, description="friction of a hand that rubs on the rim")
    seconds: Quantity = Field(Decimal(1), ge=Decimal("0.1"), le=60, description="how long it rubs")
    hold: YesNo | None = Field(None, description="stop the wheel and hold it")
    let_go: YesNo | None = Field(None, description="take the hand away; the leather may push the wheel")

    @model_validator(mode="after")
    def _one_act(self) -> "HandStep":
        given = self.model_fields_set - {"seconds"}
        if len(given) != 1 or False in (self.hold, self.let_go) or self.push_deg_s == 0:
            raise ValueError("a hand does one thing: push_deg_s (not 0), brake_nm, hold: true, or let_go: true")
        if "seconds" in self.model_fields_set and self.brake_nm is None:
            raise ValueError("seconds goes with brake_nm only; remove it")
        return self


class RotorStep(StepPart):
    """Set a roulette wheel's rotor turning."""

    speed_rev_s: Quantity = Field(
        Decimal("0.4"), ge=0, le=2, description="turns a second; it slows down by itself, and 0 holds it"
    )
    direction: Literal["clockwise", "counterclockwise"] = "clockwise"
    wait_s: Quantity = Field(Decimal(4), ge=0, le=600, description="how long it is left alone then")


class BallStep(StepPart):
    """Throw the ball of a roulette wheel."""

    turns: Quantity = Field(
        Decimal(9), ge=Decimal("0.1"), le=30, description="around the track, until it is too slow for it"
    )
    into: Label | None = Field(None, description="the pocket in which it comes to rest")
    with_rotor: YesNo = Field(False, description="throw it the way that the rotor turns, not against it")
    leaves_after: Quantity | None = Field(
        None, ge=Decimal("0.1"), le=31, description="turns after which it leaves the wheel"
    )
    rest: YesNo = Field(True, description="wait until the ball lies still and was seen to leave the track")


class FaultStep(StepPart):
    """Break something."""

    name: Name = Field(description="what goes wrong")
    target: Annotated[str, Field(max_length=80)] = Field("", description="the line, lamp or key it strikes")
    amount: Quantity = Field(Decimal(0), ge=0, le=1_000_000, description="how much: hertz, edges, or a part of 1")


class PowerCutStep(StepPart):
    """Cut the power and switch on again."""

    off_s: Quantity = Field(Decimal(5), ge=0, le=1_000_000, description="how long the power is away")
    opened: tuple[Name, ...] = Field((), description="contacts that are opened meanwhile, and closed again")


class LastRecord(StepPart):
    """The last event or effect of a kind, and what some of its fields must be."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Name


class ExpectStep(StepPart):
    """What is expected at this moment."""

    state: Name | None = Field(None, description="the state of the round")
    lit: list[Name] | None = Field(None, description="exactly these areas burn")
    dark: YesNo | None = Field(None, description="true: no area burns; false: at least one does")
    round: Number | None = Field(None, description="the number of the round")
    waiting_for: StepText | None = Field(None, description="text in what the table waits for")
    last: LastRecord | None = Field(None, description="the last fact or effect of a kind")
    located: YesNo | None = Field(None, description="whether the wheel's position is known")
    beeps_at_least: Repetitions | None = Field(
        None, description="sounds since the expectation before, or the start"
    )

    @model_validator(mode="after")
    def _something(self) -> "ExpectStep":
        if not self.model_fields_set:
            raise ValueError("nothing is expected; write at least one of: " + ", ".join(ExpectStep.model_fields))
        return self


class RepeatStep(StepPart):
    """Steps that are carried out several times."""

    times: Whole = Field(ge=1, le=10_000, description="how often")
    steps: list["ScenarioStep"] = Field(min_length=1)


class ScenarioStep(StepPart):
    """One step: exactly one of the actions."""

    press: Names | None = Field(None, description="a control, or a list of them")
    keys: Keys | None = Field(None, description="keypad keys with a space between")
    spin: SpinStep | None = None
    turn: TurnStep | None = None
    hand: HandStep | None = None
    rotor: RotorStep | None = None
    ball: BallStep | None = None
    wait_s: Seconds | None = Field(None, description="let time pass")
    fault: FaultStep | None = None
    mend: YesNo | None = None
    power_cut: PowerCutStep | None = None
    repeat: RepeatStep | None = None
    expect: ExpectStep | None = None

    @field_validator("mend")
    @classmethod
    def _is_true(cls, value: bool | None) -> bool | None:
        if value is False:
            raise ValueError("'mend: false' does nothing; write 'mend: true', or remove the step")
        return value

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


class Scenario(StepPart):
    """A scenario's file."""

    game: Name | None = Field(None, description="the game it is made for; leave it out if it fits any table")
    about: StepText | None = Field(None, description="what it shows")
    steps: list[ScenarioStep] = Field(min_length=1)
