"""Pages over TLS: what is renewed is taken up, what is wrong is said, and old protocols are refused."""

import asyncio
import logging
import ssl
from pathlib import Path

import pytest
import trustme
from servers import Certificates as Authority
from test_http import GET, Client

from controller.web.exchange import Request, Response
from controller.web.server import HttpServer
from controller.web.tls import LOOK_S, Certificates, TlsError, server_context

log = logging.getLogger("table")
END = "-----END CERTIFICATE-----"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "ca")


def answers(request: Request) -> Response:
    return Response(body=b"secure" if request.secure else b"plain")


class Served:
    """A server with a certificate, and a clock of its own."""

    def __init__(self, certificate: Path, key: Path, ca: Path) -> None:
        self.now_s = 0.0
        self._ca = ca
        self.server = HttpServer(answers, lambda: Certificates(certificate, key, log, lambda: self.now_s))
        self.port = 0

    async def ask(self, version: ssl.TLSVersion | None = None) -> tuple[bytes, bytes]:
        """The answer, and the certificate that was shown."""
        context = ssl.create_default_context(cafile=self._ca)
        if version is not None:
            context.minimum_version = context.maximum_version = version
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=context)
        client = Client(reader, writer)
        client.say(GET)
        _, body = await client.answer()
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.transport.abort()
        return body, shown


def test_renewed_files_are_taken_up_and_bad_ones_are_not(
    authority: Authority, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    certificate, key = tmp_path / "used.crt", tmp_path / "used.key"

    def use(made: tuple[Path, Path]) -> bytes:
        certificate.write_bytes(made[0].read_bytes())
        key.write_bytes(made[1].read_bytes())
        return ssl.PEM_cert_to_DER_cert(made[0].read_text().partition(END)[0] + END)

    async def run() -> None:
        first = use(authority.server())
        served = Served(certificate, key, authority.ca)
        served.port = await served.server.open("127.0.0.1", 0)
        assert await served.ask() == (b"secure", first)
        second = use(authority.server())
        assert (await served.ask())[1] == first
        served.now_s += LOOK_S
        assert (await served.ask())[1] == second
        key.write_text("nonsense")
        served.now_s += LOOK_S
        assert (await served.ask())[1] == second
        assert "the renewed certificate is not used, and the old one is" in caplog.text
        third = use(authority.server())
        served.now_s += LOOK_S
        assert (await served.ask())[1] == third
        served.server.close()

    asyncio.run(run())


def test_only_tls_1_2_and_newer_is_spoken(authority: Authority) -> None:
    async def run() -> None:
        served = Served(*authority.server(), authority.ca)
        served.port = await served.server.open("127.0.0.1", 0)
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            assert (await served.ask(version))[0] == b"secure"
        plain = Client(*await asyncio.open_connection("127.0.0.1", served.port))
        plain.say(GET)
        assert await plain.rest() == b"", "nothing is answered without TLS"
        await plain.leave()
        served.server.close()

    asyncio.run(run())
    assert server_context(*authority.server()).minimum_version is ssl.TLSVersion.TLSv1_2


def test_what_is_wrong_with_the_files_is_said(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.server()
    other_key = authority.server()[1]
    text, locked = tmp_path / "text", tmp_path / "locked.key"
    text.write_text("no certificate")
    made = trustme.CA().issue_cert("localhost")
    locked.write_bytes(_encrypted(made))
    own = tmp_path / "own.crt"
    own.write_bytes(made.cert_chain_pems[0].bytes())
    for files, words in (
        ((tmp_path / "none", key), "none: No such file or directory; see screens: tls: certificate"),
        ((certificate, tmp_path / "none"), "none: No such file or directory; see screens: tls: key"),
        ((certificate, other_key), "is not the key of"),
        ((text, key), "both must be PEM"),
        ((own, locked), "has a password"),
    ):
        with pytest.raises(TlsError, match=words):
            server_context(*files)


def _encrypted(made: trustme.LeafCert) -> bytes:
    from cryptography.hazmat.primitives import serialization

    found = serialization.load_pem_private_key(made.private_key_pem.bytes(), None)
    hidden = serialization.BestAvailableEncryption(b"secret")
    return found.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden)
