"""Makes the documents of the board and of the dealer's screen. They are strict JSON.

The board shows players only what is on record, and no sensor faults; the dealer's screen shows everything.
"""

from collections import Counter
from dataclasses import replace

from config.schema import TableConfig
from controller.events.effect import Win
from controller.events.words import say, text
from controller.machine.offers import Equipment
from controller.runtime.table import Table
from controller.table.prompts import sentence_of
from controller.viewmodel import documents
from controller.viewmodel.health import THE_CLOCK
from controller.viewmodel.history import TableHistory, utc_offset_min
from controller.viewmodel.screen import (
    SHUT,
    WAIT,
    GameScreen,
    Headline,
    TableView,
    Tone,
    always,
    called,
    halted,
    screen_of,
    spoken,
)
from controller.viewmodel.sign import cap_text, limit_prompts, limits_of, most_paid, next_terms

ALERTS = 5
OVERLAYS = {"locked": called, "equipment-due": always(WAIT, Tone.IDLE, "dice or cards are changed")}
"""Headlines of the table layer's own states."""
_PAID_OUT = ("winners-paid", "settled")
"""States in which nothing is left to pay."""
_MAX_NAMED = 3
"""Up to this many winning wagers are named in a sentence; more are counted."""
_NS_PER_MIN = 60_000_000_000


def board(config: TableConfig, table: Table, history: TableHistory, now_ns: int, utc_ns: int) -> documents.Board:
    """The picture of a table for the players."""
    screen, machine = history.screen, table.machine
    view = _view(config, table, history, now_ns)
    headline = halted(view) if table.halted else _headline(screen, view)
    turn, revolutions = screen.turn(table.head.tracker), screen.revolutions(view)
    return {
        "utc_offset_min": utc_offset_min(utc_ns),
        "state": view.state,
        "round": machine.round,
        "tone": headline.tone.value,
        "headline": headline.headline,
        "detail": headline.detail,
        "lit": list(history.lit if table.halted else machine.lit),
        "wins": _wins(config, history),
        "result": screen.words(history.result) if history.result is not None else "",
        "multiplier": 1 if table.halted else getattr(machine.data, "multiplier", 1),
        "revolutions": {"made": revolutions[0], "of": revolutions[1]} if revolutions is not None else None,
        "turn": {"angle": turn.angle, "moving": turn.moving} if turn is not None else None,
        "limits": limits_of(table),
        **_past_results(config, history, utc_ns),
        # A machine whose last decision could not be recorded is ahead of the record.
        "figure": {} if table.halted else screen.live(view),
        "cap": cap_text(table, _winning(history)),
        "next_odds": next_terms(table),
    }


def turn(table: Table) -> documents.TurnEvent | None:
    """The position of a turning wheel; None while it is at rest, or if its position is not known."""
    position = screen_of(table.recorder.game).turn(table.head.tracker)
    if position is None or not position.moving:
        return None
    return {"angle": position.angle, "made": position.made, "of": position.of}


def _view(config: TableConfig, table: Table, history: TableHistory, now_ns: int) -> TableView:
    machine = table.machine
    return TableView(
        config=config,
        state=str(machine.state.value),
        data=machine.data,
        tracker=table.head.tracker,
        result=history.result,
        wins=_summary(config, history, cap_text(table, _winning(history))),
        past=history.of_round(machine.round),
        now_ns=now_ns,
    )


def _headline(screen: GameScreen, view: TableView) -> Headline:
    headline_of = (screen.headlines or {}).get(view.state) or OVERLAYS.get(view.state)
    if headline_of is not None:
        return headline_of(view)
    return Headline(spoken(view.state).upper(), Tone.IDLE, view.wins)


def _winning(history: TableHistory) -> tuple[Win, ...]:
    return history.screen.order(history.result) if history.result is not None else ()


def _wins(config: TableConfig, history: TableHistory) -> list[documents.AreaOdds]:
    """The winning wagers of the present result, in the order of payment."""
    symbols, name = config.layout.symbols, history.game.area_name
    return [
        {"area": win.area, "label": symbols.get(win.area) or name(win.area), "pays": win.pays}
        for win in _winning(history)
    ]


def _summary(config: TableConfig, history: TableHistory, cap: str) -> str:
    """A sentence on what wins with the present result; empty without a result.

    Args:
        cap: the most that is paid out, in words.
    """
    wins = _wins(config, history)
    if history.result is None:
        return ""
    if not wins:
        return "no wager wins"
    if len(wins) > _MAX_NAMED:
        return "; ".join(filter(None, (f"{len(wins)} wagers win", cap)))
    return "; ".join(filter(None, (", ".join(f"{win['label']} pays {win['pays']}" for win in wins), cap)))


