"""The floorperson at a table of Casino War: a way out of every state, voids, and what the screens show then."""

from collections.abc import Callable
from typing import Any

import pytest
from open_tables import opened
from screen_table import Screens, screens_of
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


@pytest.mark.clause("651a.5(g)")
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


@pytest.mark.parametrize("state", [state for state in STATES if state not in BETWEEN])
@pytest.mark.parametrize("cover", [(), ("cover-card",)], ids=["", "a shuffle is due"])
def test_a_void_by_mistake_is_taken_back_until_the_next_call(war: Rig, state: str, cover: tuple[str, ...]) -> None:
    """The cards count as they were keyed; those of a war are dealt, and counted, once more."""
    table = war
    in_state(table, state).press(*cover)
    before, number = table.machine.data, table.machine.round
    table.floor("void")
    table.floor("reverse")
    now = table.machine.data
    assert table.state.value == ("positions" if state == "positions" else "deal")
    assert (now.seats, now.cards, now.round) == (before.seats, before.cards, number + 1)
    assert (now.dealt, sum(now.seen)) == (1 + len(now.cards), len(now.cards)), "each card once"
    assert (table.last("note").text, table.last("alert").text) == ("void-reversed", "done-reverse")
    if len(now.cards) > len(now.seats):
        table.press("enter")
        assert table.last("result").label == f"{'-'.join(before.cards)}, original deal"
    table.floor("void")
    table.press("enter", "no-more-bets")
    with pytest.raises(LookupError):
        table.floor("reverse")


# -- the count --------------------------------------------------------------------------------------------------


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


# -- what the screens show seat by seat ----------------------------------------------------------------------------


def _seats(screens: Screens) -> dict[str, Any]:
    keyed: Any = screens.dealer()["keyed"]
    return {seat["seat"]: seat for seat in keyed["seats"]}


def _dealt(shipped: Shipped, *keys: str) -> tuple[Rig, Screens]:
    rig = Rig(shipped("casino-war"))
    screens = screens_of(rig)
    rig.floor("open")
    rig.press("enter", "no-more-bets", *keys)
    return rig, screens


def test_no_result_is_shown_before_the_deal_is_entered(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "3", "5", "enter", "king", "4", "9", "9")
    assert all(seat["wagers"] == [] for seat in _seats(screens).values())
    rig.press("enter")
    seats = _seats(screens)
    assert seats["1"]["wagers"][0] == {"wager": "initial", "outcome": "won", "pays": "1 to 1"}
    assert [wager["outcome"] for wager in seats["3"]["wagers"]] == ["lost", "lost"]
    assert [(wager["outcome"], wager["pays"]) for wager in seats["5"]["wagers"]] == [
        ("tied", ""),
        ("won", "10 to 1"),
    ]


def test_a_tie_shows_who_chooses_what_was_chosen_and_the_war(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "3", "enter", "9", "9", "9", "enter", "done", "done")
    assert [name for name, seat in _seats(screens).items() if seat["due"]] == ["1"]
    rig.press("surrender", "war")
    seats = _seats(screens)
    assert [seats[seat]["wagers"][0]["outcome"] for seat in ("1", "3")] == ["surrendered", "war"]
    assert not any(seat["due"] for seat in seats.values()), "no card before wagers are placed and three are burned"
    rig.press(*("done",) * 6, "queen", "jack", "enter")
    seats = _seats(screens)
    assert (seats["3"]["cards"], seats["dealer"]["cards"]) == (["9", "Q"], ["9", "J"])
    assert seats["3"]["wagers"][-1] == {"wager": "war", "outcome": "won", "pays": "2 to 1"}
    assert seats["3"]["wagers"][1]["outcome"] == "lost", "the new tie wager, by the war's cards"


def test_cards_that_are_keyed_again_have_no_result_until_they_are_entered(shipped: Shipped) -> None:
    rig, screens = _dealt(shipped, "1", "enter", "king", "4", "enter", "correct", "3", "floor-key", "4", "king")
    assert all(seat["wagers"] == [] for seat in _seats(screens).values())
    assert [place["outcome"] for place in screens.checked_board()["figure"]["positions"]] == [""]
    rig.floor("void")
    assert rig.last("void").parameters == {"cards": "4-king"}
    kinds = [effect.kind for record in rig.records() for effect in record.effects]
    assert kinds.count("result-withdrawn") == 1
