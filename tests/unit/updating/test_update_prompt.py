"""What a table asks of its floorperson while an update is offered, and what the key and ``clear`` do then."""

from collections.abc import Callable, Iterator

import pytest
from limits_table import announce, change, with_limits
from update_table import (
    A_RUNS,
    B_RUNS,
    NEW,
    OTHER_OFFER,
    PROBLEM,
    STICK,
    FolderInMemory,
    Updated,
    open_table,
)

from config.schema import TableConfig
from controller.access.authentication import NS_PER_S, Authentication
from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import Press, UpdateConfirmed, UpdateEnded, UpdateOffered
from controller.updating.folder import FROM_FLOOR, Offer
from controller.updating.prompt import PATIENCE_S

Shipped = Callable[[str], TableConfig]
ASKS = "update 0.6.0 (USB stick): turn the floorperson's key to install it, which closes the table; or press clear"
LATER = "update 0.6.0 (USB stick): finish the round first; then turn the floorperson's key to install it"


@pytest.fixture
def table(shipped: Shipped) -> Iterator[Updated]:
    table = open_table(shipped("dreamcatcher"))
    yield table
    table.stop()


def the_game_got_the_key(table: Updated) -> bool:
    """Whether the last entry is the game's decision on the floorperson's key."""
    event = table.rig.records()[-1].event
    return isinstance(event, Press) and event.control == "floor-key"


def test_the_key_between_rounds_confirms_an_update_and_the_system_may_install_it(table: Updated) -> None:
    table.offer(STICK)
    assert table.asks() == ASKS
    table.rig.press("floor-key")
    offered, confirmed = table.events()
    assert isinstance(offered, UpdateOffered)
    assert (offered.version, offered.digest, offered.source, offered.problem) == ("0.6.0", NEW, "USB stick", "")
    assert isinstance(confirmed, UpdateConfirmed)
    assert (confirmed.version, confirmed.digest) == ("0.6.0", NEW)
    assert (table.folder.confirmed, table.closed) == (NEW, 1)


def test_the_floors_update_has_a_sticks_prompt_and_says_when_it_comes_again(table: Updated) -> None:
    table.offer(Offer("0.6.0", NEW, FROM_FLOOR))
    assert table.asks() == ASKS.replace("USB stick", "floor")
    table.rig.press("clear")
    assert "switch the table off and on, or have the floor offer it once more" in table.asks()
    table.restart()
    assert table.asks() == LATER.replace("USB stick", "floor")


