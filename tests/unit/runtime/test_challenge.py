"""A challenge is answered by who has every file, for each number anew."""

import shutil
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import ROOT
from sealed_installation import install, seal, started

from controller.runtime import manifest
from controller.runtime.challenge import ChallengeAnswer, UnansweredError, of_reference
from controller.runtime.verified_import import NAME

NONCE = "00112233445566778899aabbccddeeff"


@pytest.fixture(scope="module")
def slot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("opt") / "slot"
    install(folder)
    return folder


@pytest.fixture
def wheel(slot: Path, tmp_path: Path) -> Path:
    """A release's folder with the wheel that was installed."""
    (site,) = (slot / "lib").glob("python3*/site-packages")
    (tmp_path / "release").mkdir()
    packed = tmp_path / "packed"
    for package in manifest.PACKAGES:
        shutil.copytree(site / package, packed / package, ignore=shutil.ignore_patterns("__pycache__"))
    archive = shutil.make_archive(str(tmp_path / "wheel"), "zip", packed)
    shutil.move(archive, tmp_path / "release/table_controller-0.2.0-py3-none-any.whl")
    return tmp_path / "release"


def answered(slot: Path, nonce: str) -> list[str]:
    done = started(slot, "verify-software", "--challenge", nonce)
    assert done.returncode == 0, done.stderr
    return [line.split()[1] for line in done.stdout.splitlines()]


def test_the_table_answers_as_the_release_and_the_installation_do(slot: Path, wheel: Path) -> None:
    nonce = token_hex(32)
    package, installation = answered(slot, nonce)
    assert of_reference(nonce, wheel) == ChallengeAnswer(package)
    assert of_reference(nonce, next(wheel.iterdir())) == ChallengeAnswer(package)
    assert of_reference(nonce, slot) == ChallengeAnswer(package, installation)
    (site,) = (slot / "lib").glob("python3*/site-packages")
    assert of_reference(nonce, site) == ChallengeAnswer(package)
    done = started(slot, "verify-software", "--answer", nonce, "--against", str(slot))
    assert [line.split()[1] for line in done.stdout.splitlines()] == [package, installation]


def test_no_answer_is_that_to_another_challenge(slot: Path) -> None:
    first, again, other = (answered(slot, nonce) for nonce in (NONCE, NONCE, NONCE[::-1]))
    assert first == again
    assert not set(first) & set(other)


@given(files=st.lists(st.binary(min_size=1, max_size=9), min_size=3, max_size=3), at=st.integers(0, 26))
def test_one_changed_byte_anywhere_is_another_answer(
    files: list[bytes], at: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("packages")
    named = dict(zip(("config/__init__.py", "controller/core.py", "hal/pins.py"), files, strict=True))
    for name, content in named.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(content)
    manifest.write(root)
    before = of_reference(NONCE, root)
    name = list(named)[at % 3]
    place = at // 3 % len(named[name])
    changed = bytearray(named[name])
    changed[place] ^= 1 + at
    (root / name).write_bytes(changed)
    assert of_reference(NONCE, root) != before


def test_a_list_of_the_right_sums_does_not_answer(slot: Path, tmp_path: Path) -> None:
    """The content is needed: with the manifest alone nobody has an answer."""
    (tmp_path / NAME).write_bytes((slot / NAME).read_bytes())
    with pytest.raises(UnansweredError, match=r"MANIFEST\.sha256 cannot be read"):
        of_reference(NONCE, tmp_path)


def test_what_was_altered_and_listed_anew_answers_otherwise(slot: Path, wheel: Path, tmp_path: Path) -> None:
    """Somebody with root changes a file and both manifests: the release's own files say otherwise."""
    altered = Path(shutil.copytree(slot, tmp_path / "altered", symlinks=True))
    (site,) = (altered / "lib").glob("python3*/site-packages")
    with (site / "controller/games/sic_bo/game.py").open("a") as file:
        file.write("# harmless\n")
    manifest.write(site)
    shutil.rmtree(site / "controller/games/sic_bo/__pycache__")
    seal(altered)
    assert started(altered, "verify-software").returncode == 0
    package, _ = answered(altered, NONCE)
    assert package != of_reference(NONCE, wheel).package


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--challenge", "ABC"], 2, "32 to 128 hexadecimal digits in lower case are expected"),
        (["--challenge", NONCE, "--seal"], 2, "not allowed with argument"),
        (["--answer", NONCE], 2, "--answer and --against belong together"),
        (["--answer", NONCE, "--against", "/nonexistent"], 1, "no wheel can be read there"),
        (["--answer", NONCE, "--against", "/etc"], 1, "name a release's folder or wheel"),
    ],
)
def test_what_cannot_be_answered_is_said(words: list[str], code: int, message: str) -> None:
    command = [sys.executable, "-m", "controller", "verify-software", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
