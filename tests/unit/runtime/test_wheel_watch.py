"""A wheel's health at the table: measured after each spin, on record, an alert at once, and not forgotten."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaigns.measured_wheel import MeasuredWheel
from worn_table import PEG, bent, fleet_wheel, play_round, table_file, worn_rig

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table
from controller.events.effect import Alert
from controller.events.event import SpinMeasured, WheelDegraded, WheelRested
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision, to_json
from controller.journal.replay.trace import EdgeStretch
from controller.runtime import spin_measurer
from controller.runtime.spin_measurer import EndedSpin, SpinMeasurer
from controller.runtime.wheel_watch import MOST_EDGES, WheelWatch
from controller.viewmodel.history import TableHistory
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock


@pytest.fixture
def wheel() -> MeasuredWheel:
    return fleet_wheel()


@pytest.fixture
def file(tmp_path: Path, wheel: MeasuredWheel, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return table_file(tmp_path, wheel)


def watched(rig: Rig) -> TableHistory:
    """What the dealer's screen is made of."""
    history = TableHistory(rig.config, rig.clock)
    rig.table.listeners.append(history)
    return history


def events(rig: Rig, kind: type[Any]) -> list[Any]:
    return [record.event for record in rig.records() if isinstance(record.event, kind)]


def test_every_spin_is_measured_and_on_record(file: Path, wheel: MeasuredWheel) -> None:
    rig = worn_rig(file, wheel)
    for number in range(4):
        play_round(rig, number)
    measured = events(rig, SpinMeasured)
    rests = [entry.round for entry in rig.journal.entries() if entry.kind == "wheel-rested"]
    assert [one.round for one in measured] == rests[1:], "all but the turn by hand that located the wheel"
    assert len(measured) == 4
    assert all(one.calibration.startswith("2025-12-01 ") for one in measured)
    assert not events(rig, WheelDegraded)
    noted = [record for record in rig.records() if isinstance(record.event, SpinMeasured)]
    assert {(record.outcome, record.effects) for record in noted} == {("noted", ())}
    assert max(len(to_json(record)) for record in noted) < 1100


def test_a_bent_peg_is_an_alert_within_one_spin(file: Path, wheel: MeasuredWheel) -> None:
    rig = worn_rig(file, bent(wheel))
    screen = watched(rig)
    rig.press("no-more-bets")
    rig.spin(revolutions=4.3, stop_on="1")
    (found,) = events(rig, WheelDegraded)
    assert (found.sign, found.peg, found.round) == ("bent-peg", PEG, 1)
    (alert,) = [effect for record in rig.records() for effect in record.effects if isinstance(effect, Alert)]
    assert "The peg between sections #11 and #12 stands 0.40 degrees too far" in alert.text
    assert alert.remedy == "Straighten it or screw it in, then calibrate the wheel anew."
    assert [line["text"] for line in screen.alerts()] == [alert.text]
    assert rig.state.value == "result", "a finding holds nothing up"


def test_the_alert_stays_on_the_screen_until_the_table_is_started_anew(file: Path, wheel: MeasuredWheel) -> None:
    rig = worn_rig(file, bent(wheel), file.with_name("table.journal"))
    screen = watched(rig)
    for number in range(3):
        play_round(rig, number)
    assert len(screen.alerts()) == 1
    assert {"device": "wheel", "state": "degraded", "detail": screen.alerts()[0]["text"]} in screen.devices.listed()
    rig._listeners = (screen,)
    rig.power_cut()
    rig.turn(1.2)
    play_round(rig, 0)
    assert screen.alerts() == []
    assert len(events(rig, WheelDegraded)) == 1, "what was found is found once, over restarts too"
    rig.journal.close()


