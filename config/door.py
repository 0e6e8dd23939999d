"""Who may read along: TLS of the pages, and proxies that are trusted."""

from ipaddress import ip_address
from typing import Literal

from pydantic import Field, field_validator

from config.fields import File, Text
from config.section import Section


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
