"""Makes the documents of the board and of the dealer's screen.

The board shows players only what is on record, and no sensor faults; the dealer's screen shows everything.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from config.schema import TableConfig
from controller.events.effect import Win
from controller.events.event import Limits
from controller.events.words import say, text
from controller.limits.terms import house_text, limits_text, money, steps_text, time_of_day
from controller.machine.offers import Equipment
from controller.runtime.table import Table
from controller.table.machine import Overlay
from controller.table.prompts import sentence_of
from controller.viewmodel.documents import (
    Age,
    AlertLine,
    AnnouncedLimits,
    Area,
    Board,
    Count,
    Dealer,
    DealerTask,
    LimitsPrompts,
    MenuLine,
    Past,
    SignLimits,
    Turn,
)
from controller.viewmodel.health import THE_CLOCK
from controller.viewmodel.history import TableHistory, utc_offset_min
from controller.viewmodel.screen import (
    SHUT,
    WAIT,
    Headline,
    Headlines,
    TableView,
    Tone,
    always,
    called,
    halted,
    spoken,
)

ALERTS = 5
OVERLAYS: Headlines = {
    Overlay.LOCKED: called,
    Overlay.DUE: always(WAIT, Tone.IDLE, "dice or cards are changed"),
}
"""Headlines of the table layer's own states."""
_PAID_OUT = ("winners-paid", "decision", "settled")
"""States in which nothing is left to pay."""
_MAX_NAMED = 3
"""Up to this many winning wagers are named in a sentence; more are counted."""
_NS_PER_MIN = 60_000_000_000


def board(config: TableConfig, table: Table, history: TableHistory, now_ns: int, utc_ns: int) -> Board:
    """The picture of a table for the players."""
    screen, machine, result = history.screen, table.machine, history.result
    cap = cap_text(table, _winning(history))
    view = _view(config, table, history, now_ns, cap)
    headline = halted(view) if table.halted else _headline(table, history, view)
    shown, today = config.screens.history, history.today(utc_ns)
    counting = shown == "counts"
    counts = _counts(today)
    return Board(
        utc_offset_min=utc_offset_min(utc_ns),
        headline=headline.headline,
        tone=headline.tone,
        detail=headline.detail,
        state=view.state,
        round=machine.round,
        lit=history.lit if table.halted else machine.lit,
        wins=_wins(config, history),
        result=screen.words(result) if result is not None else "",
        multiplier=1 if table.halted else getattr(machine.data, "multiplier", 1),
        revolutions=screen.revolutions(view),
        turn=screen.turn(table.head.tracker),
        limits=limits_of(table),
        # A machine whose last decision could not be recorded is ahead of the record.
        figure={} if table.halted else screen.live(view),
        history=[] if shown == "none" else [Past(at, one.label, one.colour) for at, one in history.history()],
        counts=[counts(label) for label in (screen.labels(config, history.game) if counting else ())],
        shares=[[counts(label) for label in group] for group in (screen.shares if counting else ())],
        spins=len(today),
        cap=cap,
        next_odds=next_terms(table),
    )


def turn(table: Table, history: TableHistory) -> Turn | None:
    """The position of a turning wheel; None while it is at rest, or if its position is not known."""
    position = history.screen.turn(table.head.tracker)
    return position if position is not None and position.moving else None


def _view(config: TableConfig, table: Table, history: TableHistory, now_ns: int, cap: str = "") -> TableView:
    machine, state = table.machine, str(table.machine.state.value)
    wins = _summary(_wins(config, history), cap) if history.result is not None else ""
    return TableView(config, state, machine.data, table.head.tracker, history.result, wins, now_ns)


def _headline(table: Table, history: TableHistory, view: TableView) -> Headline:
    state = table.machine.state
    headline_of = history.screen.headlines.get(state) or OVERLAYS.get(state)
    if headline_of is not None:
        return headline_of(view)
    return Headline(spoken(view.state).upper(), Tone.IDLE, view.wins)


def _winning(history: TableHistory) -> tuple[Win, ...]:
    return history.screen.order(history.result) if history.result is not None else ()


def _wins(config: TableConfig, history: TableHistory) -> list[Area]:
    """The winning wagers of the present result, in the order of payment."""
    symbols, name = config.layout.symbols, history.game.area_name
    return [Area(win.area, symbols.get(win.area) or name(win.area), win.pays) for win in _winning(history)]


def _summary(wins: list[Area], cap: str) -> str:
    """What wins, as a sentence."""
    if not wins:
        return "no wager wins"
    named = ", ".join(f"{win.label} pays {win.pays}" for win in wins)
    said = named if len(wins) <= _MAX_NAMED else f"{len(wins)} wagers win"
    return f"{said}; {cap}" if cap else said


def _counts(today: list[tuple[str, ...]]) -> Callable[[str], Count]:
    """How often the results of a label came today."""
    count = Counter(label for counted in today for label in counted)
    since: dict[str, int] = {}
    for number, counted in enumerate(reversed(today)):
        for label in counted:
            since.setdefault(label, number)
    return lambda label: Count(label, count[label], since.get(label))


def closed_board(utc_ns: int) -> Board:
    """The board while no table is running: its clock goes on."""
    return Board(utc_offset_min(utc_ns), SHUT)


# -- the limits sign (§ 521.8(c)(2)) -----------------------------------------------------------------------------


