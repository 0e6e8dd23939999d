"""The locks: every package that is installed has a version and hashes, and nothing is installed without them."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from project import ROOT
from setup_arguments import of_setup

FOLDER = ROOT / "requirements"
LOCKS = sorted(path.stem for path in FOLDER.glob("*.txt"))
PINNED = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>[^ ;]+)( ; (?P<marker>[^\\]+))?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
OF_THEMSELVES = {"build", "lock", "run"}
"""The locks that are no extra's."""


def entries(lock: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes of each package of a lock; a line that is neither fails the test."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in (FOLDER / f"{lock}.txt").read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        requirement, *hashes = re.split(r" +(?=--)", line.strip())
        pinned = PINNED.fullmatch(requirement.strip())
        assert pinned, f"{lock}.txt: {requirement}"
        assert all(HASH.fullmatch(one) for one in hashes), f"{lock}.txt: {line[:80]}"
        assert pinned["name"] not in found, f"{lock}.txt has {pinned['name']} twice"
        found[pinned["name"]] = (pinned["version"], hashes)
    return found


def check(needed: list[str], lock: str) -> None:
    """Every requirement is in a lock, with a version that will do."""
    locked = entries(lock)
    for words in needed:
        requirement = Requirement(words)
        version, hashes = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{lock}.txt: {words}, and not {version}"
        assert hashes, f"{lock}.txt: {words}"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_a_version_and_hashes(lock: str) -> None:
    found = entries(lock)
    assert found
    assert [name for name, (_, hashes) in found.items() if not hashes] == []


def test_requirements_of_setup_py_are_locked() -> None:
    setup = of_setup()
    assert set(LOCKS) == OF_THEMSELVES | set(setup["extras_require"])
    check(setup["install_requires"], "run")
    for extra, needed in setup["extras_require"].items():
        check([*setup["install_requires"], *needed], extra)


def test_the_build_backend_is_locked_at_the_required_version() -> None:
    system = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    check(system["requires"], "build")
    assert {f"{name}=={version}" for name, (version, _) in entries("build").items()} == set(system["requires"])


def test_locks_can_be_installed_beside_each_other() -> None:
    seen: dict[str, tuple[str, list[str]]] = {}
    for lock in LOCKS:
        for name, entry in entries(lock).items():
            assert seen.setdefault(name, entry) == entry, f"{name} in {lock}.txt"


def test_locks_name_no_place_to_fetch_from() -> None:
    for lock in LOCKS:
        text = (FOLDER / f"{lock}.txt").read_text(encoding="utf-8")
        assert not re.search(r"://|index|find-links|@|#", text), lock


# -- who installs --------------------------------------------------------------------------------------------------

PLACES = ("systemd/install", "docs/floor.md", "tests/system/kernel/build.sh")
ASKS = re.compile(r"\bpip[\"']? +(install|download|wheel)|\binto_slot --|\bapart (install|wheel)|\bpip[23]? +-")
ADVICE = ("pip install 'table-controller[", '--no-compile "$@"', '--no-cache-dir "$@"')
"""What the messages tell a user of an installed table; the function that the installer's commands go through."""
TARGETS = ("bench", "dev", "pi", "browser", "fuzz", "mutation", "site", "lock")


def refused(command: str) -> bool:
    """Whether a command installs packages without hashes; ``--require-hashes`` lets pip take nothing else."""
    words = set(command.split())
    return "--require-hashes" not in words and not {"--no-deps", "--no-build-isolation"} <= words


def pip_commands(file: Path) -> list[str]:
    """The commands of a file that ask pip to install, each on a line."""
    lines = file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line for line in lines if ASKS.search(line) and not line.lstrip().startswith("#")]


@pytest.mark.parametrize("place", [*PLACES, *(str(path.relative_to(ROOT)) for path in (ROOT / ".ci").iterdir())])
def test_nothing_is_installed_without_hashes(place: str) -> None:
    commands = [line for line in pip_commands(ROOT / place) if not any(words in line for words in ADVICE)]
    assert [command for command in commands if refused(command)] == []
    if place in ("systemd/install", "docs/floor.md", ".ci/plain-install"):
        assert len(commands) >= 2


def test_make_installs_nothing_without_hashes() -> None:
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", *(f".venv/{one}" for one in TARGETS)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    commands = [
        part
        for line in output.replace("\\\n", " ").splitlines()
        for part in line.split("&&")
        if "pip install" in part
    ]
    assert len(commands) > len(TARGETS)
    assert [one for one in commands if refused(one)] == []
    used = {name for name in LOCKS if any(f"requirements/{name}.txt" in one for one in commands)}
    assert used == {"build", *TARGETS}


def test_a_command_without_hashes_is_found() -> None:
    for command in ("pip install numpy", 'pip install "evdev>=1.7"', "pip install .", "pip install --no-deps ."):
        assert ASKS.search(command)
        assert refused(command)
    assert not refused("pip install --require-hashes -r requirements/run.txt")
