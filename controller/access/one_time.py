"""The second factor: one-time passwords by time (TOTP, RFC 6238, on HOTP, RFC 4226), and recovery codes."""

import base64
import binascii
import hashlib
import hmac
import secrets
from urllib.parse import quote

STEP_S, DIGITS = 30, 6
"""As authenticators assume if nothing else is said: SHA-1, six digits, another code every thirty seconds."""
_SECRET_BYTES = 20
_RECOVERY_BYTES, RECOVERY_CODES = 10, 8
_WINDOW = 1
"""How many steps a clock may be behind or ahead."""


def new_secret() -> str:
    """A secret for an authenticator, in base32."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Whether this is a secret in base32, of 128 bits at least (RFC 4226, section 4)."""
    try:
        return len(base64.b32decode(text)) >= 16
    except binascii.Error:
        return False


def uri(secret: str, name: str, issuer: str) -> str:
    """What an authenticator takes, as text or as a picture: ``otpauth://totp/…``."""
    label = f"{quote(issuer, safe='')}:{quote(name, safe='')}"
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer, safe='')}"


def code(secret: str, counter: int) -> str:
    """The code of a step."""
    digest = hmac.digest(base64.b32decode(secret), counter.to_bytes(8), "sha1")
    at = digest[-1] & 0xF
    number = int.from_bytes(digest[at : at + 4]) & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(secret: str, given: str, utc_s: float, after: int = -1) -> int | None:
    """The step whose code was given; None if it is none of now. Takes as long whether or not it is.

    Args:
        after: the last step that was used; its code and those before are used up.
    """
    now = int(utc_s) // STEP_S
    found = None
    for step in range(now - _WINDOW, now + _WINDOW + 1):
        if hmac.compare_digest(code(secret, step).encode(), given.encode()) and step > after:
            found = step
    return found


def new_recovery_codes() -> list[str]:
    """Codes that work once each in the place of a one-time password: ``abcd-efgh-ijkl-mnop``."""
    raw = [base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)]
    return ["-".join(text[at : at + 4] for at in range(0, len(text), 4)) for text in raw]


def recovery_digest(given: str) -> str:
    """What is stored of a recovery code. It has 80 random bits, which need no slow hash."""
    return hashlib.sha256("".join(given.lower().replace("-", "").split()).encode()).hexdigest()
