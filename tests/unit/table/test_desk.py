"""The prompts of a table: who gets each press, and what leaves a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from controller.access.credentials import Role
from controller.events.event import (
    Act,
    DealerLoggedOn,
    Event,
    FloorKeyTurned,
    Identified,
    IdentityRefused,
    Press,
    PromptClosed,
    PromptOpened,
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
NUMBER, PIN, WRONG = "4711", "830261", "830262"
DEALER, DEALERS_PIN = "12", "596104"
VOIDS = (Offer("void", "die-lost"), Offer("void", "not-tossed"))
CLOSE = Offer("close")


class People:
    """One floorperson and one dealer."""

    def knows(self, number: str, role: Role) -> bool:
        return (number, role) in ((NUMBER, Role.FLOORPERSON), (DEALER, Role.DEALER))

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and pin == {NUMBER: PIN, DEALER: DEALERS_PIN}[number]


@dataclass
class At:
    """A desk, keys that are pressed half a second apart, and a table of which only the offers matter."""

    staff: Staff | None = field(default_factory=lambda: Staff(People()))
    offered: Sequence[Offer] = (*VOIDS, CLOSE)
    called: Sequence[Offer] = ()
    entry: str = ""
    """The keys that the game takes as its entry."""
    place: tuple[int, str] = (7, "shaking")
    floor_menu: bool = True
    proposals: Sequence[Offer] = ()
    done_by: list[tuple[Offer, str]] = field(default_factory=list)
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

    def press(self, *controls: str, every_s: float = 0.5) -> list[Event]:
        events: list[Event] = []
        for control in controls:
            self.now_ns += round(every_s * S)
            (press,) = self.keys.key(KeyEvent(control, True, self.now_ns), 5, state=self.desk.where)
            self.keys.key(KeyEvent(control, False, self.now_ns), 5)
            assert isinstance(press, Press)
            events += [*self.desk.press(press), *self.desk.look(self.now_ns)]
        return events

    def wait(self, seconds: float) -> list[Event]:
        self.now_ns += round(seconds * S)
        return self.desk.tick(self.now_ns)

    def moves_to(self, state: str, number: int = 7) -> list[Event]:
        self.place = number, state
        return self.desk.look(self.now_ns)

    def identify(self, pin: str = PIN) -> list[Event]:
        return self.press("floor-key", *NUMBER, "enter", *pin, "enter")

    @property
    def shown(self) -> str:
        return sentence_of(self.desk.view(self.now_ns), TABLE_WORDS)


@dataclass
class _Sign:
    at: At

    def offers(self) -> tuple[Offer, ...]:
        return tuple(self.at.proposals)

    def done(self, offer: Offer, by: str, press: Press) -> list[Event] | None:
        if offer not in self.at.proposals:
            return None
        self.at.done_by.append((offer, by))
        return []

    def turned(self, press: Press) -> list[Event]:
        return [press]


def act(of: Offer, at: At, by: str = NUMBER, floor: bool = True) -> Act:
    return Act(at.now_ns, of.act, of.argument, 5, by, floor)


def controls(events: list[Event]) -> list[str]:
    """The presses among events."""
    return [event.control for event in events if isinstance(event, Press)]


# -- identification ------------------------------------------------------------------------------------------------


def test_number_and_pin_open_the_menu_and_no_digit_of_them_is_an_event() -> None:
    at = At()
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns), PromptOpened(at.now_ns, "floorperson")]
    assert at.press(*NUMBER, "enter", *PIN) == []
    assert at.shown == "FLOORPERSON: key your PIN. Then press ENTER. ••••••"
    assert at.press("enter") == [PromptClosed(at.now_ns, "floorperson", "answered"), Identified(at.now_ns, NUMBER)]
    assert at.shown == (
        f"FLOOR MENU (floorperson {NUMBER}) 1 Void the round, 2 Close the table, "
        "ENTER identify as another floorperson, CLEAR leave"
    )


def test_a_choice_is_confirmed_and_names_who_identified() -> None:
    at = At()
    at.identify()
    assert at.press("2") == []
    assert at.shown == "Close the table? Turn the key to confirm. CLEAR leaves."
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns, NUMBER), act(CLOSE, at)]
    assert not at.desk.is_open


def test_offers_of_one_act_are_a_list_of_reasons() -> None:
    at = At()
    at.identify()
    at.press("1")
    assert "1 die-lost, 2 not-tossed, " in at.shown
    at.press("2")
    assert at.shown == "Void the round: not-tossed? Turn the key to confirm. CLEAR leaves."
    assert at.press("floor-key")[-1] == act(VOIDS[1], at)


def test_what_the_state_waits_for_is_done_by_another_turn_of_the_key() -> None:
    unlock = Offer("unlock", expected=True)
    at = At(offered=(unlock, *VOIDS))
    at.identify()
    assert "KEY Open the lock" in at.shown
    assert at.press("floor-key")[-1] == act(unlock, at)


def test_what_cannot_be_done_now_is_listed_with_the_reason_and_does_nothing() -> None:
    shut = Offer("unlock", expected=True, unavailable=text("shut"))
    at = At(offered=(shut, CLOSE))
    at.identify()
    assert [line.unavailable for line in at.desk.view(at.now_ns).lines if line.key == "floor-key"] == [text("shut")]
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns, NUMBER)]
    assert at.press("1", "floor-key")[-1] == act(CLOSE, at)


def test_clear_wipes_the_digits_and_then_ends_the_identification() -> None:
    at = At()
    at.press("floor-key", "9", "9", "clear", *NUMBER, "enter", "1", "clear", *PIN)
    assert Identified(at.now_ns + S // 2, NUMBER) in at.press("enter")
    at.press("clear")
    at.wait(500)
    assert at.press("floor-key", "1", "clear", "clear")[-1] == PromptClosed(at.now_ns, "floorperson", "cancelled")
    assert controls(at.press("1")) == ["1"]


def test_without_credentials_the_key_alone_opens_the_menu() -> None:
    at = At(staff=None)
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns)]
    assert at.press("2", "floor-key")[-1] == act(CLOSE, at, by="")


# -- the session ---------------------------------------------------------------------------------------------------


def test_for_a_while_after_an_act_the_key_alone_is_enough() -> None:
    at = At(staff=Staff(People(), session_ns=60 * S))
    at.identify()
    at.press("2", "floor-key")
    at.wait(50)
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns, NUMBER)]
    assert at.press("2", "floor-key")[-1] == act(CLOSE, at), "an act renews it"
    at.wait(59)
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns, NUMBER)]
    at.press("clear")
    at.wait(61)
    at.press("floor-key")
    assert at.shown.startswith("FLOORPERSON: key your credential number")


def test_a_state_can_ask_for_each_person_anew() -> None:
    at = At(offered=(Offer("inspect", fresh=True),))
    at.identify()
    at.press("clear", "floor-key")
    assert at.shown.startswith("FLOORPERSON: key your credential number")


def test_another_floorperson_identifies_from_the_menu() -> None:
    at = At()
    at.identify()
    assert at.press("enter") == [], "the enter of the PIN, pressed twice"
    at.wait(1)
    at.press("enter")
    assert at.shown.startswith("FLOORPERSON: key your credential number")


# -- wrong PINs ----------------------------------------------------------------------------------------------------


def test_each_wrong_pin_doubles_the_wait_and_until_it_is_over_no_pin_is_looked_at() -> None:
    at = At()
    for failures, wait_s in ((1, 2), (2, 4), (3, 8), (4, 16)):
        assert at.identify(WRONG)[-1] == IdentityRefused(at.now_ns, NUMBER, failures, wait_s * S)
        assert f"Wait {wait_s} s. Then turn the key again." in at.shown
        ready_ns = at.now_ns + wait_s * S
        at.press("floor-key", *NUMBER, "enter", *PIN, every_s=0.01)
        at.now_ns = ready_ns - S
        (early,) = at.press("enter")
        assert early == IdentityRefused(at.now_ns, "", failures, S // 2)
        at.wait(1)
    assert Identified(at.now_ns + 13 * S // 2, NUMBER) in at.identify()
    at.wait(500)
    assert at.identify(WRONG)[-1] == IdentityRefused(at.now_ns, NUMBER, 1, 2 * S), "a right PIN wipes the slate"


def test_the_wait_has_an_end() -> None:
    at = At()
    for _ in range(40):
        refused = at.identify(WRONG)[-1]
        at.wait(601)
    assert isinstance(refused, IdentityRefused)
    assert refused.wait_ns == 600 * S


def test_a_wrong_pin_ends_the_session_of_who_was_there() -> None:
    at = At()
    at.identify()
    at.wait(1)
    at.press("enter", *NUMBER, "enter", *WRONG, "enter")
    at.press("floor-key")
    assert at.desk.identified(at.now_ns) == ""
    assert at.shown.startswith("FLOORPERSON: key your credential number")


# -- silence, power, and the game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [("floor-key",), ("log-on",)])
def test_a_prompt_without_digits_closes_by_itself_and_says_so(keys: tuple[str, ...]) -> None:
    at = At()
    at.press(*keys)
    assert at.wait(29) == []
    (closed,) = at.wait(1)
    assert isinstance(closed, PromptClosed)
    assert (closed.how, at.shown) == ("expired", "The prompt was closed after 30 seconds without input.")
    assert controls(at.press("1")) == ["1"]
    at.wait(20)
    assert at.shown == ""


@pytest.mark.parametrize("keys", [("4",), (*NUMBER, "enter"), (*NUMBER, "enter", "8", "3")])
@pytest.mark.parametrize("end", ["enter", "clear"])
def test_a_half_entry_goes_dark_until_enter_or_clear(keys: tuple[str, ...], end: str) -> None:
    at = At()
    at.press("floor-key", *keys)
    assert at.wait(31) == []
    assert at.shown == "The entry was interrupted. Press ENTER or CLEAR."
    at.wait(3600)
    assert at.press("0", "2", "6", "1") == []
    assert controls(at.press("done")) == ["done"], "refused, with the prompt that is open"
    assert at.press(end) == [PromptClosed(at.now_ns, "floorperson", "cancelled")]
    assert at.shown == "The entry was discarded. Key it again."
    assert controls(at.press("1")) == ["1"]


def test_the_key_leaves_the_dark() -> None:
    at = At()
    at.press("floor-key", "4")
    at.wait(31)
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns)], "a PIN is asked for, as before"
    at.press(*NUMBER, "enter", *PIN, "enter")
    assert at.shown.startswith("FLOOR MENU")


@pytest.mark.parametrize("keys", [("floor-key",), ("floor-key", "4"), ("log-on", "1")])
def test_an_open_prompt_refuses_the_games_keys_but_the_calls(keys: tuple[str, ...]) -> None:
    at = At()
    at.press(*keys)
    (refused,) = at.press("done")
    assert isinstance(refused, Press)
    assert refused.prompt == ("log-on" if keys[0] == "log-on" else "floorperson")
    for call in ("no-more-bets", "no-spin", "no-roll"):
        (press,) = at.press(call)
        assert isinstance(press, Press)
        assert (press.control, press.prompt) == (call, "")


@pytest.mark.parametrize(
    "changes", [[("result", 7)], [("result", 7), ("shaking", 7)], [("shaking", 8)]], ids=["state", "back", "round"]
)
def test_what_was_offered_before_the_table_changed_is_not_done(changes: list[tuple[str, int]]) -> None:
    """A state that comes back, and the same state of the next round, are not the one in which it was offered."""
    at = At()
    at.identify()
    at.press("2")
    for state, number in changes:
        at.moves_to(state, number)
    assert at.shown == "The table changed meanwhile. Choose again."
    assert at.press("floor-key") == [FloorKeyTurned(at.now_ns, NUMBER)], "the menu opens"


def test_an_identification_outlives_a_change_of_the_table_and_then_offers_what_is_possible() -> None:
    at = At()
    at.press("floor-key", *NUMBER, "enter", *PIN[:3])
    at.moves_to("locked")
    at.offered = (Offer("unlock", expected=True),)
    at.press(*PIN[3:], "enter")
    assert "KEY Open the lock" in at.shown


# -- a menu that nobody expects ------------------------------------------------------------------------------------


@pytest.mark.parametrize("credentials", [True, False])
def test_an_entry_of_the_dealers_at_an_open_menu_does_nothing(credentials: bool) -> None:
    """Finding 6: a die closed the table."""
    at = At(staff=Staff(People()) if credentials else None)
    at.press("floor-key", *(*NUMBER, "enter", *PIN, "enter") * credentials)
    passed = at.press("2", "3", "1", "enter")
    assert set(controls(passed)) == {"digit", "enter"}, "refused"
    assert not any(isinstance(event, Act) for event in passed)
    assert at.shown == "Nothing was chosen. Press CLEAR. To choose, turn the key again."


@pytest.mark.parametrize("number", ["4711", "1711", "2711", "1", "9"])
def test_number_and_pin_keyed_from_habit_at_the_menu_reach_nothing(number: str) -> None:
    at = At(offered=(Offer("unlock", expected=True), *VOIDS, Offer("reverse", unavailable=text("shut"))))
    at.identify()
    at.press("clear", "floor-key")
    passed = at.press(*number, "enter", *PIN, "enter")
    assert not any(isinstance(event, Act) for event in passed)
    assert not set(controls(passed)) & set("0123456789")


# -- what the dealer asks for --------------------------------------------------------------------------------------

CORRECT = Offer("correct", "dice", control="correct")
NO_ROLL = (
    Offer("void", "dice-not-flat", Authority.DEALER, "no-roll"),
    Offer("void", "die-lost", control="no-roll"),
)


def test_a_key_that_asks_for_the_floorperson_waits_for_the_key() -> None:
    at = At(called=(CORRECT,))
    assert controls(at.press("correct")) == ["correct"], "the round records the call"
    assert at.shown == "FLOORPERSON: turn the key to allow this: Correct an entry: dice. CLEAR gives it up."
    events = at.press("floor-key", *NUMBER, "enter", *PIN, "enter")
    assert events[-1] == act(CORRECT, at), "the enter of the PIN has confirmed it"


def test_while_somebody_is_known_a_second_turn_confirms_it() -> None:
    """Who keys number and PIN from habit keys them into no entry."""
    at = At(called=(CORRECT,))
    at.identify()
    at.press("clear", "correct", "floor-key")
    assert at.shown == "Correct an entry: dice? Turn the key to confirm. CLEAR leaves."
    assert at.press("floor-key")[-1] == act(CORRECT, at)
    at.press("correct", "floor-key")
    passed = at.press(*NUMBER, "enter", *PIN, "enter")
    assert not any(isinstance(event, Act) for event in passed)
    assert not set(controls(passed)) & set("0123456789")


def test_clear_gives_it_up() -> None:
    at = At(called=(CORRECT,))
    at.press("correct", "clear", "floor-key")
    assert at.shown.startswith("FLOORPERSON: key your credential number")
    at.press(*NUMBER, "enter", *PIN, "enter")
    assert at.shown.startswith("FLOOR MENU")


def test_what_was_asked_for_in_another_state_is_not_allowed() -> None:
    at = At(called=(CORRECT,))
    at.press("correct", "floor-key", *NUMBER, "enter", *PIN)
    at.moves_to("closed")
    events = at.press("enter")
    assert not any(isinstance(event, Act) for event in events)
    assert at.shown == "The table changed meanwhile. Choose again."


def test_a_key_with_several_reasons_opens_a_list_and_the_dealers_own_needs_no_key() -> None:
    at = At(called=NO_ROLL)
    assert controls(at.press("no-roll")) == ["no-roll"]
    assert at.shown == "no-roll: choose one. 1 dice-not-flat, 2 die-lost, CLEAR leave"
    assert at.press("1") == [act(NO_ROLL[0], at, by="", floor=False)]


@pytest.mark.parametrize(("entry", "seconds"), [("123456", 5), ("789", 30)], ids=["dice", "other digits"])
def test_a_list_closes_before_a_later_digit_of_an_entry_could_give_a_reason(entry: str, seconds: int) -> None:
    at = At(called=NO_ROLL, entry=entry)
    at.press("no-roll")
    assert at.desk.due_ns == at.now_ns + seconds * S
    assert at.wait(seconds - 1) == []
    assert at.desk.is_open
    at.wait(1)
    assert at.shown == f"The prompt was closed after {seconds} seconds without input."
    assert controls(at.press("1")) == ["1"]


def test_the_other_reasons_wait_for_the_floorperson() -> None:
    at = At(called=NO_ROLL)
    at.press("no-roll")
    assert at.press("2") == []
    assert at.shown.startswith("FLOORPERSON: turn the key to allow this: Void the round: die-lost.")
    assert at.press("floor-key", *NUMBER, "enter", *PIN, "enter")[-1] == act(NO_ROLL[1], at)


def test_a_reason_counts_though_the_state_has_changed_since_the_call() -> None:
    at = At(called=NO_ROLL)
    at.press("no-roll")
    at.moves_to("entry")
    assert at.press("1") == [act(NO_ROLL[0], at, by="", floor=False)]


def test_whose_act_it_is_is_asked_when_the_reason_is_given_and_each_keeps_its_key() -> None:
    at = At(called=NO_ROLL)
    at.press("no-roll")
    at.called = (
        replace(NO_ROLL[1], unavailable=text("shut")),
        replace(NO_ROLL[0], authority=Authority.FLOORPERSON),
    )
    at.moves_to("result")
    assert controls(at.press("2")) == ["digit"], "refused"
    assert at.press("1") == []
    assert at.shown.startswith("FLOORPERSON: turn the key to allow this: Void the round: dice-not-flat.")


@pytest.mark.parametrize("gone", ["round", "call"])
def test_a_call_ends_with_its_round_or_once_nothing_can_be_called(gone: str) -> None:
    at = At(called=NO_ROLL)
    at.press("no-roll")
    at.called = NO_ROLL if gone == "round" else ()
    at.moves_to("bets-open", number=8 if gone == "round" else 7)
    assert at.shown == "The table changed meanwhile. Choose again."


def test_a_key_that_is_pressed_twice_or_not_possible_opens_nothing() -> None:
    at = At(called=(Offer("correct", "dice", control="correct", unavailable=text("shut")),))
    at.press("correct")
    assert not at.desk.is_open
    at.called = (CORRECT,)
    at.place = 7, "result"
    assert [getattr(event, "again", None) for event in at.press("correct")] == [True]
    assert not at.desk.is_open


# -- proposals of the limits ---------------------------------------------------------------------------------------

CONFIRM, DROP = Offer("limits", "confirm-limits", expected=True), Offer("limits", "drop-limits")


def test_a_proposal_is_confirmed_by_another_turn_where_the_state_waits_for_nothing() -> None:
    at = At(proposals=(CONFIRM, DROP))
    at.identify()
    assert "KEY Proposed limits or rules: confirm" in at.shown
    at.press("floor-key")
    assert at.done_by == [(CONFIRM, NUMBER)]


def test_a_proposal_takes_no_key_from_what_the_state_waits_for() -> None:
    """The instruction of a locked table says to turn the key twice."""
    unlock = Offer("unlock", expected=True)
    at = At(staff=None, offered=(unlock, CLOSE), proposals=(CONFIRM, DROP))
    at.press("floor-key")
    assert "KEY Open the lock, 1 Close the table, 2 Proposed limits or rules" in at.shown
    at.press("2", "1")
    assert at.shown == "Proposed limits or rules: confirm? Turn the key to confirm. CLEAR leaves."
    at.press("floor-key")
    assert at.done_by == [(CONFIRM, "")]


# -- the dealer's log-on -------------------------------------------------------------------------------------------


def test_a_dealer_who_is_on_the_list_logs_on_and_off() -> None:
    at = At()
    assert at.press("log-on", *DEALER, "enter")[-1] == DealerLoggedOn(at.now_ns, 5, DEALER)
    assert at.press("log-on", "enter")[-1] == DealerLoggedOn(at.now_ns, 5, "")


@pytest.mark.parametrize("number", ["13", NUMBER, "123456789"])
def test_a_number_that_no_dealer_has_is_refused_and_nobody_waits(number: str) -> None:
    at = At()
    assert at.press("log-on", *number, "enter")[-1] == IdentityRefused(at.now_ns, "unknown", 0, 0, log_on=True)
    assert at.shown.endswith("Press the key LOG-ON again. CLEAR leaves.")
    assert isinstance(at.press("log-on", *DEALER, "enter")[-1], DealerLoggedOn)


def test_where_dealers_have_pins_wrong_ones_delay_dealers_and_no_floorperson() -> None:
    at = At(staff=Staff(People(), dealer_pin=True))
    assert at.press("log-on", *DEALER, "enter", *DEALERS_PIN, "enter")[-1] == DealerLoggedOn(at.now_ns, 5, DEALER)
    for failures in (1, 2, 3):
        refused = at.press("log-on", *DEALER, "enter", *PIN, "enter")[-1]
        assert refused == IdentityRefused(at.now_ns, DEALER, failures, (S << failures), log_on=True)
        at.wait(9)
    at.press("log-on", *DEALER, "enter", *PIN, "enter", "clear", "log-on", "enter")
    early = at.press("log-on", *DEALER, "enter", *DEALERS_PIN, "enter")[-1]
    assert isinstance(early, IdentityRefused)
    assert (early.number, early.failures) == ("", 4), "to log off is no way around the wait"
    at.press("clear")
    assert Identified(at.now_ns + 13 * S // 2, NUMBER) in at.identify()


def test_a_turn_of_the_key_gives_up_a_log_on() -> None:
    at = At()
    assert at.press("log-on", "1", "floor-key")[-2:] == [
        PromptClosed(at.now_ns, "log-on", "cancelled"),
        PromptOpened(at.now_ns, "floorperson"),
    ]
    at.press(*NUMBER, "enter", *PIN, "enter")
    assert at.shown.startswith("FLOOR MENU")
