"""Makes the documents that the pages show: the description and the state of a table. They are strict JSON.

The board shows players only what is on record, and no sensor faults; the dealer's screen shows everything.
"""

from collections.abc import Sequence
from dataclasses import replace

from config.schema import TableConfig
from controller import __version__
from controller.events.effect import Win
from controller.events.words import say
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.wagers import to_one
from controller.runtime.table import Table
from controller.table.machine import TableMachine
from controller.table.prompts import sentence_of
from controller.viewmodel import documents
from controller.viewmodel.ages import ages_of
from controller.viewmodel.documents import PastResults
from controller.viewmodel.health import controls
from controller.viewmodel.history import TableHistory, utc_offset_min
from controller.viewmodel.screen import (
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
from controller.viewmodel.slides import slides_of

ALERTS = 5
OVERLAYS = {"locked": called, "equipment-due": always(WAIT, Tone.IDLE, "dice or cards are changed")}
"""Headlines of the table layer's own states."""
_MAX_NAMED = 3
"""Up to this many winning wagers are named in a sentence; more are counted."""


# -- the description ---------------------------------------------------------------------------------------------


def describe(config: TableConfig) -> documents.Description:
    """The description of a table, by the payout odds and rules in effect: what changes only with these."""
    game, screen = find_game(config.game), screen_of(config.game)
    return {
        "table": config.table,
        "game": game.name,
        "title": game.title,
        "areas": _areas(config, game, screen),
        "lamps": list(game.lamps(config.rules)),
        "figure": screen.figure,
        "wheel": None,
        "rim": None,
        "boxes": None,
        "rows": None,
        **screen.extras(config),
        "controls": _controls(config),
        "slides": slides_of(config, game),
        "version": __version__,
    }


def _areas(config: TableConfig, game: Game, screen: GameScreen) -> list[documents.AreaOdds]:
    symbols, payouts = config.layout.symbols, game.payouts(config)
    label = screen.label or game.area_name

    def described(area: str) -> documents.AreaOdds:
        shown: documents.AreaOdds = {
            "area": area,
            "label": symbols.get(area) or label(area),
            "pays": _alternatives([to_one(odds) for odds in payouts.all_odds(area)]),
        }
        if area in screen.ranges:
            shown["range"] = screen.ranges[area]
        return shown

    return [described(area) for area in payouts.areas if screen.offers(config, area)]


def _alternatives(odds: Sequence[str]) -> str:
    """Odds that depend on the degree: ``1 to 1, 2 to 1 or 3 to 1``."""
    return " or ".join(filter(None, (", ".join(odds[:-1]), odds[-1])))


def _controls(config: TableConfig) -> list[documents.Control]:
    devices: dict[str, str] = {}
    for control, device in controls(config):
        devices.setdefault(control, device)
    return [{"control": control, "label": spoken(control), "device": device} for control, device in devices.items()]


def moves_of(machine: TableMachine) -> list[documents.Move]:
    """The transitions of a table."""
    moves = dict.fromkeys(
        (row.source.value, row.on, row.to.value) for row in machine.transitions if row.to is not None
    )
    return [{"from": source, "on": on, "to": to} for source, on, to in moves]


# -- the state ---------------------------------------------------------------------------------------------------


def board(config: TableConfig, table: Table, history: TableHistory, now_ns: int, utc_ns: int) -> documents.Board:
    """The picture of a table for the players."""
    screen, machine = history.screen, table.machine
    view = _view(config, table, history, now_ns)
    headline = halted(view) if table.halted else _headline(screen, view)
    turn, revolutions = screen.turn(table.head.tracker), screen.revolutions(view)
    past = _past_results(config, history, utc_ns)
    shown: documents.Board = {
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
        "history": past["history"],
        "counts": past["counts"],
        "shares": past["shares"],
        "frequent": past["frequent"],
        "longest_ago": past["longest_ago"],
        "spins": past["spins"],
        # A machine whose last decision could not be recorded is ahead of the record.
        "figure": {} if table.halted else screen.live(view),
    }
    if cap := cap_text(table, _winning(history)):
        shown["cap"] = cap
    if others := next_terms(table):
        shown["next_odds"] = others
    return shown


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


def _past_results(config: TableConfig, history: TableHistory, utc_ns: int) -> PastResults:
    today, labels = history.today(utc_ns), history.screen.labels(config, find_game(config.game))
    return {
        "history": [
            {"round": result.round, "label": result.past.label, "colour": result.past.colour}
            for result in history.history()
        ],
        "counts": [{"label": label, "count": today.count(label), "since": today.since(label)} for label in labels],
        "shares": [
            [{"label": label, "count": today.count(label)} for label in group] for group in history.screen.shares
        ],
        "frequent": today.most_frequent(labels),
        "longest_ago": today.longest_ago(labels),
        "spins": today.spins,
    }


# -- the dealer's screen -----------------------------------------------------------------------------------------


def dealer(config: TableConfig, table: Table, history: TableHistory, now_ns: int) -> documents.DealerPart:
    """What the dealer's screen adds to the board."""
    from controller.viewmodel.task import task_of  # When the first dealer's screen asks; a start does not need it.

    view = _view(config, table, history, now_ns)
    alerts = history.alerts()
    if table.halted:
        alerts.insert(0, {"text": f"the table halted: {table.halted}", "remedy": "call the technician", "age_s": 0})
    waits = _next(table, history.screen.waits(view))
    entry = "" if table.halted else history.screen.entry(view)
    return {
        "next": waits,
        "task": task_of(waits, entry, history.in_words),
        "menu": [] if table.halted else _menu(history),
        "prompt": "" if table.halted else _prompt(history),
        "entry": entry,
        "keyed": None if table.halted else history.screen.keyed(view),
        "pays": _wins(config, history),
        "paid": _paid(config, table, history),
        "health": history.devices.listed(),
        "ages": ages_of(config, table, history),
        "alerts": alerts[:ALERTS],
        "refused": history.refusal(),
        "dealer": table.table_state.dealer,
        "limits": limit_prompts(table),
    }


def _paid(config: TableConfig, table: Table, history: TableHistory) -> list[documents.PaidWager]:
    """The winning wagers as the dealer pays them."""
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


def _next(table: Table, first: str) -> str:
    """What the dealer does next.

    Args:
        first: what is waited for before that; empty for nothing.
    """
    return "the table halted: call the technician" if table.halted else first or table.machine.waiting_for()


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
