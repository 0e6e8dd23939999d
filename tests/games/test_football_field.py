"""Three Dice Football on the field: pucks, marker and settlement of whole games, by the text of the regulation."""

import random
from collections.abc import Callable, Iterator

import pytest
from football_regulation import (
    LAMPS,
    PAYTABLE,
    Spot,
    field_by_hand,
    games_by_hand,
    single_plays_by_hand,
    thrown_by_hand,
)
from football_table import machine_before_a_throw, play, settle, steps, throw

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light, Result
from controller.events.event import Press
from controller.events.words import Text
from controller.machine.registry import find_game
from controller.viewmodel.description import describe

GAME = "three-dice-football"
Shipped = Callable[[str], TableConfig]
START: Spot = (20, 1, False, 1)
ANNOUNCED = {
    "trips-td": "Trips TD",
    "touchdown": "touchdown",
    "turnover": "turnover, the game is over",
    "downs": "out of downs, the game is over",
}


# -- the layout ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.2(b)(2)", "577.2(b)(4)", "577.2(b)(5)", "577.2(b)(6)")
def test_the_layout_has_what_the_regulation_names() -> None:
    """§ 577.2(b)(2), (4) to (6): every area, place and puck is demanded of a table's panel."""
    assert sorted(find_game(GAME).lamps({})) == sorted(LAMPS)


@pytest.mark.clause("577.2(b)(3)")
def test_the_board_has_the_odds_of_every_wager(football: Rig) -> None:
    shown = {area["area"]: area["pays"] for area in describe(football.config)["areas"]}
    assert shown == {area: " or ".join(", ".join(pays).rsplit(", ", 1)) for area, (_, pays) in PAYTABLE.items()}


# -- any game ------------------------------------------------------------------------------------------------------


def a_game(chance: random.Random) -> Iterator[tuple[Spot, tuple[int, int, int]]]:
    """Throws from the 20 yard line until the game ends, each with the spot before it."""
    spot: Spot | None = START
    while spot is not None:
        # Slow games, too: two throws in three gain little.
        faces = (1, 2, 3) if chance.random() < 0.66 else (1, 2, 3, 4, 5, 6)
        dice = (chance.choice(faces), chance.choice(faces), chance.randint(1, 6))
        yield spot, dice
        spot = thrown_by_hand(spot, dice)[2]


def lit_by_hand(spot: Spot, dice: tuple[int, int, int]) -> set[str]:
    """The lamps after a throw."""
    _, moved, following, ending = thrown_by_hand(spot, dice)
    singles = set(single_plays_by_hand(*dice))
    if following is not None:
        return singles | field_by_hand(following)
    assert ending is not None
    lit = singles | set(games_by_hand(ending, spot[3])) | {f"play-{spot[3]}"}
    if ending == "downs":
        return lit | {f"yard-{spot[0] - moved}"}
    return lit | ({"end-zone"} if ending != "turnover" else set())


@pytest.mark.clause("577.2(b)(4)", "577.3(b)(1)", "577.3(b)(2)", "577.3(b)(4)", "577.3(b)(5)", "577.3(b)(6)")
@pytest.mark.clause("577.3(d)", "577.6(c)", "577.6(c)(4)", "577.6(e)", "577.6(g)")
def test_any_game_is_lit_announced_and_paid_by_the_regulation(shipped: Shipped) -> None:
    """§§ 577.6(c) to (g): pucks and marker move with every throw, to the last; the dice decide what is paid."""
    machine = machine_before_a_throw(shipped(GAME))
    ready, chance, longest = machine.snapshot(), random.Random(577), 0
    for _ in range(400):
        machine.restore(ready)
        for spot, dice in a_game(chance):
            if spot != START:
                machine.handle(Press(0, "no-more-bets", 1))
            decisions = [machine.handle(Press(0, control, 1)) for control in (*map(str, dice), "enter")]
            effects = decisions[-1].effects
            (lit,) = [set(effect.areas) for effect in effects if isinstance(effect, Light)]
            (result,) = [effect for effect in effects if isinstance(effect, Result)]
            kind, _, _, ending = thrown_by_hand(spot, dice)
            assert lit == lit_by_hand(spot, dice), (spot, dice)
            paid = single_plays_by_hand(*dice) | (games_by_hand(ending, spot[3]) if ending else {})
            assert {win.area: win.pays for win in result.wins} == paid, (spot, dice)
            assert result.label.endswith(ANNOUNCED[ending] if ending else kind.replace("-", " "))
            longest = max(longest, spot[3])
    assert longest == 6