def _past_results(config: TableConfig, history: TableHistory, utc_ns: int) -> documents.PastResults:
    """As much of the past as the table's file wants on its board."""
    shown, screen, today = config.screens.history, history.screen, history.today(utc_ns)
    past = history.history() if shown != "none" else []
    labels, shares = (screen.labels(config, history.game), screen.shares) if shown == "counts" else ((), ())
    count = Counter(label for counted in today for label in counted)
    since: dict[str, int] = {}
    for number, counted in enumerate(reversed(today)):
        for label in counted:
            since.setdefault(label, number)
    return {
        "history": [{"round": one.round, "label": one.past.label, "colour": one.past.colour} for one in past],
        "counts": [{"label": label, "count": count[label], "since": since.get(label)} for label in labels],
        "shares": [[{"label": label, "count": count[label]} for label in group] for group in shares],
        "spins": len(today),
    }


def closed_board(utc_ns: int) -> documents.Board:
    """The board while no table is running: its clock goes on."""
    return {
        "utc_offset_min": utc_offset_min(utc_ns),
        "state": "closed",
        "tone": "closed",
        "headline": SHUT,
        "detail": "",
        "round": 0,
        "lit": [],
        "wins": [],
        "result": "",
        "multiplier": 1,
        "revolutions": None,
        "turn": None,
        "limits": None,
        "history": [],
        "counts": [],
        "shares": [],
        "spins": 0,
        "figure": {},
        "cap": "",
        "next_odds": "",
    }


# -- the dealer's screen -----------------------------------------------------------------------------------------


def dealer(config: TableConfig, table: Table, history: TableHistory, now_ns: int) -> documents.DealerPart:
    """What the dealer's screen adds to the board."""
    from controller.viewmodel.task import task_of  # When the first screen asks: a start does not need it.

    view = _view(config, table, history, now_ns)
    alerts = history.alerts()
    if table.halted:
        alerts.insert(0, {"text": f"the table halted: {table.halted}", "remedy": "call the technician", "age_s": 0})
    waits = history.screen.waits(view) or table.machine.waiting_for()
    if table.halted:
        waits = "call the technician: the table halted"
    entry = "" if table.halted else history.screen.entry(view)
    return {
        "task": task_of(
            "call the technician: the table halted" if table.halted else waits, entry, history.in_words
        ),
        "menu": [] if table.halted else _menu(history),
        "prompt": "" if table.halted else _prompt(history),
        "entry": entry,
        "keyed": None if table.halted else history.screen.keyed(view),
        "paid": _paid(config, table, history),
        "health": history.devices.listed(),
        "ages": [_age(one, table, history) for one in table.machine.rounds.in_use],
        "alerts": alerts[:ALERTS],
        "refused": history.refusal(),
        "dealer": table.table_state.dealer,
        "limits": limit_prompts(table),
    }


def _paid(config: TableConfig, table: Table, history: TableHistory) -> list[documents.PaidWager]:
    """The winning wagers as the dealer pays them, until they are paid."""
    if table.machine.state.value in _PAID_OUT:
        return []
    symbols, name = config.layout.symbols, history.screen.wager or history.game.area_name
    return [
        {
            "area": win.area,
            "label": symbols.get(win.area) or name(win.area),
            "pays": win.pays,
            "most": most_paid(table, win),
        }
        for win in _winning(history)
    ]


def _age(one: Equipment, table: Table, history: TableHistory) -> documents.Age:
    """The age of dice or cards, and how long they may still be used."""
    data, name = table.machine.table, say(table.machine.words, text(one.name))
    fitted = data.fitted_utc_ns.get(one.name)
    if fitted is None:
        return {"what": name, "age": "not on record", "left": _hours(0), "warn": True}
    age_ns, retired = max(0, history.clock.utc_ns() - fitted), one.name in data.retired
    in_doubt = THE_CLOCK in history.devices.faults
    return {
        "what": name,
        "age": f"at least {_hours(age_ns)}" if in_doubt else _hours(age_ns),
        "left": _hours(0 if retired else max(0, one.retire_ns - age_ns)),
        "warn": retired or in_doubt or age_ns >= one.warn_ns,
    }


def _hours(ns: int) -> str:
    hours, minutes = divmod(ns // _NS_PER_MIN, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _prompt(history: TableHistory) -> str:
    view = history.prompt
    return sentence_of(replace(view, lines=()), history.words, history.in_words)


def _menu(history: TableHistory) -> list[documents.MenuLine]:
    """The lines of the open prompt."""
    words, name = history.words, history.in_words
    return [
        {
            "control": line.key,
            "words": say(words, line.words, name),
            "unavailable": say(words, line.unavailable, name) if line.unavailable else "",
        }
        for line in history.prompt.lines
    ]


def closed_dealer(why: str, prompt: str = "") -> documents.DealerPart:
    """The dealer's screen while no table is running.

    Args:
        why: the reason.
        prompt: what the floorperson is asked for.
    """
    return {
        "task": {"act": why, "more": []},
        "menu": [],
        "alerts": [{"text": why, "remedy": "", "age_s": 0}],
        "limits": {"asks": "", "announce": "", "file": ""},
        "paid": [],
        "health": [],
        "ages": [],
        "prompt": prompt,
        "entry": "",
        "keyed": None,
        "refused": "",
        "dealer": "",
    }
