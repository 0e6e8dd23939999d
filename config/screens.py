"""The pages that a computer serves: those of a table and those of a floor."""

from typing import Literal

from pydantic import Field, field_validator

from config.values import Address, File, Host, Port, Section, Text

_DARKEST = 0.332
"""The least luminance of text on the pages' own ground, for a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3)."""


class PagesSection(Section):
    """Where pages are served, and under which names."""

    enabled: bool = Field(True, description="false for none")
    address: Address = Field(
        "127.0.0.1", description="where the pages are served: this computer alone, or one of its addresses"
    )
    port: Port = Field(8080, description="the port of the pages")
    hosts: list[Host] = Field(
        default_factory=list, max_length=16, description="names by which other computers call this one"
    )


class HouseSection(Section):
    """Whose table it is, as the players see it."""

    name: Text = Field(description="the house's name, beside that of the table")
    colour: str = Field(
        "",
        pattern=r"^#[0-9A-Fa-f]{6}$",
        description='of titles and lines, as "#e8c15a", in quotes; light enough for the dark ground of the pages',
    )
    logo: File = Field("", description="an SVG or PNG file, up to 256 KiB, beside the title of the board")

    @field_validator("colour")
    @classmethod
    def can_be_read(cls, colour: str) -> str:
        red, green, blue = ((int(colour[place : place + 2], 16) / 255) ** 2.2 for place in (1, 3, 5))
        if 0.2126 * red + 0.7152 * green + 0.0722 * blue < _DARKEST:
            raise ValueError(f"{colour} is too dark for text on the ground of the pages; use a lighter one")
        return colour

    @field_validator("logo")
    @classmethod
    def is_drawable(cls, logo: str) -> str:
        if not logo.lower().endswith((".svg", ".png")):
            raise ValueError("a logo is a file whose name ends in .svg or .png")
        return logo


class ScreensSection(PagesSection):
    """The pages of a table: the players' board, the dealer's screen, the record."""

    display_port: Port = Field(
        8081, description="a port for the display at this computer alone, which other viewers cannot crowd out"
    )
    history: Literal["none", "results", "counts"] = Field(
        "counts", description="the past on the board: nothing, the last results, or also the counts of the day"
    )
    house: HouseSection | None = Field(None, description="whose table it is; leave it out for none")
    metrics: bool = Field(False, description="true to serve /metrics, which Prometheus reads (docs/floor.md)")
    metrics_token: File | None = Field(
        None, description="the file of a token; who shows it may read /metrics, and nobody else may"
    )
