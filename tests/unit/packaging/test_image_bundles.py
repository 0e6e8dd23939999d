"""Bundles that RAUC and openssl make, as the card's image sees them: whose they are, and whether they are whole."""

import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from image_computer import NEWER, Computer, bundles, image_computer

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("rauc", "openssl", "mksquashfs"))),
    reason="real bundles: apt-get install rauc openssl squashfs-tools",
)


@dataclass
class Site:
    """A site's certificates, and what is signed with them."""

    folder: Path

    def call(self, *command: str) -> None:
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    def certificate(self, name: str, days: tuple[str, str] = ("20200101", "20991231")) -> None:
        """A certificate of this site, ``name.pem`` with ``name.key``."""
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        self.call("openssl", "req", *curve, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        first, last = (f"{day}000000Z" for day in days)
        sign = ("openssl", "ca", "-batch", "-notext", "-config", "ca.conf", "-cert", "ca.pem", "-keyfile", "ca.key")
        self.call(*sign, "-startdate", first, "-enddate", last, "-in", f"{name}.csr", "-out", f"{name}.pem")

    def bundle(self, certificate: str, version: str = NEWER, compatible: str = "table-controller-pi64") -> Path:
        parts = self.folder / "parts"
        parts.mkdir(exist_ok=True)
        for name, size in (("root", 4000), ("boot", 3000)):
            (parts / f"{name}.img").write_bytes(random.Random(name).randbytes(size))
        (parts / "manifest.raucm").write_text(
            f"[update]\ncompatible={compatible}\nversion={version}\n[bundle]\nformat=verity\n"
            "[image.rootfs]\nfilename=root.img\n[image.boot]\nfilename=boot.img\n"
        )
        keys = (f"--cert={certificate}.pem", f"--key={certificate}.key")
        self.call("rauc", "bundle", *keys, "parts", f"{certificate}.raucb")
        return self.folder / f"{certificate}.raucb"


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    return image_computer(tmp_path, monkeypatch)


@pytest.fixture
def site(computer: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(bundles, "RAUC", "rauc")
    site = Site(folder)
    (folder / "ca.conf").write_text(
        "[ca]\ndefault_ca=site\n[site]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\n"
        "policy=any\nunique_subject=no\n[any]\ncommonName=supplied\n"
    )
    (folder / "index").touch()
    (folder / "serial").write_text("01\n")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("ca", "stranger"):
        subject = ("-subj", f"/CN={name}", "-days", "3650")
        site.call("openssl", "req", "-x509", *curve, "-keyout", f"{name}.key", "-out", f"{name}.pem", *subject)
    shutil.copy(folder / "ca.pem", tmp_path / "keyring.pem")
    return site


def test_a_real_bundle_of_the_site_is_offered(computer: Computer, site: Site) -> None:
    site.certificate("site")
    offer = computer.offered(site.bundle("site"))
    assert (offer["version"], offer["problem"]) == (NEWER, "")


def test_real_bundles_that_are_not_the_sites_are_refused(computer: Computer, site: Site) -> None:
    assert "does not trust" in computer.offered(site.bundle("stranger"))["problem"]
    site.certificate("lapsed", ("20200101", "20210101"))
    assert "had expired" in computer.offered(site.bundle("lapsed"))["problem"]
    site.certificate("early", ("20980101", "20991231"))
    assert "before its certificate was valid" in computer.offered(site.bundle("early"))["problem"]
    site.certificate("other")
    assert "made for jukebox" in computer.offered(site.bundle("other", compatible="jukebox"))["problem"]


@pytest.mark.parametrize(("kept", "sentence"), [(0, "is no update"), (2000, "not whole"), (-100, "end is missing")])
def test_a_real_bundle_that_was_cut_short_is_refused(
    computer: Computer, site: Site, kept: int, sentence: str
) -> None:
    site.certificate("site")
    file = site.bundle("site")
    file.write_bytes(file.read_bytes()[:kept])
    assert sentence in computer.offered(file)["problem"]


def test_a_real_bundle_without_its_signature_is_refused(computer: Computer, site: Site) -> None:
    site.certificate("site")
    file = site.folder / "bare.raucb"
    site.bundle("site")
    site.call("mksquashfs", "parts", str(file), "-quiet", "-no-progress")
    assert "is not signed" in computer.offered(file)["problem"]


def test_a_real_bundle_whose_signature_was_changed_is_refused(computer: Computer, site: Site) -> None:
    site.certificate("site")
    file = site.bundle("site")
    data = bytearray(file.read_bytes())
    data[-60] ^= 1
    file.write_bytes(data)
    assert computer.offered(file)["problem"]
