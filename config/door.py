"""Who may open the pages: TLS, proxies that are trusted, and how people log on."""

from ipaddress import ip_address
from typing import Literal

from pydantic import Field, field_validator, model_validator

from config.fields import File, Text, Url
from config.scalars import Whole
from config.section import Section

RoleName = Literal["look", "acknowledge", "administer"]
_LOOPBACK_URLS = ("http://127.0.0.1:", "http://localhost:", "http://[::1]:")


def numeric(address: str) -> str:
    """An address that is not a name.

    Raises:
        ValueError: it is one.
    """
    try:
        ip_address(address)
    except ValueError:
        raise ValueError("give a numeric address, such as 127.0.0.1; names belong under hosts") from None
    return address


class TlsSection(Section):
    """The certificate that the pages show, for TLS 1.2 and newer. Renewed files are taken up by themselves."""

    certificate: File = Field(description="the file of the certificate and those up to its authority, PEM")
    key: File = Field(description="the file of its private key, PEM, without a password")


class ProxySection(Section):
    """The reverse proxy before the pages, which ends TLS there and names its clients."""

    addresses: list[Text] = Field(
        min_length=1, max_length=16, description="numeric addresses from which the proxy connects"
    )
    header: Literal["x-forwarded-for", "forwarded"] = Field(
        "x-forwarded-for",
        description="the header in which the proxy names its client; it must replace or extend the client's own",
    )

    @field_validator("addresses")
    @classmethod
    def no_names(cls, addresses: list[str]) -> list[str]:
        return [numeric(address) for address in addresses]


class OidcSection(Section):
    """An OpenID Connect provider at which people log on (OpenID Connect Core 1.0, code flow with PKCE)."""

    issuer: Url = Field(
        description="the provider's issuer, as it states it, for example https://login.casino.example"
    )
    client_id: Text = Field(description="the name under which the provider knows the floor")
    client_secret_file: File = Field(description="the file with the secret that belongs to it, in one line")
    groups_claim: Text = Field("groups", description="the claim that lists a person's groups")
    name_claim: Text = Field("preferred_username", description="the claim by which a person is named on the record")
    roles: dict[Text, RoleName] = Field(
        min_length=1, description="what each group may do: look, acknowledge or administer"
    )

    @field_validator("issuer")
    @classmethod
    def with_tls(cls, issuer: str) -> str:
        if not issuer.startswith(("https://", *_LOOPBACK_URLS)):
            raise ValueError("must begin with https://")
        return issuer


class LogOnSection(Section):
    """How people log on to the pages."""

    accounts: File | None = Field(
        None,
        description="the file of local accounts, which `table-controller account FILE` makes and changes",
    )
    oidc: OidcSection | None = Field(None, description="a provider to log on at, for a floor")
    idle_min: Whole = Field(
        60, ge=1, le=1440, description="minutes without a page opened or anything done, after which a session ends"
    )
    longest_h: Whole = Field(12, ge=1, le=168, description="hours after which a session ends in any case")

    @model_validator(mode="after")
    def with_someone(self) -> "LogOnSection":
        if self.accounts is None and self.oidc is None:
            raise ValueError("give a file of accounts, or a provider under oidc; else nobody could log on")
        return self
