"""Signs messages as Standard Webhooks 1.0.0 has it (standardwebhooks.com): receivers verify with its libraries."""

import base64
import binascii
import hashlib
import hmac
from pathlib import Path

PREFIX = "whsec_"
SHORTEST, LONGEST = 24, 64
"""Of a key, in bytes."""


class SecretError(Exception):
    """The file of a key cannot be used; the message says why and what to do. It never has the key."""


def read_key(file: Path) -> bytes:
    """The key that a receiver and the floor share.

    Raises:
        SecretError: there is none in the file.
    """
    try:
        text = file.read_text(encoding="ascii").strip()
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except OSError as error:
        raise SecretError(f"{file}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, binascii.Error):
        key = b""
    if not SHORTEST <= len(key) <= LONGEST:
        raise SecretError(
            f"{file}: must hold {PREFIX} and base64 of {SHORTEST} to {LONGEST} bytes, in one line: "
            f'echo "{PREFIX}$(openssl rand -base64 32)" makes one'
        )
    return key


def signature(key: bytes, message_id: str, timestamp_s: int, body: bytes) -> str:
    """The value of the header ``webhook-signature``: HMAC-SHA256 over the message's id, its time and its body."""
    signed = f"{message_id}.{timestamp_s}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
