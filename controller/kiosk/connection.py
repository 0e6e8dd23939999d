"""Whether the table's pages answer, and whether the browser holds one: its stream is a connection."""

import http.client
import ssl
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, AF_INET6, inet_pton
from urllib.parse import urlsplit

_PATIENCE_S = 5.0
_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ESTABLISHED = "01"


def answers(url: str) -> bool:
    """Whether the table serves the page now. It asks once, for its head alone."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 0
    if parts.scheme == "https":
        context = ssl.create_default_context()
        # The certificate is for other computers' name of this one; loopback is this computer.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, port, timeout=_PATIENCE_S, context=context
        )
    else:
        connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE_S)
    try:
        connection.request("HEAD", parts.path)
        return connection.getresponse().status < 400
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def holds(url: str, user: int, tables: tuple[Path, ...] = _TABLES) -> bool:
    """Whether a process of a user has a connection to the page's server. It asks the kernel, not the table.

    Args:
        user: its number.
    """
    parts = urlsplit(url)
    far = _place(parts.hostname or "", parts.port or 0)
    return any(row == (far, _ESTABLISHED, str(user)) for table in tables for row in _rows(table))


def _rows(table: Path) -> Iterator[tuple[str, str, str]]:
    """Remote address, state and user of each connection (proc(5), ``/proc/net/tcp``)."""
    with suppress(OSError):
        for line in table.read_text("ascii").splitlines()[1:]:
            fields = line.split()
            yield fields[2], fields[3], fields[7]


def _place(host: str, port: int) -> str:
    """An address as that file has it: words of 32 bits in the processor's order, hexadecimal."""
    packed = inet_pton(AF_INET6 if ":" in host else AF_INET, host)
    words = struct.unpack(f"={len(packed) // 4}I", packed)
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"
