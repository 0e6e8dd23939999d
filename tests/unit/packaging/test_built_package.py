"""The package as it is installed: built of a copy of the source, without network, and run from where it was put."""

import hashlib
import json
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from project import ROOT

from controller import __version__
from controller.events.event import PowerRestored, TableStarted
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.runtime.manifest import REMEDY, sums, within

PACKAGES = ("config", "controller", "hal")
CALL_HOOK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
"""A hook of the build system (PEP 517), called as pip calls it."""
MAKES_WHEELS = "from setuptools import Distribution; Distribution().get_command_class('bdist_wheel')"

pytestmark = pytest.mark.skipif(
    find_spec("setuptools") is None, reason="setuptools is not installed: nothing builds"
)


def python(*words: str, folder: Path, path: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, where the only sources in sight are those on the path."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONPATH": ":".join(map(str, path))}
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


def build(source: Path, into: Path) -> subprocess.CompletedProcess[str]:
    """Put the packages where they can be run, by the step that every way of building and installing takes."""
    return python("setup.py", "--quiet", "build_py", "--build-lib", str(into), folder=source)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_source(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    done = build(source, folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    """The packages as pip puts them into a Python's folder."""
    return Path(shutil.copytree(built, tmp_path / "site"))


def verified(site: Path, *words: str, before: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """``table-controller verify-software`` of the packages in a folder, run elsewhere."""
    path = (*before, site)
    return python("-m", "controller", "verify-software", *words, folder=site.parent, path=path)


def test_every_file_of_the_source_is_installed(built: Path) -> None:
    """A folder without an ``__init__.py`` would be left out."""
    assert sums(within(built)) == sums(within(ROOT))


def test_an_installed_package_is_verified_and_prints_what_sha256sum_prints(site: Path) -> None:
    done = verified(site)
    assert (done.returncode, done.stderr) == (0, "")
    manifest = site / "controller/MANIFEST.sha256"
    software = hashlib.sha256(manifest.read_bytes()).hexdigest()
    count = manifest.read_text().count("\n")
    last = f"version {__version__}, software {software}\n{count} files, all verified\n"
    assert done.stdout == manifest.read_text() + last
    checked = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", manifest], cwd=site, check=False)
    assert checked.returncode == 0


def test_a_file_altered_removed_or_added_is_named(site: Path) -> None:
    with (site / "controller/games/sic_bo/game.py").open("a") as file:
        file.write("# harmless\n")
    (site / "config/tables/roulette.yaml").unlink()
    (site / "hal/mock/skew.py").write_text("")
    done = verified(site)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "config/tables/roulette.yaml: missing",
        "controller/games/sic_bo/game.py: changed",
        "hal/mock/skew.py: additional",
        f"3 files differ from the manifest; delete the additional ones, then {REMEDY}",
    ]
    done = verified(site, "--json")
    assert done.returncode == 1
    output = json.loads(done.stdout)
    assert output["fits"] is False
    assert (output["missing"], output["changed"], output["additional"]) == (
        ["config/tables/roulette.yaml"],
        ["controller/games/sic_bo/game.py"],
        ["hal/mock/skew.py"],
    )
    assert output["files"]["hal/mock/skew.py"] == hashlib.sha256(b"").hexdigest()


@pytest.mark.parametrize(
    "name",
    [
        "controller/runtime/table.py",
        "controller/events/event.py",
        "hal/__init__.py",
        "config/problems.py",
        "hal/errors.py",
    ],
)
def test_damage_that_keeps_the_table_from_starting_is_named(site: Path, name: str) -> None:
    (site / name).write_bytes(b"\0\0\0\0")
    done = verified(site)
    assert (done.returncode, done.stderr.splitlines()[:1]) == (1, [f"{name}: changed"])
    (site / name).unlink()
    done = verified(site)
    assert (done.returncode, done.stderr.splitlines()[:1]) == (1, [f"{name}: missing"])


def test_the_package_that_python_imports_is_the_one_that_is_verified(site: Path, tmp_path: Path) -> None:
    (tmp_path / "shadow/hal").mkdir(parents=True)
    (tmp_path / "shadow/hal/__init__.py").write_text("")
    done = verified(site, before=[tmp_path / "shadow"])
    assert done.returncode == 1
    assert "hal/__init__.py: changed" in done.stderr
    assert "hal/clock.py: missing" in done.stderr


def test_a_package_without_its_manifest_is_not_verified(site: Path) -> None:
    (site / "controller/MANIFEST.sha256").unlink()
    done = verified(site)
    assert done.returncode == 1
    assert "there is no manifest: this is a source folder, or the manifest was removed" in done.stderr
    assert "software development-" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_journal_says_at_each_start_what_ran(site: Path, tmp_path: Path) -> None:
    started = [start_and_stop(site, tmp_path / "journal") for _ in range(2)]
    software = hashlib.sha256((site / "controller/MANIFEST.sha256").read_bytes()).hexdigest()
    assert all(f", software {software[:12]})" in line for line in started)
    journal = Journal(tmp_path / "journal", read_only=True)
    events = [of_entry(entry).event for entry in journal.entries()]
    journal.close()
    ran = [(event.kind, event.software) for event in events if isinstance(event, TableStarted | PowerRestored)]
    assert ran == [("table-started", software), ("power-restored", software)]


def start_and_stop(site: Path, journal: Path) -> str:
    """The table's output until it is ready."""
    table = str(site / "config/tables/sic-bo.yaml")
    command = [sys.executable, "-m", "controller", "run", table, "--port", "0", "--journal", str(journal)]
    environment = {"PYTHONPATH": str(site)}
    with subprocess.Popen(command, cwd=site.parent, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "is ready" in line:
                break
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0, lines
    return "".join(lines)


def test_a_table_whose_software_was_changed_does_not_start(site: Path, tmp_path: Path) -> None:
    """Unreleased software must not decide on wagers; the journal is not touched."""
    with (site / "controller/games/sic_bo/game.py").open("a") as file:
        file.write("# harmless\n")
    table = str(site / "config/tables/sic-bo.yaml")
    done = python(
        "-m",
        "controller",
        "run",
        table,
        "--port",
        "0",
        "--journal",
        str(tmp_path / "journal"),
        folder=tmp_path,
        path=[site],
    )
    assert done.returncode == 78
    assert done.stderr.splitlines() == [
        "controller/games/sic_bo/game.py: changed",
        f"the table does not start: 1 file differs from the manifest; {REMEDY}",
    ]
    assert not (tmp_path / "journal").exists()


def test_leftovers_of_an_earlier_build_are_not_packaged(source: Path, built: Path, tmp_path: Path) -> None:
    """It would be installed, and listed in the manifest."""
    folder = Path(shutil.copytree(built, tmp_path / "lib"))
    assert build(source, folder).returncode == 0
    (folder / "hal/mock/old.py").write_text("")
    done = build(source, folder)
    assert done.returncode != 0
    assert "delete this folder; it has files that are not of this source: hal/mock/old.py" in done.stderr


@pytest.fixture(scope="module")
def makes_wheels() -> None:
    done = python("-c", MAKES_WHEELS, folder=ROOT)
    if done.returncode:
        pytest.skip("this setuptools makes no wheels: 70.1 or newer does, or an older one with the library wheel")


def made(hook: str, source: Path, folder: Path) -> Path:
    """The one file that a hook of the build system makes of a source folder."""
    folder.mkdir()
    done = python("-c", CALL_HOOK, hook, str(folder), folder=source)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr  # An error of the project's own is only told, where setuptools can go on.
    (file,) = folder.iterdir()
    return file


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.usefixtures("makes_wheels")
def test_a_wheel_and_one_made_of_the_source_archive_have_the_same_manifest(built: Path, tmp_path: Path) -> None:
    source = copy_of_the_source(tmp_path / "source")
    wheel = unpacked(made("build_wheel", source, tmp_path / "wheel"), tmp_path / "from-wheel")
    archive = made("build_sdist", source, tmp_path / "sdist")
    (tmp_path / "archive").mkdir()
    subprocess.run(["tar", "--extract", "--file", archive], cwd=tmp_path / "archive", check=True)
    (copy,) = (tmp_path / "archive").iterdir()
    again = unpacked(made("build_wheel", copy, tmp_path / "wheel-again"), tmp_path / "from-archive")
    expected = (built / "controller/MANIFEST.sha256").read_bytes()
    for site in (wheel, again):
        assert verified(site).returncode == 0
        assert (site / "controller/MANIFEST.sha256").read_bytes() == expected


@pytest.mark.usefixtures("makes_wheels")
def test_an_editable_installation_has_no_manifest(tmp_path: Path) -> None:
    source = copy_of_the_source(tmp_path / "source")
    made("build_editable", source, tmp_path / "wheel")
    unpacked(next((tmp_path / "wheel").iterdir()), tmp_path / "site")
    assert not list(tmp_path.rglob("MANIFEST.sha256"))
