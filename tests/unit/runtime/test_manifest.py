"""The manifest of the software's own files: nothing can be changed, taken away or added without being named."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import ROOT

from controller.runtime import manifest
from controller.runtime.manifest import digest, installed, sums, verify, within, write

FILES = {
    "config/__init__.py": b"",
    "config/tables/sic-bo.yaml": b"table: sic-bo-1\n",
    "controller/__init__.py": b'"""The table."""\n',
    "controller/games/sic_bo/game.py": b"GAME = 1\n",
    "controller/py.typed": b"",
    "hal/__init__.py": b"\r\n",
    "hal/mock/panel.py": bytes(range(256)),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with three packages and their manifest."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    write(tmp_path)
    return tmp_path


def manifest_of(root: Path) -> Path:
    return root / "controller" / "MANIFEST.sha256"


def test_the_manifest_lists_every_file_as_sha256sum_does(root: Path) -> None:
    expected = "".join(f"{hashlib.sha256(FILES[name]).hexdigest()}  {name}\n" for name in sorted(FILES))
    assert manifest_of(root).read_bytes() == expected.encode()


def test_built_files_match_and_running_them_changes_nothing(root: Path) -> None:
    (root / "hal/__pycache__").mkdir()
    (root / "hal/__pycache__/clock.cpython-311.pyc").write_bytes(b"compiled")
    write(root)
    verdict = verify(within(root))
    assert verdict.intact
    assert set(verdict.files) == set(FILES)
    assert verdict.software == hashlib.sha256(manifest_of(root).read_bytes()).hexdigest()


@pytest.mark.parametrize("name", FILES)
def test_each_file_that_is_taken_away_or_changed_is_named_alone(root: Path, name: str) -> None:
    data = FILES[name]
    for other in (data + b"\n", data[1:] or b"#", bytes([data[0] ^ 1]) + data[1:] if data else b" "):
        (root / name).write_bytes(other)
        verdict = verify(within(root))
        assert not verdict.intact
        assert (verdict.missing, verdict.changed, verdict.additional) == ((), (name,), ())
    (root / name).unlink()
    verdict = verify(within(root))
    assert not verdict.intact
    assert (verdict.missing, verdict.changed, verdict.additional) == ((name,), (), ())


@pytest.mark.parametrize("folder", sorted({str(Path(name).parent) for name in FILES} | {"hal/new/deep"}))
@pytest.mark.parametrize("name", ["extra.py", "extra.so", "extra.pyc", ".hidden", "dä\n.py", "\udcff.py"])
def test_every_added_file_is_named(root: Path, folder: str, name: str) -> None:
    (root / folder).mkdir(parents=True, exist_ok=True)
    (root / folder / name).write_bytes(b"")
    verdict = verify(within(root))
    assert not verdict.intact
    assert (verdict.missing, verdict.changed) == ((), ())
    shown = {"dä\n.py": "d\\xe4\\n.py", "\udcff.py": "\\udcff.py"}.get(name, name)
    assert verdict.additional == (f"{folder}/{shown}",)


def test_links_and_pipes_are_named_and_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "module.py").write_text("")
    (root / "hal/linked").symlink_to(elsewhere)
    (root / "hal/__pycache__").symlink_to(elsewhere)
    (root / "hal/dangling.py").symlink_to(elsewhere / "nowhere")
    os.mkfifo(root / "hal/pipe.py")
    (root / "config/__init__.py").unlink()
    (root / "config/__init__.py").mkdir()
    verdict = verify(within(root))
    assert verdict.additional == ("hal/__pycache__", "hal/dangling.py", "hal/linked", "hal/pipe.py")
    assert verdict.missing == ("config/__init__.py",)


def test_a_file_that_cannot_be_read_counts_as_changed(root: Path) -> None:
    (root / "hal/mock/panel.py").unlink()
    (root / "hal/mock/panel.py").symlink_to(root / "hal")
    verdict = verify(within(root))
    assert verdict.changed == ("hal/mock/panel.py",)
    assert verdict.files["hal/mock/panel.py"] == ""


def test_a_package_that_is_gone_is_missing_file_by_file(root: Path) -> None:
    shutil.rmtree(root / "hal")
    assert verify(within(root)).missing == ("hal/__init__.py", "hal/mock/panel.py")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "MANIFEST.sha256: the manifest is damaged: it is empty"),
        (b"\n", "MANIFEST.sha256:1: the manifest is damaged"),
        (b"0" * 64 + b"  hal/a.py\nrubbish\n", "MANIFEST.sha256:2: the manifest is damaged"),
        (b"0" * 64 + b"  hal/\xff.py\n", "MANIFEST.sha256:1: the manifest is damaged"),
        (b"0" * 64 + b"  hal/a.py\r\n", "MANIFEST.sha256:1: the manifest is damaged"),
        (b"0" * 64 + b"  hal/\x85.py\n", "MANIFEST.sha256:1: the manifest is damaged"),
        (b"0" * 64 + b"  hal/a.py\n" + b"\0" * 90, "MANIFEST.sha256:2: the manifest is damaged"),
    ],
)
def test_a_damaged_manifest_is_named_with_its_line(root: Path, data: bytes, message: str) -> None:
    manifest_of(root).write_bytes(data)
    verdict = verify(within(root))
    assert not verdict.intact
    assert message in verdict.problem
    assert verdict.software == hashlib.sha256(data).hexdigest()


def test_an_unreadable_manifest_verifies_nothing(root: Path) -> None:
    manifest_of(root).unlink()
    manifest_of(root).mkdir()
    verdict = verify(within(root))
    assert not verdict.intact
    assert "the manifest cannot be read: Is a directory" in verdict.problem
    assert verdict.software.startswith("development-")


@given(st.data())
def test_an_altered_manifest_never_matches(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    root = tmp_path_factory.mktemp("altered")
    for package in manifest.PACKAGES:
        (root / package).mkdir()
        (root / package / "__init__.py").write_text(f'"""{package}"""\n')
    write(root)
    text = manifest_of(root).read_bytes()
    at = data.draw(st.integers(0, len(text) - 2))  # Without its last line feed it says the same.
    cut, byte = data.draw(st.booleans()), data.draw(st.integers(0, 255))
    altered = text[:at] if cut else text[:at] + bytes([byte]) + text[at + 1 :]
    manifest_of(root).write_bytes(altered)
    assert verify(within(root)).intact == (altered == text)


def test_without_a_manifest_the_digest_is_that_of_the_files_and_says_so(root: Path) -> None:
    built = verify(within(root)).software
    manifest_of(root).unlink()
    first = verify(within(root))
    assert not first.intact
    assert "there is no manifest" in first.problem
    assert first.software == f"development-{built}"
    assert verify(within(root)).software == first.software
    (root / "config/tables/sic-bo.yaml").write_text("table: sic-bo-2\n")
    assert verify(within(root)).software != first.software


def test_the_digest_of_what_runs_is_that_of_its_own_files() -> None:
    assert installed() == within(ROOT)
    listed = "".join(f"{sha}  {path}\n" for path, sha in sums(installed()).items())
    assert digest() == f"development-{hashlib.sha256(listed.encode()).hexdigest()}"
