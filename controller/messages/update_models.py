"""The messages of an update by the floor: what it offers, the chunks of it, and what a table has made of it.

A bundle is fetched in chunks over the same connection as everything else, so that the floor opens no port for it
and the broker's list of access covers it (docs/floor.md, "Updates"). The table asks for one chunk at a time.
"""

from typing import Annotated

from pydantic import Field

from controller.messages.models import Hash, MaybeHash, Message, MessagePart, Sentence, Version, Word

CHUNK_BYTES = 160 * 1024
"""Of the bundle in a message; in base64, a third more, it stays below the longest message."""
LARGEST_BUNDLE = 1 << 30
"""No larger bundle is offered or fetched, in bytes: the two partitions of a slot are half of it."""

Offset = Annotated[int, Field(ge=0, lt=1 << 53, description="bytes from the bundle's beginning")]


class UpdateOffer(MessagePart):
    """What the floor offers to a table as an update of its card's image; an empty digest takes back what it was.

    It installs nothing: the table examines the bundle's signature, and its floorperson turns the key.
    """

    version: Version = 1
    digest: MaybeHash
    release: Word = Field(
        "", description="the version that the floor takes the bundle for; shown on its page alone"
    )
    size: Annotated[int, Field(ge=0, lt=1 << 53)] = Field(0, description="bytes of the bundle")


class UpdateChunk(MessagePart):
    """A part of the bundle: ``CHUNK_BYTES`` of it, the last one what is left."""

    version: Version = 1
    digest: Hash
    offset: Offset
    data: Annotated[str, Field(max_length=(CHUNK_BYTES + 2) // 3 * 4)] = Field(
        description="its bytes, in base64 (RFC 4648, section 4)"
    )


class FetchRequest(Message):
    """The table asks for the next chunk of a bundle that the floor offers."""

    digest: Hash
    offset: Offset


class VersionMessage(Message):
    """Which version of the card's image runs, and what has become of the floor's offer."""

    takes: bool = Field(
        description="whether this computer takes updates in this way: false where no card's image runs"
    )
    running: Word = Field("", description="version of the card's image; empty: not known")
    slot: Word = ""
    digest: MaybeHash = Field("", description="of the offer that the following is about; empty: there is none")
    stage: Word = Field(
        "",
        description="waiting, fetching, examined, offered, confirmed, installing, installed, refused or failed",
    )
    received: Annotated[int, Field(ge=0, lt=1 << 53)] = Field(0, description="bytes fetched so far")
    why: Sentence = Field("", description="why it waits, was refused or has failed, and what to do")
