"""The Sparkplug B bridge of a floor's file: what tables publish, as plants' tools read it (docs/sparkplug.md)."""

from typing import Annotated

from pydantic import Field

from config.fields import File
from config.schema import BrokerSection, Section

SparkplugId = Annotated[
    str,
    Field(
        pattern=r"^[^+/#\x00-\x1f\x7f]{1,80}$",
        description="a part of Sparkplug's topics: without + / # and control characters",
    ),
]


class SparkplugSection(Section):
    """An Edge Node whose devices are the tables. It reads, and takes no command but a rebirth request."""

    group: SparkplugId = Field(description="the Group ID")
    node: SparkplugId | None = Field(None, description="the Edge Node ID; absent: the floor's name")
    primary_host: SparkplugId | None = Field(
        None, description="the primary host application; nothing is published while it is offline; absent: none"
    )
    certificate: File = Field(
        description="the bridge's own certificate at the tables' broker, PEM: not the floor's"
    )
    key: File = Field(description="the private key that belongs to it, PEM")
    broker: BrokerSection = Field(description="the broker that Sparkplug messages are published to")
