"""A sample of the fault campaign: whatever breaks, the table never gives a wrong result."""

import json

import pytest
from campaigns import fault_campaign
from campaigns.fault_campaign import Case, campaign, main, tables

from controller.bench.oracle import OracleTally

SPINS = 100


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 16))])
def test_no_fault_makes_a_wrong_result(seed: int) -> None:
    tally = campaign(SPINS, seed)
    assert tally.spins >= SPINS
    assert tally.results > 0
    assert tally.locks > 0
    assert not tally.broken
    assert not tally.wrong, "\n".join(tally.wrong)


def test_a_case_is_the_same_every_time() -> None:
    choice = tables()
    first, again = Case(choice, 42), Case(choice, 42)
    assert first.play() == again.play()
    assert first.faults == again.faults != ""


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--spins", "20", "--seed", "1", "--workers", "1", "--json"])
    events = json.loads(capsys.readouterr().out)
    assert events["spins"] == 20
    assert events["journals"] == "verified"


def test_a_repeated_case_prints_every_event(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--replay", "1000001"])
    output = capsys.readouterr().out
    assert '"kind": "table-started"' in output
    assert '"kind": "wheel-rested"' in output
    assert "faults: " in output


def test_a_wrong_result_fails_the_campaign(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = OracleTally(spins=1, wrong=["seed 5: the table said 10"])
    monkeypatch.setattr(fault_campaign, "campaign", lambda *args: wrong)
    assert main(["--spins", "1"]) == 1
    assert "seed 5: the table said 10" in capsys.readouterr().out
