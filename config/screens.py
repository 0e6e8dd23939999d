"""What a file says of the pages that its computer serves, and of the display at it."""

from typing import Literal

from pydantic import Field, field_validator

from config.door import LogOnSection, ProxySection, TlsSection, numeric
from config.fields import Text
from config.scalars import Whole, YesNo
from config.section import Section


class ScreensSection(Section):
    """The pages that this computer shows: the players' board, the dealer's screen, the record."""

    enabled: YesNo = Field(True, description="false for a table without screens")
    address: Text = Field(
        "127.0.0.1", description="where the pages are served: this computer alone, or one of its addresses"
    )
    port: Whole = Field(8080, ge=1, le=65_535, description="the port of the pages")
    hosts: list[Text] = Field(
        default_factory=list, max_length=16, description="names by which other computers call this one"
    )
    touch: YesNo = Field(False, description="true if the dealer may act at a touch screen, too")
    kiosk: Literal["board", "dealer"] | None = Field(
        None, description="the page at this computer's own display, full-screen; leave it out for none"
    )

    tls: TlsSection | None = Field(None, description="for pages over HTTPS; leave it out for plain HTTP")
    proxy: ProxySection | None = Field(
        None, description="a reverse proxy that is trusted to name its clients; leave it out for none"
    )
    log_on: LogOnSection | None = Field(None, description="who may open the pages; leave it out for everybody")
    open: list[Literal["board"]] = Field(
        default_factory=list, max_length=1, description="pages of a table that need no log-on: the players' board"
    )

    @field_validator("address")
    @classmethod
    def no_name(cls, address: str) -> str:
        return numeric(address)
