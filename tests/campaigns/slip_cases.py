"""One cell of the fault matrix with a slip: see :mod:`campaigns.slip_kinds` for what people do wrong, and when."""

from collections import Counter
from collections.abc import Callable, Iterator

from campaigns.fault_cases import Case, CellDealer, Usual
from campaigns.fault_watch import Broken
from campaigns.slip_kinds import (
    AHEAD,
    CALL,
    FLOOR_KEY,
    LATE_CALL,
    LEFT_KEY,
    POWER,
    THREE_TIMES,
    TWICE,
    WRONG_NUMBER,
    Moment,
    Slip,
    another_number,
)
from campaigns.slip_watch import SlipWatch, cause_of

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S
from controller.bench.slips import HAND, slips_of
from controller.bench.slips import POWER as POWER_CUT
from controller.bench.ways import Way
from controller.events.effect import Result, RoundOpened, Void, WagersReturned
from controller.journal.record import RecordedDecision
from controller.statechart.registry import find_game

BEFORE_NS = 700_000_000
"""From a slip until the device breaks: two more presses of a hasty hand."""
REACTS_NS = 100_000_000
"""From the moment at which a device breaks, or is repaired, until people slip: between two of their presses."""
HASTE_NS = 350_000_000
"""Between two presses of a hand to which nothing answers."""
POWER_OFF_NS, LEFT_S = 4 * NS_PER_S, 60


class SlippingDealer(CellDealer):
    """People who leave dice where they lie until they are keyed, and wait while the power is off.

    What was keyed wrong, and entered by a slip or a key that stuck, they correct when they see the result.

    Attributes:
        tossed: dice lie there that are not decided yet.
        off: the power is off.
        back_ns: until then nobody is at the table.
        hasty: a slip at the keys, or a key that sticks, may enter what is not true.
        owed: the wrong result that is still to be corrected, in words; empty for none.
    """

    tossed = off = hasty = False
    back_ns = 0
    owed = ""
    _owed_at = 0
    _corrects = False
    """Before the present act, a result was being corrected."""

    def roll(self) -> None:
        """Shake the dice, unless they lie there already."""
        if not self.tossed:
            super().roll()
            self.tossed = True

    def step(self) -> None:
        if self.rig.clock.now_ns() < self.back_ns:
            self.rig.wait(10)
        elif self.detours:
            super().step()
        else:
            self._act_in(str(self.rig.state.value))
            while self.off:
                self.rig.wait(1)
            self._look_at_result()

    def _act_in(self, state: str) -> None:
        self._corrects = bool(getattr(self.rig.machine.data, "corrects", ""))
        if state == "malfunction" and self.tossed and self.repairs and not self.rig.machine.data.wins:
            self.key_in(self.dice)  # They lie there, and the keypad is mended: they are not lost.
        else:
            self._acts[state]()

    def _look_at_result(self) -> None:
        """Compare the result with what lies there, and correct one that was keyed wrong."""
        wrong = self.witness.tally.wrong
        known = len(wrong)
        self.witness.compare(self.rig)
        results = self.witness.tally.results
        if len(wrong) > known and self.hasty and self._by_keys():
            self.owed, self.tossed, self._owed_at = wrong.pop(), True, results
        elif self.owed and results > self._owed_at:
            self.owed = ""
        if self.owed and not self.rig.machine.data.corrects:
            self._correct()

    def _by_keys(self) -> bool:
        """Whether the result was keyed: at a wheel, that is a correction."""
        return self.rig.world.head is None or self._corrects

    def _correct(self) -> None:
        self.rig.press("correct")
        if self.rig.state.value == "correcting":
            self.rig.press("floor-key")


