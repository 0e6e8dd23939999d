"""The sections of a table's file and of a floor's about signatures: keys of both."""

from pydantic import Field

from config.fields import File, Name
from config.section import Section


class SigningSection(Section):
    """The publisher signs what it sends to the floor, and keeps the floor's receipts."""

    key: File = Field(
        "/var/lib/table-controller-publish/table.key",
        description="the file of the table's private key, Ed25519, PEM; only the publisher's user may read it",
    )
    floor_key: File = Field(
        "/etc/table-controller/floor.key.pub", description="the file of the floor's public key, Ed25519, PEM"
    )


class FloorSigningSection(Section):
    """The floor signs what it has, and takes from these tables only what they signed."""

    key: File = Field(
        "/var/lib/table-controller-floor/floor.key",
        description="the file of the floor's private key, Ed25519, PEM; only the floor's user may read it",
    )
    tables: dict[Name, File] = Field(
        default_factory=dict,
        max_length=10_000,
        description="the files of the tables' public keys, by table; a table that is not here need not sign",
    )
