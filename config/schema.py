"""The shape of a table's YAML file: every key, its unit, its range and its default.

Units are in the keys. Every scalar arrives as text, exactly as it was written, and the field decides what it
is: ``1`` is a name where a name is expected and a number where a number is expected.
"""

from decimal import Decimal
from typing import Literal

from pydantic import Field, field_validator

from config.clapper import MeasuredClapper
from config.computer import ComputerSection as ComputerSection
from config.credentials import CredentialsOrNone
from config.credentials import CredentialsSection as CredentialsSection
from config.devices import ButtonsDevice as ButtonsDevice
from config.devices import BuzzerDevice as BuzzerDevice
from config.devices import DeviceSection as DeviceSection
from config.devices import DeviceSections as DeviceSections
from config.devices import HeadDevice as HeadDevice
from config.devices import KeyboardDevice as KeyboardDevice
from config.devices import KeypadDevice as KeypadDevice
from config.devices import PanelDevice as PanelDevice
from config.devices import RotorHeadDevice as RotorHeadDevice
from config.devices import SwitchesDevice as SwitchesDevice
from config.devices import TamperDevice as TamperDevice
from config.fields import File, Name, Odds, Text
from config.scalars import Quantity, Whole, YesNo
from config.screens import ScreensSection as ScreensSection
from config.section import Section as Section
from config.sign import GuideSection as GuideSection
from config.sign import LimitsSection as LimitsSection
from config.signing import SigningSection

NS_PER_S = 1_000_000_000
_PI = Decimal("3.14159265")


class JournalSection(Section):
    """Where the record is kept."""

    file: File = Field(description="the journal's file, for example /var/lib/table-controller/table.journal")
    mirror: File | None = Field(
        None,
        description="a second journal on another medium, for example /mnt/mirror/table.journal on a USB stick; "
        "each entry is on both before a lamp shows it",
    )
    trace_rounds: Whole = Field(
        1000,
        ge=0,
        le=1_000_000,
        description="rounds of which the sensors' edges are kept, beside the journal",
    )


class WheelSection(Section):
    """The wheel, its encoder and its clapper, as built and mounted."""

    counts_per_turn: Whole = Field(
        ge=720, le=65_536, multiple_of=4, description="encoder counts in one turn of the wheel: pulses times four"
    )
    index_offset_counts: Whole = Field(
        ge=0,
        lt=65_536,
        description="counts from the index mark back to the clockwise start of the first section "
        "of the wheel's order; `calibrate` measures it",
    )
    reversed: YesNo = Field(False, description="true if counts run backwards, as with an encoder at the rear")
    order: list[Name] | None = Field(
        None, description="the sections clockwise around the rim; leave it out for the regulation's order"
    )
    rest_s: Quantity = Field(
        Decimal("1.5"), ge=Decimal("0.5"), le=10, description="how long the wheel must stand to be at rest"
    )
    tolerance_deg: Quantity = Field(
        Decimal("0.3"),
        ge=Decimal("0.1"),
        le=2,
        description="how far from its place a peg may close or open the clapper's contact",
    )
    contact_deg: Quantity = Field(
        Decimal("2.4"),
        ge=Decimal("0.5"),
        le=3,
        description="how far the wheel turns from a peg until the clapper slips off it, if it is not calibrated",
    )
    debounce_ms: Quantity = Field(
        Decimal(2), ge=Decimal("0.1"), le=5, description="how long the clapper's contact may chatter"
    )
    spin_limit_s: Quantity = Field(
        Decimal(120), ge=30, le=600, description="a wheel that has not come to rest by then locks the table"
    )
    serial: Text | None = Field(None, description="the wheel's serial number, under which its results are counted")
    clapper: MeasuredClapper | None = Field(None, description="what `calibrate` measured; leave it to that command")

    @property
    def rest_ns(self) -> int:
        return int(self.rest_s * NS_PER_S)

    @property
    def debounce_ns(self) -> int:
        return int(self.debounce_ms * 1_000_000)

    @property
    def spin_limit_ns(self) -> int:
        return int(self.spin_limit_s * NS_PER_S)

    @property
    def tolerance_mdeg(self) -> int:
        """Tolerance in whole thousandths of a degree."""
        return int(self.tolerance_deg * 1000)


