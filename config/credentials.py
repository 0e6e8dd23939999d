"""Who may act as floorperson: the section ``credentials`` of a table's file, or ``none``."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from config.fields import File
from config.section import Section


class CredentialsSection(Section):
    """Who may act as floorperson."""

    file: File = Field("/etc/table-controller/credentials.json", description="the file of numbers and PINs")
    session_s: int = Field(
        120, ge=10, le=600, description="how long after an act the floorperson's key alone will do, in seconds"
    )


def _said(credentials: object) -> object:
    """``none`` says that the table asks for no credentials; a section that is left out says nothing."""
    if credentials is None:
        raise ValueError("is empty; give a file, or write `credentials: none` if the key alone is to do")
    return None if credentials == "none" else credentials


CredentialsOrNone = Annotated[
    CredentialsSection | None,
    BeforeValidator(_said, json_schema_input_type=CredentialsSection | Literal["none"]),
]
