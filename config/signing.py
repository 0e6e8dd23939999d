"""The section of a table's file about signatures: two keys."""

from pydantic import Field

from config.fields import File
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
