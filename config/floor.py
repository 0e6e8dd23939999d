"""The shape of a floor's YAML file: the broker that its tables publish to, the store, the pages."""

import re
from fractions import Fraction

from pydantic import Field, model_validator

from config.fields import HOUSE_PATTERN, File, HouseName, Name, Url
from config.scalars import Whole
from config.schema import BrokerSection, ScreensSection, Section
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
    """Where the floor keeps what the tables published."""

    url: Url = Field(
        "sqlite:////var/lib/table-controller-floor/floor.db",
        description="an SQLAlchemy URL: sqlite:///FILE, or postgresql+psycopg://USER@HOST/DATABASE",
    )


class FloorRecordSection(Section):
    """Where the floor keeps its own record: what people settle, and what it decides by itself."""

    file: File = Field(
        "/var/lib/table-controller-floor/floor.record",
        description="its file; the floor only adds to it",
    )


class QuotaSection(Section):
    """What one table may cost the floor. A table that catches up a whole day stays far below the defaults."""

    messages_per_s: Whole = Field(20, ge=1, le=10_000, description="messages of one table in a second")
    megabytes_per_minute: Whole = Field(20, ge=1, le=10_000, description="megabytes of one table in a minute")
    processor_percent: Whole = Field(
        10,
        ge=1,
        le=100,
        description="processor time for one table's messages, in percent of one processor",
    )
    burst_s: Whole = Field(
        300, ge=1, le=86_400, description="how many seconds of all three a table that was silent has saved up"
    )
    waiting_megabytes: Whole = Field(
        16, ge=1, le=64, description="how much of one table's rounds waits to be stored; what is more is dropped"
    )


class RetentionSection(Section):
    """How many days the floor keeps what it stored; 0 is for ever. Sums, forks and what stands always stay."""

    rounds_days: Whole = Field(0, ge=0, le=36_500, description="rounds, with their entries")
    refused_days: Whole = Field(0, ge=0, le=36_500, description="refused messages; their count stays")
    alerts_days: Whole = Field(0, ge=0, le=36_500, description="alerts that have ended, counted from their end")


class AlertsConnectionSection(Section):
    """A second connection to the broker, so that alerts do not wait in the broker's queue behind rounds."""

    certificate: File = Field(description="the file of the certificate for it, PEM: not that of broker:")
    key: File = Field(description="the file of the private key that belongs to it, PEM")


class AlertsSection(Section):
    """How alerts reach the floor."""

    connection: AlertsConnectionSection | None = Field(
        None, description="a connection of their own; leave it out to have all messages over one"
    )


class WorkerSection(Section):
    """This process is one of several that share a store in PostgreSQL and take its tables between them."""

    name: Name = Field(description="its own name among them; its certificates are its own, too (docs/floor.md)")


class GroupSection(BrokerSection):
    """The broker of a group's floor, to which this floor relays what it stores, as a house (docs/group.md)."""

    house: HouseName | None = Field(
        None, description="the house's name, as in its certificate; absent: that of `floor:`"
    )
    messages_per_s: Whole = Field(50, ge=1, le=10_000, description="how many messages are relayed in a second")
    holds_days: Whole = Field(
        30,
        ge=0,
        le=36_500,
        description="rounds that the group lacks are kept so many days longer than `retention:` says",
    )


class HouseQuotaSection(QuotaSection):
    """What one house may cost the group's floor, with all of its tables.

    A relay that catches up at its own pace stays below it: 50 messages a second cost half of a processor.
    """

    messages_per_s: Whole = Field(200, ge=1, le=100_000, description="messages of one house in a second")
    megabytes_per_minute: Whole = Field(200, ge=1, le=100_000, description="megabytes of one house in a minute")
    processor_percent: Whole = Field(
        75,
        ge=1,
        le=100,
        description="processor time for one house's messages, in percent of one processor",
    )
    tables: Whole = Field(
        1_000, ge=1, le=5_000, description="tables of one house; messages of further ones are refused"
    )


class HousesSection(Section):
    """A group's floor takes what the floors of its houses relay (docs/group.md)."""

    quota: HouseQuotaSection = Field(default_factory=HouseQuotaSection)


class FloorConfig(Section):
    """A floor of tables."""

    floor: Name = Field(description="the floor's name, on its pages")
    broker: BrokerSection
    store: StoreSection = Field(default_factory=StoreSection)
    worker: WorkerSection | None = Field(None, description="absent: one process takes all tables")
    record: FloorRecordSection = Field(default_factory=FloorRecordSection)
    fairness: FairnessSection = Field(default_factory=FairnessSection)
    quota: QuotaSection = Field(default_factory=QuotaSection)
    retention: RetentionSection = Field(default_factory=RetentionSection)
    screens: ScreensSection = Field(default_factory=ScreensSection)
    alerts: AlertsSection = Field(default_factory=AlertsSection)
    signing: FloorSigningSection | None = Field(
        None, description="keys with which the floor signs receipts and verifies tables; leave it out for none"
    )
    group: GroupSection | None = Field(
        None, description="the group's floor that this one relays to, as a house; leave it out for none"
    )
    houses: HousesSection | None = Field(
        None, description="this is a group's floor, to which houses relay; leave it out if it is none"
    )

    @property
    def house(self) -> str:
        """What this floor is called at its group's."""
        return (self.group.house if self.group is not None else None) or self.floor

    @property
    def broker_for_alerts(self) -> BrokerSection | None:
        """The broker as the connection for alerts reaches it; None if there is none."""
        if self.alerts.connection is None:
            return None
        own = {"certificate": self.alerts.connection.certificate, "key": self.alerts.connection.key}
        return self.broker.model_copy(update=own)

    @model_validator(mode="after")
    def workers_share(self) -> "FloorConfig":
        if self.worker is not None and not self.store.url.startswith("postgresql"):
            raise ValueError(
                "worker: several processes can share a store in PostgreSQL only; see store: url (docs/floor.md)"
            )
        return self

    @model_validator(mode="after")
    def own_certificate(self) -> "FloorConfig":
        if self.alerts.connection is not None and self.alerts.connection.certificate == self.broker.certificate:
            raise ValueError(
                "alerts: connection: certificate is that of broker:, and the broker ends the first connection when "
                "the same certificate opens a second one; make one called floor-alerts (docs/floor.md)"
            )
        return self

    @model_validator(mode="after")
    def house_has_a_name(self) -> "FloorConfig":
        if self.group is not None and self.houses is not None:
            raise ValueError("group: and houses: exclude each other: a group's floor relays to no other floor")
        if self.group is not None and not re.fullmatch(HOUSE_PATTERN, self.house):
            raise ValueError("group: house: is missing, and the name of `floor:` has more than 32 characters")
        return self
