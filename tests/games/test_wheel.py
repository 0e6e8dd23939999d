"""A round on either wheel with a clapper, as the dealer and the players see it (ch. 689a, ch. 619a)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from effects import voids
from open_tables import Shipped
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import table_machine
from controller.events.effect import Win
from controller.events.event import Direction, Press, TableStarted, WheelRested, WheelThrown
from controller.games.dreamcatcher.game import MULTIPLIERS
from controller.machine.registry import find_game
from controller.viewmodel import description

WAGERS = {
    "dreamcatcher": ("1", "2", "5", "10", "20", "40"),
    "big-six": ("1", "2", "5", "10", "20", "joker", "logo"),
}


@pytest.fixture(params=WAGERS)
def table(request: pytest.FixtureRequest, opened: Callable[..., Rig]) -> Rig:
    """A table of each game, open for wagers."""
    return opened(str(request.param))


def of_layout(config: TableConfig, **layout: object) -> Rig:
    """A table with this on its layout, open for wagers."""
    rig = Rig(config.model_copy(update={"layout": config.layout.model_copy(update=layout)}))
    rig.turn(1.2)
    return rig


def play(table: Rig, stop_on: str) -> Win:
    """A round to its end; what won."""
    table.press("no-more-bets")
    table.spin(stop_on=stop_on)
    (win,) = table.last("result").wins
    assert table.lit() == {win.area}
    table.press("done", "done", "clear")
    return win


# -- no more bets -----------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.2(a)", "619a.2(a)")
@pytest.mark.parametrize("turn", [0.6, 0.9, -0.6])
def test_more_than_half_a_turn_while_wagers_are_open_is_a_void_throw(table: Rig, turn: float) -> None:
    """Less is the dealer's hand."""
    table.turn(0.45, seconds=2)
    with pytest.raises(LookupError):
        table.last("void")
    table.turn(turn, seconds=2)
    assert table.last("void").reason == "wagers-open"
    assert table.state.value == "bets-open"
    assert table.lit() == set()


@pytest.mark.clause("689a.2(a)", "619a.2(a)")
@pytest.mark.parametrize("seconds", [0.3, 3])
def test_a_wheel_that_was_thrown_before_the_call_decides_nothing(table: Rig, seconds: float) -> None:
    """§ 689a.2(a), § 619a.2(a): the call comes too late, soon after the throw and later."""
    table.spin(stop_on="20", rest=False)
    table.wait(seconds)
    table.press("no-more-bets")
    assert table.last("refused").control == "no-more-bets"
    table.rest()
    assert (table.last("void").reason, table.state.value, table.lit()) == ("wagers-open", "bets-open", set())


# -- three revolutions ------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.2(b)", "689a.2(c)", "619a.2(b)", "619a.2(c)")
@pytest.mark.parametrize("seconds", [3, 5, 8])
def test_a_hand_that_pushes_the_running_wheel_makes_no_result(table: Rig, seconds: int) -> None:
    """§ 689a.2(b), (c), § 619a.2(b), (c): three revolutions are made, but not by the throw alone."""
    table.press("no-more-bets")
    table.spin(revolutions=4.5, rest=False)
    table.wait(seconds)
    table.world.wheel.push(60, 0.3)
    table.rest()
    assert table.last("void").reason == "touched"
    assert table.last("void").parameters["hand"] in ("pushed-again", "uneven")
    assert table.last("alert").text == "spin-touched"
    assert table.state.value == "respin", "nothing is locked"
    assert table.lit() == set()


@pytest.mark.clause("689a.2(b)", "689a.2(c)", "619a.2(b)", "619a.2(c)")
def test_a_hand_that_moves_the_wheel_on_after_it_stood_makes_no_result(table: Rig) -> None:
    """It stands on 20 for 0.3 s, and is then laid on another section."""
    table.press("no-more-bets")
    table.spin(revolutions=4, stop_on="20", rest=False)
    table.wait((table.world.wheel.at_rest_ns - table.clock.now_ns()) / 1e9 + 0.3)
    table.turn(19 / 54, seconds=8)
    assert table.last("void").reason == "touched"
    assert table.lit() == set()


@pytest.mark.clause("689a.1(e)", "619a.1(e)")
def test_without_its_clapper_no_spin_has_a_result(table: Rig) -> None:
    """§ 689a.1(e), § 619a.1(e): the encoder alone singles out no section."""
    table.press("no-more-bets")
    table.world.fault("dead-clapper", "", 0)
    table.spin(stop_on="20")
    assert table.last("void").reason == "sensor-fault"
    assert table.state.value == "locked"
    assert "clapper" in table.waiting_for
    assert table.lit() == set()


