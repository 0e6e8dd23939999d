"""The prompts of a table: who gets each press, what leaves a prompt, and what is shown of it.

A scenario has its title after ``#``, with the desk in brackets, and a line for each step: keys, ``wait SECONDS`` or
``moves STATE ROUND``; the events that they make, in short; and how the sentence on the screen begins. ``-`` is
nothing, ``*`` anything. ID stands for the key, number and PIN of the floorperson.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from staff import staff

from controller.events.event import (
    Act,
    DealerLoggedOn,
    Event,
    FloorKeyTurned,
    Identified,
    IdentityRefused,
    PinPrompt,
    Press,
)
from controller.events.table_words import TABLE_WORDS
from controller.events.words import text
from controller.machine.offers import Authority, Offer
from controller.table.desk import Desk
from controller.table.identification import Staff
from controller.table.keys import KeyTracker
from controller.table.prompts import sentence_of
from hal.events import KeyEvent

S = 1_000_000_000
ID, WRONG = "floor-key 1001 enter 10011001 enter", "floor-key 1001 enter 10011002 enter"
VOIDS = (Offer("void", "die-lost"), Offer("void", "not-tossed"))
CLOSE, UNLOCK = Offer("close"), Offer("unlock", expected=True)
CORRECT = Offer("correct", "dice", control="correct")
FLAT, LOST = (
    Offer("void", "dice-not-flat", Authority.DEALER, "no-roll"),
    Offer("void", "die-lost", control="no-roll"),
)
CONFIRM, DROP = Offer("limits", "confirm-limits", expected=True), Offer("limits", "drop-limits")


@dataclass
class At:
    """A desk, keys that are pressed half a second apart, and a table of which only the offers matter."""

    staff: Staff | None = field(default_factory=lambda: staff(60))
    offered: Sequence[Offer] = (*VOIDS, CLOSE)
    called: Sequence[Offer] = ()
    entry: str = ""
    """The keys that the game takes as its entry."""
    at: tuple[int, str] = (7, "shaking")
    now_ns: int = 0

    def __post_init__(self) -> None:
        self.keys = KeyTracker()
        self.desk = Desk(self, self.staff)

    def place(self) -> tuple[int, str]:
        return self.at

    def offers(self) -> tuple[Offer, ...]:
        return tuple(self.offered)

    def events_of(self, act: Act) -> list[Event]:
        return [act]

    def calls(self, control: str) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.called if offer.control == control)

    def would_take(self, control: str) -> bool:
        return control in self.entry

    def does(self, step: str) -> list[Event]:
        first, *rest = step.split()
        if first == "wait":
            self.now_ns += round(float(rest[0]) * S)
            return self.desk.tick(self.now_ns)
        if first == "moves":
            self.at = int(rest[1]), rest[0]
            return self.desk.look(self.now_ns)
        return [event for word in step.split() for key in _keys(word) for event in self.press(key)]

    def press(self, control: str) -> list[Event]:
        self.now_ns += S // 2
        (press,) = self.keys.key(KeyEvent(control, True, self.now_ns), 5, state=self.desk.where)
        self.keys.key(KeyEvent(control, False, self.now_ns), 5)
        assert isinstance(press, Press)
        return [*self.desk.press(press), *self.desk.look(self.now_ns)]

    @property
    def shown(self) -> str:
        return sentence_of(self.desk.view(self.now_ns), TABLE_WORDS)


def _keys(word: str) -> Sequence[str]:
    return word if word.isdecimal() else (word,)


def short(events: Sequence[Event]) -> str:
    """The events of a step. A press that a prompt refuses ends with ``!``."""
    said = {
        Press: lambda one: one.control + "!" * bool(one.prompt),
        Act: lambda one: f"{one.act}:{one.argument} by {(one.by or 'key') if one.floor else 'dealer'}",
        PinPrompt: lambda one: f"+{one.prompt}" if one.prompt else f"-{one.how}",
        FloorKeyTurned: lambda one: f"turned {one.by}".strip(),
        Identified: lambda one: f"is {one.number}",
        IdentityRefused: lambda one: f"refused {one.number} {one.failures} {one.wait_ns / S:g}",
        DealerLoggedOn: lambda one: f"deals {one.number}".strip(),
    }
    return ", ".join(said[type(event)](event) for event in events)


DESKS: dict[str, dict[str, Any]] = {
    "": {},
    "no PINs": {"staff": None},
    "dealers with PINs": {"staff": staff(dealer_pin=True)},
    "locked": {"offered": (UNLOCK, *VOIDS)},
    "locked, shut": {"offered": (replace(UNLOCK, unavailable=text("shut")), CLOSE)},
    "inspection": {"offered": (Offer("inspect", fresh=True),)},
    "correction": {"called": (CORRECT,)},
    "no roll": {"called": (FLAT, LOST)},
    "no roll, dice": {"called": (FLAT, LOST), "entry": "123456"},
    "proposal": {"offered": (*VOIDS, CLOSE, CONFIRM, DROP)},
    "proposal, no PINs, locked": {"staff": None, "offered": (UNLOCK, CLOSE, CONFIRM, DROP)},
}
SCENARIOS = """
# number and PIN open the menu, and no digit of them is an event
floor-key | turned, +floorperson | FLOORPERSON: key your credential number
1001 enter 10011001 | - | FLOORPERSON: key your PIN. Then press ENTER. ••••••••
enter | -answered, is 1001 | FLOOR MENU (floorperson 1001) 1 Void the round, 2 Close the table, ENTER identify as
# a choice is confirmed, and names who identified
ID | * | FLOOR MENU
2 | - | Close the table? Turn the key to confirm.
floor-key | turned 1001, close: by 1001 | -
# offers of one act are a list of reasons
ID 1 | * | Void the round 1 die-lost, 2 not-tossed,
2 | - | Void the round: not-tossed? Turn the key to confirm. CLEAR cancels.
floor-key | turned 1001, void:not-tossed by 1001 | -
# what the state waits for is done by another turn of the key [locked]
ID | * | FLOOR MENU (floorperson 1001) KEY Open
floor-key | turned 1001, unlock: by 1001 | -
# what cannot be done now does nothing [locked, shut]
ID | * | FLOOR MENU
floor-key | turned 1001 | FLOOR MENU
1 floor-key | turned 1001, close: by 1001 | -
# clear wipes the digits, and then ends the identification
floor-key 99 clear 1001 enter 1 clear 10011001 enter | turned, +floorperson, -answered, is 1001 | FLOOR MENU
clear | - | -
wait 500 | - | -
floor-key 1 clear clear | turned, +floorperson, -cancelled | -
1 | 1 | -
# without credentials the key alone opens the menu [no PINs]
floor-key | turned | FLOOR MENU
2 floor-key | turned, close: by key | -
# for a while after an act the key alone is enough
ID 2 floor-key | * | -
wait 50 | - | -
floor-key | turned 1001 | FLOOR MENU
2 floor-key | turned 1001, close: by 1001 | -
wait 59 | - | -
floor-key | turned 1001 | FLOOR MENU
clear | - | -
wait 61 | - | -
floor-key | turned, +floorperson | FLOORPERSON: key your credential number
# a state can ask for each person anew [inspection]
ID clear | * | -
floor-key | turned 1001, +floorperson | FLOORPERSON: key your credential number
# another floorperson identifies from the menu, not by a second enter
ID enter | * | FLOOR MENU
wait 1 | - | FLOOR MENU
enter | +floorperson | FLOORPERSON: key your credential number
# a wrong PIN ends the session of who was there
ID | * | FLOOR MENU
wait 1 | - | FLOOR MENU
enter 1001 enter 10011002 enter | +floorperson, refused 1001 1 2 | Number or PIN is wrong. Wait 2 s.
floor-key | turned | FLOORPERSON: key your credential number
# an identification outlives a change of the table
floor-key 1001 enter 10011 | * | *
moves locked 7 | - | *
001 enter | * | FLOOR MENU
# a key that asks for the floorperson waits for the key, and the enter of the PIN confirms [correction]
correct | correct | FLOORPERSON: turn the key to allow this: Correct an entry: dice. CLEAR cancels.
ID | turned, +floorperson, -answered, is 1001, correct:dice by 1001 | -
# while somebody is known a second turn confirms it, and a PIN keyed from habit reaches nothing [correction]
ID clear correct floor-key | * | Correct an entry: dice? Turn the key to confirm. CLEAR cancels.
floor-key | turned 1001, correct:dice by 1001 | -
correct floor-key | correct, turned 1001 | Correct an entry: dice?
1001 enter | +floorperson, digit!, digit!, digit!, enter! | Nothing was chosen.
100110 enter | digit!, digit!, digit!, digit!, digit!, digit!, enter! | Nothing was chosen.
# what was asked for in another state is not allowed [correction]
correct floor-key 1001 enter 10011001 | * | *
moves closed 7 | - | *
enter | -answered, is 1001 | The table changed meanwhile.
# a key with several reasons opens a list, and the dealer's own needs no key [no roll]
no-roll | no-roll | no-roll: choose one. 1 dice-not-flat, 2 die-lost, CLEAR leave
1 | void:dice-not-flat by dealer | -
# a reason counts though the state has changed since the call [no roll]
no-roll | no-roll | *
moves entry 7 | - | *
1 | void:dice-not-flat by dealer | -
# the other reasons wait for the floorperson [no roll]
no-roll 2 | no-roll | FLOORPERSON: turn the key to allow this: Void the round: die-lost.
ID | turned, +floorperson, -answered, is 1001, void:die-lost by 1001 | -
# a call ends with its round [no roll]
no-roll | no-roll | *
moves bets-open 8 | - | The table changed meanwhile.
# a list closes before a later digit of an entry could give a reason [no roll, dice]
no-roll | no-roll | no-roll: choose one.
wait 4 | - | no-roll: choose one.
wait 1 | - | The prompt was closed after 5 seconds without input.
1 | 1 | *
# a proposal is confirmed by another turn where the state waits for nothing [proposal]
ID | * | FLOOR MENU
floor-key | turned 1001, limits:confirm-limits by 1001 | -
# a proposal takes no key from what the state waits for [proposal, no PINs, locked]
floor-key | turned | FLOOR MENU (the floorperson) KEY Open the lock, 1 Close the table, 2 Proposed
2 1 | - | Proposed limits or rules: confirm? Turn the key to confirm. CLEAR cancels.
floor-key | turned, limits:confirm-limits by key | -
# a dealer who is on the list logs on and off
log-on 12 enter | +log-on, -answered, deals 12 | -
log-on enter | +log-on, -answered, deals | *
# without a list any number logs on that is not too long [no PINs]
log-on 123456789 enter | refused unknown 0 0 | No dealer has this number
log-on 12345678 enter | deals 12345678 | -
# where dealers have PINs, wrong ones delay dealers and no floorperson [dealers with PINs]
log-on 12 enter 1212 enter | +log-on, -answered, deals 12 | -
log-on 12 enter 1213 enter | +log-on, refused 12 1 2 | *
wait 9 | - | *
log-on 12 enter 1213 enter | refused 12 2 4 | *
clear log-on enter | * | *
log-on 12 enter | +log-on | *
clear clear | * | -
ID | turned, +floorperson, -answered, is 1001 | FLOOR MENU
# a number of no dealer is refused, and nobody waits
log-on 13 enter | +log-on, refused unknown 0 0 | No dealer has this number
log-on 1001 enter | refused unknown 0 0 | No dealer has this number
log-on 123456789 enter | refused unknown 0 0 | No dealer has this number
log-on 12 enter | -answered, deals 12 | -
# an entry of the dealer's at an open menu does nothing
ID | * | FLOOR MENU
2 3 1 enter | +floorperson, digit!, enter! | Nothing was chosen.
# what was offered before the table changed is not done, though it is as it was again
ID 2 | * | Close the table? Turn the key to confirm.
moves result 7 | * | *
moves shaking 7 | * | *
floor-key | turned 1001 | FLOOR MENU
# a prompt without digits closes by itself and says so
floor-key | * | *
wait 29 | - | *
wait 1 | -expired | The prompt was closed after 30 seconds without input.
1 | 1 | *
wait 20 | - | -
log-on | * | *
wait 30 | -expired | The prompt was closed after 30 seconds without input.
# a half number goes dark until clear
floor-key 4 | * | *
wait 31 | - | The entry was interrupted. Press ENTER or CLEAR.
wait 3600 | - | *
0261 done | done! | *
clear | -cancelled | The entry was discarded. Key it again.
1 | 1 | *
# an open prompt refuses the game's keys but the calls
floor-key | * | *
done no-more-bets no-spin no-roll | done!, no-more-bets, no-spin, no-roll | *
4 done no-more-bets no-spin no-roll | done!, no-more-bets, no-spin, no-roll | *
"""
PLAYS = {
    title: steps.splitlines() for title, _, steps in (one.partition("\n") for one in SCENARIOS.split("\n# ")[1:])
}


@pytest.mark.parametrize("title", PLAYS)
def test_presses_at_a_prompt(title: str) -> None:
    at = At(**DESKS[title.partition(" [")[2].removesuffix("]")])
    for step, events, shown in (line.split(" | ") for line in PLAYS[title]):
        made = short(at.does(step.replace("ID", ID)))
        assert events in ("*", made or "-"), step
        assert shown == "*" or (at.shown.startswith(shown) if shown != "-" else not at.shown), (step, at.shown)


def test_each_wrong_pin_doubles_the_wait_up_to_ten_minutes_and_meanwhile_no_pin_is_looked_at() -> None:
    at = At()
    for failures in range(1, 40):
        wait_s = min(600, 1 << failures)
        assert short(at.does(WRONG)).endswith(f"refused 1001 {failures} {wait_s}")
        assert f"Wait {wait_s} s. Then turn the key again." in at.shown
        at.does(f"wait {wait_s - 8.5}" if wait_s > 8 else "wait 0")
        if wait_s > 8:
            assert short(at.does(ID)).endswith(f"refused  {failures} 1")
        at.does("wait 10")
    assert short(at.does(ID)).endswith("is 1001")
    at.does("wait 500")
    assert short(at.does(WRONG)).endswith("refused 1001 1 2"), "a right PIN wipes the slate"


def test_whose_act_it_is_is_asked_when_the_reason_is_given_and_each_keeps_its_key() -> None:
    at = At(called=(FLAT, LOST))
    at.does("no-roll")
    at.called = (replace(LOST, unavailable=text("shut")), replace(FLAT, authority=Authority.FLOORPERSON))
    at.does("moves result 7")
    assert short(at.does("2")) == "digit!"
    assert short(at.does("1")) == ""
    assert at.shown.startswith("FLOORPERSON: turn the key to allow this: Void the round: dice-not-flat.")
    at.called = ()
    at.does("clear no-roll")
    assert at.shown == "", "nothing can be called"
