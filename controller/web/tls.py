"""TLS for the pages, 1.2 at least. Files that were renewed are taken up with the next connection."""

import logging
import os
import ssl
import time
from collections.abc import Callable
from pathlib import Path

HANDSHAKE_S = 10.0
"""A client that has not completed its handshake by then is dropped."""
LOOK_S = 10.0
"""How often the files are looked at, while connections come in."""

_Stamp = tuple[int, int, int]


class TlsError(OSError):
    """The certificate or its key cannot be used; the message says which, why, and what to do."""


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What a server needs for its side of TLS.

    Raises:
        TlsError: a file cannot be read, or they do not belong together.
    """
    for file, what in ((certificate, "certificate"), (key, "key")):
        try:
            with file.open("rb") as stream:
                stream.read(1)
        except OSError as error:
            reason = error.strerror or str(error)
            raise TlsError(f"{file}: {reason}; see screens: tls: {what}, and who may read it") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise TlsError(f"{key}: is not the key of {certificate}; see screens: tls:") from error
        raise TlsError(
            f"{certificate} and {key} are no certificate and key: both must be PEM, the key without a password"
        ) from error
    except ValueError as error:
        raise TlsError(f"{key}: has a password; give a key without one, which only this user can read") from error
    return context


def _no_password() -> str:
    """Without this OpenSSL would ask at the terminal."""
    raise ValueError("the key is encrypted")


class Certificates:
    """The certificate and key in use. Files that are renewed badly leave the old ones in use, and that is logged.

    Args:
        clock_s: monotonic seconds.

    Raises:
        TlsError: they cannot be used at the start.
    """

    def __init__(
        self, certificate: Path, key: Path, log: logging.Logger, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._files = (certificate, key)
        self._log, self._clock_s = log, clock_s
        self._stamps = self._look()
        self._context = server_context(certificate, key)
        self._looked_s = clock_s()

    def context(self) -> ssl.SSLContext:
        """The present one."""
        now_s = self._clock_s()
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            stamps = self._look()
            if stamps != self._stamps:
                self._stamps = stamps
                self._renew()
        return self._context

    def _renew(self) -> None:
        try:
            self._context = server_context(*self._files)
        except TlsError as error:
            self._log.error("the renewed certificate is not used, and the old one is: %s", error)
        else:
            self._log.info("the certificate %s was renewed", self._files[0])

    def _look(self) -> tuple[_Stamp | None, ...]:
        return tuple(map(_stamp, self._files))


def _stamp(file: Path) -> _Stamp | None:
    """Tells a file from the one that replaces it; None if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