@pytest.mark.clause("521.6")
def test_nothing_on_the_board_says_where_a_turning_wheel_will_stop(table: Rig) -> None:
    """§ 521.6: the words on it are the same until the wheel stands, wherever that is."""
    screens, said = screens_of(table), set()
    for section in ("20", "1"):
        table.press("no-more-bets")
        table.spin(revolutions=3.5, stop_on=section, rest=False)
        table.wait(3)
        while table.state.value == "spinning":
            board = screens.board()
            said.add((board["headline"], board["detail"], board["result"], *board["lit"], *map(str, board["wins"])))
            table.wait(0.5)
        table.rest()
        assert screens.board()["result"] == section
        table.press("done", "done", "clear")
    assert said == {("WHEEL IS TURNING", "a valid spin needs three full turns", "")}


# -- odds and symbols -------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.1(g)(3)", "619a.1(g)(3)")
@pytest.mark.clause("689a.3(a)", "619a.1(g)(2)(i)", "619a.1(g)(2)(ii)", "619a.1(g)(2)(iii)", "619a.3")
@pytest.mark.parametrize("game", WAGERS)
@pytest.mark.parametrize("own", [False, True])
def test_a_table_pays_by_the_odds_of_its_layout_else_by_the_regulations(
    shipped: Shipped, game: str, own: bool
) -> None:
    """§ 689a.1(g)(3), § 619a.1(g)(3): each wager's result tells the odds that the layout states, no others."""
    odds = {area: 100 + place if own else 45 for place, area in enumerate(WAGERS[game])}
    odds |= {area: int(area) for area in WAGERS[game] if area.isdigit() and not own}
    table = of_layout(shipped(game), odds={area: Fraction(pays) for area, pays in odds.items() if own})
    shown = {one["area"]: one["pays"] for one in description.describe(table.config)["areas"]}
    for area, pays in odds.items():
        assert play(table, stop_on=area) == Win(area, f"{pays} to 1")
        assert shown[area] == f"{pays} to 1"


@pytest.mark.clause("689a.3(b)")
def test_a_bonus_multiplies_the_odds_of_the_layout(shipped: Shipped) -> None:
    """§ 689a.3(b): not the regulation's least, where the house pays more."""
    table = of_layout(shipped("dreamcatcher"), odds={"40": Fraction(50), "2": Fraction(5, 2)})
    for area, pays in (("40", "350 to 1"), ("2", "35 to 2")):
        table.press("no-more-bets")
        table.spin(stop_on="7x")
        assert play(table, stop_on=area) == Win(area, pays)


@pytest.mark.clause("689a.1(d)", "689a.2(f)", "689a.3(c)")
def test_multipliers_stack_for_as_long_as_they_come(dreamcatcher: Rig) -> None:
    """§ 689a.3(c): without a limit."""
    table, expected = dreamcatcher, 1
    table.press("no-more-bets")
    for section in ("2x", "7x", "7x", "2x", "7x", "2x"):
        table.spin(stop_on=section)
        expected *= int(section.removesuffix("x"))
        assert table.state.value == "bonus"
        assert table.last("bonus").multiplier == expected
        table.press("no-more-bets")
        assert table.lit() == set()
    assert play(table, stop_on="10") == Win("10", f"{10 * expected} to 1")
    assert play(table, stop_on="10") == Win("10", "10 to 1")


@pytest.mark.clause("619a.1(c)")
def test_symbols_take_the_place_of_every_amount_and_picture(shipped: Shipped) -> None:
    """§ 619a.1(c): fruit for dollars, on the wheel and on every screen; the areas stay what they are."""
    fruit = dict(
        zip(WAGERS["big-six"], ("PLUM", "LEMON", "CHERRY", "GRAPE", "MELON", "STAR", "CROWN"), strict=True)
    )
    table = of_layout(shipped("big-six"), symbols=fruit)
    screens = screens_of(table)
    wheel = description.describe(table.config)["wheel"]
    assert isinstance(wheel, list)
    assert [one["label"] for one in wheel] == [fruit[name] for name in find_game("big-six").wheel]
    for area, symbol in fruit.items():
        assert play(table, stop_on=area).area == area
        assert table.last("result").label == symbol
        assert screens.board()["history"][0]["label"] == symbol
    table.press("no-more-bets")
    table.spin(stop_between=("joker", "1"))
    assert set(table.last("void").parameters.values()) == {"STAR", "PLUM"}


# -- further rounds ------------------------------------------------------------------------------------------------


DIRECTIONS = (Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE)


