"""What signs: a private Ed25519 key, wherever it is kept.

A backend is one module with a class of these two members. There is one: :mod:`controller.transparency.key_file`,
a file that its owner alone can read. A key in a TPM or a secure element, which no copy of the disk takes along,
would be another module beside it; none is built, and none of the computers that tables run on today has Ed25519
in its TPM.
"""

from typing import Protocol

from controller.transparency.note import COSIGNATURE, ED25519, NAME, NoteError, Signature, VerifierKey, cosigned

_TIME_BYTES = 8


class SigningKey(Protocol):
    """A private Ed25519 key (RFC 8032)."""

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes.

        Raises:
            NoteError: the key cannot be used now.
        """


class Signer:
    """A private key with its name, which signs notes.

    Args:
        cosigns: it is a witness's.

    Raises:
        NoteError: no key can have that name.
    """

    def __init__(self, name: str, private: SigningKey, cosigns: bool = False) -> None:
        if not NAME.fullmatch(name):
            raise NoteError(f"'{name[:80]}' cannot name a key: no spaces and no '+', at most 200 characters")
        self._private = private
        self.key = VerifierKey(name, COSIGNATURE if cosigns else ED25519, private.public)

    def sign(self, text: str, seconds: int = 0) -> Signature:
        """Sign a note's text.

        Args:
            seconds: since 1970, of a cosignature.
        """
        if self.key.type == ED25519:
            return Signature(self.key.name, self.key.id, self._private.sign(text.encode()))
        data = seconds.to_bytes(_TIME_BYTES) + self._private.sign(cosigned(text, seconds))
        return Signature(self.key.name, self.key.id, data)
