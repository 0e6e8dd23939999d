"""The shape of a floor's YAML file: the broker that its tables publish to, the store, the pages."""

from fractions import Fraction

from pydantic import Field

from config.fields import File, Name, Url
from config.scalars import Whole
from config.schema import BrokerSection, ScreensSection, Section


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


class RecordSection(Section):
    """Where the floor keeps its own record: who logged on, what people did, what the floor decided."""

    file: File = Field(
        "/var/lib/table-controller-floor/floor.record", description="the file of the floor's own record"
    )


class AlertsSection(Section):
    """When an alert that nobody acknowledges is shown as escalated."""

    escalate_after_min: Whole = Field(
        15, ge=1, le=1440, description="minutes within which a person should acknowledge an alert"
    )


class FloorConfig(Section):
    """A floor of tables."""

    floor: Name = Field(description="the floor's name, on its pages")
    broker: BrokerSection
    store: StoreSection = Field(default_factory=StoreSection)
    fairness: FairnessSection = Field(default_factory=FairnessSection)
    screens: ScreensSection = Field(default_factory=ScreensSection)
    record: RecordSection = Field(default_factory=RecordSection)
    alerts: AlertsSection = Field(default_factory=AlertsSection)
