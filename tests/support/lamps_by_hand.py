"""What may be lit at a table of each game now: arithmetic on what was keyed or seen, with nothing of its rules."""

from football_regulation import FULL_GAME, single_plays_by_hand
from sic_bo_regulation import lit_by_hand

from controller.bench.rig import Rig

RANKS = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
REDS = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def winning_lamps(table: Rig) -> set[str]:
    """The wagers whose lamps may be lit."""
    lit, state = set(table.machine.lit), table.machine.rounds.state.value
    match table.config.game:
        case "dreamcatcher" | "big-six":
            return _wheel(table, state)
        case "sic-bo":
            return lit if state.startswith("inspection-") else _sic_bo(table)
        case "three-dice-football":
            return _football(table, state, lit)
        case "casino-war":
            return _war(table)
        case "roulette":
            return won_on(table.machine.data.pocket)
    return lit


def _wheel(table: Rig, state: str) -> set[str]:
    spun = table.machine.data.spun
    shows = state in ("result", "losers-collected", "winners-paid") and spun is not None
    return {table.order[spun]} if shows else set()


def _sic_bo(table: Rig) -> set[str]:
    return lit_by_hand(*table.machine.data.entry) if table.machine.data.result else set()


def _football(table: Rig, state: str, lit: set[str]) -> set[str]:
    """The wagers of a throw while it is settled, beside pucks and marker."""
    data, field = table.machine.data, lit - table.areas
    if state not in ("settling", "settled", "extra-point-offered"):
        return field
    if data.decided:
        return field | {"touchdown", "extra-point"}
    return field | single_plays_by_hand(*data.entry).keys() | (set(FULL_GAME) if data.ending is not None else set())


def _war(table: Rig) -> set[str]:
    data = table.machine.data
    if not data.results:
        return set()
    kind, seats, cards = "initial", data.seats, data.cards
    if len(data.results) > 1:
        kind, seats, cards = "war", data.war, data.war_cards
    places = [RANKS.index(card) for card in cards]
    found = set()
    for seat, mine in zip(seats, places, strict=False):
        how = "tied" if mine == places[-1] else "won" if mine > places[-1] else "lost"
        found |= {f"{kind}-{seat}-{how}", f"tie-{seat}-{'won' if how == 'tied' else 'lost'}"}
    return found


def won_on(pocket: str) -> set[str]:
    """The number and the outside wagers that win on a pocket of a roulette wheel; none without one."""
    if pocket in ("", "0", "00"):
        return {f"straight-{pocket}"} if pocket else set()
    n = int(pocket)
    return {
        f"straight-{n}",
        f"column-{n % 3 or 3}",
        f"dozen-{(n + 11) // 12}",
        "red" if n in REDS else "black",
        "odd" if n % 2 else "even",
        "1-18" if n < 19 else "19-36",
    }
