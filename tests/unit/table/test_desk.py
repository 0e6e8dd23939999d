"""The prompts of a table: who gets each press, what leaves a prompt, and what is shown of it.

A scenario is a list of steps: keys, or ``wait SECONDS``, or ``moves STATE ROUND``; the events that they make, in
short; and how the sentence on the screen begins. ID stands for the key, number and PIN of the floorperson.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from controller.access.credentials import Role
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
from controller.table.prompts import sentence_of
from controller.tracking.keys import KeyTracker
from hal.events import KeyEvent

S = 1_000_000_000
ID, WRONG = "floor-key 4711 enter 830261 enter", "floor-key 4711 enter 830262 enter"
VOIDS = (Offer("void", "die-lost"), Offer("void", "not-tossed"))
CLOSE, UNLOCK = Offer("close"), Offer("unlock", expected=True)
CORRECT = Offer("correct", "dice", control="correct")
FLAT, LOST = (
    Offer("void", "dice-not-flat", Authority.DEALER, "no-roll"),
    Offer("void", "die-lost", control="no-roll"),
)
CONFIRM, DROP = Offer("limits", "confirm-limits", expected=True), Offer("limits", "drop-limits")
MENU, NUMBER, NOTHING_CHOSEN = "FLOOR MENU", "FLOORPERSON: key your credential number", "Nothing was chosen."
CHANGED, CLOSE_IT = "The table changed meanwhile.", "Close the table? Turn the key to confirm."
CORRECT_IT = "FLOORPERSON: turn the key to allow this: Correct an entry: dice. CLEAR gives it up."
PINS = {("4711", Role.FLOORPERSON): "830261", ("12", Role.DEALER): "596104"}


class People:
    """One floorperson and one dealer."""

    def knows(self, number: str, role: Role) -> bool:
        return (number, role) in PINS

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return PINS.get((number, role)) == pin


@dataclass
class At:
    """A desk, keys that are pressed half a second apart, and a table of which only the offers matter."""

    staff: Staff | None = field(default_factory=lambda: Staff(People(), session_ns=60 * S))
    offered: Sequence[Offer] = (*VOIDS, CLOSE)
    called: Sequence[Offer] = ()
    entry: str = ""
    """The keys that the game takes as its entry."""
    proposals: Sequence[Offer] = ()
    place: tuple[int, str] = (7, "shaking")
    now_ns: int = 0

    def __post_init__(self) -> None:
        self.keys = KeyTracker()
        self.desk = Desk(lambda: self, lambda: self.place, self.staff, _Sign(self))

    def offers(self) -> tuple[Offer, ...]:
        return tuple(self.offered)

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
            self.place = int(rest[1]), rest[0]
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


@dataclass
class _Sign:
    at: At

    def offers(self) -> tuple[Offer, ...]:
        return tuple(self.at.proposals)

    def done(self, offer: Offer, by: str, press: Press) -> list[Event] | None:
        return [Act(press.at_ns, "sign", offer.argument, by=by)] if offer in self.at.proposals else None


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


NO_PIN: dict[str, Any] = {"staff": None}
Step = tuple[str, str | None, str | None]
SCENARIOS: dict[str, tuple[dict[str, Any], list[Step]]] = {
    "number and PIN open the menu, and no digit of them is an event": (
        {},
        [
            ("floor-key", "turned, +floorperson", NUMBER),
            ("4711 enter 830261", "", "FLOORPERSON: key your PIN. Then press ENTER. ••••••"),
            (
                "enter",
                "-answered, is 4711",
                "FLOOR MENU (floorperson 4711) 1 Void the round, 2 Close the table, "
                "ENTER identify as another floorperson, CLEAR leave",
            ),
        ],
    ),
    "a choice is confirmed, and names who identified": (
        {},
        [(ID, None, MENU), ("2", "", CLOSE_IT), ("floor-key", "turned 4711, close: by 4711", "")],
    ),
    "offers of one act are a list of reasons": (
        {},
        [
            (f"{ID} 1", None, "Void the round 1 die-lost, 2 not-tossed, "),
            ("2", "", "Void the round: not-tossed? Turn the key to confirm. CLEAR leaves."),
            ("floor-key", "turned 4711, void:not-tossed by 4711", ""),
        ],
    ),
    "what the state waits for is done by another turn of the key": (
        {"offered": (UNLOCK, *VOIDS)},
        [(ID, None, "FLOOR MENU (floorperson 4711) KEY Open"), ("floor-key", "turned 4711, unlock: by 4711", "")],
    ),
    "what cannot be done now does nothing": (
        {"offered": (replace(UNLOCK, unavailable=text("shut")), CLOSE)},
        [(ID, None, MENU), ("floor-key", "turned 4711", MENU), ("1 floor-key", "turned 4711, close: by 4711", "")],
    ),
    "clear wipes the digits, and then ends the identification": (
        {},
        [
            (
                "floor-key 99 clear 4711 enter 1 clear 830261 enter",
                "turned, +floorperson, -answered, is 4711",
                MENU,
            ),
            ("clear", "", ""),
            ("wait 500", "", ""),
            ("floor-key 1 clear clear", "turned, +floorperson, -cancelled", ""),
            ("1", "1", ""),
        ],
    ),
    "without credentials the key alone opens the menu": (
        NO_PIN,
        [("floor-key", "turned", MENU), ("2 floor-key", "turned, close: by key", "")],
    ),
    "for a while after an act the key alone is enough": (
        {},
        [
            (f"{ID} 2 floor-key", None, ""),
            ("wait 50", "", ""),
            ("floor-key", "turned 4711", MENU),
            ("2 floor-key", "turned 4711, close: by 4711", ""),
            ("wait 59", "", ""),
            ("floor-key", "turned 4711", MENU),
            ("clear", "", ""),
            ("wait 61", "", ""),
            ("floor-key", "turned, +floorperson", NUMBER),
        ],
    ),
    "a state can ask for each person anew": (
        {"offered": (Offer("inspect", fresh=True),)},
        [(f"{ID} clear", None, ""), ("floor-key", "turned 4711, +floorperson", NUMBER)],
    ),
    "another floorperson identifies from the menu, not by a second enter": (
        {},
        [(f"{ID} enter", None, MENU), ("wait 1", "", MENU), ("enter", "+floorperson", NUMBER)],
    ),
    "a wrong PIN ends the session of who was there": (
        {},
        [
            (ID, None, MENU),
            ("wait 1", "", MENU),
            (
                "enter 4711 enter 830262 enter",
                "+floorperson, refused 4711 1 2",
                "Number or PIN is wrong. Wait 2 s.",
            ),
            ("floor-key", "turned", NUMBER),
        ],
    ),
    "the key leaves the dark": (
        {},
        [
            ("floor-key 4", None, NUMBER),
            ("wait 31", "", "The entry was interrupted."),
            ("floor-key", "turned", NUMBER),
        ],
    ),
    "an identification outlives a change of the table": (
        {},
        [("floor-key 4711 enter 830", None, None), ("moves locked 7", "", None), ("261 enter", None, MENU)],
    ),
    "a key that asks for the floorperson waits for the key, and the enter of the PIN confirms": (
        {"called": (CORRECT,)},
        [
            ("correct", "correct", CORRECT_IT),
            (ID, "turned, +floorperson, -answered, is 4711, correct:dice by 4711", ""),
        ],
    ),
    "while somebody is known a second turn confirms it, and a PIN keyed from habit reaches nothing": (
        {"called": (CORRECT,)},
        [
            (
                f"{ID} clear correct floor-key",
                None,
                "Correct an entry: dice? Turn the key to confirm. CLEAR leaves.",
            ),
            ("floor-key", "turned 4711, correct:dice by 4711", ""),
            ("correct floor-key", "correct, turned 4711", "Correct an entry: dice?"),
            (
                "4711 enter 830261 enter",
                "+floorperson, digit!, digit!, digit!, enter!" + ", digit!" * 6 + ", enter!",
                NOTHING_CHOSEN,
            ),
        ],
    ),
    "clear gives up what was asked for": (
        {"called": (CORRECT,)},
        [("correct clear floor-key", None, NUMBER), ("4711 enter 830261 enter", None, MENU)],
    ),
    "what was asked for in another state is not allowed": (
        {"called": (CORRECT,)},
        [
            ("correct floor-key 4711 enter 830261", None, None),
            ("moves closed 7", "", None),
            ("enter", "-answered, is 4711", CHANGED),
        ],
    ),
    "a key with several reasons opens a list, and the dealer's own needs no key": (
        {"called": (FLAT, LOST)},
        [
            ("no-roll", "no-roll", "no-roll: choose one. 1 dice-not-flat, 2 die-lost, CLEAR leave"),
            ("1", "void:dice-not-flat by dealer", ""),
        ],
    ),
    "a reason counts though the state has changed since the call": (
        {"called": (FLAT, LOST)},
        [("no-roll", "no-roll", None), ("moves entry 7", "", None), ("1", "void:dice-not-flat by dealer", "")],
    ),
    "the other reasons wait for the floorperson": (
        {"called": (FLAT, LOST)},
        [
            ("no-roll 2", "no-roll", "FLOORPERSON: turn the key to allow this: Void the round: die-lost."),
            (ID, "turned, +floorperson, -answered, is 4711, void:die-lost by 4711", ""),
        ],
    ),
    "a call ends with its round": (
        {"called": (FLAT, LOST)},
        [("no-roll", "no-roll", None), ("moves bets-open 8", "", CHANGED)],
    ),
    "a list closes before a later digit of an entry could give a reason": (
        {"called": (FLAT, LOST), "entry": "123456"},
        [
            ("no-roll", "no-roll", "no-roll: choose one."),
            ("wait 4", "", "no-roll: choose one."),
            ("wait 1", "", "The prompt was closed after 5 seconds without input."),
            ("1", "1", None),
        ],
    ),
    "a list stays where the game takes no such digits": (
        {"called": (FLAT, LOST), "entry": "789"},
        [
            ("no-roll", "no-roll", None),
            ("wait 29", "", "no-roll: choose one."),
            ("wait 1", "", "The prompt was closed"),
        ],
    ),
    "a key that is not possible opens nothing": (
        {"called": (replace(CORRECT, unavailable=text("shut")),)},
        [("correct", "correct", "")],
    ),
    "a proposal is confirmed by another turn where the state waits for nothing": (
        {"proposals": (CONFIRM, DROP)},
        [(ID, None, MENU), ("floor-key", "turned 4711, sign:confirm-limits by 4711", "")],
    ),
    "a proposal takes no key from what the state waits for": (
        {**NO_PIN, "offered": (UNLOCK, CLOSE), "proposals": (CONFIRM, DROP)},
        [
            (
                "floor-key",
                "turned",
                "FLOOR MENU (the floorperson) KEY Open the lock, 1 Close the table, 2 Proposed",
            ),
            ("2 1", "", "Proposed limits or rules: confirm? Turn the key to confirm. CLEAR leaves."),
            ("floor-key", "turned, sign:confirm-limits by key", ""),
        ],
    ),
    "a dealer who is on the list logs on and off": (
        {},
        [
            ("log-on 12 enter", "+log-on, -answered, deals 12", ""),
            ("log-on enter", "+log-on, -answered, deals", None),
        ],
    ),
    "a turn of the key gives up a log-on": (
        {},
        [
            ("log-on 1 floor-key", "+log-on, turned, +floorperson", NUMBER),
            ("4711 enter 830261 enter", None, MENU),
        ],
    ),
    "where dealers have PINs, wrong ones delay dealers and no floorperson": (
        {"staff": Staff(People(), dealer_pin=True)},
        [
            ("log-on 12 enter 596104 enter", "+log-on, -answered, deals 12", ""),
            ("log-on 12 enter 596105 enter", "+log-on, refused 12 1 2", None),
            ("wait 9", "", None),
            ("log-on 12 enter 596105 enter", "refused 12 2 4", None),
            ("clear log-on enter", None, None),
            ("log-on 12 enter", "+log-on", None),
            ("clear clear", None, ""),
            (ID, "turned, +floorperson, -answered, is 4711", MENU),
        ],
    ),
    **{
        f"number {number} is no dealer's, and nobody waits": (
            {},
            [
                (f"log-on {number} enter", "+log-on, refused unknown 0 0", "No dealer has this number"),
                ("log-on 12 enter", "-answered, deals 12", ""),
            ],
        )
        for number in ("13", "4711", "123456789")
    },
    **{
        f"an entry of the dealer's at an open menu does nothing: {who}": (
            config,
            [(opens, None, MENU), ("2 3 1 enter", events, NOTHING_CHOSEN)],
        )
        for who, config, opens, events in (
            ("with PINs", {}, ID, "+floorperson, digit!, enter!"),
            ("without", NO_PIN, "floor-key", "digit!, enter!"),
        )
    },
    **{
        f"what was offered before the table changed is not done: {moves}": (
            {},
            [
                (f"{ID} 2", None, CLOSE_IT),
                *((one, None, None) for one in moves),
                ("floor-key", "turned 4711", MENU),
            ],
        )
        for moves in (("moves result 7",), ("moves result 7", "moves shaking 7"), ("moves shaking 8",))
    },
    **{
        f"a prompt without digits closes by itself and says so: {key}": (
            {},
            [
                (key, None, None),
                ("wait 29", "", None),
                ("wait 1", "-expired", "The prompt was closed after 30 seconds without input."),
                ("1", "1", None),
                ("wait 20", "", ""),
            ],
        )
        for key in ("floor-key", "log-on")
    },
    **{
        f"a half entry goes dark until {end}: {keys}": (
            {},
            [
                (f"floor-key {keys}", None, None),
                ("wait 31", "", "The entry was interrupted. Press ENTER or CLEAR."),
                ("wait 3600", "", None),
                ("0261 done", "done!", None),
                (end, "-cancelled", "The entry was discarded. Key it again."),
                ("1", "1", None),
            ],
        )
        for keys in ("4", "4711 enter", "4711 enter 83")
        for end in ("enter", "clear")
    },
    **{
        f"an open prompt refuses the game's keys but the calls: {keys}": (
            {},
            [
                (keys, None, None),
                ("done no-more-bets no-spin no-roll", "done!, no-more-bets, no-spin, no-roll", None),
            ],
        )
        for keys in ("floor-key", "floor-key 4", "log-on 1")
    },
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_presses_at_a_prompt(name: str) -> None:
    config, steps = SCENARIOS[name]
    at = At(**config)
    for step, events, shown in steps:
        made = short(at.does(step))
        assert events is None or made == events, step
        assert shown is None or (at.shown.startswith(shown) if shown else not at.shown), (step, at.shown)


def test_each_wrong_pin_doubles_the_wait_up_to_ten_minutes_and_meanwhile_no_pin_is_looked_at() -> None:
    at = At()
    for failures in range(1, 40):
        wait_s = min(600, 1 << failures)
        assert short(at.does(WRONG)).endswith(f"refused 4711 {failures} {wait_s}")
        assert f"Wait {wait_s} s. Then turn the key again." in at.shown
        at.does(f"wait {wait_s - 7.5}" if wait_s > 8 else "wait 0")
        if wait_s > 8:
            assert short(at.does(ID)).endswith(f"refused  {failures} 1")
        at.does("wait 10")
    assert short(at.does(ID)).endswith("is 4711")
    at.does("wait 500")
    assert short(at.does(WRONG)).endswith("refused 4711 1 2"), "a right PIN wipes the slate"


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
