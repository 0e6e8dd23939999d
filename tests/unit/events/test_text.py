"""The texts of events and effects: the same in the journal and on the bench."""

import pytest

from controller.bench.log_lines import EventLine, LineTone, describe, lines
from controller.events.effect import (
    Alert,
    Bonus,
    Effect,
    Light,
    Refused,
    Result,
    StartTimer,
    Void,
    WagersReturned,
    Win,
)
from controller.events.event import (
    Act,
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    ClockBattery,
    ClockChecked,
    DealerLoggedOn,
    Direction,
    Event,
    Fault,
    FloorKeyTurned,
    Health,
    HouseRules,
    Identified,
    IdentityRefused,
    KeyStuck,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsNotice,
    LimitsWithdrawn,
    MachineFailed,
    Noticed,
    OddsConfirmed,
    OddsInEffect,
    OnRecord,
    PanelFault,
    PocketRead,
    PowerRestored,
    Press,
    PromptClosed,
    PromptOpened,
    ReaderFault,
    RevolutionCompleted,
    RotorTurned,
    RulesChanged,
    RulesConfirmed,
    RulesInEffect,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    SupplyVoltage,
    TableStarted,
    TamperClosed,
    TamperOpened,
    TimerElapsed,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Record
from controller.events.words import Text
from controller.journal.chain import Entry
from controller.journal.record import RecordedDecision
from controller.journal.text import entry_line, record_line

CW = Direction.CLOCKWISE
DIGEST = "0123456789abcdef" * 4

RULES = HouseRules({"positions": 7}, {}, {}, {})

# An event; its text on the bench; its text in the journal where that is longer.
EVENTS: list[tuple[Event, str, str]] = [
    (
        TableStarted(0, 0, "1.2", DIGEST),
        "the table starts on an empty journal",
        "the table starts on an empty journal (version 1.2, configuration 0123456789ab)",
    ),
    (
        PowerRestored(0, 0, "1.2", DIGEST, DIGEST[::-1]),
        "power restored: the table goes on where its journal ends",
        "power restored: the table goes on where its journal ends "
        "(version 1.2, configuration 0123456789ab, software fedcba987654)",
    ),
    (
        RulesChanged(0, "1.3", DIGEST, DIGEST, "version 1.2", 7, "other-state", 3, OnRecord.WAGERS, ("10",)),
        "the software was changed: version 1.2 decided entry 7 otherwise: other-state",
        "",
    ),
    (Press(0, "no-more-bets"), "", "no-more-bets pressed"),
    (WheelThrown(0, CW), "the wheel turns clockwise", ""),
    (RevolutionCompleted(0, 3, CW), "", "revolution 3"),
    (WheelRested(0, CW, 4319, 1440, True, 5), "at rest after 2.99 revolutions", ""),
    (RotorTurned(0, CW), "the rotor turns clockwise", ""),
    (BallThrown(0, CW), "the ball runs clockwise", ""),
    (BallRevolution(0, 2, CW, True), "", "the ball's revolution 2, against the rotor"),
    (BallLeftTrack(9, 0, 5, CW, None), "the ball left the track after 5 revolutions", ""),
    (
        BallLeftTrack(9, 0, 2, CW, None, Fault("ball_1", Health.STUCK, Text("beam-dark"))),
        "the ball left the track after 2 revolutions, which are in doubt",
        "",
    ),
    (PocketRead(0, "00"), "the reader names 00", ""),
    (ReaderFault(0, "a half line"), "the reader cannot be understood: a half line", ""),
    (Identified(0, "4711"), "", "floorperson 4711 identified"),
    (IdentityRefused(0, "4711", 2, 4), "", "number and PIN refused: 4711, 2 in a row"),
    (IdentityRefused(0, "", 2, 4), "", "number and PIN refused, 2 in a row"),
    (FloorKeyTurned(0), "", "the floorperson's key turned"),
    (FloorKeyTurned(0, "4711"), "", "the floorperson's key turned by 4711"),
    (SensorHealth(0, "clapper", Health.SILENT, Text("no-strike")), "", "clapper silent: no-strike"),
    (KeyStuck(0, "done"), "", "the key done is stuck"),
    (PanelFault(0, ("10",), ()), "", "panel fault"),
    (ShakerCycled(0), "the automated shaker has tossed the dice", ""),
    (ShakerFailed(0), "the automated shaker reports a failure", ""),
    (TimerElapsed(0, "spin-limit"), "", "timer spin-limit"),
    (
        LimitsAnnounced(0, 0, "10", "500", "", 1_900_000_000_000_000_000),
        "limits from 2030-03-17T17:46:40Z: 10 to 500",
        "",
    ),
    (
        LimitsAnnounced(0, 0, "10", "500", "25000", 0, True, "4711"),
        "limits from now on, as nobody plays: 10 to 500, at most 25000 paid in a round; by 4711",
        "",
    ),
    (LimitsWithdrawn(0, 0), "the announced limits are withdrawn", ""),
    (LimitsInEffect(0, 0, "10", "500", ""), "limits in effect: 10 to 500", ""),
    (LimitsNotice(0, 0, 120_000_000_000), "the sign has shown the announced limits for 2 min", ""),
    (OddsConfirmed(0, 0, {"40": "41 to 1"}, "4711"), "odds from the next round on: 40 pays 41 to 1; by 4711", ""),
    (OddsInEffect(0, 0, {"40": "41 to 1"}), "odds in effect: 40 pays 41 to 1", ""),
    (RulesConfirmed(0, 0, RULES, RULES, "4711"), "rules from the next round on: positions 7; by 4711", ""),
    (
        RulesInEffect(0, 0, RULES, True, 3, RULES),
        "rules in effect: positions 7; the table is made ready anew",
        "",
    ),
    (DealerLoggedOn(0, 0, "12"), "dealer 12 logs on", ""),
    (DealerLoggedOn(0, 0, ""), "the dealer logs off", ""),
    (ClockChecked(0, 9, 7_200_000_000_000), "", "the clock was set: 7200 s later than the table had counted"),
    (TamperOpened(0, 9, "cabinet", True), "", "the cabinet was opened"),
    (TamperOpened(0, 9, "door", False, by="4711"), "", "the door was opened; floorperson 4711 had identified"),
    (TamperOpened(0, 9, "door", False, Noticed.POWER_OFF), "", "the door was opened"),
    (TamperClosed(0, 9, "door"), "", "the door is closed"),
    (SupplyVoltage(0, 9, True), "", "supply voltage"),
    (ClockBattery(0, 9, True, "2.31 V"), "", "the clock's battery: 2.31 V"),
    (MachineFailed(0, "KeyError: 7"), "", "the controller failed: KeyError: 7"),
    (Act(0, "void", "no-spin", by="4711"), "floorperson 4711: void, no spin", ""),
    (Act(0, "void"), "the floorperson: void", ""),
    (Act(0, "call", floor=False), "the dealer: call", ""),
    (PromptOpened(0, "floorperson"), "", "number and PIN asked for: floorperson"),
    (PromptClosed(0, "log-on", "expired"), "", "number and PIN no longer asked for, expired: log on"),
]


def recorded(event: Event, *effects: Effect) -> RecordedDecision:
    entry = Entry(7, 1, 0, "2026-01-01T00:00:00.000Z", event.kind, "{}", None, "")
    return RecordedDecision(entry, Record(event, "accepted", "result", effects))


def test_every_event_is_tested_here() -> None:
    assert {type(event) for event, _, _ in EVENTS} == set(Event.__subclasses__())


@pytest.mark.parametrize(("event", "short", "written"), EVENTS, ids=lambda value: getattr(value, "kind", ""))
def test_the_bench_shows_a_short_text_and_the_journal_everything(event: Event, short: str, written: str) -> None:
    assert describe(recorded(event)) == [short] * bool(short)
    assert record_line(recorded(event).record) == f"{written or short}  [result]"


def test_a_decision_reads_alike_on_the_bench_and_in_the_journal() -> None:
    seen = recorded(
        WheelThrown(0, CW),
        Result("7x", (Win("7x", "7 to 1"), Win("any", "1 to 1"))),
        StartTimer("spin-limit", 5),
        Light(()),
    )
    expected = ["the wheel turns clockwise", "RESULT 7x: 7x pays 7 to 1, any pays 1 to 1", "dark"]
    assert describe(seen) == expected
    assert describe(seen, without=(Light, WheelThrown)) == [expected[1]]
    line = entry_line(seen.entry, seen.record)
    assert line == f"      7  2026-01-01T00:00:00.000Z  {expected[0]} → {expected[1]}; {expected[2]}  [result]"


@pytest.mark.parametrize(
    ("effect", "text", "tone"),
    [
        (Light(("1", "5")), "lit: 1, 5", LineTone.PLAIN),
        (Result("2-2-3", ()), "RESULT 2-2-3: no area wins", LineTone.RESULT),
        (Bonus("2x", 4), "BONUS 2x: the next result pays 4 times", LineTone.RESULT),
        (Void("between-sections"), "VOID between sections", LineTone.VOID),
        (WagersReturned("no-roll"), "all wagers go back to the players: no roll", LineTone.VOID),
        (Alert("lamps-dark"), "ALERT lamps-dark", LineTone.ALARM),
        (Refused("done", "spin the wheel"), "REFUSED done: spin the wheel", LineTone.ALARM),
    ],
)
def test_effects_have_a_text_and_a_tone(effect: Effect, text: str, tone: LineTone) -> None:
    assert lines(recorded(Press(0, "done"), effect)) == [EventLine(text, tone)]
