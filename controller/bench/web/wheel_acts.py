"""Requests of the bench's page to a wheel with a clapper: hands on it, and the technician's work at it."""

from collections.abc import Callable, Mapping

from controller.bench.live import LiveBench
from controller.bench.web.request_validation import float_of, is_true, one_of, positive_of, size_of, whole_of
from controller.bench.wheel_workshop import BUILD
from hal.errors import HalError
from hal.mock.edges import MockHead

PUSH_DEG_S = (1.0, 300.0)
BEND_DEG = (0.05, 3.0)
MOST_BRAKE_NM, MOST_BRAKE_S = 50.0, 60.0

WheelAct = Callable[[Mapping[str, object]], None]


class WheelActs:
    """What the page can ask for at a wheel.

    Attributes:
        acts: each by the key of its request: ``calibrate`` (true), ``build`` (an option, with ``value``), ``bend``
            (a peg's number, with ``degrees``; 0 straightens it), ``remove`` (a peg's number), ``push`` (degrees a
            second), ``hold`` and ``let_go`` (true), ``brake`` (N m, with ``seconds``).
        beside: the further keys of an act.
    """

    def __init__(self, bench: LiveBench) -> None:
        self._bench = bench
        self.beside = {"build": ("value",), "bend": ("degrees",), "brake": ("seconds",)}
        acts: dict[str, WheelAct] = {
            "calibrate": self._calibrate,
            "build": self._build,
            "bend": self._bend,
            "remove": lambda body: self._at_peg(body, "remove", bench.workshop.remove_peg),
            "push": self._push,
            "hold": self._hold,
            "let_go": self._let_go,
            "brake": self._brake,
        }
        self.acts: dict[str, WheelAct] = {name: self._at_wheel(act) for name, act in acts.items()}

    def _at_wheel(self, act: WheelAct) -> WheelAct:
        """The same at a table that has a wheel; what the hardware refuses is a refusal of the request."""

        def checked(body: Mapping[str, object]) -> None:
            if not isinstance(self._bench.world.head, MockHead):
                raise ValueError("this table has no wheel with a clapper")
            try:
                act(body)
            except HalError as error:
                raise ValueError(str(error)) from error

        return checked

    # -- the technician ------------------------------------------------------------------------------------

    def _calibrate(self, body: Mapping[str, object]) -> None:
        is_true(body, "calibrate")
        self._bench.workshop.calibrate()

    def _build(self, body: Mapping[str, object]) -> None:
        option = one_of(BUILD, body["build"], "option")
        self._bench.workshop.build(option, float_of(body.get("value"), "value"))

    def _bend(self, body: Mapping[str, object]) -> None:
        given = body.get("degrees")
        straight = given == 0 and not isinstance(given, bool)
        degrees = 0.0 if straight else size_of(given, BEND_DEG, "degrees", "degrees", "counterclockwise")
        self._at_peg(body, "bend", lambda peg: self._bench.workshop.bend_peg(peg, degrees))

    def _at_peg(self, body: Mapping[str, object], act: str, work: Callable[[int], None]) -> None:
        work(whole_of(body[act], (1, self._bench.world.wheel.sections), "peg of this wheel"))

    # -- hands ---------------------------------------------------------------------------------------------

    def _push(self, body: Mapping[str, object]) -> None:
        self._bench.push(size_of(body["push"], PUSH_DEG_S, "push", "degrees a second", "clockwise"))

    def _hold(self, body: Mapping[str, object]) -> None:
        is_true(body, "hold")
        self._bench.grab()

    def _let_go(self, body: Mapping[str, object]) -> None:
        is_true(body, "let_go")
        self._bench.let_go()

    def _brake(self, body: Mapping[str, object]) -> None:
        torque_nm = positive_of(body["brake"], MOST_BRAKE_NM, "brake", "newton metres")
        seconds = positive_of(body.get("seconds", 1.0), MOST_BRAKE_S, "seconds", "seconds")
        self._bench.brake(torque_nm, seconds)
