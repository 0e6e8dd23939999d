"""A floor's YAML file: the broker that its tables publish to, the database, the pages."""

from fractions import Fraction

from pydantic import Field

from config.schema import BrokerSection
from config.screens import PagesSection
from config.values import File, Name, Section, number

FOLDER = "/var/lib/table-controller-floor"
"""The service's own, which exists from its first start on."""


class FairnessSection(Section):
    """When a wheel is called unfair."""

    odds: int = number(100, 1_000_000_000, "a fair wheel raises the alarm, ever, once in so many wheels", 10_000)

    @property
    def level(self) -> Fraction:
        """The probability of a false alarm in a wheel's life."""
        return Fraction(1, self.odds)


class StoreSection(Section):
    """Where the floor keeps what the tables sent."""

    url: File = Field(
        f"sqlite:///{FOLDER}/floor.db",
        description="an SQLAlchemy URL: sqlite:///FILE, or postgresql+psycopg://USER@HOST/DATABASE",
    )


class FloorRecordSection(Section):
    """The floor's own record: what people settle, and what the floor deletes."""

    file: File = Field(f"{FOLDER}/floor.record", description="its file; the floor only adds to it")


class RetentionSection(Section):
    """How many days the floor keeps what it stored; 0 is for ever. Sums and open alerts always stay."""

    rounds_days: int = number(0, 36_500, "rounds, with their entries", 0)
    refused_days: int = number(0, 36_500, "counts of refused messages, from the latest one on", 0)
    alerts_days: int = number(0, 36_500, "alerts that have ended, counted from their end", 0)


class FloorSigningSection(Section):
    """The floor signs what it has, and accepts from these tables only what they signed."""

    key: File = Field(f"{FOLDER}/floor.key", description="the floor's private key, Ed25519, PEM")
    tables: dict[Name, File] = Field(
        default_factory=dict, max_length=10_000, description="public keys by table; any other table need not sign"
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
        None, description="keys for receipts and of tables; none without it"
    )
