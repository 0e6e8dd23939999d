"""The floorperson at a table of Casino War: a way out of every state, voids, and what the board shows then."""

from collections.abc import Callable

import pytest
from open_tables import opened
from screen_table import screens_of
from staff import FLOOR, SECURITY, identify, staff
from war_table import deal, effects, settle, with_rules

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.floor.derive import Reader

GAME = "casino-war"
Shipped = Callable[[str], TableConfig]
_WAR = ("no-more-bets", "1", "enter", "9", "9", "enter", "done", "done", "war")
STATES = {
    "shuffle": ("cover-card", *_WAR, "king", "2", "enter", "done", "clear"),
    "bets-open": (),
    "positions": ("no-more-bets", "1"),
    "deal": ("no-more-bets", "1", "enter", "9"),
    "settling": ("no-more-bets", "1", "enter", "9", "8", "enter"),
    "decision": _WAR[:-1],
    "war-deal": (*_WAR, "king"),
    "settled": (*_WAR, "king", "2", "enter", "done", "done"),
}
"""Keys that lead to each state of an open table."""
BETWEEN, SETTLED = ("shuffle", "bets-open"), "settled"


def in_state(table: Rig, state: str) -> Rig:
    table.press(*STATES[state])
    assert table.state.value == state
    return table


def since(table: Rig, count: int, kind: str) -> list[str]:
    """The reasons of voids or returned wagers since a number of records."""
    found = [effect for record in table.records()[count:] for effect in record.effects]
    return [effect.reason for effect in found if effect.kind == kind]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("act", "reason", "to"),
    [("reshuffle", "reshuffle", "shuffle"), ("renew", "new-cards", "shuffle"), ("close", "table-closed", "closed")],
)
def test_every_state_has_a_way_out(war: Rig, state: str, act: str, reason: str, to: str) -> None:
    """A round in progress becomes void; one that is settled, or has not begun, does not."""
    table = in_state(war, state)
    before = len(table.records())
    table.floor(act)
    assert table.state.value == to
    assert table.lit() == set()
    voids, returned = (since(table, before, kind) for kind in ("void", "wagers-returned"))
    assert voids == ([] if state in (*BETWEEN, SETTLED) else ["dead-round"])
    assert returned == {"bets-open": [reason], "shuffle": [], SETTLED: []}.get(state, ["dead-round"])
    assert effects(table, "alert")[-1] == f"done-{act}"


@pytest.mark.parametrize("state", [state for state in STATES if state not in BETWEEN])
def test_every_round_can_be_made_void(war: Rig, state: str) -> None:
    table = in_state(war, state)
    table.floor("void")
    assert (table.state.value, table.lit()) == ("bets-open", set())
    assert table.last("void").reason == table.last("wagers-returned").reason == "dead-round"


def test_a_void_after_a_result_has_what_was_lit_and_settled(war: Rig) -> None:
    in_state(war, "settling").press("done")
    war.floor("void")
    assert war.last("void").parameters == {"cards": "9-8", "lit": "initial-1-won,tie-1-lost"}
    withdrawn = war.last("result-withdrawn")
    assert (withdrawn.label, withdrawn.settled) == ("9-8, original deal", "losers-collected")
    assert not any(effect.kind == "result" for effect in war.records()[-1].effects)


@pytest.mark.parametrize("state", ["settling", "decision", "war-deal", "settled"])
@pytest.mark.parametrize("act", ["void", "reshuffle", "close"])
def test_a_round_that_is_void_is_no_result_anywhere(war: Rig, state: str, act: str) -> None:
    """Not on the board, in a list or count, or in the summary of the round; also of a war, with two results."""
    screens = screens_of(in_state(war, state))
    if state == SETTLED and act != "void":
        return
    war.floor(act)
    board = screens.checked_board()
    assert (board["result"], board["wins"], board["history"], board["spins"]) == ("", [], [], 0)
    assert not any(line["count"] for line in board["counts"])
    screens.same_as_recalled()
    if act == "void":
        reader = Reader("t-1", 1)
        for entry in war.journal.entries():
            reader.take(entry)
        last = reader.found().rounds[-1]
        assert (last["results"], last["corrections"], last["voids"]) == ([], 0, ["dead-round"])