@pytest.mark.clause("689a.2(b)", "619a.2(b)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize("counts", [720, 1000, 1440, 4096])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_three_revolutions_exactly_are_valid_and_one_count_less_is_void(
    shipped: Shipped, game: str, counts: int, direction: Direction
) -> None:
    for travel, state in ((3 * counts - 1, "respin"), (3 * counts, "result"), (3 * counts + 1, "result")):
        machine = table_machine(find_game(game), shipped(game))
        machine.handle(TableStarted(0, 0, "", ""))
        at_rest = WheelRested(9, direction, travel, counts, located=True, section=9)
        for event in (at_rest, Press(9, "no-more-bets"), WheelThrown(9, direction)):
            machine.handle(event)
        assert machine.handle(at_rest).state == state


@pytest.mark.parametrize("settled", [0, 1, 2])
def test_a_spin_that_starts_before_the_round_is_cleared_is_void_and_announced(
    dreamcatcher: Rig, settled: int
) -> None:
    """Wherever it ends: before the round is cleared, or after it."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="5")
    table.press(*("done",) * settled)
    table.spin(revolutions=5, stop_on="40", rest=False)
    table.wait(2)
    assert table.last("void").reason == table.last("alert").text == "thrown-before-clear"
    table.press(*("done",) * (2 - settled), "clear", "no-more-bets")
    assert table.state.value == "bets-open", "the call of the next round waits for the wheel"
    table.rest()
    assert table.state.value == "bets-open"
    assert voids(table) == ["thrown-before-clear"]
    assert table.lit() == set()


@pytest.mark.clause("689a.2(f)", "689a.3(b)")
@pytest.mark.parametrize("cut", [False, True])
def test_a_void_bonus_spin_keeps_the_multiplier(dreamcatcher: Rig, cut: bool) -> None:
    """Also one that a power cut made void."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.spin(revolutions=4 if cut else 1, rest=not cut)
    if cut:
        table.wait(4)
        table.power_cut(seconds=60)
        assert (table.last("void").reason, table.state.value) == ("power-cut", "locating")
        table.turn(1.2)
    assert table.state.value == "respin"
    table.spin(stop_on="20")
    assert table.last("result").wins == (Win("20", "140 to 1"),)


# The wheels once more, written from the regulation (§ 689a.1(b), § 619a.1(b)) and not taken from the program.
WHEELS = {
    "dreamcatcher": "7x,2,1,5,1,2,5,1,2,10,1,2,1,20,1,2,1,2,1,5,1,2,10,1,5,1,2,"
    "2x,1,5,1,40,2,1,2,1,10,2,1,5,1,2,1,5,2,1,20,1,2,1,10,1,2,1",
    "big-six": "joker,1,2,1,5,2,1,10,1,5,1,2,1,20,1,2,1,5,2,1,10,1,2,5,1,2,1,"
    "logo,2,5,2,1,2,1,10,1,5,1,2,1,20,1,2,1,5,2,1,10,1,2,5,1,2,1",
}


@pytest.mark.clause(
    "689a.1(a)", "689a.1(b)", "689a.1(d)", "689a.1(e)", "689a.2(c)", "619a.1(a)", "619a.1(b)", "619a.2(c)"
)
@pytest.mark.parametrize(("game", "direction"), list(product(WHEELS, DIRECTIONS)))
def test_every_section_is_read_as_it_stands(shipped: Shipped, game: str, direction: Direction) -> None:
    table = Rig(shipped(game))
    table.turn(1.2)
    for section, name in enumerate(WHEELS[game].split(",")):
        table.press("no-more-bets")
        table.spin(revolutions=3.2, direction=direction, stop_on=section)
        if name in MULTIPLIERS:
            assert table.state.value == "bonus", name
            assert table.lit() == set()
            assert table.last("bonus").label == name
            table.spin(revolutions=3.2, direction=direction, stop_on=section - 1)
        else:
            assert table.last("result").label == name
            assert table.lit() == {name}
        table.press("done", "done", "clear")
        assert table.lit() == set()


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize(("game", "direction"), list(zip(WHEELS, DIRECTIONS, strict=True)))
def test_every_boundary_is_void_and_the_wheel_is_spun_again(
    shipped: Shipped, game: str, direction: Direction
) -> None:
    table = Rig(shipped(game))
    table.turn(1.2)
    table.press("no-more-bets")
    for boundary in range(54):
        table.spin(revolutions=3.2, direction=direction, stop_between=boundary)
        assert table.state.value == "respin", boundary
        assert table.last("void").reason == "between-sections"
        assert table.last("wheel-rested").boundary == boundary
        assert table.lit() == set()
    table.spin(direction=direction, stop_on="20")
    assert table.lit() == {"20"}
