"""The documents that the pages show: what a table is, and how it stands. They are strictly JSON.

The board tells players nothing that is not on record, and nothing of sensors; the dealer's screen tells everything.
"""

from collections.abc import Sequence

from config.schema import TableConfig
from controller import __version__
from controller.events.effect import Win
from controller.odds.wagers import to_one
from controller.runtime.table import Table
from controller.statechart.aged import Aged
from controller.statechart.any_machine import AnyMachine
from controller.statechart.game import Game
from controller.statechart.registry import find_game
from controller.viewmodel import documents
from controller.viewmodel.health import controls
from controller.viewmodel.history import TableHistory
from controller.viewmodel.registry import screen_of
from controller.viewmodel.screen import HALTED, GameScreen, Headline, TableView, Tone, spoken
from controller.viewmodel.sign import limits_of, told_of_limits

ALERTS = 5
_FEW = 3
"""So many winning wagers are named in a sentence; more are counted."""
_NS_PER_MIN = 60_000_000_000


# -- what a table is ---------------------------------------------------------------------------------------------


def describe(config: TableConfig, table: Table | None) -> documents.Description:
    """The description of a table, which does not change while it runs.

    Args:
        table: None for one that has not started yet; its states are not known.
    """
    game, screen = find_game(config.game), screen_of(config.game)
    return {
        "table": config.table,
        "game": game.name,
        "title": game.title,
        "chapter": game.chapter,
        "areas": _areas(config, game, screen),
        "lamps": list(game.lamps(config.rules)),
        "figure": screen.figure,
        "wheel": None,
        "rim": None,
        "boxes": None,
        "rows": None,
        **screen.extras(config),
        "controls": _controls(config),
        "states": [str(state.value) for state in table.machine.states] if table is not None else [],
        "moves": _moves(table.machine) if table is not None else [],
        "version": __version__,
    }


def _areas(config: TableConfig, game: Game, screen: GameScreen) -> list[documents.Win]:
    symbols, payouts = config.layout.symbols, game.payouts(config)
    return [
        {
            "area": area,
            "label": symbols.get(area) or screen.label(area),
            "pays": _either([to_one(odds) for odds in payouts.all_odds(area)]),
        }
        for area in payouts.areas
        if screen.offers(config, area)
    ]


def _either(odds: Sequence[str]) -> str:
    """Odds that depend on the degree: ``1 to 1, 2 to 1 or 3 to 1``."""
    return " or ".join(filter(None, (", ".join(odds[:-1]), odds[-1])))


def _controls(config: TableConfig) -> list[documents.Control]:
    devices: dict[str, str] = {}
    for control, device in controls(config):
        devices.setdefault(control, device)
    return [{"control": control, "label": spoken(control), "device": device} for control, device in devices.items()]


def _moves(machine: AnyMachine) -> list[documents.Move]:
    moves = dict.fromkeys(
        (row.source.value, row.on, row.to.value) for row in machine.transitions if row.to is not None
    )
    return [{"from": source, "on": on, "to": to} for source, on, to in moves]


# -- how it stands -----------------------------------------------------------------------------------------------


def board(
    config: TableConfig, table: Table, watch: TableHistory, now_ns: int, utc_ns: int
) -> documents.StampedBoard:
    """The picture of a table for its players."""
    screen, machine = watch.screen, table.machine
    scene = _scene(config, table, watch)
    says = HALTED if table.halted else _says(screen, scene)
    turn, revolutions = screen.turn(table.tracker), screen.revolutions(scene)
    return {
        "clock_ms": now_ns // 1_000_000,
        "utc_ms": utc_ns // 1_000_000,
        "state": scene.state,
        "round": machine.round,
        "tone": says.tone.value,
        "headline": says.headline,
        "detail": says.detail,
        "lit": list(watch.lit if table.halted else machine.lit),
        "wins": _wins(config, watch),
        "result": screen.words(watch.result) if watch.result is not None else "",
        "multiplier": 1 if table.halted else getattr(machine.data, "multiplier", 1),
        "revolutions": {"made": revolutions[0], "of": revolutions[1]} if revolutions is not None else None,
        "turn": {"angle": turn.angle, "moving": turn.moving} if turn is not None else None,
        "limits": limits_of(table),
        **_past(config, watch, utc_ns),
        # A machine whose last decision could not be recorded is ahead of the record.
        "figure": screen.blank(config) if table.halted else screen.live(scene),
    }


