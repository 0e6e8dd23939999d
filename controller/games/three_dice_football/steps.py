"""The guards and actions of Three Dice Football: pure functions of the game's data and an event."""

from dataclasses import replace

from controller.events.effect import Alert, Light, Note, Result, RoundOpened, Void, Win
from controller.events.event import Event
from controller.games.shared.entry import pressed
from controller.games.shared.floor import corrected, correction_allowed, floorperson
from controller.games.three_dice_football.play import MOST_POSITIONS, FootballData, dice_words, lamps
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
LONGEST_POSITION = len(str(MOST_POSITIONS))
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


def position_keyed(data: FootballData, event: Event) -> bool:
    return bool(data.position)


def position_open(data: FootballData, event: Event) -> bool:
    return len(data.position) < LONGEST_POSITION


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

    def taken(self, data: FootballData, event: Event) -> _Step:
        """The position that was keyed takes the dice; the others were offered them in turn."""
        return Step(replace(data, quarterback=int(data.position), position=""))

    def renamed(self, data: FootballData, event: Event) -> _Step:
        """Another position has the dice before the first throw: its player left, or the wrong one was named."""
        before, data = data.quarterback, self.taken(data, event).data
        return Step(data, (Note(f"the quarterback is at position {data.quarterback}, not at position {before}"),))

    def at_the_table(self, data: FootballData, event: Event) -> bool:
        """The position that was keyed exists."""
        return data.position != "" and 1 <= int(data.position) <= self._positions

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
        settled = replace(settled, last=(), last_drive=None)
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

    def left(self, data: FootballData, event: Event) -> _Step:
        """The quarterback leaves after a touchdown: the dice are offered clockwise."""
        note = Note(f"the quarterback at position {data.quarterback} leaves")
        position = self._next(data.quarterback)
        data = replace(_blank(data), quarterback=position, drive=Drive(), ending=None)
        return Step(data, (note, Light(())))

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
    data = replace(data, entry=(), corrects=(), wins=(), steps=(), following=None, scored_with=(), seen=False)
    return replace(data, last=(), last_drive=None, position="")


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
    return lambda data, event: Step(replace(data, entry=(), seen=False), (Void(reason, words),))


def next_throw(data: FootballData, event: Event) -> _Step:
    """The game goes on after the last throw."""
    assert data.following is not None
    data = replace(_blank(data), drive=data.following, last=data.entry, last_drive=data.drive)
    return Step(data, (Light(lamps(data)),))


def position_digit(data: FootballData, event: Event) -> _Step:
    """One more digit of a position."""
    return Step(replace(data, position=data.position + pressed(event)))


def no_position(data: FootballData, event: Event) -> _Step:
    """The digits of a position are wiped."""
    return Step(replace(data, position=""))


def throws_extra(data: FootballData, event: Event) -> _Step:
    """There is an extra point wager: the quarterback throws once more."""
    data = replace(data, extra=True, scored_with=data.entry, entry=(), wins=(), seen=False)
    return Step(data, (Light(lamps(data)),))


def not_extra(data: FootballData, event: Event) -> _Step:
    """The answer that an extra point wager stands was a mistake: the question is asked again."""
    data = replace(data, extra=False, entry=data.scored_with, scored_with=())
    return Step(data, (Note("the extra point roll was called by mistake"), Light(lamps(data))))


def offers_again(data: FootballData, event: Event) -> _Step:
    """The answer that no extra point wager stands was a mistake: the question is asked again."""
    data = replace(data, wins=(), steps=(), decided=False)
    note = Note(f"{floorperson(event)} allowed the question for extra point wagers again")
    return Step(data, (note, Light(lamps(data))))


def no_dice(data: FootballData, event: Event) -> bool:
    """No die of this throw is keyed, and none was."""
    return not data.seen and not data.corrects


def no_extra_answered(data: FootballData, event: Event) -> bool:
    return data.decided and not data.extra


def bets_again(data: FootballData, event: Event) -> _Step:
    """No more bets was pressed too early; the floor is told."""
    alert = Alert("no more bets was taken back: wagers are open again", "see that the dice are not thrown yet")
    return Step(data, (alert,))


def correct(data: FootballData, event: Event) -> _Step:
    """The last entry is keyed again; both entries stay on record."""
    dice, drive = (data.entry, data.drive) if data.entry else (data.last, data.last_drive or data.drive)
    note = correction_allowed(event, dice_words(dice))
    ending = data.ending if data.extra else None
    data = replace(_blank(data), corrects=dice, drive=drive, ending=ending, decided=False)
    return Step(data, (note, Light(lamps(data))))


def uncorrected(data: FootballData, event: Event) -> _Step:
    """The table is closed while dice on record are to be keyed anew: the record says that they were wrong."""
    if not data.corrects:
        return Step(data)
    return Step(data, (Note(f"{dice_words(data.corrects)} was wrong, and the dice were not keyed"),))


def over(data: FootballData, event: Event) -> _Step:
    """The game is over, and the next one has not begun."""
    return Step(replace(_blank(data), drive=Drive(), ending=None))


def blank(data: FootballData, event: Event) -> _Step:
    """Clear the last throw."""
    return Step(_blank(data))
