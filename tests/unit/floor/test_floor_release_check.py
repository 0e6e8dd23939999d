"""``floor --check`` looks at the release that tables are to run: whether it is there, and as it was signed."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.commands.cli import main
from controller.runtime import manifest
from tools.release import SIGNATURE, SUMS, listing

WHEEL = "table_controller-0.2.0-py3-none-any.whl"


@pytest.fixture
def release(file: Path) -> Path:
    """A release's folder, which is signed; beside it the public key. The floor's file names both."""
    folder = file.with_name("release")
    packages = folder.parent / "packages"
    for name in ("config/__init__.py", "controller/core.py", "hal/pins.py"):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text(f"NAME = {name!r}\n")
    manifest.write(packages)
    (folder / "systemd").mkdir(parents=True)
    (folder / "systemd/install").write_text("#!/bin/sh\n")
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        for path in sorted(packages.rglob("*.*")):
            wheel.write(path, path.relative_to(packages).as_posix())
    key = Ed25519PrivateKey.generate()
    (folder / SUMS).write_text(listing(folder))
    (folder / SIGNATURE).write_bytes(key.sign((folder / SUMS).read_bytes()))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    file.with_name("release.pem").write_bytes(public)
    text = f"software:\n  release: {folder}\n  key: {file.with_name('release.pem')}\n"
    file.write_text(file.read_text() + text)
    return folder


def checked(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["floor", str(file), "--check"])
    out, err = capsys.readouterr()
    return code, out + err


def test_a_release_that_is_whole_and_signed_is_in_order(
    file: Path, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = checked(file, capsys)
    assert code == 0
    assert f"{file}: in order\n" in said
    assert "software" not in said


def test_without_a_key_it_says_that_nobody_compares_the_signature(
    file: Path, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("\n".join(line for line in file.read_text().splitlines() if "release.pem" not in line))
    code, said = checked(file, capsys)
    assert code == 0
    assert "nobody compares" in said
    file.write_text(file.read_text().replace(str(release), str(release / WHEEL)))
    assert checked(file, capsys)[0] == 0, "the wheel alone is enough then"


def _change(release: Path) -> None:
    (release / "systemd/install").write_text("#!/bin/sh\nrm -rf /\n")


def _sign_anew(release: Path) -> None:
    _change(release)
    (release / SUMS).write_text(listing(release))


def _other_key(release: Path) -> None:
    public = generate_private_key(SECP256R1()).public_key()
    text = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    release.with_name("release.pem").write_bytes(text)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda release: release.rename(release.with_name("elsewhere")), "there is no such file or folder"),
        (lambda release: (release / WHEEL).unlink(), "name a release's folder or wheel"),
        (lambda release: (release / WHEEL).write_text("none"), "no wheel can be read there"),
        (_change, "systemd/install was changed; fetch the release again"),
        (_sign_anew, "it is not signed with"),
        (lambda release: (release / SIGNATURE).unlink(), "it is not signed; name a release's folder"),
        (lambda release: (release / SIGNATURE).write_bytes(b""), "it is not signed with"),
        (lambda release: (release / "evil.pth").write_text("import os"), "evil.pth does not belong to it"),
        (lambda release: (release / "systemd/install").unlink(), "systemd/install is missing"),
        (lambda release: release.with_name("release.pem").unlink(), "release.pem: cannot be read"),
        (lambda release: release.with_name("release.pem").write_text("x"), "no public key (PEM) can be read there"),
        (_other_key, "it is no Ed25519 key"),
    ],
)
def test_what_is_wrong_with_a_release_is_said_in_a_sentence(
    file: Path, release: Path, damage: Callable[[Path], object], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(release)
    code, said = checked(file, capsys)
    assert code == 78
    assert words in said
    assert "Traceback" not in said


def test_a_wheel_alone_has_no_signature(file: Path, release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(file.read_text().replace(f"release: {release}", f"release: {release / WHEEL}"))
    code, said = checked(file, capsys)
    assert (code, "it is not signed; name a release's folder" in said) == (78, True)
