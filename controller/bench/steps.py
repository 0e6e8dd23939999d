"""The steps that people take at a simulated table, as data: those of a scenario's file and of the bench's page.

The options of most steps are the parameters of a method of the rig (:mod:`controller.bench.rig`), with their
ranges. ``docs/scenarios.md`` describes them.
"""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, create_model, field_validator, model_validator

from config.values import Name, Section
from controller.bench.rig import Number, Rig


def _keys(value: object) -> object:
    """Controls as text, with spaces between them."""
    return value.split() if isinstance(value, str) else value


def _yes(value: object) -> object:
    if value not in ("true", True):
        raise ValueError("write 'true', or remove the step")
    return True


Keys = Annotated[list[Name], Field(min_length=1), BeforeValidator(_keys)]
Yes = Annotated[Literal[True], BeforeValidator(_yes)]
StepText = Annotated[str, Field(min_length=1, max_length=2000)]
Digits = Annotated[str, Field(pattern="^[0-9]{1,12}$")]


class Part(Section):
    """A part of a scenario: a key that is given has a value."""

    @field_validator("*", mode="before")
    @classmethod
    def _has_value(cls, value: object) -> object:
        if value is None:
            raise ValueError("the key has no value; write one")
        return value


class Step(Part):
    """One step: exactly one action."""

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
        """The name of its action."""
        return next(iter(self.model_fields_set))

    @property
    def given(self) -> Any:
        """The value of its action."""
        return getattr(self, self.action)

    def take(self, rig: Rig) -> None:
        """Take this step at a table.

        Raises:
            HalError, ValueError, LookupError: the table cannot do it.
        """
        act, given = getattr(rig, _METHODS.get(self.action, self.action)), self.given
        if isinstance(given, Part):
            act(**dict(given))
        elif given is True:
            act()
        else:
            act(*given) if isinstance(given, list) else act(given)


def steps(base: str, **kinds: Any) -> Any:
    """A model of steps, each by its name and the kind of its value."""
    fields: dict[str, Any] = {name: (kind | None, None) for name, kind in kinds.items()}
    return create_model(base, __base__=Step, **fields)


def options_of(act: Callable[..., None]) -> Any:
    """The model of an action's options: the parameters of the rig's method."""
    options: dict[str, Any] = {}
    for one in signature(act).parameters.values():
        if one.name != "self":
            options[one.name] = (one.annotation, ... if one.default is Parameter.empty else one.default)
    return create_model(act.__name__, __base__=Part, **options)


_METHODS = {"hand": "touch", "rotor": "turn_rotor", "ball": "throw_ball", "wait_s": "wait", "until": "follow"}
"""The rig's method for an action, if it has another name."""
_AT_ONCE = ("spin", "turn", "hand", "rotor", "ball", "fault", "power_cut")
AT_TABLE: Mapping[str, Any] = {
    "press": Keys,
    **{name: options_of(getattr(Rig, _METHODS.get(name, name))) for name in _AT_ONCE},
    "take_ball": Yes,
    "repair": Yes,
}
"""Steps for which no time must pass."""
UNATTENDED: Mapping[str, Any] = {
    **AT_TABLE,
    "floor": options_of(Rig.floor),
    "log_on": Number,
    "wait_s": Annotated[float, Field(gt=0, le=1_000_000)],
}
