"""An OpenID Connect provider: OpenID Connect Core 1.0 with Discovery 1.0, the code flow with PKCE (RFC 7636).

What the provider signs is checked by joserfc, against the keys that it publishes. Everything here waits for the
network, and is called in a thread.
"""

import base64
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from config.door import OidcSection
from controller.access.roles import Role

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
"""Signatures with a public key alone: with a shared secret, or none, everybody could sign."""
TIMEOUT_S, LONGEST_BYTES = 10.0, 1 << 20
KEEP_S, KEYS_AGAIN_S = 3600.0, 60.0
"""How long the provider's documents are kept, and how soon its keys are fetched again for one that is not known."""
LEEWAY_S = 30
"""How far the clocks of the two may be apart."""
_LONGEST_NAME, _LONGEST_PERSON = 60, 120


class ProviderError(Exception):
    """The provider cannot be reached, or does not vouch for the person; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class ProvidedPerson:
    """Whom the provider vouches for."""

    name: str
    role: Role
    subject: str
    """What the provider calls the person for good (``sub``)."""


@dataclass(frozen=True, slots=True)
class _Endpoints:
    authorization: str
    token: str
    keys: str


def secret_of(section: OidcSection) -> str:
    """The client's secret.

    Raises:
        ProviderError: its file cannot be read, or is empty.
    """
    file = Path(section.client_secret_file)
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ProviderError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or 'no text'}") from error
    if not secret or "\n" in secret:
        raise ProviderError(f"{file}: must hold the client's secret, in one line")
    return secret


class OidcProvider:
    """One provider. Threads may share it.

    Args:
        utc_s: the wall time, in seconds.

    Raises:
        ProviderError: the file of the client's secret cannot be used.
    """

    def __init__(self, section: OidcSection, utc_s: Callable[[], float]) -> None:
        self._section, self._utc_s = section, utc_s
        self._secret = secret_of(section)
        self._opener = build_opener(_NoRedirects())
        self._lock = threading.Lock()
        self._endpoints: tuple[float, _Endpoints] | None = None
        self._keys: tuple[float, KeySet] | None = None

    def address(self, back: str, state: str, nonce: str, challenge: str) -> str:
        """Where the browser is sent to log on.

        Args:
            back: where the provider sends it afterwards.
            challenge: the SHA-256 of what the token is asked for with (PKCE, method S256).

        Raises:
            ProviderError: the provider does not say where.
        """
        query = {
            "response_type": "code",
            "client_id": self._section.client_id,
            "redirect_uri": back,
            "scope": "openid profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = self._discovered().authorization
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(query)}"

    def person(self, code: str, back: str, verifier: str, nonce: str) -> ProvidedPerson:
        """Exchange a code for the person's token, and check it.

        Raises:
            ProviderError: the provider does not vouch for a person with a role here.
        """
        pair = f"{quote(self._section.client_id, safe='')}:{quote(self._secret, safe='')}"
        basic = base64.b64encode(pair.encode()).decode()
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        headers = {"Authorization": f"Basic {basic}"}
        answer = self._fetch(self._discovered().token, urlencode(form).encode(), headers)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderError("the provider gave no ID token")
        return self._person(self._claims(token, nonce))

    # -- the token -----------------------------------------------------------------------------------------

    def _claims(self, token: str, nonce: str) -> Mapping[str, object]:
        """The claims of an ID token, if it is the provider's, for this floor, for this log-on, and of now."""
        try:
            try:
                decoded = jwt.decode(token, self._key_set(), algorithms=list(ALGORITHMS))
            except (JoseError, ValueError):
                # Signed with a key that is newer than those at hand, perhaps.
                decoded = jwt.decode(token, self._key_set(again=True), algorithms=list(ALGORITHMS))
            jwt.JWTClaimsRegistry(
                now=int(self._utc_s()),
                leeway=LEEWAY_S,
                iss={"essential": True, "value": self._section.issuer},
                aud={"essential": True, "value": self._section.client_id},
                sub={"essential": True},
                exp={"essential": True},
                iat={"essential": True},
                nonce={"essential": True, "value": nonce},
            ).validate(decoded.claims)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise ProviderError(f"the provider's token is refused: {error}") from error
        claims: Mapping[str, object] = decoded.claims
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if (several or "azp" in claims) and claims.get("azp") != self._section.client_id:
            raise ProviderError("the provider's token is refused: it was made for another party (azp)")
        return claims

    def _person(self, claims: Mapping[str, object]) -> ProvidedPerson:
        groups, subject = claims.get(self._section.groups_claim), str(claims["sub"])[:255]
        names = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
        roles = [Role(self._section.roles[name]) for name in map(str, names) if name in self._section.roles]
        if not roles:
            raise ProviderError("the provider names no group of this person that has a role here")
        name = claims.get(self._section.name_claim)
        shown = name if isinstance(name, str) and name.isprintable() and name.strip() else subject
        # The provider's host beside it: no name that a provider gives is one of a local account.
        person = f"{shown[:_LONGEST_NAME]}@{urlsplit(self._section.issuer).hostname}"
        return ProvidedPerson(person[:_LONGEST_PERSON], max(roles, key=list(Role).index), subject)

    # -- what the provider publishes -----------------------------------------------------------------------

    def _discovered(self) -> _Endpoints:
        with self._lock:
            if self._endpoints is None or self._utc_s() - self._endpoints[0] >= KEEP_S:
                self._endpoints = (self._utc_s(), self._discover())
            return self._endpoints[1]

    def _discover(self) -> _Endpoints:
        issuer = self._section.issuer
        document = self._fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if document.get("issuer") != issuer:
            raise ProviderError(f"the provider calls itself {document.get('issuer')!r}, and not {issuer!r}")
        names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        found = [document.get(name) for name in names]
        scheme = urlsplit(issuer).scheme
        for name, address in zip(names, found, strict=True):
            if not isinstance(address, str) or urlsplit(address).scheme not in ("https", scheme):
                raise ProviderError(f"the provider's {name} is no https address")
        return _Endpoints(*map(str, found))

    def _key_set(self, again: bool = False) -> KeySet:
        keys_uri = self._discovered().keys
        with self._lock:
            age_s = KEEP_S if self._keys is None else self._utc_s() - self._keys[0]
            if self._keys is None or age_s >= (KEYS_AGAIN_S if again else KEEP_S):
                document = self._fetch(keys_uri)
                keys = document.get("keys")
                if not isinstance(keys, list):
                    raise ProviderError("the provider publishes no keys")
                of_signatures = [one for one in keys if isinstance(one, dict) and one.get("use", "sig") == "sig"]
                self._keys = (self._utc_s(), KeySet.import_key_set({"keys": of_signatures}))
            return self._keys[1]

    def _fetch(
        self, address: str, data: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Mapping[str, object]:
        """A JSON object from an address."""
        request = Request(address, data, {"Accept": "application/json", **(headers or {})})
        where = urlsplit(address).netloc
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                body = answer.read(LONGEST_BYTES)
            document = json.loads(body)
        except HTTPError as error:
            error.close()
            raise ProviderError(f"the provider at {where} answers {error.code} {error.reason}") from error
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            raise ProviderError(f"the provider at {where} does not answer as it should: {error}") from error
        if not isinstance(document, dict):
            raise ProviderError(f"the provider at {where} answers with something else than an object")
        return document


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take the client's secret to another address."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> None:
        return None