@pytest.mark.clause("577.2(b)(5)", "577.2(b)(6)", "577.6(a)", "577.6(c)", "577.6(c)(4)", "577.6(d)")
def test_pucks_and_marker_through_six_plays(football: Rig) -> None:
    """§ 577.6(a), (c), (e): on the panel, as wagers open for each."""
    table = football
    assert table.lit() == {"down-1", "play-1", "yard-20"}
    assert table.machine.instruction().parameters == {"down": 1, "goal": 0, "yards": 20, "play": 1}
    for dice, field, said in (
        ("142", {"down-2", "play-2", "yard-17"}, {"down": 2, "goal": 0, "yards": 17, "play": 2}),
        ("125", {"down-3", "play-3", "yard-18"}, {"down": 3, "goal": 0, "yards": 18, "play": 3}),
        ("562", {"goal-1", "play-4", "yard-9"}, {"down": 1, "goal": 1, "yards": 9, "play": 4}),
        ("235", {"goal-2", "play-5", "yard-9"}, {"down": 2, "goal": 1, "yards": 9, "play": 5}),
        ("124", {"goal-3", "play-6", "yard-10"}, {"down": 3, "goal": 1, "yards": 10, "play": 6}),
    ):
        play(table, dice)
        table.press("clear")
        assert table.lit() == field
        assert table.machine.instruction().parameters == said
    throw(table, "234")
    assert table.lit() == {"defense", "game-length-6", "under-four-yards", "play-6", "yard-9"}


# -- settlement ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(d)")
def test_single_play_wagers_win_by_the_dice_and_not_by_the_yards_moved(football: Rig) -> None:
    """§ 577.6(d): with two yards left, eleven on the dice are a big play."""
    table = football
    play(table, "661", "553")
    table.press("clear")
    assert table.lit() == {"goal-2", "play-3", "yard-2"}
    throw(table, "661")
    assert {"big-play", "over-four-yards", "end-zone"} <= table.lit()


@pytest.mark.clause("577.6(f)(2)")
@pytest.mark.parametrize(
    ("throws", "singles", "rest"),
    [
        (
            ["126"],
            "penalty 9 to 1,turnover 60 to 1,cover-three 7 to 1,no-gain 5 to 1,under-four-yards 1 to 1",
            "game-changer 5 to 1,game-length-1 22 to 1",
        ),
        (["145", "145", "145"], "no-gain 5 to 1,under-four-yards 1 to 1", "game-length-3 6 to 5"),
    ],
    ids=["turnover", "downs"],
)
def test_a_game_without_a_score_is_settled_in_the_order_of_the_regulation(
    football: Rig, throws: list[str], singles: str, rest: str
) -> None:
    """§ 577.6(f)(2): touchdown and extra point, defense, single plays, and then what is left of the game's."""
    table = football
    play(table, *throws[:-1])
    if len(throws) > 1:
        table.press("clear")
    throw(table, throws[-1])
    assert steps(settle(table)) == [
        ("defense-paid", "defense 4 to 5"),
        ("single-plays", singles),
        ("full-game", rest),
    ]
    assert table.state.value == "settled"


# -- the dice ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("577.6(a)", "577.7(a)")
@pytest.mark.parametrize(
    "throws",
    [["145", "145", "145"], ["126"], ["663", "145", "145"]],
    ids=["downs", "turnover", "downs after a gain"],
)
def test_the_dice_pass_on_when_the_defense_wins(football: Rig, throws: list[str]) -> None:
    table = football
    play(table, *throws)
    table.press("clear")
    assert (table.state.value, table.machine.data.quarterback) == ("dice-offered", 2)
    table.press("enter")
    assert table.lit() == field_by_hand(START), "a new game"
    assert table.machine.instruction().code == "football-bets-open"


@pytest.mark.clause("577.4(b)")
def test_a_table_that_is_opened_again_begins_at_the_stickpersons_left(football: Rig) -> None:
    """§ 577.4(b): at the commencement of play."""
    table = football
    play(table, "126")
    table.press("clear")
    table.wait(1)  # A second press at once would be that of a hand that saw no answer.
    table.press("clear")
    assert table.machine.data.quarterback == 3
    table.floor("close")
    table.floor("open")
    assert table.machine.instruction() == Text("football-dice-offered", {"position": 1})


@pytest.mark.clause("577.1", "577.5(h)")
def test_the_quarterback_is_named_at_every_throw_and_on_record(football: Rig) -> None:
    table = football
    play(table, "126")
    table.press("clear", "7", "enter")
    assert table.last("note").parameters == {"position": 7}
    table.press("no-more-bets")
    assert table.machine.instruction() == Text("football-throw", {"position": 7, "dice": "_-_ red _"})
    table.press(*"342", "enter", "done")
    assert table.machine.instruction() == Text("football-settled-next", {"position": 7})
