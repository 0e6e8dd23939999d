"""Keys and signatures: what is signed, by whom, and what a bad key file is answered with."""

import base64
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_public_key,
)
from signed_record import Keys

from controller.signing.keys import Domain, Signer, SigningError, Verifier

OF = ("sic-bo-1", "ab" * 32, 7, "cd" * 32)


def test_a_signature_is_of_one_entry_one_key_and_one_domain(keys: Keys) -> None:
    """No name can move text from one field to the next, and another program can verify what is documented."""
    signature = keys.floor.sign(*OF)
    documented = f'["table-controller receipt 1","sic-bo-1","{OF[1]}",7,"{OF[3]}"]'.encode()
    public = load_pem_public_key(keys.floor_public.read_bytes())
    public.verify(base64.b64decode(signature), documented)  # type: ignore[union-attr, call-arg]
    assert not keys.of_table.verify("a", 'b","c', 1, "d", keys.table.sign('a","b', "c", 1, "d"))
    assert keys.of_floor.verify(*OF, signature)
    for at, other in enumerate(("sic-bo-2", "ac" * 32, 8, "ce" * 32)):
        changed = [*OF[:at], other, *OF[at + 1 :]]
        assert not keys.of_floor.verify(*changed, signature)  # type: ignore[arg-type]
    assert not keys.of_table.verify(*OF, signature)
    assert not Verifier(keys.floor_public, Domain.HEAD).verify(*OF, signature)
    flipped = bytearray(base64.b64decode(signature))
    flipped[5] ^= 1
    for wrong in (None, "", "no base64", "ü", signature[:-4], base64.b64encode(flipped).decode()):
        assert not keys.of_floor.verify(*OF, wrong)


def test_a_bad_key_file_is_named(keys: Keys, tmp_path: Path) -> None:
    def private(file: Path) -> object:
        return Signer(file, Domain.HEAD)

    def public(file: Path) -> object:
        return Verifier(file, Domain.HEAD)

    rsa = generate_private_key(65537, 2048)
    pems = {
        "empty": b"",
        "rsa": rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        "rsa.pub": rsa.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        "torn": keys.table_file.read_bytes()[:-40],
        "torn.pub": keys.table_public.read_bytes()[:-40],
        "locked": keys.table_file.read_bytes(),
    }
    for name, pem in pems.items():
        (tmp_path / name).write_bytes(pem)
        (tmp_path / name).chmod(0o640 if name == "locked" else 0o600)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for load, file, words in (
        (private, tmp_path / "nowhere", "cannot be read: No such file"),
        (private, tmp_path / "locked", "others can read this key; chmod 600"),
        (private, tmp_path / "empty", "no private Ed25519 key in PEM"),
        (private, tmp_path / "torn", "no private Ed25519 key in PEM"),
        (private, tmp_path / "rsa", "no private Ed25519 key in PEM"),
        (private, keys.table_public, "others can read this key"),
        (private, tmp_path / "pipe", "no private Ed25519 key in PEM"),
        (private, tmp_path, "cannot be read: Is a directory"),
        (public, tmp_path / "nowhere", "cannot be read: No such file"),
        (public, tmp_path / "rsa.pub", "no public Ed25519 key in PEM"),
        (public, tmp_path / "torn.pub", "no public Ed25519 key in PEM"),
        (public, keys.table_file, "no public Ed25519 key in PEM"),
        (public, tmp_path / "pipe", "no public Ed25519 key in PEM"),
    ):
        with pytest.raises(SigningError, match=words) as caught:
            load(file)
        assert str(file) in str(caught.value)
        if load is public:
            assert "genpkey" not in str(caught.value), "it would put a private key where everybody may read"
