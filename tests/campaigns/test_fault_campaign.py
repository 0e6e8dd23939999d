"""A sample of the fault campaign: whatever breaks, the table never gives a wrong result."""

import pytest
from campaigns import fault_campaign
from campaigns.fault_campaign import campaign, main

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


def test_a_wrong_result_fails_the_campaign(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = OracleTally(spins=1, wrong=["seed 5: the table said 10"])
    monkeypatch.setattr(fault_campaign, "campaign", lambda *args: wrong)
    assert main(["--spins", "1"]) == 1
    assert "seed 5: the table said 10" in capsys.readouterr().out