def test_who_identified_is_on_record_with_each_act(shipped: Shipped) -> None:
    """Not who only turned the key between; and the dealer's screen shows no refusal from before the act."""
    table = Rig(shipped(GAME), staff=staff(session_s=0))
    screens = screens_of(table)
    table.press("enter")
    assert screens.dealer()["refused"]
    identify(table, FLOOR)
    table.press("floor-key")
    assert (table.last("act").act, table.last("act").by, screens.dealer()["refused"]) == ("open", FLOOR, "")
    table.press("enter", "no-more-bets")
    identify(table, SECURITY)
    table.press("clear")
    identify(table, FLOOR)
    table.press("1", "floor-key")
    assert (table.last("alert").text, table.last("alert").parameters["by"]) == ("done-void", FLOOR)


def test_the_menu_that_is_left_open_takes_no_card(war: Rig) -> None:
    """It closes by itself; the dealer's next card is a card."""
    war.press("no-more-bets", "1", "2", "enter", "9", "floor-key")
    war.wait(600)
    war.press("7")
    assert (war.state.value, war.machine.data.cards) == ("deal", ("9", "7"))


@pytest.mark.parametrize("keys", ["7", "1 7", "1 enter"])
def test_a_dealers_keys_confirm_nothing_in_the_menu(war: Rig, keys: str) -> None:
    war.press("no-more-bets", "1", "2", "enter", "9", "floor-key", *keys.split())
    assert (war.state.value, war.machine.data.cards) == ("deal", ("9",))
    assert not effects(war, "alert")


# -- the count -----------------------------------------------------------------------------------------------------


def test_a_wrong_count_is_replaced_by_the_cards_on_the_table(war: Rig) -> None:
    """The cards on the table were dealt; the rest of the count is forgotten until the shuffle."""
    deal(war, "12", "9 8 9")
    settle(war)
    war.press("war", "3", "2", "enter")
    settle(war)
    war.press("clear", "no-more-bets", "king")
    war.floor("recount")
    assert (war.machine.data.dealt, sum(war.machine.data.seen)) == (1, 1)
    assert effects(war, "note")[-1] == "recounted"
    assert effects(war, "alert")[-1] == "done-recount"
    war.press("2", "9")
    assert (war.machine.data.dealt, sum(war.machine.data.seen)) == (3, 3)
    with pytest.raises(LookupError):
        war.floor("cover-card-in-shoe")
    war.press("clear", "enter")
    settle(war)
    war.press("clear")
    assert war.state.value == "shuffle"


@pytest.mark.parametrize("state", [state for state in STATES if state != "shuffle"])
def test_no_count_of_cards_leaves_a_state_without_a_way_out(war: Rig, state: str) -> None:
    in_state(war, state)
    war.floor("recount")
    assert war.state.value == state


def test_a_shoe_that_is_empty_by_the_count_refuses_cards_until_it_is_counted(shipped: Shipped) -> None:
    table = opened(with_rules(shipped(GAME), positions=1))
    table.press(*["burn"] * 310, "no-more-bets", "1", "enter", "9", "king")
    assert table.last("refused").why == "shoe-empty"
    assert table.machine.instruction().parameters["empty"]
    table.floor("recount")
    table.press("king", "enter")
    assert table.lit() == {"initial-1-lost", "tie-1-lost"}


def test_a_cover_card_that_was_keyed_by_mistake_is_taken_back(war: Rig) -> None:
    war.press("no-more-bets", "1", "enter", "king", "cover-card")
    war.floor("cover-card-in-shoe")
    war.press("2", "enter", "done", "clear")
    assert war.state.value == "bets-open"
    with pytest.raises(LookupError):
        war.floor("cover-card-in-shoe")
