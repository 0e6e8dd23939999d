"""The shape of a floor's YAML file: the broker that its tables publish to, the database, the pages."""

from fractions import Fraction

from pydantic import Field, field_validator

from config.fields import File, Name, Text, Url
from config.scalars import Whole, YesNo
from config.schema import BrokerSection, Section
from config.screens import numeric
from config.signing import FloorSigningSection


class FairnessSection(Section):
    """When a wheel is called unfair."""

    odds: Whole = Field(
        10_000,
        ge=100,
        le=1_000_000_000,
        description="a fair wheel raises the alarm, ever in its life, with a probability of at most one in so many",
    )

    @property
    def level(self) -> Fraction:
        """The probability of a false alarm in a wheel's life."""
        return Fraction(1, self.odds)


class StoreSection(Section):
    """Where the floor keeps what the tables sent."""

    url: Url = Field(
        "sqlite:////var/lib/table-controller-floor/floor.db",
        description="an SQLAlchemy URL: sqlite:///FILE, or postgresql+psycopg://USER@HOST/DATABASE",
    )


class FloorRecordSection(Section):
    """Where the floor keeps its own record: what people settle, and what it deletes."""

    file: File = Field(
        "/var/lib/table-controller-floor/floor.record",
        description="its file; the floor only adds to it",
    )


class RetentionSection(Section):
    """How many days the floor keeps what it stored; 0 is for ever. Sums and what stands always stay."""

    rounds_days: Whole = Field(0, ge=0, le=36_500, description="rounds, with their entries")
    refused_days: Whole = Field(
        0, ge=0, le=36_500, description="counts of refused messages, from the latest one on"
    )
    alerts_days: Whole = Field(0, ge=0, le=36_500, description="alerts that have ended, counted from their end")


class FloorScreensSection(Section):
    """The floor's pages."""

    enabled: YesNo = Field(True, description="false for a floor without pages")
    address: Text = Field(
        "127.0.0.1", description="where the pages are served: this computer alone, or one of its addresses"
    )
    port: Whole = Field(8080, ge=1, le=65_535, description="the port of the pages")
    hosts: list[Text] = Field(
        default_factory=list, max_length=16, description="names by which other computers call this one"
    )

    @field_validator("address")
    @classmethod
    def no_name(cls, address: str) -> str:
        return numeric(address)


class FloorConfig(Section):
    """A floor of tables."""

    floor: Name = Field(description="the floor's name, on its pages")
    broker: BrokerSection
    store: StoreSection = Field(default_factory=StoreSection)
    record: FloorRecordSection = Field(default_factory=FloorRecordSection)
    fairness: FairnessSection = Field(default_factory=FairnessSection)
    retention: RetentionSection = Field(default_factory=RetentionSection)
    screens: FloorScreensSection = Field(default_factory=FloorScreensSection)
    signing: FloorSigningSection | None = Field(
        None, description="keys with which the floor signs receipts and verifies tables; leave it out for none"
    )
