"""The procedure of Three Dice Football (ch. 577): offer of the dice, wagers, throws, settlement in the legal order.

A round is a game of up to six throws. Single play wagers are settled after each, full game wagers at its end. The
last throw can be keyed again until the next one, a touchdown until the game is cleared.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from pydantic import TypeAdapter

from controller.events.effect import Alert, Effect, Light, Note, Result, ResultWithdrawn, RoundOpened, Void
from controller.events.effect import WagersReturned as Returned
from controller.events.event import Act, Event, Press, trigger
from controller.events.words import NOTHING, Text, text
from controller.games.shared.dice_entry import DICE, complete, dice_rows
from controller.games.three_dice_football import play, rules
from controller.games.three_dice_football.play import FootballData, FootballState, S, dice_words, lamps, steps_of
from controller.machine.offers import Authority, Device, Equipment, FaultPolicy, Offer
from controller.machine.round_machine import (
    DIGITS,
    Action,
    Guard,
    RoundMachine,
    Row,
    Step,
    by,
    key_of,
    once,
    presses,
    sets,
    then,
    where,
)
from controller.odds.wagers import Payouts

_DATA = TypeAdapter(FootballData)
_Row = Row[FootballState, FootballData]
_Step = Step[FootballData]
_THROWS = (S.THROW, S.EXTRA_THROW)
_BEFORE_A_THROW = (S.POSITION, S.BETS_OPEN, S.THROW)


class FootballRound(RoundMachine[FootballState, FootballData]):
    """The games of a table.

    Args:
        positions: the number of wagering positions.
        dice: the age limit of a set of dice.
    """

    opens_with_new = True

    def __init__(self, payouts: Payouts, positions: int, dice: Equipment) -> None:
        self._payouts, self._positions, self._dice = payouts, positions, dice
        rows = (self._before_a_throw(), self._throwing(), self._settling(), self._correcting(), self._floor())
        super().__init__(chain(*rows), S.CLOSED, FootballData(), _DATA)

    # -- what the table layer asks ---------------------------------------------------------------------------

    def instruction(self) -> Text:
        data, state = self.data, self.state
        if data.position:
            return text("football-position-keyed", keyed=data.position)
        if state is S.BETS_OPEN:
            code = "football-bets-open" if data.begins else "football-bets-open-later"
            return Text(code, play.situation(data.drive))
        if state is S.SETTLING:
            wins = ",".join(f"{win.area} {win.pays}" for win in play.paid(data))
            return text(f"football-{steps_of(data)[data.done]}", wins=wins, next=int(data.following is not None))
        code = state.value
        if state is S.SETTLED:
            code += "-next" if data.following is not None else "-scored" if data.scored else "-over"
        found: dict[str, str | int] = {"position": data.quarterback}
        if state in _THROWS:
            code = "dice-keyed" if len(data.entry) == DICE else code
            found |= {"dice": dice_words(data.entry)}
        if data.corrects:
            found |= {"corrects": dice_words(data.corrects)}
        return Text(f"football-{code}", found)

    def offers(self) -> Iterator[Offer]:
        data, state = self.data, self.state
        if state is S.CLOSED:
            yield Offer("open", expected=True)
            return
        if state in _THROWS:
            # A throw whose result was on record is the floorperson's.
            who = Authority.FLOORPERSON if data.corrects else Authority.DEALER
            yield from (Offer("no-roll", reason, who, "no-roll") for reason in play.NO_ROLLS)
        yield from self._corrections()
        if data.called_off is not None:
            yield Offer("reverse")
        if state in _BEFORE_A_THROW and not data.begins:
            yield Offer("void", "game-called-off", unavailable=self._unsettled())
        yield Offer("close", unavailable=self._unsettled())

    def _corrections(self) -> Iterator[Offer]:
        """Every keyed answer has a way back: the dealer's before dice are seen, the floorperson's after."""
        data, state = self.data, self.state
        unseen = not data.seen and not data.corrects
        if state is S.BETS_OPEN:
            if data.last:
                yield Offer("correct", "throw", control="correct")
            who = Authority.DEALER if data.begins else Authority.FLOORPERSON
            yield Offer("correct", "quarterback", who, "correct" if data.begins else "")
        elif state is S.THROW and unseen:
            yield Offer("correct", "no-more-bets", Authority.DEALER, "correct")
            if data.last:
                yield Offer("correct", "throw")
        elif state is S.EXTRA_THROW:
            if unseen:
                yield Offer("correct", "extra-point-answer", Authority.DEALER, "correct")
            yield Offer("correct", "touchdown", control="" if unseen else "correct")
        elif data.decided:
            answer = "extra-point-roll" if data.extra else "extra-point-answer"
            yield from (Offer("correct", what, control="correct") for what in (answer, "touchdown"))
        elif state in (S.SETTLING, S.SETTLED, S.EXTRA_OFFER):
            yield Offer("correct", "throw", control="correct")

    def _unsettled(self) -> Text:
        """Why the table cannot be closed, nor the game be called off: what is decided is paid first."""
        if self.state is S.SETTLING:
            return text("football-settle-first")
        thrown = self.state in _THROWS and (self.data.seen or bool(self.data.corrects))
        return text("football-dice-first") if thrown else NOTHING

    def on_fault(self, device: Device, state: FootballState) -> FaultPolicy:
        begins = self.data.begins or self.data.ending is not None
        between = state in (S.CLOSED, S.OFFER, S.POSITION, S.BETS_OPEN) and begins
        return FaultPolicy.CLOSE if between else FaultPolicy.LATER

    @property
    def equipment(self) -> tuple[Equipment, ...]:
        return (self._dice,)

    def wagers_open(self) -> bool:
        """A new game begins (§ 577.4(d)); one in progress is finished with its dice."""
        return self.state in (S.POSITION, S.BETS_OPEN) and self.data.begins

    def under_way(self) -> bool:
        if self.state is S.SETTLED:
            return self.data.following is not None
        return not (self.state in (S.CLOSED, S.OFFER) or self.wagers_open())

    def refused_because(self, press: Press) -> Text:
        if press.control == "enter" and self.data.position:
            return text("football-no-position", most=self._positions)
        lit = self.state in (S.SETTLING, S.SETTLED, S.EXTRA_OFFER)
        return text("football-result-is-lit") if lit and press.control == "no-roll" else NOTHING

    # -- rows ------------------------------------------------------------------------------------------------

    def _before_a_throw(self) -> Iterator[_Row]:
        keys, keyed = (S.OFFER, S.POSITION), where(lambda data: data.position)
        short = where(lambda data: len(data.position) < len(str(play.MOST_POSITIONS)))
        # The first offer is at the stickperson's left (§ 577.4(b)).
        yield _Row(S.CLOSED, "act open", S.OFFER, sets(quarterback=1))
        yield _Row(keys, presses(DIGITS), None, _position_digit, short, "up to two digits")
        yield _Row(keys, "press clear", None, sets(position=""), keyed, "a position")
        yield _Row(S.OFFER, "press clear", None, self._decline, once, "not pressed twice")
        yield _Row(S.POSITION, "press clear", S.BETS_OPEN)
        taken, there = then(_taken, _begin), self._at_the_table
        yield _Row(S.OFFER, "press enter", S.BETS_OPEN, taken, there, "a position")
        yield _Row(S.OFFER, "press enter", S.BETS_OPEN, _begin, where(lambda data: not data.position), "offered")
        yield _Row(S.POSITION, "press enter", S.BETS_OPEN, _renamed, there, "a position")
        yield _Row(S.BETS_OPEN, "press no-more-bets", S.THROW)
        yield _Row((S.POSITION, S.BETS_OPEN), "reopened", S.OFFER, _over)

    def _throwing(self) -> Iterator[_Row]:
        yield from dice_rows(*_THROWS)
        yield _Row(S.THROW, "press enter", S.SETTLING, self._thrown, complete, "three dice")
        yield _Row(S.EXTRA_THROW, "press enter", S.SETTLING, self._extra_thrown, complete, "three dice")
        yield _Row(_THROWS, "act no-roll", None, _no_roll)
        yield _Row(S.EXTRA_OFFER, "press enter", S.EXTRA_THROW, _throws_extra)
        yield _Row(S.EXTRA_OFFER, "press clear", S.SETTLING, self._no_extra)

    def _settling(self) -> Iterator[_Row]:
        more = where(lambda data: data.done + 1 < len(steps_of(data)))
        asks = where(lambda data: data.scored and not data.decided)
        scored, closing = where(lambda data: data.scored), where(lambda data: data.closing)
        yield _Row(S.SETTLING, "press done", None, _step_done, more, "more to settle")
        closes = then(sets(Returned("table-closed", ("extra-point",))), _over)
        yield _Row(S.SETTLING, "press done", S.CLOSED, closes, closing, "closing")
        yield _Row(S.SETTLING, "press done", S.EXTRA_OFFER, _step_done, asks, "touchdown")
        yield _Row(S.SETTLING, "press done", S.SETTLED, _step_done)
        # One press does for the settlement, the pass of the dice and the call: a game has up to six throws.
        yield _Row((S.SETTLING, S.SETTLED), "press no-more-bets", S.THROW, _next_throw, _goes_on, "game goes on")
        yield _Row(S.SETTLED, "press clear", S.BETS_OPEN, _next_throw, _goes_on, "game goes on")
        yield _Row(S.SETTLED, "press clear", S.BETS_OPEN, _begin, scored, "touchdown")
        yield _Row(S.SETTLED, "press clear", S.OFFER, then(self._decline, _over))
        yield _Row(S.SETTLED, "press enter", S.OFFER, then(self._decline, _over), scored, "touchdown")

    def _correcting(self) -> Iterator[_Row]:
        settled = (S.SETTLING, S.SETTLED)
        again: Action[FootballData] = sets(Alert("football-bets-again"))
        dice = (*settled, S.EXTRA_OFFER, S.EXTRA_THROW, S.BETS_OPEN, S.THROW)
        for sources, what, to, action in (
            ((S.BETS_OPEN,), "quarterback", S.POSITION, sets()),
            ((S.THROW,), "no-more-bets", S.BETS_OPEN, again),
            ((*settled, S.EXTRA_THROW), "extra-point-answer", S.EXTRA_OFFER, _asked_again),
            (settled, "extra-point-roll", S.EXTRA_THROW, _extra_anew),
            (dice, "throw", S.THROW, _throw_anew),
            (dice, "touchdown", S.THROW, _throw_anew),
        ):
            yield _Row(sources, "act correct", to, action, _asks_for(what), what)

    def _floor(self) -> Iterator[_Row]:
        yield _Row(_BEFORE_A_THROW, "act void", S.OFFER, _calls_off)
        yield _Row(S.OFFER, "act reverse", S.BETS_OPEN, _goes_on_after_all)
        yield _Row(_BEFORE_A_THROW, "act close", S.CLOSED, then(_returned, _over))
        yield _Row(S.SETTLED, "act close", S.CLOSED, then(_returned, _over), _goes_on, "game goes on")
        yield _Row((S.OFFER, S.SETTLED), "act close", S.CLOSED, _over)
        # Touchdown wagers have won: they are paid, then the extra point wagers go back, then the table closes.
        pays = then(sets(closing=True), self._no_extra)
        yield _Row((S.EXTRA_OFFER, S.EXTRA_THROW), "act close", S.SETTLING, pays)

    def _decline(self, data: FootballData, event: Event) -> _Step:
        """The dice go to the next position clockwise (§ 577.4(b), § 577.7(a))."""
        return Step(replace(data, quarterback=data.quarterback % self._positions + 1))

    def _at_the_table(self, data: FootballData, event: Event) -> bool:
        return data.position != "" and 1 <= int(data.position) <= self._positions

    def _thrown(self, data: FootballData, event: Event) -> _Step:
        """The dice of a throw are keyed (§ 577.6(c) to (f))."""
        found = rules.throw(data.drive, data.dice)
        wins = rules.single_play_wins(data.dice, self._payouts)
        decided = play.SINGLE_PLAY if found.ending is None else ()
        if found.ending is not None:
            wins = (*rules.game_wins(found.ending, data.drive.play, self._payouts), *wins)
            if found.ending.scored:
                decided = tuple(area for area in play.AREAS if area not in ("touchdown", "extra-point"))
        settled = replace(data, following=found.drive, ending=found.ending, wins=wins, last=(), last_drive=None)
        return _result(settled, play.label_of(data.drive, data.dice), decided)

    def _extra_thrown(self, data: FootballData, event: Event) -> _Step:
        """The extra point roll is keyed (§ 577.6(f)(1))."""
        won = rules.extra_point_wins(data.dice, self._payouts)
        data = replace(data, wins=(rules.touchdown_win(self._payouts), *won))
        return _result(data, play.extra_label(data), ("touchdown", "extra-point"))

    def _no_extra(self, data: FootballData, event: Event) -> _Step:
        """There is no extra point wager: the touchdown wagers are paid at once."""
        dice, wins = data.touchdown or data.entry, (rules.touchdown_win(self._payouts),)
        data = replace(data, entry=dice, touchdown=dice, extra=False, done=0, wins=wins)
        return _result(data, play.extra_label(data), ("touchdown",))


def _asks_for(what: str) -> Guard[FootballData]:
    """The act is about this."""
    return lambda data, event: key_of(event) == what


_goes_on = where(lambda data: data.following is not None)


# -- actions ---------------------------------------------------------------------------------------------------


def _over(data: FootballData, event: Event) -> _Step:
    """The game is over, and the next one has not begun."""
    return Step(FootballData(round=data.round, quarterback=data.quarterback), (Light(()),))


def _begin(data: FootballData, event: Event) -> _Step:
    """A game begins at the 20 yard line (§ 577.6(a))."""
    data = FootballData(round=data.round + 1, quarterback=data.quarterback)
    note = Note("football-quarterback", {"position": data.quarterback})
    return Step(data, (note, Light(lamps(data)), RoundOpened(data.round)))


def _position_digit(data: FootballData, event: Event) -> _Step:
    return Step(replace(data, position=data.position + key_of(event)))


def _taken(data: FootballData, event: Event) -> _Step:
    """The position that was keyed takes the dice; the others were offered them in turn."""
    return Step(replace(data, quarterback=int(data.position), position=""))


def _renamed(data: FootballData, event: Event) -> _Step:
    """Another position has the dice: its player left, or the wrong one was named."""
    before, data = data.quarterback, _taken(data, event).data
    note = Note("football-renamed", {"position": data.quarterback, "before": before})
    return Step(data, (note,) if data.quarterback != before else ())


def _next_throw(data: FootballData, event: Event) -> _Step:
    """The game goes on after the last throw."""
    assert data.following is not None
    kept = FootballData(round=data.round, quarterback=data.quarterback, drive=data.following)
    data = replace(kept, last=data.entry, last_drive=data.drive)
    return Step(data, (Light(lamps(data)),))


def _no_roll(data: FootballData, event: Event) -> _Step:
    """The throw does not count and is made again; the wagers stay (§ 577.5)."""
    dice = {"dice": data.entry, "corrects": data.corrects}
    found: dict[str, str | int] = {name: dice_words(keyed) for name, keyed in dice.items() if keyed}
    return Step(replace(data, entry=(), seen=False, corrects=()), (Void(key_of(event), parameters=found),))


def _throws_extra(data: FootballData, event: Event) -> _Step:
    """There is an extra point wager: the quarterback throws once more."""
    data = replace(data, extra=True, touchdown=data.entry, entry=(), wins=(), done=0, seen=False)
    return Step(data, (Light(lamps(data)),))


def _result(data: FootballData, label: str, decided: tuple[str, ...]) -> _Step:
    """A result, or the one that takes the place of another."""
    notes: tuple[Effect, ...] = ()
    if data.corrects:
        before, after = dice_words(data.corrects), dice_words(data.entry)
        same = Note("football-same-dice", {"dice": after})
        notes = (same if before == after else Note("football-corrected", {"before": before, "after": after}),)
    data = replace(data, corrects=())
    return Step(data, (*notes, Result(label, data.wins, decided), Light(lamps(data))))


def _step_done(data: FootballData, event: Event) -> _Step:
    return Step(replace(data, done=data.done + 1))


# -- corrections and wagers that go back -----------------------------------------------------------------------


def _withdrawn(data: FootballData) -> tuple[Effect, ...]:
    """The result on touchdown and extra point wagers is taken back, if there is one."""
    return (ResultWithdrawn(play.extra_label(data), play.settled_by(data)),) if data.decided else ()


def _asked_again(data: FootballData, event: Event) -> _Step:
    """Whether an extra point wager was placed was answered by mistake."""
    # The roll may have been thrown, though no die of it is keyed.
    effects = _withdrawn(data) or (Alert("football-extra-taken-back"),)
    data = replace(data, entry=data.touchdown, touchdown=(), extra=False, closing=False, wins=())
    data = replace(data, done=len(steps_of(data)))
    return Step(data, (*effects, Light(lamps(data))))


def _extra_anew(data: FootballData, event: Event) -> _Step:
    effects = _withdrawn(data)
    data = replace(data, corrects=data.entry, entry=(), seen=False, wins=(), done=0)
    return Step(data, (*effects, Light(lamps(data))))


def _throw_anew(data: FootballData, event: Event) -> _Step:
    """The dice of the last throw are keyed again; of a touchdown, even after its extra point roll."""
    dice, drive, settled = data.entry, data.drive, play.settled_by(data)
    if data.touchdown:
        dice, settled = data.touchdown, "settled-full-game"
    elif not data.entry and data.last_drive is not None:
        dice, drive, settled = data.last, data.last_drive, "settled-single-plays"
    effects = (*_withdrawn(data), ResultWithdrawn(play.label_of(drive, dice), settled))
    data = FootballData(round=data.round, quarterback=data.quarterback, drive=drive, corrects=dice)
    return Step(data, (*effects, Light(lamps(data))))


def _calls_off(data: FootballData, act: Act) -> _Step:
    """The floorperson calls the game off, which can be taken back until the next one begins."""
    over, effects = then(_returned, _over)(data, act)
    return Step(replace(over, called_off=data), effects)


def _goes_on_after_all(data: FootballData, act: Act) -> _Step:
    assert data.called_off is not None
    back = replace(data.called_off, position="")
    return Step(back, (Note("void-reversed", {"by": act.by}), Light(lamps(back))))


def _returned(data: FootballData, event: Event) -> _Step:
    """What is not decided goes back; what lost meanwhile is collected."""
    reason, lost = key_of(event) or "table-closed", play.lost_before(data.following or data.drive)
    called_off = (Void(reason, parameters={"by": by(event)}),) if trigger(event) == "act void" else ()
    if not lost:
        return Step(data, (*called_off, Returned(reason)))
    alert = Alert("football-collect-lost", parameters={"lost": ",".join(lost)})
    undecided = tuple(area for area in play.AREAS if area not in lost)
    return Step(data, (*called_off, alert, Returned(reason, undecided)))