class RotorSection(Section):
    """The roulette wheel: its rotor's encoder, its ball and the ball's track, as built and mounted."""

    counts_per_turn: Whole = Field(
        ge=40, le=65_536, multiple_of=4, description="encoder counts in one turn of the rotor: pulses times four"
    )
    reversed: YesNo = Field(False, description="true if counts run backwards, as with an encoder upside down")
    beam_angle_deg: Quantity = Field(
        Decimal(90), ge=20, le=340, description="angle from the beam ball_1 clockwise to the beam ball_2"
    )
    track_mm: Quantity = Field(
        Decimal(760),
        ge=500,
        le=1200,
        description="diameter of the circle on which the ball's middle runs in the track",
    )
    ball_mm: Quantity = Field(
        Decimal(20),
        ge=Decimal("19.05"),
        le=Decimal("22.225"),
        description="diameter of the ball: 12/16 to 14/16 of an inch",
    )
    leaves_from_s: Quantity = Field(
        Decimal("1.1"),
        ge=Decimal("0.8"),
        le=Decimal("2.5"),
        description="a ball that takes less than this for a turn does not leave the track by itself",
    )
    spin_limit_s: Quantity = Field(
        Decimal(120), ge=30, le=600, description="a ball that has not left the track by then locks the table"
    )
    serial: Text | None = Field(None, description="the wheel's serial number, under which its results are counted")

    @property
    def spin_limit_ns(self) -> int:
        return int(self.spin_limit_s * NS_PER_S)

    @property
    def leaves_from_ns(self) -> int:
        return int(self.leaves_from_s * NS_PER_S)

    @property
    def beam_angle_mdeg(self) -> int:
        """Angle between the beams in whole thousandths of a degree."""
        return int(self.beam_angle_deg * 1000)

    @property
    def ball_um(self) -> int:
        """Diameter of the ball in thousandths of a millimetre."""
        return int(self.ball_mm * 1000)

    @property
    def track_um(self) -> int:
        """The ball's way once around the track, in thousandths of a millimetre."""
        return int(self.track_mm * 1000 * _PI)


class DiceSection(Section):
    """The dice shaker and the dice."""

    shaker: Literal["manual", "automated"] = Field(
        description="the shaker on the table when it is first set up; later changes are made at the table"
    )
    warn_h: Quantity = Field(Decimal(23), ge=1, le=24, description="age of the dice at which the table warns")
    retire_h: Quantity = Field(Decimal(24), ge=1, le=24, description="age at which no new round opens")

    @property
    def warn_ns(self) -> int:
        return int(self.warn_h * 3600 * NS_PER_S)

    @property
    def retire_ns(self) -> int:
        return int(self.retire_h * 3600 * NS_PER_S)


class LayoutSection(Section):
    """What is printed on the layout."""

    symbols: dict[Name, Text] = Field(
        default_factory=dict, description="approved symbols shown in place of an area's own, by area"
    )
    odds: dict[Name, Odds] = Field(
        default_factory=dict, description="payout odds above the regulation's minimum, by wager: '9 to 1'"
    )


class BrokerSection(Section):
    """The MQTT broker of the floor: TLS only, and everybody shows a certificate."""

    host: Text = Field(description="the broker's name, as its certificate states it, or its address")
    port: Whole = Field(8883, ge=1, le=65_535, description="the broker's port")
    ca: File = Field(
        description="the file of the authority's certificate that the broker's must be signed with, PEM"
    )
    certificate: File = Field(description="the file of this computer's own certificate, PEM")
    key: File = Field(description="the file of the private key that belongs to it, PEM")
    keep_alive_s: Whole = Field(
        20,
        ge=5,
        le=600,
        description="the broker tells the floor of a silence that lasts one and a half times as long",
    )


class TableConfig(Section):
    """One table."""

    table: Name = Field(description="the table's name, on every record; not `floor`, which is the floor's own")
    game: Name = Field(description="the game that is played on it")
    journal: JournalSection
    credentials: CredentialsOrNone = Field(
        None, description="floorpersons and dealers; none if the key needs no number and PIN"
    )
    wheel: WheelSection | None = None
    rotor: RotorSection | None = None
    dice: DiceSection | None = None
    rules: dict[str, object] = Field(default_factory=dict, description="what is particular to the game")
    layout: LayoutSection = Field(default_factory=LayoutSection)
    limits: LimitsSection | None = None
    guide: GuideSection | None = None
    screens: ScreensSection = Field(default_factory=ScreensSection)
    broker: BrokerSection | None = Field(
        None, description="where the table's rounds are published; leave it out for nowhere"
    )
    computer: ComputerSection = Field(default_factory=ComputerSection)
    signing: SigningSection | None = Field(
        None, description="keys with which publisher and floor sign the table's record; leave it out for none"
    )
    devices: DeviceSections

    @property
    def wheel_serial(self) -> str:
        """The serial number of the table's wheel; empty if it has none, or the file names none."""
        section = self.wheel or self.rotor
        return (section.serial or "") if section is not None else ""

    @field_validator("table")
    @classmethod
    def not_the_floors(cls, table: str) -> str:
        if table == "floor":
            raise ValueError("is the floor's own name at the broker; give the table another")
        return table
