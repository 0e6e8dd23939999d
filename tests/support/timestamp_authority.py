"""A timestamp authority for tests: openssl's, behind HTTP on loopback."""

import subprocess
from pathlib import Path

from server_process import program
from witness_server import ServedHere

from controller.web.http import Request, Response

_CONFIG = """\
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[tsa]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[stamp]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
certs = {folder}/tsa.pem
signer_key = {folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
"""


class StampingAuthority:
    """Answers with what ``openssl ts -reply`` makes.

    Args:
        folder: of its own; made if there is none.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self.certificate = folder, folder / "ca.pem"
        (folder / "openssl.cnf").write_text(_CONFIG.format(folder=folder))
        (folder / "serial").write_text("01\n")
        for name in ("ca", "tsa"):
            self._openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", f"{name}.key")
            self._openssl(
                "req", "-new", "-key", f"{name}.key", "-subj", f"/CN={name}", "-out", f"{name}.csr", *_OWN
            )
        own = ("-extfile", "openssl.cnf", "-days", "30")
        self._openssl(
            "x509", "-req", "-in", "ca.csr", "-signkey", "ca.key", "-extensions", "ca", "-out", "ca.pem", *own
        )
        by = ("-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "2")
        self._openssl("x509", "-req", "-in", "tsa.csr", *by, "-extensions", "tsa", "-out", "tsa.pem", *own)
        self.served = ServedHere(self._answer)
        self.requests = 0

    def _answer(self, request: Request) -> Response:
        self.requests += 1
        (self._folder / "query.tsq").write_bytes(request.body)
        self._openssl("ts", "-reply", "-queryfile", "query.tsq", "-section", "stamp", "-out", "reply.tsr", *_OWN)
        return Response(200, (self._folder / "reply.tsr").read_bytes(), "application/timestamp-reply")

    def _openssl(self, *words: str) -> None:
        command = [program("openssl", "openssl"), *words]
        subprocess.run(command, cwd=self._folder, check=True, capture_output=True)


_OWN = ("-config", "openssl.cnf")
