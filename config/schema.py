"""A table's YAML file: every key but those of the wheel and the devices, with its unit, range and default.

Units are in the keys. Every scalar arrives as text, exactly as it was written, and the field decides what it
is: ``1`` is a name where a name is expected and a number where a number is expected.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

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
from config.screens import ScreensSection as ScreensSection
from config.values import NS_PER_S as NS_PER_S
from config.values import File, Host, Name, Odds, Port, Text
from config.values import Section as Section
from config.wheel import RotorSection as RotorSection
from config.wheel import WheelSection as WheelSection


class JournalSection(Section):
    """Where the record is kept."""

    file: File = Field(description="the journal's file, for example /var/lib/table-controller/table.journal")
    mirror: File | None = Field(
        None,
        description="a second journal on another medium, for example /mnt/mirror/table.journal on a USB stick; "
        "each entry is on both before a lamp shows it",
    )
    trace_rounds: int = Field(
        1000,
        ge=0,
        le=1_000_000,
        description="rounds of which the sensors' edges are kept, beside the journal",
    )


class CredentialsSection(Section):
    """Floorpersons and dealers identify with a number, floorpersons with a PIN too."""

    file: File = Field("/etc/table-controller/credentials.json", description="the file of floorpersons and dealers")
    session_s: int = Field(
        120,
        ge=10,
        le=600,
        description="how long the floorperson's key needs no number and PIN after an action, in seconds",
    )
    dealer_pin: bool = Field(
        False, description="true: a dealer logs on with a number and a PIN; false: the number is enough"
    )


def _not_empty(credentials: object) -> object:
    """An empty section could mean the defaults or none."""
    if credentials is None:
        raise ValueError("is empty; give a file, or write `credentials: none` if the key needs no number and PIN")
    return None if credentials == "none" else credentials


CredentialsOrNone = Annotated[
    CredentialsSection | None,
    BeforeValidator(_not_empty, json_schema_input_type=CredentialsSection | Literal["none"]),
]


class DiceSection(Section):
    """The dice shaker and the dice."""

    shaker: Literal["manual", "automated"] = Field(
        description="the shaker on the table when it is first set up; later changes are made at the table"
    )
    warn_h: Decimal = Field(Decimal(23), ge=1, le=24, description="age of the dice at which the table warns")
    retire_h: Decimal = Field(Decimal(24), ge=1, le=24, description="age at which no new round opens")

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

    host: Host = Field(description="the broker's name, as its certificate states it, or its address")
    port: Port = Field(8883, description="the broker's port")
    ca: File = Field(
        description="the file of the authority's certificate that the broker's must be signed with, PEM"
    )
    certificate: File = Field(description="the file of this computer's own certificate, PEM")
    key: File = Field(description="the file of the private key that belongs to it, PEM")
    keep_alive_s: int = Field(
        20,
        ge=5,
        le=600,
        description="the broker tells the floor of a silence that lasts one and a half times as long",
    )


class LimitsSection(Section):
    """The limits of the table, as its sign states them (§ 521.7), until they are changed at the table."""

    posted: Literal["elsewhere"] | None = Field(
        None, description="elsewhere: another sign states the limits, and the board shows none; then nothing else"
    )
    minimum: Decimal | None = Field(None, gt=0, le=1_000_000, description="the least wager, in the currency's unit")
    maximum: Decimal | None = Field(
        None, gt=0, le=10_000_000, description="the highest wager, in the currency's unit"
    )
    payout: Decimal | None = Field(
        None, gt=0, le=1_000_000_000, description="the most that is paid out in a round, in the currency's unit"
    )
    steps: dict[Name, Decimal] = Field(
        default_factory=dict,
        description="wagers are placed in steps of this amount, by wager, or `every` for all others (§ 521.7(d))",
    )
    currency: Text = Field("$", description="the sign that stands before an amount")


class GuideSection(Section):
    """The approval of the gaming guide that is made from this file (§ 521.9(c), (d))."""

    approval: Text = Field(description="the approval of a sample of the guide: by whom, when, its reference")
    sample: Text = Field(description="which sample was approved: the number at the foot of the guide")


class ComputerSection(Section):
    """What is done about the computer itself, where it tells."""

    supply: Literal["alert", "lock", "off"] = Field(
        "alert",
        description="a supply voltage that is too low: alert, lock the table while it lasts, or do not look",
    )
    clock_battery: Literal["alert", "off"] = Field(
        "alert", description="a low battery of the computer's clock: alert, or do not look; off where there is none"
    )


class SigningSection(Section):
    """The publisher signs what it sends to the floor, and keeps the floor's receipts."""

    key: File = Field(
        "/var/lib/table-controller-publish/table.key",
        description="the file of the table's private key, Ed25519, PEM; only the publisher's user may read it",
    )
    floor_key: File = Field(
        "/etc/table-controller/floor.key.pub", description="the file of the floor's public key, Ed25519, PEM"
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
