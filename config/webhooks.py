"""The webhooks of a floor's file: who is told of alerts over HTTP (docs/webhooks.md)."""

from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from config.fields import File, Name, Url
from config.scalars import Whole
from config.schema import Section

AlertKind = Literal["table", "gap", "fork", "record", "fairness", "quota", "false", "unproven", "wheel", "software"]


class WebhookSection(Section):
    """A receiver of alerts: each is posted to it as JSON."""

    name: Name = Field(description="what the receiver is called, in the log and in the store: do not change it")
    url: Url = Field(description="where it is posted to: https, or http at this computer's own loopback address")
    secret_file: File | None = Field(
        None, description="the file with the key that messages are signed with: whsec_ and base64, in one line"
    )
    ca: File | None = Field(
        None, description="the authority of its certificate, PEM; absent: those that this computer trusts"
    )
    kinds: list[AlertKind] | None = Field(None, min_length=1, description="the kinds of alerts; absent: all")
    tables: list[Name] | None = Field(None, min_length=1, max_length=10_000, description="the tables; absent: all")
    per_minute: Whole = Field(
        30, ge=1, le=600, description="messages in a minute; what comes beyond is told together in one message"
    )

    @field_validator("url")
    @classmethod
    def private_on_the_way(cls, url: str) -> str:
        parts = urlsplit(url)
        try:
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise ValueError("has a port that is none") from None
        if not host or not url.isascii() or not url.isprintable() or " " in url:
            raise ValueError("must be a whole address, as https://pager.casino.example/alerts")
        if parts.username or parts.password or parts.fragment:
            raise ValueError("must have no user, password or fragment; messages are signed with secret_file:")
        if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
            raise ValueError("must begin with https://, or with http:// at 127.0.0.1 or [::1]")
        return url


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