class SlipCase(Case):
    """A table on its way into a state, with a fault and a slip there.

    Args:
        usual: play from the state on with neither.
    """

    _hands: SlippingDealer | None = None

    def __init__(self, config: TableConfig, state: str, way: Way, broken: Broken, slip: Slip, usual: Usual) -> None:
        self._slip, self._usual = slip, usual
        self._broken_by = cause_of(broken)
        world = slips_of(find_game(config.game))
        self._acts = world.acts
        self._watch = SlipWatch(lambda: self._witness.tally.spins, world.voids)
        super().__init__(config, state, way, broken, (self._watch, self._note_toss))

    def _people(self) -> SlippingDealer:
        dealer = SlippingDealer(self._rig, self._witness, self._way)
        at_keys = self._slip.what not in self._acts and self._slip.what != POWER
        dealer.hasty = at_keys or (self._broken is not None and self._broken.fault == "stuck-key")
        self._hands = dealer
        return dealer

    def _note_toss(self, recorded: RecordedDecision) -> None:
        """Dice and cards that were decided are taken up; a new round begins with none."""
        if self._hands is None:  # The table starts.
            return
        if any(isinstance(one, Result | RoundOpened | Void | WagersReturned) for one in recorded.record.effects):
            self._hands.tossed = False
        for one in recorded.record.effects:
            if isinstance(one, Result) and one.label.partition(",")[0] == self._witness.truth:
                self._hands.owed = ""
            elif isinstance(one, RoundOpened):
                self._hands.ahead.clear()
                self._hands.dice = ()
                self._watch.uncorrected(self._hands.owed)
                self._hands.owed = ""

    # -- when ------------------------------------------------------------------------------------------------

    def _strike(self) -> None:
        self._watch.watches = True
        if self._slip.moment is Moment.BEFORE:
            self._do()
            self._after(BEFORE_NS, self._break)
        else:
            super()._strike()

    def _break(self) -> None:
        super()._break()
        self._watch.causes.add(self._broken_by)
        if self._slip.moment is Moment.DURING:
            self._after(REACTS_NS, self._do)

    def _repair(self) -> None:
        super()._repair()
        if self._slip.moment is Moment.AFTER:
            self._after(REACTS_NS, self._do)

    # -- what ------------------------------------------------------------------------------------------------

    def _do(self) -> None:
        """Slip: at once, or, with a key, press after press."""
        what = self._slip.what
        if what in self._acts:
            self._watch.causes.add(HAND)
            self._acts[what](self._dealer)
        elif what == POWER:
            self._switch_off()
        else:
            for number, control in enumerate(self._controls(what)):
                self._after(number * HASTE_NS, self._pressing(control))
            if what == LEFT_KEY:
                self._people_at_it.back_ns = self._rig.clock.now_ns() + LEFT_S * NS_PER_S

    def _pressing(self, control: str) -> Callable[[], None]:
        return lambda: self._rig.world.press(control)

    def _controls(self, what: str) -> Iterator[str]:
        due = self._due()
        present = [
            *(one for keys in self._rig.world.keys for one in keys.controls),
            *self._rig.world.switches.names,
        ]
        if what in (TWICE, THREE_TIMES):
            yield from (due,) * (2 if what == TWICE else 3)
        elif what == AHEAD:
            yield from (self._next_to(due), due)
        elif what == WRONG_NUMBER:
            wrong = another_number(due, present)
            yield from (wrong, due) if wrong else ()
        elif what == LATE_CALL and CALL in present:
            yield CALL
        elif what == LEFT_KEY:
            yield FLOOR_KEY

    def _due(self) -> str:
        """What people press in this state if nothing is wrong; in one where they wait, what they press after it."""
        now = str(self._rig.state.value)
        presses = [control for state, control in self._usual.presses if state == now]
        return next(iter(presses), self._usual.presses[0][1] if self._usual.presses else FLOOR_KEY)

    def _next_to(self, due: str) -> str:
        """What they press in the state after it."""
        now = str(self._rig.state.value)
        others = [one for state, one in self._usual.presses if state != now and one != due]
        return next(iter(others), due)

    # -- the power -------------------------------------------------------------------------------------------

    def _switch_off(self) -> None:
        if self._people_at_it.off:
            return
        self._watch.causes.add(POWER_CUT)
        self._people_at_it.off = True
        self._rig.power_off()
        self._after(POWER_OFF_NS, self._switch_on)

    def _switch_on(self) -> None:
        self._onlooker.rig = None  # While a table starts, its lamps are not set yet.
        self._rig.power_on()
        self._onlooker.rig = self._rig
        self._people_at_it.off = False

    @property
    def _people_at_it(self) -> SlippingDealer:
        assert self._hands is not None
        return self._hands

    # -- what came of it -------------------------------------------------------------------------------------

    def _further(self) -> list[str]:
        return list(self._watch.failures(Counter(self._usual.reactions)))
