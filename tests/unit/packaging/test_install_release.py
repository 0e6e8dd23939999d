"""What the installer installs from and leaves behind: signed releases, the floor."""

import subprocess
from pathlib import Path

import pytest
from bare_machine import Bare, light_checkout
from project import ROOT

from tools import release


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A private key, and its public one."""
    folder = tmp_path_factory.mktemp("keys")
    private, public = folder / "release.key", folder / "release.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private, public


@pytest.fixture
def signed(tmp_path: Path, keys: tuple[Path, Path]) -> Bare:
    """A machine, and a signed release in the place of a checkout."""
    folder = tmp_path / "release"
    folder.mkdir()
    light_checkout(folder)
    (folder / "table_controller-0.2.0-py3-none-any.whl").write_text("the wheel")
    sources = tmp_path / "table_controller-0.2.0"
    sources.mkdir()
    (sources / "setup.py").write_text("")
    archive = folder / "table_controller-0.2.0.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", tmp_path, sources.name], check=True)
    (folder / release.SUMS).write_text(release.listing(folder), encoding="utf-8")
    release.sign(folder, keys[0])
    return Bare(tmp_path, folder)


def test_a_signed_release_is_verified_and_its_wheel_installed(signed: Bare, keys: tuple[Path, Path]) -> None:
    done = signed.run(TABLE="roulette", RELEASE_KEY=str(keys[1]))
    assert done.returncode == 0, done.stderr
    assert f"the release is signed with {keys[1]}, and complete" in done.stdout
    *_, last = [line for line in signed.calls() if line.startswith("pip ")]
    assert Path(last.split()[-1]).name == "table_controller-0.2.0-py3-none-any.whl"
    signed.answer("state", "active")
    kept = signed.root / "etc/table-controller/release.pem"
    kept.write_bytes(keys[1].read_bytes())
    assert signed.run().returncode == 0


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("changed", "differs from what was signed"),
        ("missing", "differs from what was signed"),
        ("additional", "has files that were not signed; delete them: systemd/install.orig"),
        ("listed", "is not signed with"),
        ("other-key", "is not signed with"),
        ("no-signature", "is not signed with"),
        ("no-key", "there is no key to verify it with"),
    ],
)
def test_a_release_that_is_not_what_was_signed_changes_nothing(
    how: str, message: str, signed: Bare, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, key = signed.checkout, keys[1]
    lock = folder / "requirements/run.txt"
    if how in ("changed", "listed"):
        lock.write_text("evil==1.0\n")
    if how == "missing":
        lock.unlink()
    if how == "additional":
        (folder / "systemd/install.orig").write_text("")
    if how == "listed":
        (folder / release.SUMS).write_text(release.listing(folder), encoding="utf-8")
    if how == "no-signature":
        (folder / release.SIGNATURE).unlink()
    if how == "other-key":
        key = tmp_path / "other.pem"
        private = tmp_path / "other.key"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
        subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", key], check=True)
    if how == "no-key":
        key = tmp_path / "nowhere.pem"
    done = signed.run(TABLE="roulette", RELEASE_KEY=str(key))
    assert done.returncode == 1
    assert message in done.stderr
    assert signed.files() == {}
    assert not (signed.answers / "calls").exists()


# -- the floor -----------------------------------------------------------------------------------------------------

FLOOR = "table-controller-floor"


@pytest.fixture
def machine(tmp_path: Path) -> Bare:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    return Bare(tmp_path, light_checkout(checkout))


def floor_file(machine: Bare, text: str = "floor: main-floor\n") -> Path:
    file = machine.root / "etc" / FLOOR / "floor.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_the_floor_is_installed_where_its_unit_starts_it(machine: Bare) -> None:
    floor_file(machine)
    done = machine.run("floor")
    assert done.returncode == 0, done.stderr
    assert (machine.root / f"etc/systemd/system/{FLOOR}.service").read_bytes() == (
        ROOT / f"systemd/{FLOOR}.service"
    ).read_bytes()
    assert (machine.root / f"etc/sysusers.d/{FLOOR}.conf").read_bytes() == (
        ROOT / "systemd/sysusers-floor.conf"
    ).read_bytes()
    assert (machine.root / "opt" / FLOOR).is_dir()
    packages = next(line for line in machine.calls() if "run.txt" in line)
    assert "/floor.txt" in packages
    assert "/pi.txt" not in packages
    assert f"systemctl enable --quiet {FLOOR}" in machine.calls()
    assert machine.started() == ["1"]
    assert not (machine.root / "opt/table-controller").exists()


def test_without_its_file_or_with_a_wrong_one_no_floor_is_installed(machine: Bare) -> None:
    done = machine.run("floor")
    assert (done.returncode, "floor.yaml; put the floor's file there" in done.stderr) == (2, True)
    assert machine.files() == {}
    floor_file(machine, "floor: wrong\n")
    before = machine.files()
    done = machine.run("floor")
    assert (done.returncode, "this version does not accept" in done.stderr) == (78, True)
    assert machine.files() == before


def test_a_floor_that_does_not_start_is_rolled_back_and_can_be_removed(machine: Bare) -> None:
    floor_file(machine)
    machine.run("floor")
    before = machine.files()
    machine.answer("version", "does-not-start")
    done = machine.run("floor")
    assert (done.returncode, "the new version does not start" in done.stderr) == (1, True)
    assert machine.files() == before
    assert machine.started() == ["1", "does-not-start", "1"]
    for _ in range(2):
        assert machine.run("uninstall-floor").returncode == 0
        assert set(machine.files()) == {f"etc/{FLOOR}/floor.yaml"}