def test_the_confirmation_is_on_record_before_the_system_may_install(
    table: Updated, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_record: list[str] = []
    monkeypatch.setattr(FolderInMemory, "confirm", lambda *_: on_record.extend(table.kinds()))
    table.offer(STICK)
    table.rig.press("floor-key")
    assert on_record == ["update-offered", "update-confirmed"]


def test_nothing_is_decided_once_an_update_is_confirmed(table: Updated) -> None:
    table.offer(STICK)
    table.rig.press("floor-key", "no-more-bets")
    assert table.rig.state.value == "bets-open"
    assert table.rig.records()[-1].event.kind == "update-confirmed"


def test_within_a_round_key_and_clear_are_the_games(table: Updated) -> None:
    table.offer(STICK)
    table.rig.press("no-more-bets")
    assert table.asks() == LATER
    table.rig.press("floor-key", "clear")
    assert [record.event.kind for record in table.rig.records()[-2:]] == ["press", "press"]
    table.rig.spin(stop_on="10")
    assert table.asks() == LATER
    table.rig.press("done", "done", "clear")
    assert table.asks() == ASKS, "the round is over"
    assert table.kinds() == ["update-offered"]


def test_clear_drops_the_prompt_until_the_stick_is_put_in_again(table: Updated) -> None:
    table.offer(STICK)
    table.rig.press("clear")
    assert "dropped at the table; to be asked again, take the stick out" in table.asks()
    table.rig.wait(30)
    assert table.asks() == ""
    table.rig.press("floor-key")
    assert the_game_got_the_key(table)
    table.offer(None)
    table.offer(STICK)
    assert table.asks().startswith("update 0.6.0 (USB stick)")
    assert table.kinds() == ["update-offered"] * 3


def test_a_command_may_ask_again(table: Updated) -> None:
    assert table.rig.table.update.ask_again() == "no update is offered"
    table.offer(STICK)
    table.rig.press("clear")
    assert table.rig.table.update.ask_again() == ""
    assert table.asks() == ASKS
    table.offer(Offer("0.6.0", NEW, "USB stick", PROBLEM))
    assert table.rig.table.update.ask_again() == PROBLEM


def test_a_forgotten_stick_does_not_keep_the_key_from_the_game(table: Updated) -> None:
    table.offer(STICK)
    table.rig.wait(PATIENCE_S + 3)
    assert f"nobody turned the key within {PATIENCE_S} s" in table.asks()
    table.rig.press("floor-key")
    assert the_game_got_the_key(table)


def test_an_offer_with_a_problem_is_on_record_and_on_the_screen_and_asks_nothing(table: Updated) -> None:
    table.offer(Offer("", "", "USB stick", PROBLEM))
    assert table.asks() == ""
    record = table.rig.records()[-1]
    assert isinstance(record.event, UpdateOffered)
    assert record.effects == (Alert(f"update (USB stick) cannot be taken: {PROBLEM}"),)
    table.rig.press("floor-key")
    assert the_game_got_the_key(table)


def test_what_runs_already_is_not_installed_again(shipped: Shipped) -> None:
    table = open_table(shipped("dreamcatcher"), folder=FolderInMemory(running=B_RUNS))
    table.offer(STICK)
    assert table.asks() == ""
    (offered,) = table.events()
    assert isinstance(offered, UpdateOffered)
    assert offered.problem == "it runs already, in slot B: nothing is to be done"
    table.stop()


def test_an_offer_is_on_record_once(table: Updated) -> None:
    table.offer(STICK)
    table.rig.wait(60)
    assert table.kinds() == ["update-offered"]


def test_an_offer_that_changes_between_prompt_and_key_is_not_confirmed(table: Updated) -> None:
    table.offer(STICK)
    table.folder.offer = OTHER_OFFER
    table.rig.press("floor-key")
    assert table.kinds() == ["update-offered", "update-offered"]
    assert table.folder.confirmed is None
    assert table.rig.records()[-1].event.kind == "floor-key-turned", "and it opens no menu"
    assert table.asks().startswith("update 0.7.0")
    table.rig.press("floor-key")
    assert table.folder.confirmed == OTHER_OFFER.digest


def test_a_stick_that_is_pulled_out_is_not_confirmed(table: Updated) -> None:
    table.offer(STICK)
    table.folder.offer = None
    table.rig.press("floor-key")
    assert (table.kinds(), table.folder.confirmed) == (["update-offered", "update-offered"], None)


def test_a_proposal_of_limits_has_the_key_first(shipped: Shipped) -> None:
    table = open_table(with_limits(shipped("dreamcatcher")))
    table.offer(STICK)
    announce(table.rig, change())
    assert "update-confirmed" not in table.kinds()
    assert table.asks().startswith("limits: ")
    table.rig.wait(21)
    assert table.asks() == ASKS
    table.rig.press("floor-key")
    assert table.folder.confirmed == NEW
    table.stop()


def test_a_confirmation_that_cannot_be_handed_over_is_no_installation(table: Updated) -> None:
    table.folder.full = True
    table.offer(STICK)
    table.rig.press("floor-key")
    ended = table.events()[-1]
    assert isinstance(ended, UpdateEnded)
    assert (ended.installed, table.closed) == (False, 0)
    assert ended.detail == "its confirmation cannot be handed over: No space left on device"
    assert table.rig.table.table_state.update is None
    assert table.asks() == "", "it does not ask again by itself"
    table.rig.press("no-more-bets")
    assert table.rig.state.value != "bets-open", "play goes on"


def test_a_computer_without_the_folder_asks_nothing(shipped: Shipped) -> None:
    table = open_table(shipped("dreamcatcher"), folder=FolderInMemory(there=False))
    table.offer(STICK)
    assert (table.asks(), table.events(), table._watch._timer) == ("", [], None)
    table.stop()


# -- who turned the key --------------------------------------------------------------------------------------------


class OneFloorperson:
    def knows(self, number: str) -> bool:
        return number == "4711"

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == ("4711", "830261")


IDENTIFIES = (*"4711", "enter", *"830261", "enter")


@pytest.fixture
def guarded(shipped: Shipped) -> Iterator[Updated]:
    """A table at which the key needs a PIN each time."""
    rig = Rig(shipped("dreamcatcher"), authority=lambda: Authentication(OneFloorperson(), NS_PER_S))
    rig.turn(1.2)
    table = Updated(rig, FolderInMemory())
    yield table
    table.stop()


def test_who_confirms_is_who_identified(guarded: Updated) -> None:
    guarded.offer(STICK)
    guarded.rig.press("floor-key")
    assert guarded.folder.confirmed is None
    guarded.rig.press(*IDENTIFIES)
    confirmed = guarded.events()[-1]
    assert isinstance(confirmed, UpdateConfirmed)
    assert (confirmed.by, guarded.folder.by) == ("4711", ["4711"])


def test_a_wrong_pin_confirms_nothing(guarded: Updated) -> None:
    guarded.offer(STICK)
    guarded.rig.press("floor-key", *"4711", "enter", *"830262", "enter")
    assert guarded.kinds() == ["update-offered"]


def test_a_round_that_begins_while_the_pin_is_keyed_comes_first(guarded: Updated) -> None:
    guarded.offer(STICK)
    guarded.rig.press("floor-key", *"4711", "enter", "no-more-bets", *"830261", "enter")
    assert guarded.rig.state.value == "no-more-bets"
    assert guarded.kinds() == ["update-offered"]
    assert guarded.rig.records()[-1].event.kind == "floor-key-turned"


def test_a_key_that_was_turned_before_the_offer_came_is_the_games(guarded: Updated) -> None:
    guarded.rig.press("floor-key", *"4711", "enter")
    guarded.offer(STICK)
    guarded.rig.press(*"830261", "enter")
    assert the_game_got_the_key(guarded)
    assert guarded.kinds() == ["update-offered"]


def test_a_key_that_was_turned_within_a_round_confirms_nothing_after_it(guarded: Updated) -> None:
    """For whatever it was turned: the screen did not ask for it then."""
    guarded.rig.press("no-more-bets")
    guarded.rig.spin(stop_on="10")
    guarded.offer(STICK)
    guarded.rig.press("floor-key", *"4711", "enter", *"830261")
    guarded.rig.press("done", "done")
    assert guarded.folder.running == A_RUNS
    guarded.rig.press("enter")
    assert guarded.kinds() == ["update-offered"]


def test_a_result_that_waits_for_its_settlement_is_no_closed_table(shipped: Shipped) -> None:
    """Another version decided it: the key settles it, and installs nothing."""
    table = Updated(Rig(shipped("sic-bo")), FolderInMemory())
    table.rig.machine.held = True
    table.offer(STICK)
    assert table.asks() == LATER
    table.rig.press("floor-key")
    assert table.kinds() == ["update-offered"]
    assert the_game_got_the_key(table)
    table.stop()
