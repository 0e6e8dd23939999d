"""The guards and actions of Three Dice Football: pure functions of the game's data and an event."""

from dataclasses import replace

from controller.events.effect import Light, Note, Result, RoundOpened, Void, Win
from controller.events.event import Event
from controller.games.shared.floor import corrected, correction_allowed
from controller.games.three_dice_football.play import FootballData, dice_words, lamps
from controller.games.three_dice_football.rules import (
    WAGERS,
    Drive,
    Ending,
    extra_point_wins,
    game_wins,
    single_play_wins,
    throw,
    touchdown_win,
)
from controller.odds.wagers import Payouts
from controller.statechart.guards import Action
from controller.statechart.machine import Step

_Step = Step[FootballData]
AREAS = tuple(wager.area for wager in WAGERS)
SINGLE_PLAY = AREAS[AREAS.index("trips-td") :]
"""The wagers that every throw decides (§ 577.3(d))."""
_ENDINGS = {
    Ending.TOUCHDOWN: "touchdown",
    Ending.TRIPS_TD: "Trips TD",
    Ending.TURNOVER: "turnover, the game is over",
    Ending.DOWNS: "out of downs, the game is over",
}


# -- guards ----------------------------------------------------------------------------------------------------


def begins(data: FootballData, event: Event) -> bool:
    """No throw of this game has counted yet."""
    return data.begins


def offers_extra(data: FootballData, event: Event) -> bool:
    """The last step before the extra point roll (§ 577.6(f)(1))."""
    return scored(data, event) and not data.decided


def last_step(data: FootballData, event: Event) -> bool:
    return len(data.steps) == 1


def goes_on(data: FootballData, event: Event) -> bool:
    return data.following is not None


def scored(data: FootballData, event: Event) -> bool:
    return data.ending is not None and data.ending.scored


def extra(data: FootballData, event: Event) -> bool:
    return data.extra


# -- actions ---------------------------------------------------------------------------------------------------


class FootballSteps:
    """The actions that depend on the payout odds and the number of positions."""

    def __init__(self, payouts: Payouts, positions: int) -> None:
        self._payouts = payouts
        self._positions = positions

    def decline(self, data: FootballData, event: Event) -> _Step:
        """The dice go to the next position clockwise (§ 577.4(b), § 577.7(a))."""
        return Step(replace(data, quarterback=self._next(data.quarterback)))

    def _next(self, position: int) -> int:
        return position % self._positions + 1

    def begin(self, data: FootballData, event: Event) -> _Step:
        """A game begins at the 20 yard line (§ 577.6(a))."""
        data = replace(_blank(data), round=data.round + 1, drive=Drive(), ending=None, extra=False, decided=False)
        note = Note(f"the quarterback is at position {data.quarterback}")
        return Step(data, (note, Light(lamps(data)), RoundOpened(data.round)))

    def thrown(self, data: FootballData, event: Event) -> _Step:
        """The dice of a throw are keyed (§ 577.6(c) to (f))."""
        dice = _dice(data)
        play = throw(data.drive, dice)
        singles = single_play_wins(dice, self._payouts)
        games: tuple[Win, ...] = ()
        if play.ending is not None:
            games = game_wins(play.ending, data.drive.play, self._payouts)
        steps = _settlement(play.ending, singles, games)
        settled = replace(data, following=play.drive, ending=play.ending, wins=(*games, *singles), steps=steps)
        what = _ENDINGS[play.ending] if play.ending else play.kind.value.replace("-", " ")
        return self._result(settled, what, _decided(play.ending))

    def extra_thrown(self, data: FootballData, event: Event) -> _Step:
        """The extra point roll is keyed (§ 577.6(f)(1))."""
        touchdown, won = touchdown_win(self._payouts), extra_point_wins(_dice(data), self._payouts)
        steps = (f"pay winning touchdown wagers {touchdown.pays}", _settle("extra point wagers", won))
        data = replace(data, wins=(touchdown, *won), steps=steps, decided=True)
        return self._result(data, "extra point roll", ("touchdown", "extra-point"))

    def no_extra(self, data: FootballData, event: Event) -> _Step:
        """There is no extra point wager: the touchdown wagers are paid at once."""
        touchdown = touchdown_win(self._payouts)
        steps = (f"pay winning touchdown wagers {touchdown.pays}",)
        data = replace(data, wins=(touchdown,), steps=steps, decided=True)
        return self._result(data, "no extra point roll", ("touchdown",))

    def _result(self, data: FootballData, what: str, decided: tuple[str, ...]) -> _Step:
        notes = corrected(data.corrects, data.entry, dice_words)
        data = replace(data, corrects=())
        result = Result(f"{dice_words(data.entry)}, {what}", data.wins, decided)
        return Step(data, (*notes, result, Light(lamps(data))))

    def again(self, data: FootballData, event: Event) -> _Step:
        """After a touchdown the quarterback keeps the dice (§ 577.7(a))."""
        return self.begin(data, event)

    def passed_on(self, data: FootballData, event: Event) -> _Step:
        """The dice are offered clockwise, unless the quarterback keeps them (§ 577.7(a))."""
        position = data.quarterback if scored(data, event) else self._next(data.quarterback)
        return Step(replace(_blank(data), quarterback=position, drive=Drive(), ending=None), (Light(()),))