def test_a_round_is_decided_as_without(file: Path, wheel: MeasuredWheel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring adds entries, and changes none."""
    with_it = worn_rig(file, bent(wheel))
    for number in range(3):
        play_round(with_it, number)
    monkeypatch.setattr("controller.runtime.assembly._measuring", lambda *_: None)
    without = worn_rig(file, bent(wheel))
    for number in range(3):
        play_round(without, number)
    kept = [one for one in with_it.records() if not isinstance(one.event, SpinMeasured | WheelDegraded)]
    assert kept == without.records()
    assert len(with_it.records()) == len(kept) + 4


def test_a_wheel_that_was_not_calibrated_is_not_measured(wheel: MeasuredWheel, file: Path) -> None:
    config = load_table(file).config
    assert config.wheel is not None
    plain = config.model_copy(update={"wheel": config.wheel.model_copy(update={"clapper": None})})
    rig = Rig(plain, options=bent(wheel).settings.model_dump(exclude_none=True))
    rig.turn(1.2)
    play_round(rig, 0)
    assert not events(rig, SpinMeasured)


# -- over restarts -------------------------------------------------------------------------------------------------


class OnRecord:
    """A journal that holds what is measured, and a measurer that is begun anew whenever somebody says so."""

    def __init__(self, file: Path) -> None:
        config = load_table(file).config
        assert config.wheel is not None
        self.wheel, self.journal = config.wheel, Journal(None)
        self.restart()

    def restart(self) -> None:
        self.measurer = SpinMeasurer(self.wheel, 54, self.journal)

    def spin(self, spin: EndedSpin) -> list[WheelDegraded]:
        found = list(self.measurer.measured(spin))
        for event in found:
            self.journal.append(spin.round, 0, 0, event.kind, to_json(Record(event, "noted", "result", ())), None)
        return [event for event in found if isinstance(event, WheelDegraded)]


def ended(wheel: MeasuredWheel, count: int) -> Iterator[EndedSpin]:
    for number in range(1, count + 1):
        spin, levels, edges, stamps = wheel.recorded()
        yield EndedSpin(number, spin.said == "touched", EdgeStretch(levels, edges, stamps))


@pytest.mark.parametrize("every", [5, 16])
@pytest.mark.campaign
def test_a_drift_is_found_at_the_same_spin_with_restarts_as_without(
    file: Path, wheel: MeasuredWheel, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(spin_measurer, "STATE_EVERY", 7)
    whole, restarted = OnRecord(file), OnRecord(file)
    found: list[list[tuple[str, int]]] = [[], []]
    worn = wheel.worn(set_deg=wheel.settings.set_deg + 0.35)
    for spin in ended(worn, 60):
        for which, table in enumerate((whole, restarted)):
            found[which] += [(one.sign, spin.round) for one in table.spin(spin)]
        if spin.round % every == 0:
            restarted.restart()
    assert found[1] == found[0]
    assert found[0], "such a drift is found within 60 spins"
    assert [entry.body for entry in restarted.journal.entries()] == [
        entry.body for entry in whole.journal.entries()
    ]


def test_another_calibration_begins_anew(file: Path, wheel: MeasuredWheel) -> None:
    table = OnRecord(file)
    (spin,) = ended(bent(wheel), 1)
    assert [one.sign for one in table.spin(spin)] == ["bent-peg"]
    table.restart()
    assert table.spin(spin) == []
    assert table.wheel.clapper is not None
    later = table.wheel.clapper.model_copy(update={"measured": "2025-12-02"})
    table.wheel = table.wheel.model_copy(update={"clapper": later})
    table.restart()
    assert [one.sign for one in table.spin(spin)] == ["bent-peg"]


def test_watches_of_another_version_begin_with_the_spins_on_record(
    file: Path, wheel: MeasuredWheel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(spin_measurer, "STATE_EVERY", 2)
    table = OnRecord(file)
    for spin in ended(wheel, 5):
        table.spin(spin)
    monkeypatch.setattr("controller.wheel_health.change_watch._PARTS", (0.1, 0.5))
    table.restart()
    assert table.measurer._health.spins == 5
    assert "begin anew" in caplog.text


class Kept:
    """Who should measure, and only keeps what is handed over."""

    def __init__(self) -> None:
        self.spins: list[EndedSpin] = []

    def start(self, answer: object) -> None:
        pass

    def measure(self, spin: EndedSpin) -> None:
        self.spins.append(spin)

    def close(self) -> None:
        pass


def rested(watch: WheelWatch, number: int) -> None:
    event = WheelRested(9, None, 40, 4, True, 1)
    entry = Entry(7, number, 0, "", event.kind, "", None, "")
    watch(RecordedDecision(entry, Record(event, "noted", "result", ())))


def test_only_whole_spins_are_handed_over_each_with_its_levels() -> None:
    """Edges may be lost in whole cycles, which no decoder notices. What is too short, or never ends, is no spin."""
    kept = Kept()
    watch = WheelWatch(kept, VirtualClock(), lambda events: None)
    watch.start({"A": False, "B": False})
    seqno = 0

    def turned(edges: bytes, lost: int = 0) -> None:
        nonlocal seqno
        seqno += lost
        watch.hear(EdgeBatch(edges, array("q", range(len(edges))), range(seqno + 1, seqno + 1 + len(edges))))
        seqno += len(edges)

    turned(b"ABab" * 2 + b"A")
    rested(watch, 1)
    turned(b"BabA" * 2)
    turned(b"BabA", lost=4)
    rested(watch, 2)
    turned(b"Bab")
    rested(watch, 3)
    for _ in range(MOST_EDGES // 400_000 + 1):
        turned(b"ABab" * 100_000)
    rested(watch, 4)
    turned(b"AB")
    turned(b"abABabAB")
    rested(watch, 5)
    assert [spin.round for spin in kept.spins] == [1, 5]
    assert [spin.stretch.levels for spin in kept.spins] == [{"A": False, "B": False}] * 2
    assert [spin.stretch.edges for spin in kept.spins] == [b"ABab" * 2 + b"A", b"ABabABabAB"]


def test_a_spin_of_which_the_last_edge_was_lost_is_not_measured() -> None:
    """The levels of its lines, read at rest, tell; the next spin begins with them."""
    kept = Kept()
    watch = WheelWatch(kept, VirtualClock(), lambda events: None)
    low, high = {"A": False, "B": False}, {"A": True, "B": False}
    watch.start(low)
    for number, (edges, levels) in enumerate([(b"ABab", low), (b"ABab", high), (b"BabA", high)]):
        watch.hear(EdgeBatch(edges * 4, array("q", range(16)), range(number * 16 + 1, number * 16 + 17)))
        watch.levels_read(levels, 8, 8)
        rested(watch, number)
    assert [spin.round for spin in kept.spins] == [0, 2]
    assert [spin.stretch.levels for spin in kept.spins] == [low, high]
