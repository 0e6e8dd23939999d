"""A small OpenID Connect provider on loopback: discovery, keys, authorization and tokens, right or spoilt."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

CLIENT, SECRET = "floor", "a secret: of+the client"


class OidcTestProvider:
    """A provider that vouches for one person.

    Attributes:
        claims: of the person; beside those that every token has.
        spoil: changes the claims of the next tokens.
        spoil_key: signs them with a key that is not published.
        spoil_token: changes the signed token.
        discovery: changes to the document of discovery.
    """

    def __init__(self) -> None:
        self.key: RSAKey | ECKey = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.algorithm = "RS256"
        self.claims: dict[str, Any] = {"sub": "4711", "preferred_username": "ana", "groups": ["surveillance"]}
        self.spoil: Callable[[dict[str, Any]], object] = lambda claims: None
        self.spoil_key: RSAKey | OctKey | None = None
        self.spoil_token: Callable[[str], str] = lambda token: token
        self.discovery: dict[str, Any] = {}
        self.requested: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.requested.append(self.path)
                self._answer(provider.published(self.path))

            def do_POST(self) -> None:
                provider.requested.append(self.path)
                form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                given = {name: values[0] for name, values in form.items()}
                self._answer(provider.token(given, self.headers.get("authorization", "")))

            def _answer(self, document: object) -> None:
                body = json.dumps(document).encode()
                self.send_response(200 if document else 400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def renew_key(self) -> None:
        """Publish another key, and sign with it."""
        self.key, self.algorithm = ECKey.generate_key("P-256", {"kid": "two", "use": "sig"}), "ES256"

    def published(self, path: str) -> object:
        """The document of discovery, or the keys."""
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
            } | self.discovery
        return KeySet([self.key]).as_dict(private=False) if path == "/keys" else {}

    def authorize(self, address: str) -> dict[str, str]:
        """What a browser that was sent to an address brings back, after its person has logged on here."""
        assert address.startswith(f"{self.issuer}/authorize?")
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = query
        return {"code": code, "state": query["state"]}

    def token(self, form: dict[str, str], authorization: str) -> object:
        """The token for a code; nothing for a wrong request. A code works once."""
        query = self._codes.pop(form.get("code", ""), None)
        pair = base64.b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            query is None
            or [unquote(part) for part in pair] != [CLIENT, SECRET]
            or base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() != query["code_challenge"]
            or form.get("redirect_uri") != query["redirect_uri"]
        ):
            return {}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": query["nonce"]}
        claims |= self.claims
        self.spoil(claims)
        return {"access_token": "x", "token_type": "Bearer", "id_token": self._signed(claims)}

    def _signed(self, claims: dict[str, Any]) -> str:
        if isinstance(self.spoil_key, OctKey):
            token = jwt.encode({"alg": "HS256", "kid": "one"}, claims, self.spoil_key, algorithms=["HS256"])
        else:
            key, header = self.spoil_key or self.key, {"alg": self.algorithm, "kid": self.key.kid}
            token = jwt.encode(header, claims, key, algorithms=[self.algorithm])
        return self.spoil_token(token)


@contextmanager
def a_provider() -> Iterator[OidcTestProvider]:
    provider = OidcTestProvider()
    try:
        yield provider
    finally:
        provider.close()


def without_signature(token: str) -> str:
    """The same claims under the algorithm ``none``."""
    header = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    return f"{header}.{token.split('.')[1]}."
