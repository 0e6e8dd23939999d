"""The people whom a table knows: the section ``credentials`` of a table's file, or ``none``."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from config.fields import File
from config.scalars import YesNo
from config.section import Section


class CredentialsSection(Section):
    """Floorpersons and dealers identify with a number, floorpersons with a PIN too."""

    file: File = Field("/etc/table-controller/credentials.json", description="the file of floorpersons and dealers")
    session_s: int = Field(
        120,
        ge=10,
        le=600,
        description="how long the floorperson's key needs no number and PIN after an action, in seconds",
    )
    dealer_pin: YesNo = Field(
        False, description="true: a dealer logs on with a number and a PIN; false: the number is enough"
    )


def _not_empty(credentials: object) -> object:
    """An empty section could mean the defaults or none."""
    if credentials is None:
        raise ValueError("is empty; give a file, or write `credentials: none` if the key needs no number and PIN")
    return None if credentials == "none" else credentials


CredentialsOrNone = Annotated[
    CredentialsSection | None,
    BeforeValidator(_not_empty, json_schema_input_type=CredentialsSection | Literal["none"]),
]