def limits_of(table: Table) -> SignLimits | None:
    """The limits; None if none are in effect or announced."""
    state, currency = table.table_state, table.sign.currency
    if state.limits is None and state.pending is None:
        return None
    limits, pending = state.limits or Limits("", ""), None
    if state.pending is not None:
        other, at_ns = state.pending.limits, table.sign.effective_utc_ns()
        amounts = (other.minimum, other.maximum, other.payout, other.currency)
        pending = AnnouncedLimits(*amounts, time_of_day(at_ns), at_ns // 1_000_000)
    steps = steps_text(state.house.steps, currency) if state.house is not None else ""
    return SignLimits(limits.minimum, limits.maximum, limits.payout, currency, pending, steps)


def limit_prompts(table: Table) -> LimitsPrompts:
    """Messages about limits and odds on the dealer's screen."""
    sign, others = table.sign, next_terms(table)
    announce = [_announcement(table)] if table.table_state.pending is not None else []
    if others:
        announce.append(f"from the next round on {others}")
    return LimitsPrompts(sign.prompt(), "; ".join(announce))


def next_terms(table: Table) -> str:
    """Other odds and rules, confirmed for the next round, as text; empty if there are none."""
    state = table.table_state
    return house_text(state.house, state.next_house, table.sign.currency) if state.next_house is not None else ""


def _announcement(table: Table) -> str:
    pending, sign = table.table_state.pending, table.sign
    assert pending is not None
    since = "the next round" if sign.due else time_of_day(sign.effective_utc_ns())
    dark = "" if sign.lit() or sign.due else " (no screen shows the board: the notice does not count meanwhile)"
    return f"from {since} on wagers are {limits_text(pending.limits)}{dark}"


def cap_text(table: Table, wins: Iterable[Win]) -> str:
    """The most that is paid out in a round, if winning wagers may come to more (§ 689a.1(g)(4)); else empty.

    Args:
        wins: the winning wagers of the present result.
    """
    limits = table.table_state.limits
    if limits is None or not limits.payout:
        return ""
    highest = sum(Fraction(limits.maximum) * win.odds for win in wins)
    if highest <= Fraction(limits.payout):
        return ""
    return f"at most {money(table.sign.currency, limits.payout)} is paid out in a round"


def most_paid(table: Table, win: Win) -> str:
    """The most that is paid for a winning wager, where the highest wager would win more than that; else empty."""
    limits = table.table_state.limits
    if not cap_text(table, (win,)) or limits is None:
        return ""
    return money(table.sign.currency, limits.payout)


# -- the dealer's screen -----------------------------------------------------------------------------------------


def dealer(config: TableConfig, table: Table, history: TableHistory, now_ns: int) -> Dealer:
    """What the dealer's screen adds to the board."""
    from controller.viewmodel.task import task_of  # When the first screen asks: a start does not need it.

    view, screen, alerts = _view(config, table, history, now_ns), history.screen, history.alerts()
    shown = Dealer(
        DealerTask("call the technician: the table halted"),
        paid=_paid(table, history, view),
        health=history.devices.listed(),
        ages=[_age(one, table, history) for one in table.machine.rounds.in_use],
        alerts=alerts[:ALERTS],
        refused=history.refusal(),
        dealer=table.table_state.dealer,
        limits=limit_prompts(table),
    )
    if table.halted:
        halt = AlertLine(f"the table halted: {table.halted}", "call the technician")
        return replace(shown, alerts=[halt, *alerts][:ALERTS])
    entry, words, name = screen.entry(view), history.words, history.in_words
    return replace(
        shown,
        task=task_of(screen.waits(view) or table.machine.waiting_for(), entry, name),
        menu=[
            MenuLine(line.key, say(words, line.words, name), say(words, line.unavailable, name))
            for line in history.prompt.lines
        ],
        prompt=sentence_of(replace(history.prompt, lines=()), words, name),
        entry=entry,
        keyed=screen.keyed(view),
    )


def _paid(table: Table, history: TableHistory, view: TableView) -> list[Area]:
    """The winning wagers as the dealer pays them, until they are paid."""
    if table.machine.state.value in _PAID_OUT:
        return []
    symbols, name = view.config.layout.symbols, history.screen.wager or history.game.area_name
    return [
        Area(win.area, symbols.get(win.area) or name(win.area), win.pays, most=most_paid(table, win))
        for win in (_winning(history) if history.screen.due is None else history.screen.due(view))
    ]


def _age(one: Equipment, table: Table, history: TableHistory) -> Age:
    """The age of dice or cards, and how long they may still be used."""
    data, name = table.machine.table, say(table.machine.words, text(one.name))
    fitted = data.fitted_utc_ns.get(one.name)
    if fitted is None:
        return Age(name, "not on record", _hours(0), warn=True)
    age_ns, retired = max(0, history.clock.utc_ns() - fitted), one.name in data.retired
    in_doubt = THE_CLOCK in history.devices.faults
    age = f"at least {_hours(age_ns)}" if in_doubt else _hours(age_ns)
    left = _hours(0 if retired else max(0, one.retire_ns - age_ns))
    return Age(name, age, left, warn=retired or in_doubt or age_ns >= one.warn_ns)


def _hours(ns: int) -> str:
    hours, minutes = divmod(ns // _NS_PER_MIN, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def closed_dealer(why: str, prompt: str = "") -> Dealer:
    """The dealer's screen while no table is running.

    Args:
        why: the reason.
        prompt: what the floorperson is asked for.
    """
    return Dealer(DealerTask(why), alerts=[AlertLine(why)], prompt=prompt)
