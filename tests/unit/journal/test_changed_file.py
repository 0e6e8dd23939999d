"""A file whose rules changed inside a round: what was decided under the file before stands (§ 521.8(b))."""

import pytest
from open_tables import Shipped, opened, with_rules

from controller.bench.rig import Rig
from controller.journal.record import event_words
from controller.machine.registry import find_game


def restart(rig: Rig, **rules: object) -> None:
    """Start the table again under a file with these rules, and no lamps but those of their layout."""
    config = rig.config.model_copy(update={"rules": {**rig.config.rules, **rules}})
    needed, panel = find_game(config.game).lamps(config.rules), config.devices.panel
    lamps = {name: output for name, output in panel.lamps.items() if name in needed}
    devices = config.devices.model_copy(update={"panel": panel.model_copy(update={"lamps": lamps})})
    rig.config = config.model_copy(update={"devices": devices})
    rig.configuration = "1" * 64
    rig.power_cut()


def kinds(rig: Rig) -> list[str]:
    return [record.event.kind for record in rig.records()]


@pytest.fixture
def zeros(shipped: Shipped) -> Rig:
    """A double zero table with a keypad, the ball in 00."""
    rig = opened(with_rules(shipped("roulette"), result="keypad"))
    rig.throw_ball()
    rig.press("no-more-bets", "0", "0")
    return rig


@pytest.mark.clause("521.8(b)")
def test_a_result_stands_though_the_file_has_another_wheel_by_now(zeros: Rig) -> None:
    """00 was announced; by the rules of a single zero wheel the same keys are 0."""
    zeros.press("enter")
    assert zeros.lit() == {"straight-00"}
    number = zeros.machine.round
    restart(zeros, wheel="single-zero")
    assert zeros.lit() == {"straight-00"}
    assert zeros.machine.instruction().code == "settle-by-the-record"
    changed = zeros.last("rules-changed")
    assert changed.of_file
    assert "the table's file was changed: version" in event_words(changed)
    assert "(configuration 000000000000) decided entry" in event_words(changed)
    zeros.power_cut()
    assert zeros.lit() == {"straight-00"}, "until the floorperson has settled it"
    assert kinds(zeros).count("rules-changed") == 1
    zeros.floor()
    assert zeros.lit() == set()
    assert zeros.machine.round >= number
    assert not zeros.table.halted


@pytest.mark.clause("521.8(b)")
def test_a_round_of_other_states_is_void_and_its_wagers_go_back(shipped: Shipped) -> None:
    """Seven positions were keyed; the file has five by now."""
    rig = opened(shipped("casino-war"))
    rig.press("no-more-bets", "7", "enter")
    restart(rig, positions=5)
    assert rig.last("void").reason == "file-changed"
    assert rig.last("wagers-returned").reason == "file-changed"
    assert rig.lit() == set()
    assert not rig.table.halted
