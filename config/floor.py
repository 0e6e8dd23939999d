"""The shape of a floor's YAML file: the broker that its tables publish to, the database, the pages."""

from fractions import Fraction

from pydantic import Field

from config.schema import BrokerSection
from config.screens import PagesSection
from config.values import File, Name, Section


class FairnessSection(Section):
    """When a wheel is called unfair."""

    odds: int = Field(
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

    url: File = Field(
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

    rounds_days: int = Field(0, ge=0, le=36_500, description="rounds, with their entries")
    refused_days: int = Field(0, ge=0, le=36_500, description="counts of refused messages, from the latest one on")
    alerts_days: int = Field(0, ge=0, le=36_500, description="alerts that have ended, counted from their end")


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


class FloorConfig(Section):
    """A floor of tables."""

    floor: Name = Field(description="the floor's name, on its pages")
    broker: BrokerSection
    store: StoreSection = Field(default_factory=StoreSection)
    record: FloorRecordSection = Field(default_factory=FloorRecordSection)
    fairness: FairnessSection = Field(default_factory=FairnessSection)
    retention: RetentionSection = Field(default_factory=RetentionSection)
    screens: PagesSection = Field(default_factory=PagesSection)
    signing: FloorSigningSection | None = Field(
        None, description="keys with which the floor signs receipts and verifies tables; leave it out for none"
    )
