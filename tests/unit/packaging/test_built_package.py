"""The package as it is installed: built of a copy of the source, without network, and run from where it was put."""

import json
import shutil
import signal
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from project import ROOT

from controller.commissioning.installed_files import REMEDY
from controller.events.event import PowerRestored, TableStarted
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime.software import digest

PACKAGES = ("config", "controller", "hal")
CALL_HOOK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
"""A hook of the build system (PEP 517), called as pip calls it."""
MAKES_WHEELS = "from setuptools import Distribution; Distribution().get_command_class('bdist_wheel')"


def python(*words: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, where the only sources in sight are those on the path."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONPATH": path}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


def copy_of_the_source(folder: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, folder)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the source, unpacked: as pip puts it into a Python's folder."""
    if python("-c", MAKES_WHEELS, folder=ROOT).returncode:
        pytest.skip("this setuptools makes no wheels: 70.1 or newer does, or an older one with the library wheel")
    folder = tmp_path_factory.mktemp("built")
    source = copy_of_the_source(folder / "source")
    done = python("-c", CALL_HOOK, "build_wheel", str(folder), folder=source)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr  # An error of the project's own is only told, where setuptools can go on.
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "site"))


def verified(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``table-controller verify-software`` of the packages in a folder, run elsewhere."""
    return python("-m", "controller", "verify-software", *words, folder=site.parent, path=str(site))


def test_what_is_installed_is_as_it_was_built_and_has_the_digest_of_its_source(site: Path) -> None:
    """So a folder without an ``__init__.py``, which would be left out, is missed here."""
    done = verified(site)
    assert (done.returncode, done.stderr) == (0, "")
    assert f", software {digest()}\n" in done.stdout
    assert "files of 1 packages, all as they were installed\n" in done.stdout
    assert list(site.rglob("*.pyc")), "it has run, and what it left behind changes nothing"
    assert verified(site).stdout == done.stdout


def test_a_file_altered_removed_or_added_is_named(site: Path) -> None:
    with (site / "controller/games/sic_bo/game.py").open("a") as file:
        file.write("# harmless\n")
    (site / "config/tables/roulette.yaml").unlink()
    (site / "stray.pth").write_text("# harmless\n")
    done = verified(site)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "config/tables/roulette.yaml: missing",
        "controller/games/sic_bo/game.py: changed",
        "stray.pth: not installed by pip",
        f"3 files differ from what was installed; delete what pip did not install, then {REMEDY}",
    ]
    assert "stray.pth: run whenever Python starts\n" in done.stdout
    output = json.loads(verified(site, "--json").stdout)
    assert (output["fits"], output["software"] == digest(), output["unlisted"]) == (False, False, ["stray.pth"])


def test_damage_that_keeps_the_table_from_starting_is_named(site: Path) -> None:
    """The command needs no module but its own."""
    needs = ("commands/arguments", "commands/cli", "commands/output", "commands/verify_software", "errors")
    needs += ("commissioning/installed_files", "runtime/software", "runtime/uncollected", "__main__")
    own = {"config/problems.py", *(f"controller/{name}.py" for name in needs)}
    modules = {str(file.relative_to(site)) for file in site.rglob("*.py") if file.name != "__init__.py"}
    for name in modules - own:
        (site / name).write_bytes(b"\0\0\0\0")
    done = verified(site)
    assert done.returncode == 1
    assert {line.partition(": ")[0] for line in done.stderr.splitlines()[:-1]} == modules - own


def test_the_journal_says_at_each_start_what_ran(site: Path, tmp_path: Path) -> None:
    for _ in range(2):
        start_and_stop(site, tmp_path / "journal")
    with closing(Journal(tmp_path / "journal", read_only=True)) as journal:
        events = [of_entry(entry).event for entry in journal.entries()]
    ran = [(event.kind, event.software) for event in events if isinstance(event, TableStarted | PowerRestored)]
    assert ran == [("table-started", digest()), ("power-restored", digest())]


def start_and_stop(site: Path, journal: Path) -> None:
    table = str(site / "config/tables/sic-bo.yaml")
    command = [sys.executable, "-m", "controller", "run", table, "--journal", str(journal)]
    environment = {"PYTHONPATH": str(site)}
    with subprocess.Popen(command, cwd=site.parent, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert any("is ready" in line for line in process.stderr)
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