def turn(table: Table) -> documents.TurnEvent | None:
    """Where a wheel is while it turns; None while it stands, or its place is not known."""
    seen = screen_of(table.recorder.game).turn(table.tracker)
    return {"angle": seen.angle, "made": seen.made, "of": seen.of} if seen is not None and seen.moving else None


def _scene(config: TableConfig, table: Table, watch: TableHistory) -> TableView:
    machine = table.machine
    return TableView(
        config=config,
        state=str(machine.state.value),
        data=machine.data,
        tracker=table.tracker,
        result=watch.result,
        wins=_sentence(config, watch),
        past=watch.of_round(machine.round),
    )


def _says(screen: GameScreen, scene: TableView) -> Headline:
    says = (screen.says or {}).get(scene.state)
    if says is not None:
        return says(scene)
    return Headline(spoken(scene.state).upper(), Tone.IDLE, scene.wins)


def _order(watch: TableHistory) -> tuple[Win, ...]:
    return watch.screen.order(watch.result) if watch.result is not None else ()


def _wins(config: TableConfig, watch: TableHistory) -> list[documents.Win]:
    """The winning wagers of the standing result, in the order of payment."""
    symbols, name = config.layout.symbols, watch.screen.name
    return [
        {"area": win.area, "label": symbols.get(win.area) or name(win.area), "pays": win.pays}
        for win in _order(watch)
    ]


def _sentence(config: TableConfig, watch: TableHistory) -> str:
    """What wins by the standing result."""
    wins = _wins(config, watch)
    if watch.result is None:
        return ""
    if not wins:
        return "no wager wins"
    if len(wins) > _FEW:
        return f"{len(wins)} wagers win"
    return ", ".join(f"{win['label']} pays {win['pays']}" for win in wins)


def _past(config: TableConfig, watch: TableHistory, utc_ns: int) -> documents.PastResults:
    counts, spins = watch.counts(utc_ns)
    return {
        "history": [
            {"round": result.round, "label": result.past.label, "colour": result.past.colour}
            for result in watch.history()
        ],
        "counts": [{"label": label, "count": counts[label]} for label in _labels(watch, config)],
        "spins": spins,
    }


def _labels(watch: TableHistory, config: TableConfig) -> tuple[str, ...]:
    return watch.screen.labels(config, find_game(config.game))


# -- the dealer's screen -----------------------------------------------------------------------------------------


def dealer(config: TableConfig, table: Table, watch: TableHistory, now_ns: int) -> documents.Dealer:
    """What the dealer's screen shows besides."""
    scene = _scene(config, table, watch)
    alerts = watch.alerts()
    if table.halted:
        alerts.insert(0, {"text": f"the table halted: {table.halted}", "remedy": "call the technician", "age_s": 0})
    return {
        "next": "the table halted: call the technician" if table.halted else table.machine.waiting_for(),
        "prompt": watch.prompt(now_ns),
        "entry": "" if table.halted else watch.screen.entry(scene),
        "pays": _wins(config, watch),
        "health": watch.devices.listed(),
        "ages": _ages(config, table, watch),
        "alerts": alerts[:ALERTS],
        "refused": watch.refusal(),
        "dealer": table.table_state.dealer,
        "limits": told_of_limits(table),
    }


def _ages(config: TableConfig, table: Table, watch: TableHistory) -> list[documents.Age]:
    """How old dice or cards are, and how long they may still be used."""
    life, data = watch.screen.lifetime(config), table.machine.data
    if life is None or not isinstance(data, Aged):
        return []
    if not data.fitted_utc_ns:
        return [{"what": life.what, "age": "not on record", "left": _hours(0), "warn": True}]
    age_ns = max(0, watch.clock.utc_ns() - data.fitted_utc_ns)
    left_ns = 0 if data.retired else max(0, life.retire_ns - age_ns)
    warn = data.retired or age_ns >= life.warn_ns
    return [{"what": life.what, "age": _hours(age_ns), "left": _hours(left_ns), "warn": warn}]


def _hours(ns: int) -> str:
    hours, minutes = divmod(ns // _NS_PER_MIN, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
