"""Timestamps of checkpoints by an authority (RFC 3161): requests, and answers verified against its certificate."""

from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from controller.transparency.note import NoteError

REQUEST_TYPE = "application/timestamp-query"
MOST_BYTES = 64 * 1024
"""No answer that is read is longer."""
_MOST_PEM = 256 * 1024


class TimestampAuthority:
    """An authority, as far as its answers are verified.

    Args:
        certificate: the file of the certificate, PEM, that the authority's is signed with in the end; more than
        one may
            stand in it, for an authority that has changed it.

    Raises:
        NoteError: it cannot be read.
    """

    def __init__(self, certificate: Path) -> None:
        try:
            with certificate.open("rb") as file:
                self._roots = x509.load_pem_x509_certificates(file.read(_MOST_PEM))
        except OSError as error:
            raise NoteError(f"{certificate}: the certificate cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise NoteError(f"{certificate}: no certificates in PEM") from error

    def verified(self, response: bytes, text: str) -> datetime:
        """When a checkpoint was stamped.

        Args:
            response: the authority's answer, DER.
            text: of the checkpoint.

        Raises:
            NoteError: it is no timestamp of this text by this authority.
        """
        answer = _decoded(response)
        try:
            VerifierBuilder(roots=self._roots).build().verify_message(answer, text.encode())
        except (VerificationError, ValueError, TypeError) as error:
            raise NoteError(f"the timestamp is not this authority's, or of another checkpoint: {error}") from error
        return answer.tst_info.gen_time.astimezone(UTC)


def timestamp_request(text: str) -> bytes:
    """What an authority is asked for a checkpoint: DER, with a nonce."""
    builder = TimestampRequestBuilder().data(text.encode()).hash_algorithm(HashAlgorithm.SHA256)
    return builder.nonce(nonce=True).cert_request(cert_request=True).build().as_bytes()


def _decoded(response: bytes) -> TimeStampResponse:
    if len(response) > MOST_BYTES:
        raise NoteError(f"a timestamp of {len(response)} bytes is too long")
    try:
        return decode_timestamp_response(response)
    except (ValueError, TypeError) as error:
        raise NoteError(f"no answer of a timestamp authority: {error}") from error
