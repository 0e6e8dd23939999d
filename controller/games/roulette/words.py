"""What a roulette table waits for, in words for dealer and floorperson."""

from collections.abc import Callable

from controller.games.roulette.layout import WheelType, five_adjacent
from controller.games.roulette.no_spins import asks
from controller.games.roulette.play import (
    REASONS,
    TRIAL_STEP,
    NumberSource,
    RouletteData,
    RouletteState,
    S,
    in_words,
    inside,
)
from controller.games.roulette.results import area_name
from controller.games.shared.closing import closed_words, locked_words
from controller.games.shared.floor import CORRECTION_WORDS, MENU_PROMPT


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
        if data.untimely:
            return f"{_taken_out(data)}; place wagers; then {self._throw}"
        return f"place wagers; {self._throw}. Press no spin if the table does not see it run"

    def _respin(self, data: RouletteData) -> str:
        look = ""
        if data.untimely:
            return f"{_taken_out(data)}; wagers stay; {self._throw}"
        if data.void in ("fewer-than-four-revolutions", "ball-left-wheel", "ball-lost"):
            look = " and look whether it is damaged (the floorperson gives a new one)"
        if len(data.doubts) > 1:
            return (
                f"no spin again, {REASONS[data.void]}: if that is not so, wires may be crossed, and the "
                f"floorperson's key closes the table and inspects it anew; else wagers stay; {self._throw}"
            )
        return f"no spin, {REASONS[data.void]}. Take the ball out{look}; wagers stay; {self._throw}."

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


def _taken_out(data: RouletteData) -> str:
    return f"{REASONS[data.untimely]}: no spin. Take the ball out"


def _paying(data: RouletteData) -> str:
    won = ", ".join(f"{area_name(win.area)} ({win.pays})" for win in inside(data.wins))
    return f"pay the lit areas, and among the numbers {won}; then press done, or clear for the next round"


def _paid(data: RouletteData) -> str:
    early = f"{_taken_out(data)}; " if data.untimely else ""
    return f"{early}remove the point marker, then press clear for the next round"


_KEYED = "turns the key and identifies; clear drops the entry"
_OF_DATA: dict[RouletteState, Callable[[RouletteData], str]] = {
    S.CLOSED: lambda data: closed_words(data, "cover the wheel and lock the cover; ", area_name),
    S.WORKER: lambda data: f"{data.work}: who made it {_KEYED}",
    S.WITNESS: lambda data: (
        f"{data.work}, by {data.worker or 'the floorperson'}: the security member who was present {_KEYED}"
    ),
    S.DISPUTE: lambda data: f"{data.doubt}. The floorperson looks at the wheel, then turns the key to decide",
    S.LOSERS_COLLECTED: _paying,
    S.WINNERS_PAID: _paid,
    S.NO_SPIN: asks,
    S.LOCKED: lambda data: locked_words(data, area_name),
}
_FIXED = {
    S.MENU: MENU_PROMPT,
    S.WORK: "what was made? Choose, or clear to leave",
    S.PART: "of what? Choose, or clear to leave",
    S.INSPECTOR: "the floorperson or security member who inspects turns the key and identifies; clear leaves",
    S.BALL_RUNNING: "the ball runs: call no more bets and press it",
    S.NO_MORE_BETS: "the ball runs",
    S.LATE_CALL: "the ball has left the track: call no more bets at once and press it",
    S.CORRECTING: CORRECTION_WORDS,
}