def first_offer(data: FootballData, event: Event) -> _Step:
    """The table opens and offers the dice at the stickperson's left (§ 577.4(b))."""
    opened = replace(data, quarterback=1, drive=Drive(), following=None, ending=None, cause="", wins=())
    return Step(opened, (Light(()),))


def _dice(data: FootballData) -> tuple[int, int, int]:
    green, other, red = data.entry
    return green, other, red


def _blank(data: FootballData) -> FootballData:
    """The data without the last throw."""
    return replace(data, entry=(), corrects=(), wins=(), steps=(), following=None)


def _settlement(ending: Ending | None, singles: tuple[Win, ...], games: tuple[Win, ...]) -> tuple[str, ...]:
    """The steps of the settlement, in the order of § 577.6(d) and (f)."""
    single = _settle("single play wagers", singles)
    if ending is None:
        return (single,)
    others = tuple(win for win in games if win.area != "defense")
    if ending.scored:
        rest = _settle("full game wagers but touchdown and extra point", others)
        return ("collect all defense wagers", single, rest)
    defense = next(win for win in games if win.area == "defense")
    first = f"collect all touchdown and extra point wagers, then pay defense wagers {defense.pays}"
    return (first, single, _settle("other full game wagers", others))


def _decided(ending: Ending | None) -> tuple[str, ...]:
    """The wagers that a throw decides; empty for all."""
    if ending is None:
        return SINGLE_PLAY
    if ending.scored:
        return tuple(area for area in AREAS if area not in ("touchdown", "extra-point"))
    return ()


def _settle(what: str, wins: tuple[Win, ...]) -> str:
    won = ", ".join(f"{win.area} {win.pays}" for win in wins)
    return f"of the {what} collect those that lose, then pay {won}" if won else f"collect all {what}"


def no_roll(reason: str, words: str) -> Action[FootballData]:
    """The throw does not count and is made again; the wagers stay (§ 577.5)."""
    return lambda data, event: Step(replace(data, entry=()), (Void(reason, words),))


def next_throw(data: FootballData, event: Event) -> _Step:
    """The game goes on after the last throw."""
    assert data.following is not None
    data = replace(_blank(data), drive=data.following)
    return Step(data, (Light(lamps(data)),))


def throws_extra(data: FootballData, event: Event) -> _Step:
    """There is an extra point wager: the quarterback throws once more."""
    data = replace(data, extra=True, entry=(), wins=())
    return Step(data, (Light(lamps(data)),))


def correct(data: FootballData, event: Event) -> _Step:
    """The last entry is keyed again; both entries stay on record."""
    note = correction_allowed(dice_words(data.entry))
    ending = data.ending if data.extra else None
    data = replace(_blank(data), corrects=data.entry, ending=ending, decided=False)
    return Step(data, (note, Light(lamps(data))))


def over(data: FootballData, event: Event) -> _Step:
    """The game is over, and the next one has not begun."""
    return Step(replace(_blank(data), drive=Drive(), ending=None))


def blank(data: FootballData, event: Event) -> _Step:
    """Clear the last throw."""
    return Step(_blank(data))
