"""Who may act as floorperson, at the keypad."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.access.authentication import NS_PER_S, Authentication
from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import Event, FloorKeyTurned, Identified, IdentityRefused, Press
from controller.journal.text import record_line

NUMBER, PIN = "4711", "830261"


class OneFloorperson:
    def knows(self, number: str) -> bool:
        return number == NUMBER

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == (NUMBER, PIN)


class Keypad:
    """Keys that are pressed half a second apart, and the events passed on."""

    def __init__(self, session_s: int = 120) -> None:
        self.authority = Authentication(OneFloorperson(), session_s * NS_PER_S)
        self.now_ns = 0

    def wait(self, seconds: float) -> None:
        self.now_ns += round(seconds * NS_PER_S)

    def press(self, *controls: str) -> list[Event]:
        passed = []
        for control in controls:
            self.wait(0.5)
            passed += self.authority.press(Press(self.now_ns, control))
        return passed

    def identify(self, number: str = NUMBER, pin: str = PIN) -> list[Event]:
        return self.press("floor-key", *number, "enter", *pin, "enter")


def test_the_key_opens_once_number_and_pin_were_keyed() -> None:
    keypad = Keypad()
    assert keypad.press("floor-key", *NUMBER, "enter", *PIN) == [FloorKeyTurned(NS_PER_S // 2)]
    identified, turned = keypad.press("enter")
    assert identified == Identified(keypad.now_ns, NUMBER)
    assert turned == Press(keypad.now_ns, "floor-key", by=NUMBER)


def test_for_a_while_the_key_alone_is_enough() -> None:
    keypad = Keypad(session_s=60)
    keypad.identify()
    keypad.wait(50)
    assert keypad.press("floor-key") == [Press(keypad.now_ns, "floor-key", by=NUMBER)]
    keypad.wait(50)
    assert keypad.press("floor-key"), "each act renews it"
    keypad.wait(61)
    assert keypad.press("floor-key") == [FloorKeyTurned(keypad.now_ns)]
    assert "key your credential number" in keypad.authority.prompt(keypad.now_ns)


def test_dealers_keys_need_nothing_and_pass_at_any_time() -> None:
    keypad = Keypad()
    assert [event.kind for event in keypad.press("1", "enter", "no-more-bets", "clear")] == ["press"] * 4
    keypad.press("floor-key", "4")
    assert keypad.press("no-more-bets") == [Press(keypad.now_ns, "no-more-bets")]
    assert keypad.press("7", "1", "1", "enter", *PIN, "enter"), "the identification goes on"
    keypad.press("enter")
    assert [event.kind for event in keypad.press("1", "enter", "no-more-bets", "clear")] == ["press"] * 4


def test_clear_deletes_the_digits_and_then_ends_the_identification() -> None:
    keypad = Keypad()
    keypad.press("floor-key", "9", "9", "clear", *NUMBER, "enter", "1", "clear", *PIN)
    assert keypad.press("enter")[0].kind == "identified"
    keypad.wait(500)
    assert keypad.press("floor-key", "clear") == [FloorKeyTurned(keypad.now_ns - NS_PER_S // 2)]
    assert keypad.press("1", "clear") == [], "who turns the key may still mean to identify"
    assert keypad.press("enter", "1") == [Press(keypad.now_ns, "1")]


def test_an_identification_times_out() -> None:
    keypad = Keypad()
    keypad.press("floor-key", *NUMBER, "enter", "8", "3")
    keypad.wait(31)
    assert keypad.authority.prompt(keypad.now_ns).startswith("the identification took too long: turn the key")
    assert keypad.press("0", "2", "6", "1", "enter") == [], "the rest of the PIN"
    assert keypad.identify()[-1] == Press(keypad.now_ns, "floor-key", by=NUMBER)


def test_each_wrong_pin_doubles_the_wait() -> None:
    keypad = Keypad()
    for failures, wait_s in ((1, 2), (2, 4), (3, 8), (4, 16)):
        refused = keypad.identify(pin="830262")[-1]
        assert refused == IdentityRefused(keypad.now_ns, NUMBER, failures, wait_s * NS_PER_S)
        keypad.wait(wait_s - 1)
        (early,) = keypad.press("floor-key")
        assert isinstance(early, IdentityRefused)
        assert (early.number, early.failures, early.wait_ns) == ("", failures, NS_PER_S // 2)
        keypad.wait(0.5)
    keypad.wait(1)
    assert keypad.identify()[1].kind == "identified"
    keypad.wait(500)
    again = keypad.identify(pin="830262")[-1]
    assert isinstance(again, IdentityRefused)
    assert again.failures == 1, "a right PIN wipes the slate"


def test_a_pin_that_is_keyed_in_the_place_of_the_number_is_not_recorded() -> None:
    keypad = Keypad()
    refused = keypad.press("floor-key", *PIN, "enter", *NUMBER, "enter")[-1]
    assert isinstance(refused, IdentityRefused)
    assert refused.number == "unknown"


def test_the_wait_has_an_end() -> None:
    keypad = Keypad()
    for _ in range(40):
        refused = keypad.identify(pin="000000")[-1]
        assert isinstance(refused, IdentityRefused)
        keypad.wait(601)
    assert refused.wait_ns == 600 * NS_PER_S


def test_a_wrong_pin_ends_the_present_session() -> None:
    keypad = Keypad(session_s=10)
    keypad.identify()
    keypad.wait(11)
    keypad.identify(pin="111112")
    keypad.wait(3)
    assert keypad.press("floor-key") == [FloorKeyTurned(keypad.now_ns)], "it asks again"


# -- at a table ----------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(shipped: Callable[[str], TableConfig], tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(shipped("sic-bo"), tmp_path / "journal", authority=lambda: Keypad().authority)
    yield rig
    rig.table.stop()
    rig.journal.close()


def test_a_floorpersons_action_is_recorded_with_the_number_and_without_the_pin(guarded: Rig) -> None:
    table = guarded
    table.press("floor-key", *NUMBER, "enter")
    assert table.state.value == "closed"
    assert len(table.records()) == 2
    assert isinstance(table.records()[-1].event, FloorKeyTurned), "no more of an identification before it is done"
    table.press(*PIN, "enter")
    assert table.state.value == "floor-menu"
    identified, turned = (record.event for record in table.records()[-2:])
    assert isinstance(identified, Identified)
    assert isinstance(turned, Press)
    assert (identified.number, turned.by) == (NUMBER, NUMBER)
    assert not any(PIN[:4] in entry.body for entry in table.journal.entries())


def test_a_wrong_pin_is_shown_and_recorded_and_opens_nothing(guarded: Rig) -> None:
    table = guarded
    table.press("floor-key", *NUMBER, "enter", *"830262", "enter")
    assert table.state.value == "closed"
    assert table.last("identity-refused").failures == 1
    (alert,) = table.records()[-1].effects
    assert alert == Alert("credential 4711: number or PIN is wrong", "wait 2 s, then turn the key again")
    assert table.world.sounder.beeps


def test_cutting_the_power_does_not_shorten_the_wait(guarded: Rig) -> None:
    table = guarded
    for _ in range(3):
        table.press("floor-key", *NUMBER, "enter", *"830262", "enter")
        table.wait(20)
    assert table.last("identity-refused").failures == 3
    table.power_cut()
    table.press("floor-key")
    assert table.last("identity-refused").number == "", "the wait of 8 s began anew"
    table.wait(10)
    table.press("floor-key", *NUMBER, "enter", *"830262", "enter")
    assert table.last("identity-refused").failures == 4


def test_no_number_of_presses_shortens_the_wait(guarded: Rig) -> None:
    table = guarded
    for _ in range(3):
        table.press("floor-key", *NUMBER, "enter", *"830262", "enter")
        table.wait(20)
    for _ in range(336):
        table.press("no-more-bets")
    table.power_cut()
    table.press("floor-key")
    assert table.last("identity-refused").failures == 3
    assert table.last("identity-refused").wait_ns > 0


def test_every_turn_of_the_key_and_every_attempt_is_on_record(guarded: Rig) -> None:
    table = guarded
    for _ in range(2):
        table.wait(3)
        table.press("floor-key", *NUMBER, "enter", *"830262", "enter")
    table.press("floor-key", *NUMBER, "enter", *PIN, "enter")
    table.wait(5)
    table.press("floor-key", *NUMBER, "enter", *PIN, "enter")
    table.press("clear", "floor-key")
    lines = [record_line(record).rpartition("  [")[0] for record in table.records()[1:]]
    assert [line.partition(" →")[0] for line in lines] == [
        "the floorperson's key turned",
        f"floorperson {NUMBER} not identified, 1 in a row",
        "the floorperson's key turned",
        f"floorperson {NUMBER} not identified, 2 in a row",
        "the floorperson's key turned too early",
        "number and PIN keyed too early",
        "the floorperson's key turned",
        f"floorperson {NUMBER} identified",
        f"floor-key pressed by {NUMBER}",
        "clear pressed",
        f"floor-key pressed by {NUMBER}",
    ]


def test_another_floorperson_can_identify_while_the_session_lasts() -> None:
    keypad = Keypad()
    keypad.identify()
    assert keypad.press("floor-key") == [Press(keypad.now_ns, "floor-key", by=NUMBER)]
    assert keypad.press(*NUMBER, "enter", *PIN, "enter") == [Identified(keypad.now_ns, NUMBER)], (
        "the turn has counted"
    )


def test_the_dealers_entry_at_closed_digits_makes_nobody_wait() -> None:
    keypad = Keypad()
    keypad.identify()
    refused = keypad.press(*"345", "enter", *"345", "enter")
    assert refused == [IdentityRefused(keypad.now_ns, "unknown", 0, 0)]
    assert keypad.press("floor-key") == [Press(keypad.now_ns, "floor-key", by=NUMBER)]


def test_no_half_of_an_entry_reaches_the_game() -> None:
    """A dealer who keys cards while the digits are closed: 5, king, 7 does not become a king alone."""
    keypad = Keypad()
    keypad.identify()
    assert keypad.press("5", "king", "7", "10") == []
    assert keypad.press("clear", "enter") == []
    passed = keypad.press("5", "king", "7", "10")
    assert [event.control for event in passed if isinstance(event, Press)] == ["5", "king", "7", "10"]


def test_the_digits_are_the_dealers_again_once_the_game_has_gone_on() -> None:
    keypad = Keypad()
    keypad.identify()
    keypad.press("no-more-bets")
    assert keypad.press("3") == [], "somebody may still be keying a number"
    keypad.press("clear")
    keypad.wait(31)
    keypad.press("done")
    assert keypad.press("3") == [Press(keypad.now_ns, "3")]


def test_a_table_without_the_section_asks_for_the_key_alone(shipped: Callable[[str], TableConfig]) -> None:
    table = Rig(shipped("sic-bo"))
    table.press("floor-key")
    assert table.state.value == "floor-menu"
