"""What of the tests runs on a second release of Debian: all that touch the machine, and a sample of the core's."""

import re
import subprocess
import sys
from collections import Counter
from math import ceil
from pathlib import Path

import pytest
from project import ROOT
from sampled import CORE, cases, sampled

MACHINE = ("tests/unit/journal/test_a.py", "tests/unit/commands/test_a.py", "tests/contracts/test_a.py")


def test_the_core_is_sampled_and_the_same_each_time() -> None:
    names = [f"{folder}/test_a.py::test_{number}" for folder in CORE for number in range(100)]
    taken = sampled(names, 4)
    assert len(names) / 5 < sum(taken) < len(names) / 3
    assert taken == sampled(names, 4)


def test_what_touches_the_machine_runs_whole() -> None:
    assert all(sampled([f"{file}::test_{number}" for file in MACHINE for number in range(100)], 4))


def test_one_in_one_is_all() -> None:
    assert all(sampled([f"{CORE[0]}/test_a.py::test_{number}" for number in range(100)], 1))


def test_of_each_test_some_cases_run_and_one_at_the_least() -> None:
    names = [f"tests/a.py::test_{cases}[{case}]" for cases in range(1, 30) for case in range(cases)]
    names += ["tests/a.py::test_alone", "tests/b.py::TestIt::test_1[0]"]
    taken = [name for name, runs in zip(names, cases(names, 4), strict=True) if runs]
    counted = Counter(name.partition("[")[0] for name in taken)
    for of_one in range(1, 30):
        assert counted[f"tests/a.py::test_{of_one}"] == ceil(of_one / 4)
    assert counted["tests/a.py::test_alone"] == counted["tests/b.py::TestIt::test_1"] == 1
    assert cases(names, 4) == cases(names, 4)
    assert cases(names[::-1], 4) == cases(names, 4)[::-1], "whatever their order"
    assert all(cases(names, 1))


@pytest.mark.parametrize("folder", CORE)
def test_each_folder_has_tests(folder: str) -> None:
    assert list((ROOT / folder).glob("test_*.py"))


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest in a project of forty tests of the core and forty others."""
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT / 'tests' / 'support'}\n")
    (folder / "conftest.py").write_text(
        "from sampled import add_option, sample\n"
        "def pytest_addoption(parser): add_option(parser)\n"
        "def pytest_collection_modifyitems(config, items): sample(config, items)\n"
    )
    for name in ("tests/games", "tests/unit/journal"):
        file = folder / name / f"test_{Path(name).name}.py"
        file.parent.mkdir(parents=True)
        file.write_text("import pytest\n@pytest.mark.parametrize('n', range(40))\ndef test_n(n): pass\n")
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_pytest_runs_the_sample_and_says_what_it_left_out(tmp_path: Path) -> None:
    ran = run_pytest(tmp_path, "--core-sample", "4")
    counted = re.search(r"(\d+) passed, (\d+) deselected", ran.stdout)
    assert counted is not None, ran.stdout + ran.stderr
    passed, left_out = map(int, counted.groups())
    assert passed + left_out == 80
    assert 25 < left_out < 40


@pytest.mark.parametrize("given", ["0", "-1", "some"])
def test_no_number_of_tests_is_refused(tmp_path: Path, given: str) -> None:
    ran = run_pytest(tmp_path, "--core-sample", given)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--core-sample: invalid" in ran.stderr
