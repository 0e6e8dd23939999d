"""Log-on at an OpenID Connect provider: whom it vouches for, and every token that is not the right one."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from door_floor import ELSEWHERE, DoorFloor, Person, at_door
from joserfc.jwk import OctKey, RSAKey
from oidc_provider import CLIENT, SECRET, OidcTestProvider, a_provider, without_signature

from config.door import OidcSection
from controller.door.provider import OidcProvider, ProviderError
from controller.web.exchange import Response

Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[OidcTestProvider]:
    monkeypatch.setenv("no_proxy", "*")
    with a_provider() as found:
        yield found


def section(provider: OidcTestProvider, folder: Path) -> OidcSection:
    secret = folder / "client.secret"
    secret.write_text(SECRET + "\n")
    roles: dict[str, Any] = {"surveillance": "look", "shift managers": "acknowledge"}
    return OidcSection(issuer=provider.issuer, client_id=CLIENT, client_secret_file=str(secret), roles=roles)


def at_floor(
    provider: OidcTestProvider, folder: Path, steps: Callable[[DoorFloor, Person], Any], now: bool = True
) -> DoorFloor:
    """Let a person with a browser, and no account, come to a floor that has a provider."""

    async def exchange(floor: DoorFloor) -> None:
        if now:  # The provider's tokens are of this moment.
            floor.pages._door._provider._provider._utc_s = time.time
        await steps(floor, Person("", "", []))

    return at_door(folder, exchange, accounts=None, oidc=section(provider, folder))


def headers(answer: Response) -> dict[str, str]:
    return dict(answer.headers)


async def sent(floor: DoorFloor, person: Person) -> str:
    """Where the browser is sent; it keeps the cookie of that."""
    answer = await floor.get(person, "/logon/oidc")
    assert answer.status == 303, answer.body
    cookie = headers(answer)["Set-Cookie"]
    assert cookie.startswith("__Host-logging-on=")
    assert "HttpOnly; SameSite=Lax; Secure; Max-Age=600" in cookie
    person.cookie = cookie.partition(";")[0]
    return headers(answer)["Location"]


async def brought(floor: DoorFloor, person: Person, back: dict[str, str]) -> Response:
    """The answer to what the browser brings back; it keeps the session."""
    words = "&".join(f"{name}={value}" for name, value in back.items())
    answer = await floor.get(person, f"/logon/back?{words}")
    cookies = [value.partition(";")[0] for name, value in answer.headers if name == "Set-Cookie"]
    if answer.status == 200:
        person.cookie = cookies[0]
    return answer


def test_whom_the_provider_vouches_for_looks_and_is_on_record(provider: OidcTestProvider, tmp_path: Path) -> None:
    async def steps(floor: DoorFloor, person: Person) -> None:
        answer = await brought(floor, person, provider.authorize(await sent(floor, person)))
        assert answer.status == 200
        assert b"You are logged on as ana@127.0.0.1" in answer.body
        assert b'http-equiv="refresh" content="0; url=/"' in answer.body
        assert (await floor.get(person, "/floor.json")).status == 200
        floor.wait(11)
        assert (await floor.get(person, "/floor.json")).status == 200, "no account has to be there"

    entries = at_floor(provider, tmp_path, steps).entries()
    what = {"person": "ana@127.0.0.1", "role": "look", "by": "provider, as 4711", "from": ELSEWHERE}
    assert entries == [("logged-on", what)]


def test_the_highest_role_of_a_persons_groups_counts(provider: OidcTestProvider, tmp_path: Path) -> None:
    provider.claims["groups"] = ["nobody", "surveillance", "shift managers", 7]

    async def steps(floor: DoorFloor, person: Person) -> None:
        await brought(floor, person, provider.authorize(await sent(floor, person)))

    assert at_floor(provider, tmp_path, steps).entries()[0][1]["role"] == "acknowledge"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda claims: claims.update(nonce="another"), b"refused"),
        (lambda claims: claims.pop("nonce"), b"refused"),
        (lambda claims: claims.update(aud="another"), b"refused"),
        (lambda claims: claims.update(aud=["another", "floor"]), b"another party"),
        (lambda claims: claims.update(azp="another"), b"another party"),
        (lambda claims: claims.pop("aud"), b"refused"),
        (lambda claims: claims.update(iss="https://evil.example"), b"refused"),
        (lambda claims: claims.update(exp=int(time.time()) - 60), b"refused"),
        (lambda claims: claims.update(exp="soon"), b"refused"),
        (lambda claims: claims.pop("exp"), b"refused"),
        (lambda claims: claims.update(iat=int(time.time()) + 600), b"refused"),
        (lambda claims: claims.pop("sub"), b"refused"),
        (lambda claims: claims.update(groups=["visitors"]), b"no group of this person"),
        (lambda claims: claims.update(groups={"surveillance": 1}), b"no group of this person"),
        (lambda claims: claims.pop("groups"), b"no group of this person"),
    ],
)
def test_a_token_that_is_not_for_this_log_on_opens_nothing(
    provider: OidcTestProvider, tmp_path: Path, spoil: Spoil, words: bytes
) -> None:
    provider.spoil = spoil
    refused(provider, tmp_path, words)


@pytest.mark.parametrize("key", ["another", "shared", "none", "broken", "empty"])
def test_a_token_that_the_providers_key_did_not_sign_opens_nothing(
    provider: OidcTestProvider, tmp_path: Path, key: str
) -> None:
    if key == "another":
        provider.spoil_key = RSAKey.generate_key(2048)
    elif key == "shared":
        provider.spoil_key = OctKey.import_key(SECRET * 2)
    elif key == "none":
        provider.spoil_token = without_signature
    elif key == "broken":
        provider.spoil_token = lambda token: token[:-6] + "AAAAAA"
    else:
        provider.spoil_token = lambda token: ""
    refused(provider, tmp_path, b"refused")


def refused(provider: OidcTestProvider, folder: Path, words: bytes) -> None:
    async def steps(floor: DoorFloor, person: Person) -> None:
        answer = await brought(floor, person, provider.authorize(await sent(floor, person)))
        assert answer.status == 403
        assert words in answer.body
        assert not [value for name, value in answer.headers if name == "Set-Cookie"]
        assert (await floor.get(person, "/floor.json")).status == 401

    assert at_floor(provider, folder, steps).kinds() == ["log-on-refused"]


def test_a_log_on_that_another_browser_began_or_nobody_opens_nothing(
    provider: OidcTestProvider, tmp_path: Path
) -> None:
    async def steps(floor: DoorFloor, person: Person) -> None:
        back = provider.authorize(await sent(floor, person))
        other = Person("", "", [])
        assert (await brought(floor, other, back)).status == 403, "no cookie"
        await sent(floor, other)
        assert (await brought(floor, other, back)).status == 403, "another one's"
        assert (await brought(floor, person, back | {"state": "x"})).status == 403
        assert (await brought(floor, person, {"error": "access_denied", "state": back["state"]})).status == 403
        assert (await brought(floor, person, back)).status == 200
        person.cookie = ""
        assert (await brought(floor, person, back)).status == 403, "a code works once"

    at_floor(provider, tmp_path, steps)


def test_after_ten_minutes_a_log_on_is_begun_anew(provider: OidcTestProvider, tmp_path: Path) -> None:
    async def steps(floor: DoorFloor, person: Person) -> None:
        back = provider.authorize(await sent(floor, person))
        floor.wait(601)
        answer = await brought(floor, person, back)
        assert answer.status == 403
        assert b"took too long" in answer.body

    at_floor(provider, tmp_path, steps)


def test_a_key_that_the_provider_renews_is_fetched(provider: OidcTestProvider, tmp_path: Path) -> None:
    now_s = [time.time()]
    found = OidcProvider(section(provider, tmp_path), lambda: now_s[0])

    def person() -> str:
        address = found.address("https://floor/logon/back", "state", "nonce", challenge())
        return found.person(
            provider.authorize(address)["code"], "https://floor/logon/back", "verifier", "nonce"
        ).name

    assert person() == "ana@127.0.0.1"
    assert person() == "ana@127.0.0.1"
    assert provider.requested.count("/keys") == 1
    provider.renew_key()
    with pytest.raises(ProviderError, match="refused"):
        person()  # Keys are fetched again once a minute at most.
    now_s[0] += 61
    assert person() == "ana@127.0.0.1"
    assert provider.requested.count("/keys") == 2


def challenge() -> str:
    import base64
    import hashlib

    return base64.urlsafe_b64encode(hashlib.sha256(b"verifier").digest()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("discovery", "words"),
    [
        ({"issuer": "https://evil.example"}, "calls itself"),
        ({"token_endpoint": "ftp://evil.example"}, "no https address"),
        ({"jwks_uri": None}, "no https address"),
    ],
)
def test_a_provider_that_describes_itself_wrongly_is_refused(
    provider: OidcTestProvider, tmp_path: Path, discovery: dict[str, Any], words: str
) -> None:
    provider.discovery = discovery
    found = OidcProvider(section(provider, tmp_path), time.time)
    with pytest.raises(ProviderError, match=words):
        found.address("https://floor/logon/back", "state", "nonce", "challenge")


def test_a_provider_that_is_away_is_said(provider: OidcTestProvider, tmp_path: Path) -> None:
    async def steps(floor: DoorFloor, person: Person) -> None:
        provider.close()
        answer = await floor.get(person, "/logon/oidc")
        assert answer.status == 403
        assert b"does not answer as it should" in answer.body

    at_floor(provider, tmp_path, steps)


def test_a_secret_that_cannot_be_read_is_said(provider: OidcTestProvider, tmp_path: Path) -> None:
    found = section(provider, tmp_path)
    secret = Path(found.client_secret_file)
    for text, words in (("", "must hold"), ("a\nb", "must hold"), (None, "cannot be read: No such file")):
        secret.unlink(missing_ok=True)
        if text is not None:
            secret.write_text(text)
        with pytest.raises(ProviderError, match=words):
            OidcProvider(found, time.time)
