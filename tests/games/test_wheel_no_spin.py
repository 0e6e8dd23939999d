"""The dealer calls no spin on a wheel with a clapper: while it turns, when it stands, and after the result."""

from collections.abc import Callable

import pytest
from screen_table import screens_of

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig
from controller.events.effect import Alert, Note, Void
from controller.journal.summaries import round_summaries

NUMBER, PIN = "4711", "830261"


@pytest.fixture
def turning(dreamcatcher: Rig) -> Rig:
    """The wheel turns, and will rest on 40 after more than four revolutions."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4.4, stop_on="40", rest=False)
    table.wait(2)
    return table


@pytest.fixture
def lit(turning: Rig) -> Rig:
    turning.rest()
    assert turning.lit() == {"40"}
    return turning


def to_standstill(table: Rig) -> None:
    """The wheel stands, and its rest is not certain yet."""
    while not table.table.head.stands(table.clock.now_ns()):
        assert table.state.value in ("spinning", "void-spin")
        table.wait(0.1)


def voids(table: Rig) -> list[Void]:
    return [effect for record in table.records() for effect in record.effects if isinstance(effect, Void)]


def notes(table: Rig) -> list[str]:
    return [effect.text for record in table.records() for effect in record.effects if isinstance(effect, Note)]


# -- while the wheel turns -------------------------------------------------------------------------------------


def test_a_call_counts_at_once_and_says_why_afterwards(turning: Rig) -> None:
    table = turning
    table.press("no-spin")
    assert voids(table) == [Void("dealer-no-spin", "the dealer called no spin")]
    assert table.waiting_for == "wait until the wheel stands: the dealer called no spin; why? Choose"
    listed = {entry.control: entry.words for entry in table.machine.menu()}
    assert listed == {
        "no-more-bets": "wagers were placed or moved after no more bets",
        "done": "the wheel was touched or hindered",
        "no-spin": "another cause",
        "clear": "takes no spin back",
    }
    table.press("done")
    assert notes(table)[-1] == "no spin was called: the wheel was touched or hindered"
    table.rest()
    assert table.state.value == "respin"
    assert table.lit() == set()


def test_a_call_that_was_a_mistake_is_taken_back_while_the_wheel_turns(turning: Rig) -> None:
    table = turning
    table.press("no-spin", "clear")
    assert table.state.value == "spinning"
    assert notes(table)[-1] == "the dealer took no spin back while the wheel turned: the spin counts"
    table.rest()
    assert table.lit() == {"40"}
    assert table.last("result").label == "40"


def test_a_call_that_is_pressed_twice_puts_nothing_untrue_on_record(turning: Rig) -> None:
    turning.press("no-spin", "no-spin")
    assert notes(turning)[-1] == "no spin was called: another cause"


# -- once it stands ----------------------------------------------------------------------------------------------


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
def test_a_wheel_that_stands_on_a_section_is_no_longer_the_dealers_to_void(turning: Rig) -> None:
    """§ 689a.2(b): it has made 4.4 revolutions, and stands on 40."""
    table = turning
    to_standstill(table)
    table.press("no-spin")
    assert "the wheel stands: what the sensors saw counts" in table.last("refused").waiting_for
    table.rest()
    assert table.lit() == {"40"}
    assert voids(table) == []


def test_a_call_is_not_taken_back_once_the_section_can_be_seen(turning: Rig) -> None:
    table = turning
    table.press("no-spin")
    to_standstill(table)
    table.press("clear")
    assert table.last("refused").control == "clear"
    table.rest()
    assert table.state.value == "respin"


# -- after the result --------------------------------------------------------------------------------------------


def test_the_dealer_alone_does_not_void_a_result(lit: Rig) -> None:
    table = lit
    table.press("no-spin", "done", "done", "no-more-bets", "no-spin")
    assert table.lit() == {"40"}
    assert voids(table) == []
    assert table.state.value == "late-no-spin"
    table.press("clear")
    assert table.state.value == "result"
    assert notes(table)[-1] == "no spin was taken back: the result stands"
    table.press("done", "done", "clear")
    assert table.state.value == "bets-open"


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize(
    ("settled", "wagers"),
    [
        (0, "all wagers stay"),
        (1, "put the losing wagers back"),
        (2, "put the losing wagers back, and take back what was paid"),
    ],
)
def test_the_floorpersons_key_voids_a_result_with_an_alert(lit: Rig, settled: int, wagers: str) -> None:
    table, screens = lit, screens_of(lit)
    table.press(*("done",) * settled)
    table.press("no-spin", "floor-key")
    assert table.lit() == {"40"}, "the key alone gives no reason"
    table.press("done", "floor-key")
    assert table.state.value == "respin"
    assert table.lit() == set()
    why = "the wheel was touched or hindered"
    assert voids(table) == [
        Void("dealer-no-spin", f"the dealer called no spin after the result: {why}; by the key of the floorperson")
    ]
    alert = Alert(f"a result was made void by the floorperson: {why}", f"{wagers}; the wheel is spun again")
    assert alert in table.records()[-1].effects
    assert screens.board()["history"] == []
    assert {line["count"] for line in screens.board()["counts"]} == {0}
    screens.same_as_recalled()
    line = round_summaries(table.journal, None, 1, "all")["rounds"][0]
    assert (line["outcome"], line["label"], line["wins"]) == ("void", "", [])
    table.spin(4, stop_on="10")
    assert table.lit() == {"10"}
    assert round_summaries(table.journal, None, 1, "all")["rounds"][0]["label"] == "10"


def test_the_record_names_who_voided_it(shipped: Callable[[str], TableConfig]) -> None:
    class OneFloorperson:
        def knows(self, number: str) -> bool:
            return number == NUMBER

        def verify(self, number: str, pin: str) -> bool:
            return (number, pin) == (NUMBER, PIN)

    table = Rig(shipped("dreamcatcher"), authority=lambda: Authentication(OneFloorperson()))
    table.turn(1.2)
    table.press("no-more-bets")
    table.spin(4, stop_on="40")
    table.press("no-spin", "no-more-bets", "floor-key", *NUMBER, "enter", *PIN, "enter")
    assert voids(table)[-1].detail.endswith(f"by the key of floorperson {NUMBER}")
    assert table.last("alert").text.startswith(
        f"a result was made void by floorperson {NUMBER}: wagers were placed"
    )


def test_a_bonus_is_kept_when_the_result_after_it_becomes_void(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(4, stop_on="7x")
    table.spin(4, stop_on="40")
    table.press("no-spin", "done", "floor-key")
    table.spin(4, stop_on="10")
    assert [win.pays for win in table.last("result").wins] == ["70 to 1"]


def test_a_power_cut_keeps_the_question(lit: Rig) -> None:
    table = lit
    table.press("no-spin", "done")
    table.power_cut()
    assert table.state.value == "late-no-spin"
    assert table.lit() == {"40"}
    table.press("floor-key")
    assert table.state.value == "locating", "the wheel may have been turned meanwhile"
    table.turn(1.2)
    assert table.state.value == "respin"


def test_a_failure_of_the_controller_keeps_the_result(lit: Rig) -> None:
    table = lit
    table.press("no-spin")
    machine = table.machine
    handle = machine.handle

    def fails(event: object) -> object:
        machine.handle = handle
        raise RuntimeError("a defect, on purpose")

    machine.handle = fails
    table.press("done")
    assert table.state.value == "locked"
    table.press("floor-key")
    assert table.state.value == "result"
    assert table.lit() == {"40"}
