"""Nothing that is installed can be changed, taken away or added without being named; the digest says what runs."""

import hashlib
import os
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.commissioning.installed_files import Verdict, verify
from controller.runtime.software import PACKAGES, digest_of

OWN = {
    "config/__init__.py": b"",
    "config/tables/sic-bo.yaml": b"table: sic-bo-1\n",
    "controller/__init__.py": b"",
    "controller/games/sic_bo/game.py": b"GAME = 1\n",
    "hal/mock/panel.py": bytes(range(256)),
    "../bin/table-controller": b"#!python\n",
}
LIBRARY = {
    "yaml/__init__.py": b"x = 1\n",
    "yaml/fast.so": b"\x7fELF",
    "a, b.txt": b"",
    "fix.pth": b"import yaml\n",
}
FILES = {**OWN, **LIBRARY}


def add(site: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Install a distribution as pip does without compiling."""
    lines = []
    for file, data in files.items():
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_bytes(data)
        digits = urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        quoted = f'"{file}"' if "," in file else file
        lines.append(f"{quoted},sha256={digits},{len(data)}\n")
    info = site / f"{name}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("".join([*lines, f"{info.name}/RECORD,,\n"]))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    add(folder, "table_controller-1.0", OWN)
    add(folder, "yaml-6.0", LIBRARY)
    return folder


def verdict(site: Path) -> Verdict:
    return verify({package: site / package for package in PACKAGES})


def digest(site: Path) -> str:
    return digest_of({package: site / package for package in PACKAGES})


def test_what_pip_installed_fits_and_running_it_changes_nothing(site: Path) -> None:
    for folder in (site, site / "hal"):
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__/clock.cpython-311.pyc").write_bytes(b"compiled")
    found = verdict(site)
    assert (found.intact, found.files, found.distributions, found.run_at_start) == (True, 10, 2, ("fix.pth",))


@pytest.mark.parametrize("name", FILES)
def test_each_file_that_is_changed_or_taken_away_is_named_alone(site: Path, name: str) -> None:
    (site / name).write_bytes(FILES[name] + b"\n")
    found = verdict(site)
    assert (found.intact, found.missing, found.changed, found.unlisted) == (False, (), (name,), ())
    (site / name).unlink()
    found = verdict(site)
    assert (found.intact, found.missing, found.changed, found.unlisted) == (False, (name,), (), ())


def test_every_added_file_is_named_and_no_link_is_followed(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/module.py").write_text("")
    (site / "hal/linked").symlink_to(tmp_path / "elsewhere")
    (site / "hal/__pycache__").symlink_to(tmp_path / "elsewhere")
    (site / "hal/dangling.py").symlink_to(tmp_path / "nowhere")
    expected = {"hal/linked", "hal/__pycache__", "hal/dangling.py"}
    for folder in (".", "hal/mock", "yaml", "new/deep", "yaml-6.0.dist-info"):
        (site / folder).mkdir(parents=True, exist_ok=True)
        for name in ("extra.py", "extra.so", "extra.pth", "extra.pyc", "d\xe4\n.py", "\udcff.py"):
            (site / folder / name).write_bytes(b"")
            shown = {"d\xe4\n.py": "d\\xe4\\n.py", "\udcff.py": "\\udcff.py"}.get(name, name)
            expected.add(os.path.normpath(f"{folder}/{shown}"))
    found = verdict(site)
    assert (found.intact, found.missing, found.changed) == (False, (), ())
    assert (set(found.unlisted), len(found.unlisted)) == (expected, len(expected))


@pytest.mark.parametrize(
    "record", [b"", b"\xff\xfe,", b"yaml/__init__.py\n", b'"', b"yaml/__init__.py,sha256=\xc3\xa4,1\n"]
)
def test_of_a_damaged_list_nothing_is_believed(site: Path, record: bytes) -> None:
    (site / "yaml-6.0.dist-info/RECORD").write_bytes(record)
    found = verdict(site)
    assert not found.intact
    assert {"yaml/fast.so", "fix.pth"} <= {*found.unlisted}
    assert "yaml/__init__.py" in found.unlisted + found.changed


def test_a_file_that_is_listed_without_a_sum_is_not_believed(site: Path) -> None:
    record = site / "yaml-6.0.dist-info/RECORD"
    record.write_text(record.read_text() + "yaml/added.py,,\n")
    (site / "yaml/added.py").write_text("")
    assert verdict(site).unlisted == ("yaml/added.py",)


def test_what_was_not_installed_is_under_development(site: Path, tmp_path: Path) -> None:
    (site / "table_controller-1.0.dist-info/RECORD").unlink()
    found = verdict(site)
    assert (found.intact, found.faults()) == (False, [])
    assert "not an installation" in found.development


def test_the_digest_is_that_of_what_sha256sum_prints_wherever_it_lies(site: Path, tmp_path: Path) -> None:
    files = {name: data for name, data in OWN.items() if not name.startswith("..")}
    text = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    assert digest(site) == hashlib.sha256(text.encode()).hexdigest()
    other = tmp_path / "other"
    other.mkdir()
    add(other, "table_controller-1.0", dict(reversed(OWN.items())))
    (other / "hal/__pycache__").mkdir()
    (other / "hal/__pycache__/panel.cpython-313.pyc").write_bytes(b"compiled")
    assert digest(other) == digest(site)
    for change in (
        lambda: (other / "hal/mock/panel.py").write_bytes(b""),
        lambda: (other / "hal/mock/panel.py").rename(other / "hal/panel.py"),
        lambda: (other / "hal/new.py").write_bytes(b""),
    ):
        before = digest(other)
        change()
        assert digest(other) not in (before, digest(site))
