"""New cases for property tests: a failure is printed so that it can be put into the suite."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from project import ROOT

from tests.campaigns import explore

FOLDER = ROOT / "tests"
PROPERTIES = """
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

@pytest.fixture
def shipped():
    return "a table"

@settings(suppress_health_check=list(HealthCheck))
@given(count=st.integers(), keys=st.lists(st.sampled_from(["done", "clear"])))
def test_keys(shipped, count, keys):
    assert count < 1000 or len(keys) < 2

@given(st.data())
def test_two_things(data):
    assert data.draw(st.booleans()) in (False, True)
    if data.draw(st.booleans()):
        raise ValueError("this") from None

def test_that_draws_nothing():
    raise AssertionError("it is no property")
"""


def explored(file: Path, *words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "tests.campaigns.explore", *words, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_failure_is_reported_once_with_its_case_and_its_seed(tmp_path: Path) -> None:
    file = tmp_path / "test_found.py"
    file.write_text(PROPERTIES)
    code, output, wrong = explored(file, "--seconds", "100", "--seed", "7")
    assert (code, wrong) == (1, "")
    assert '@example(\n    count=1000,\n    keys=["done", "done"],\n)' in output.replace("'", '"')
    assert "ValueError: this" in output
    assert len(re.findall(r"--hypothesis-profile=explore --hypothesis-seed=\d+\n", output)) == 2
    assert "it is no property" not in output
    assert output.endswith("2 found\n"), "and it ends when nothing is left to try"


def test_without_a_failure_it_runs_until_the_time_is_over(tmp_path: Path) -> None:
    file = tmp_path / "test_well.py"
    file.write_text("from hypothesis import given, strategies as st\n@given(st.booleans())\ndef test_it(b): pass\n")
    code, output, wrong = explored(file, "--seconds", "1")
    assert (code, wrong) == (0, "")
    assert re.match(r"pass 1, seed \d+: 1 of 1 properties, ", output)
    assert output.endswith("nothing was found\n")


def test_tests_that_cannot_run_do_not_count_as_passed(tmp_path: Path) -> None:
    file = tmp_path / "test_unread.py"
    file.write_text("import hypothesis, no_such_module\n")
    code, output, why = explored(file, "--seconds", "9")
    assert (code, output) == (2, "")
    assert "No module named 'no_such_module'" in why
    assert why.endswith("explore: these tests cannot be run; see make test\n")


@pytest.mark.parametrize("word", ["", "soon", "0", "-1", "1.5", "٣", "9" * 30])
def test_an_invalid_time_is_refused_in_one_sentence(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        explore.main([f"--seconds={word}"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        f"explore: argument --seconds: '{word}' is no whole number of seconds from 1 to 604800\n"
    )
