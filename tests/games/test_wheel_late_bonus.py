"""No spin after a section that calls for another spin: the floorperson takes the multiplier back, on record."""

import pytest
from screen_table import screens_of
from test_wheel_no_spin import notes, voids

from controller.bench.rig import Rig
from controller.events.effect import Alert, Void
from controller.events.event import MachineFailed

WHY = "the wheel was touched or hindered"


@pytest.fixture
def bonus(dreamcatcher: Rig) -> Rig:
    """The wheel rests on 7x, after 2x."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on="2x")
    table.spin(4, stop_on="7x")
    assert table.state.value == "bonus"
    assert "pays 14 times" in table.waiting_for
    return table


def paid(table: Rig) -> str:
    """What 10 pays if it comes now."""
    table.spin(4, stop_on="10")
    return table.last("result").wins[0].pays


@pytest.mark.clause("689a.2(f)")
def test_the_floorpersons_key_takes_the_last_multiplier_back(bonus: Rig) -> None:
    """§ 689a.2(f): a spin that was none multiplies nothing; the multiplier before it is kept."""
    table, screens = bonus, screens_of(bonus)
    table.press("no-spin")
    assert table.waiting_for == "why is there no spin after the bonus? Choose, or clear to leave it"
    table.press("floor-key")
    assert voids(table) == [], "the key alone gives no reason"
    table.press("done", "floor-key")
    assert table.state.value == "respin"
    said = f"after the bonus: {WHY}; by the key of the floorperson; the next result pays 2 times, not 14"
    assert voids(table) == [Void("dealer-no-spin", f"the dealer called no spin {said}")]
    alert = Alert(f"a bonus was made void by the floorperson: {WHY}", "all wagers stay; the wheel is spun again")
    assert alert in table.records()[-1].effects
    screens.same_as_recalled()
    assert paid(table) == "20 to 1"


@pytest.mark.clause("689a.2(f)")
def test_the_dealer_alone_takes_no_multiplier_back(bonus: Rig) -> None:
    bonus.press("no-spin", "done", "no-spin", "clear")
    assert bonus.state.value == "bonus"
    assert notes(bonus)[-1] == "no spin was taken back: the bonus stands"
    assert voids(bonus) == []
    assert paid(bonus) == "140 to 1"


@pytest.mark.clause("689a.2(f)")
def test_a_wheel_that_is_thrown_meanwhile_makes_no_result_and_says_so_at_once(bonus: Rig) -> None:
    """Nobody knows yet what it is to pay: 2 times, or 14."""
    bonus.press("no-spin", "done")
    bonus.spin(4, stop_on="40", rest=False)
    bonus.wait(2)
    assert [one.reason for one in voids(bonus)] == ["last-spin-in-question"]
    bonus.rest()
    assert bonus.state.value == "late-no-spin"
    assert bonus.lit() == set()
    bonus.press("clear")
    assert bonus.state.value == "bonus"
    assert paid(bonus) == "140 to 1"


@pytest.mark.clause("689a.2(f)")
@pytest.mark.parametrize("calls", ["while it turns", "after its result"])
def test_once_the_wheel_is_thrown_again_no_spin_takes_back_that_spin_alone(bonus: Rig, calls: str) -> None:
    """§ 689a.2(f): who throws the bonus spin has let the section before it stand; a void bonus spin keeps it."""
    bonus.spin(4, stop_on="40", rest=calls == "after its result")
    if calls == "while it turns":
        bonus.wait(2)
        bonus.press("no-spin", "done")
        bonus.rest()
    else:
        bonus.press("no-spin", "done", "floor-key")
    assert bonus.state.value == "respin"
    assert bonus.last("void").reason == "dealer-no-spin"
    assert paid(bonus) == "140 to 1"


def test_a_power_cut_keeps_the_question_and_the_wheel_is_located_anew(bonus: Rig) -> None:
    bonus.press("no-spin", "done")
    bonus.power_cut()
    assert bonus.state.value == "late-no-spin"
    bonus.press("clear")
    assert bonus.state.value == "locating"
    bonus.turn(1.2)
    assert bonus.state.value == "bonus"
    assert paid(bonus) == "140 to 1"


@pytest.mark.parametrize("fault", ["lamp", "code"])
def test_a_failure_meanwhile_keeps_the_bonus(bonus: Rig, fault: str) -> None:
    bonus.press("no-spin", "done")
    if fault == "lamp":
        bonus.world.fault("burning-lamp", "40")
        bonus.wait(3)
        bonus.world.repair()
    else:
        bonus.table.machine.handle(MachineFailed(0, "a defect, on purpose"))
    assert bonus.state.value == "locked"
    bonus.press("floor-key")
    if fault == "code":
        bonus.turn(1.2)
    assert bonus.state.value == "bonus"
    assert paid(bonus) == "140 to 1"


def test_a_multiplier_whose_like_before_is_not_on_record_is_not_guessed(bonus: Rig) -> None:
    """As in the record of a version that did not keep it."""
    kept = bonus.machine.snapshot()
    data = kept["data"]
    assert isinstance(data, dict)
    bonus.machine.restore({**kept, "data": {name: data[name] for name in data if name != "before"}})
    bonus.press("no-spin")
    assert bonus.state.value == "bonus"
    assert bonus.last("refused").waiting_for.startswith("what the round paid before this section is not on record")
