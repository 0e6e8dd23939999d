"""What a roulette table waits for, in words for dealer and floorperson."""

from collections.abc import Callable

from controller.games.roulette.layout import WheelType, five_adjacent
from controller.games.roulette.play import (
    NO_SPIN_REASONS,
    PARTS,
    REASONS,
    TRIAL_STEP,
    WORKS,
    NumberSource,
    RouletteData,
    RouletteState,
    S,
    in_words,
    inside,
)
from controller.games.shared.closing import closed_words, locked_words
from controller.games.shared.floor import CORRECTION_WORDS


class RouletteWords:
    """The texts of one table.

    Args:
        steps: of the inspection.
        checks_direction: the sensors measure the direction of the ball.

        offers_five: the Five Adjacent Number Wager is offered (§ 617a.3(e)(1)(i)).
    """

    def __init__(
        self,
        wheel: WheelType,
        source: NumberSource,
        steps: tuple[str, ...],
        checks_direction: bool,
        offers_five: bool,
    ) -> None:
        self._wheel = wheel
        self._source = source
        self._steps = steps
        self._checks_direction = checks_direction
        self._offers_five = offers_five

    def waiting_for(self, state: RouletteState, data: RouletteData) -> str:
        """What the table waits for."""
        if state in _FIXED:
            return _FIXED[state]
        if state in _OF_DATA:
            return _OF_DATA[state](data)
        return {
            S.INSPECTING: self._inspecting,
            S.BETS_OPEN: self._bets_open,
            S.RESPIN: self._respin,
            S.ENTRY: self._entry,
            S.DECIDING: self._deciding,
            S.RESULT: self._result,
        }[state](data)

    @property
    def _throw(self) -> str:
        if self._checks_direction:
            return "set the wheel turning and throw the ball against it"
        return "throw the ball (one beam: nobody but the dealer sees whether it runs against the wheel)"

    def _bets_open(self, data: RouletteData) -> str:
        return f"place wagers; {self._throw}. Press no spin if the table does not see it run"

    def _respin(self, data: RouletteData) -> str:
        look = ""
        if data.void in ("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost"):
            look = " Look whether the ball is damaged; the floorperson's key records a new one."
        return f"no spin, {REASONS[data.void]}. Take the ball out; wagers stay; {self._throw}.{look}"

    def _inspecting(self, data: RouletteData) -> str:
        which = f"inspection, step {data.step + 1} of {len(self._steps)}: {self._steps[data.step]}"
        seen = f" (seen: {data.trial})" if data.trial else ""
        if data.trial and data.step == TRIAL_STEP:
            seen += ". Turn the key only if that is so: else wires are crossed, or rotor.reversed is wrong"
        return f"{which}{seen}. The floorperson's key confirms, clear refuses"

    def _entry(self, data: RouletteData) -> str:
        if self._source is NumberSource.READER:
            return "the ball comes to rest: wait for the wheel reader"
        if data.keyed:
            return f"{in_words(data.keyed)} is entered: wait for the wheel reader, or clear to key it again"
        return self._keying("the ball comes to rest: announce its number and key it", data)

    def _deciding(self, data: RouletteData) -> str:
        what = f"correction of {in_words(data.corrects)}" if data.corrects else f"disputed: {data.doubt}"
        return self._keying(f"{what}. Floorperson: key the number at which the ball rests", data)

    def _keying(self, what: str, data: RouletteData) -> str:
        pockets = "0, 00 or 1 to 36" if self._wheel is not WheelType.SINGLE_ZERO else "0 to 36"
        return f"{what} ({pockets}), then enter: {data.entry or '_'}"

    def _result(self, data: RouletteData) -> str:
        moved = ""
        if self._offers_five:
            centres = ", ".join(five_adjacent(self._wheel, data.pocket))
            moved = f"move a fifth of each five number wager on {centres} to {data.pocket}; "
        marker = f"{in_words(data.pocket)}: announce it and place the point marker"
        return f"{marker}; {moved}collect all losing wagers, then press done"


def _number(whose: str) -> Callable[[RouletteData], str]:
    return lambda data: f"the credential number of {whose}, then enter: {data.number or '_'}"


def _paying(data: RouletteData) -> str:
    won = ", ".join(f"{win.area} {win.pays}" for win in inside(data.wins))
    return f"pay the lit areas, and among the numbers {won}; then press done"


def _named(names: dict[str, str]) -> str:
    return ", ".join(f"{key} {name}" for key, name in names.items())


_NO_SPIN_WORDS = ", ".join(f"{key} {words.partition(' (')[0]}" for key, (_, words) in NO_SPIN_REASONS.items())
_OF_DATA: dict[RouletteState, Callable[[RouletteData], str]] = {
    S.CLOSED: closed_words,
    S.WORKER: _number("who made it"),
    S.WITNESS: _number("the security member who was present"),
    S.INSPECTOR: _number("the floorperson or security member who inspects"),
    S.SIGNING: lambda data: f"{data.work}, by {data.worker}: the floorperson's key signs the log; clear drops it",
    S.DISPUTE: lambda data: f"{data.doubt}. The floorperson looks at the wheel, then turns the key to decide",
    S.LOSERS_COLLECTED: _paying,
    S.LOCKED: locked_words,
}
_FIXED = {
    S.MENU: "1 open the table: inspection, 2 log an adjustment or replacement, 5 close the table, clear leaves",
    S.WORK: f"what was made: {_named(WORKS)}; clear leaves",
    S.PART: f"of what: {_named(PARTS)}; clear leaves",
    S.BALL_RUNNING: "the ball runs: call no more bets and press it",
    S.NO_MORE_BETS: "the ball runs",
    S.LATE_CALL: "the ball has left the track: call no more bets at once and press it",
    S.NO_SPIN: f"no spin; why? {_NO_SPIN_WORDS}",
    S.WINNERS_PAID: "remove the point marker, then press clear for the next round",
    S.CORRECTING: CORRECTION_WORDS,
}
