"""What the bench's page can ask for: one method for each act. Anybody who reaches the page can send anything.

An act is an object with the name of its method as a key, and the method's other parameters beside it. It is
validated completely before anything is done.
"""

from collections.abc import Mapping
from inspect import signature
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, validate_call

from controller.bench.keys import NAMED, BenchKeys
from controller.bench.live import LiveBench
from controller.bench.wheel_workshop import BUILD
from controller.tracking.motion import direction_of
from hal.errors import HalError
from hal.mock.rotor import MockRotorHead
from hal.mock.wheel import MockHead
from hal.mock.world import BREAKAGES

_LONGEST = 40
_checked = validate_call(config=ConfigDict(strict=True))


def _either_way(least: float, most: float, unit: str, negative: str = "the other way round") -> AfterValidator:
    """A number within limits, whatever its sign."""

    def check(value: float) -> float:
        if not least <= abs(value) <= most:
            raise ValueError(f"it is {least:g} to {most:g} {unit}; negative is {negative}")
        return value

    return AfterValidator(check)


Yes = Literal[True]
Peg = Annotated[int, Field(ge=1, le=360)]
Finite = Annotated[float, Field(ge=-1e6, le=1e6)]


class Acts:
    """The acts of one page. Each raises ValueError or HalError if its table cannot do it; nothing was done then."""

    def __init__(self, bench: LiveBench, keyboard: BenchKeys) -> None:
        self._bench, self._keyboard = bench, keyboard
        self._names = [name for name in vars(Acts) if not name.startswith("_")]

    def __call__(self, body: object) -> None:
        """Carry out a request.

        Args:
            body: as it was parsed.

        Raises:
            ValueError: it is not an act of this table; the message says what is allowed. Nothing was done.
        """
        names = ", ".join(self._names)
        if not isinstance(body, Mapping):
            raise ValueError(f"an act is an object with one of the keys {names}")
        given = [name for name in self._names if name in body]
        if len(given) != 1:
            raise ValueError(f"an act has exactly one of the keys {names}")
        act = getattr(self, given[0])
        allowed = signature(act).parameters
        for key in body:
            if key not in allowed:
                raise ValueError(f"unknown key {_shown(key)}; with '{given[0]}' go only: {', '.join(allowed)}")
        try:
            act(**body)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"'{first['loc'][0]}': {first['msg'].removeprefix('Value error, ')}") from error
        except HalError as error:
            raise ValueError(str(error)) from error

    # -- people ----------------------------------------------------------------------------------------------

    @_checked
    def key(self, key: str) -> None:
        if len(key) != 1 and key not in NAMED:
            raise ValueError(f"'key' is one character or one of {', '.join(NAMED)}")
        self._keyboard.press(key)

    @_checked
    def press(self, press: str) -> None:
        self._bench.press(_one_of(self._bench.controls, press, "control"))

    @_checked
    def throw(self, throw: Annotated[float, _either_way(0.2, 12.0, "turns")]) -> None:
        self._wheel_is_there()
        self._bench.throw_wheel(abs(throw), direction_of(1 if throw > 0 else -1))

    @_checked
    def ball(self, ball: Annotated[float, _either_way(0.5, 15.0, "turns")]) -> None:
        if not isinstance(self._bench.world.head, MockRotorHead):
            raise ValueError("this table has no ball that could be thrown")
        self._bench.throw_ball(abs(ball), with_rotor=ball < 0)

    @_checked
    def push(self, push: Annotated[float, _either_way(1.0, 300.0, "degrees a second", "clockwise")]) -> None:
        self._wheel_is_there()
        self._bench.push(push)

    @_checked
    def hold(self, hold: Yes) -> None:
        self._wheel_is_there()
        self._bench.grab()

    @_checked
    def let_go(self, let_go: Yes) -> None:
        self._wheel_is_there()
        self._bench.let_go()

    @_checked
    def brake(
        self, brake: Annotated[float, Field(gt=0, le=50)], seconds: Annotated[float, Field(gt=0, le=60)] = 1.0
    ) -> None:
        """Rub on the rim, with so many N m."""
        self._wheel_is_there()
        self._bench.brake(brake, seconds)

    @_checked
    def inspect(self, inspect: Yes) -> None:
        self._bench.inspect()

    # -- the technician --------------------------------------------------------------------------------------

    @_checked
    def fault(self, fault: str, target: str = "", amount: float | None = None) -> None:
        world = self._bench.world
        offered = {item.fault: item for item in BREAKAGES if item.offered(world)}
        item = offered[_one_of(tuple(offered), fault, "fault")]
        if targets := item.targets(world):
            _one_of(targets, target, item.target)
        elif target:
            raise ValueError(f"'{fault}' has no target")
        amount = item.amount if amount is None or not item.most else amount
        # A share is any part of 1; edges, pockets and disturbances per second are whole numbers.
        if item.most and not (0 < amount <= item.most and (item.most <= 1 or amount % 1 == 0)):
            limits = "above 0, at most 1" if item.most <= 1 else f"a whole number from 1 to {item.most:g}"
            raise ValueError(f"the amount of '{fault}' is {limits}")
        self._bench.break_(fault, target, amount)

    @_checked
    def repair(self, repair: Yes) -> None:
        self._bench.repair()

    @_checked
    def cut(self, cut: Yes) -> None:
        self._bench.power_cut()

    @_checked
    def calibrate(self, calibrate: Yes) -> None:
        self._wheel_is_there()
        self._bench.workshop.calibrate()

    @_checked
    def build(self, build: Literal[BUILD], value: Finite) -> None:  # type: ignore[valid-type]
        self._wheel_is_there()
        self._bench.workshop.build(build, value)

    @_checked
    def bend(self, bend: Peg, degrees: Annotated[float, Field(ge=-3, le=3)]) -> None:
        """0 straightens a peg, and puts it back."""
        self._bench.workshop.bend_peg(self._peg(bend), degrees)

    @_checked
    def remove(self, remove: Peg) -> None:
        self._bench.workshop.remove_peg(self._peg(remove))

    # -- inside ----------------------------------------------------------------------------------------------

    def _wheel_is_there(self) -> None:
        if not isinstance(self._bench.world.head, MockHead):
            raise ValueError("this table has no wheel with a clapper")

    def _peg(self, number: int) -> int:
        self._wheel_is_there()
        if number > (sections := self._bench.world.wheel.sections):
            raise ValueError(f"there is no peg {number}: the wheel's pegs are numbered from 1 to {sections}")
        return number


def _one_of(allowed: tuple[str, ...], value: str, what: str) -> str:
    if value not in allowed:
        raise ValueError(f"{_shown(value)} is no {what} of this table; it has: {', '.join(allowed)}")
    return value


def _shown(value: object) -> str:
    """Text of a request for a message: shortened and escaped."""
    return ascii(value[:_LONGEST]) if isinstance(value, str) else "that"
