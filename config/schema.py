"""A table's YAML file: every key, its range and its default. ``docs/yaml.md`` is made of it.

Units are in the keys. Every scalar arrives as text, exactly as it was written, and the field decides what it
is: ``1`` is a name where a name is expected and a number where a number is expected.
"""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from config.screens import ScreensSection as ScreensSection
from config.values import NS_PER_S as NS_PER_S
from config.values import Code, File, Host, Name, Odds, Output, Pin, Port, Text, number
from config.values import Section as Section


class JournalSection(Section):
    """Where the record is kept."""

    file: File = Field(description="the journal's file")
    mirror: File | None = Field(
        None, description="a second journal, on another medium; written before a lamp is lit"
    )
    trace_rounds: int = number(0, 1_000_000, "rounds whose sensor edges are kept beside it", 1000)


class CredentialsSection(Section):
    """Floorpersons and dealers identify with a number, floorpersons with a PIN too."""

    file: File = Field("/etc/table-controller/credentials.json", description="the file of floorpersons and dealers")
    session_s: int = number(10, 600, "how long after an action the key needs no number and PIN", 120)
    dealer_pin: bool = Field(False, description="whether a dealer logs on with a PIN too")


def _not_empty(credentials: object) -> object:
    """An empty section could mean the defaults or none."""
    if credentials is None:
        raise ValueError("is empty; give a file, or write `credentials: none` if the key needs no number and PIN")
    return None if credentials == "none" else credentials


CredentialsOrNone = Annotated[
    CredentialsSection | None,
    BeforeValidator(_not_empty, json_schema_input_type=CredentialsSection | Literal["none"]),
]


# -- wheels --------------------------------------------------------------------------------------------------------

_Angle = Annotated[Decimal, Field(ge=-6, le=6)]
_Loss = Annotated[Decimal, Field(ge=0)]
_Delay = Annotated[Decimal, Field(ge=0, le=20)]


class PerDirection(Section):
    """An angle past the peg, in the direction in which the wheel turns: negative is short of the peg."""

    clockwise: _Angle = Field(description="degrees past the peg, turning clockwise")
    counterclockwise: _Angle = Field(description="degrees past the peg, turning counterclockwise")


class PerDirectionLoss(Section):
    """A loss of squared speed: (degrees a second)², or a part of it."""

    clockwise: _Loss = Field(description="turning clockwise")
    counterclockwise: _Loss = Field(description="turning counterclockwise")


class MeasuredClapper(Section):
    """Where each peg bends the clapper and lets it go."""

    measured: Text = Field(description="the date of the measurement")
    strikes_deg: PerDirection = Field(description="strike past the peg, on a slow wheel: the contact opens")
    releases_from_deg: PerDirection = Field(
        description="release past the peg, on a slow wheel: the contact closes; the least"
    )
    releases_to_deg: PerDirection = Field(description="the same, the most")
    strike_delay_ms: _Delay = Field(description="delay of the contact at a strike")
    release_delay_ms: _Delay = Field(description="delay of the contact at a release")
    pegs_deg: list[Decimal] = Field(
        min_length=2, max_length=360, description="how far each peg is from its even place, clockwise along the rim"
    )
    runout_deg: Decimal = number(0, 2, "how far out of centre the encoder is", "0")
    runout_at_deg: Decimal = Field(
        Decimal(0), ge=0, lt=360, description="where along the rim the encoder is most ahead of the wheel"
    )
    left_over_deg: Decimal = number(0, 2, "the largest residue of a strike's place")
    section_loss: PerDirectionLoss | None = Field(None, description="what a section takes of the squared speed")
    air_loss: PerDirectionLoss | None = Field(None, description="the part of the squared speed that a turn takes")
    drag_loss: PerDirectionLoss | None = Field(
        None, description="squared speed that a turn takes for each degree a second of its mean speed"
    )
    loss_spread: Decimal = number(0, 20, "by how many sections' loss turns differ", "0.5")


class WheelSection(Section):
    """The wheel, its encoder and its clapper, as built and mounted."""

    counts_per_turn: int = number(
        720, 65_536, "encoder counts in one turn of the wheel: pulses times four", multiple_of=4
    )
    index_offset_counts: int = number(
        *(0, 65_535),
        "counts from the index mark back to the clockwise start of the order's first section; "
        "`calibrate` measures it",
    )
    reversed: bool = Field(False, description="true if counts run backwards, as with an encoder at the rear")
    order: list[Name] | None = Field(None, description="the sections clockwise around the rim, if not the law's")
    rest_s: Decimal = number("0.5", 10, "how long the wheel must stand to be at rest", "1.5")
    tolerance_deg: Decimal = number("0.1", 2, "how far from its place an edge of the contact may be", "0.3")
    contact_deg: Decimal = number(
        "0.5", 3, "turn from a peg until the clapper slips off it, of a wheel that is not calibrated", "2.4"
    )
    debounce_ms: Decimal = number("0.1", 5, "how long the clapper's contact may chatter", "2")
    spin_limit_s: Decimal = number(30, 600, "a wheel that is not at rest by then locks the table", "120")
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

    counts_per_turn: int = number(
        40, 65_536, "encoder counts in one turn of the rotor: pulses times four", multiple_of=4
    )
    reversed: bool = Field(False, description="true if counts run backwards, as with an encoder upside down")
    beam_angle_deg: Decimal = number(20, 340, "angle from the beam ball_1 clockwise to the beam ball_2", "90")
    track_mm: Decimal = number(500, 1200, "diameter of the circle on which the ball's middle runs", "760")
    ball_mm: Decimal = number("19.05", "22.225", "diameter of the ball: 12/16 to 14/16 inch", "20")
    leaves_from_s: Decimal = number(
        "0.8", "2.5", "a ball that takes less than this for a turn does not leave the track by itself", "1.1"
    )
    spin_limit_s: Decimal = number(30, 600, "a ball still in the track by then locks the table", "120")
    serial: Text | None = Field(None, description="the wheel's serial number, under which its results are counted")

    @property
    def spin_limit_ns(self) -> int:
        return int(self.spin_limit_s * NS_PER_S)


# -- the game ------------------------------------------------------------------------------------------------------


class DiceSection(Section):
    """The dice shaker and the dice."""

    shaker: Literal["manual", "automated"] = Field(
        description="the shaker on the table when it is first set up; later changes are made at the table"
    )
    warn_h: Decimal = number(1, 24, "age of the dice at which the table warns", "23")
    retire_h: Decimal = number(1, 24, "age at which no new round opens", "24")

    @property
    def warn_ns(self) -> int:
        return int(self.warn_h * 3600 * NS_PER_S)

    @property
    def retire_ns(self) -> int:
        return int(self.retire_h * 3600 * NS_PER_S)


class LayoutSection(Section):
    """What is printed on the layout, where it differs from the regulation."""

    symbols: dict[Name, Text] = Field(default_factory=dict, description="approved symbols in place of areas' own")
    odds: dict[Name, Odds] = Field(default_factory=dict, description="odds above the law's minimum, by wager")


class LimitsSection(Section):
    """The limits of the table, as its sign states them (§ 521.7), until they are changed at the table."""

    posted: Literal["elsewhere"] | None = Field(
        None, description="elsewhere: another sign states the limits; then nothing else is here"
    )
    minimum: Decimal | None = Field(None, gt=0, le=1_000_000, description="the least wager")
    maximum: Decimal | None = Field(None, gt=0, le=10_000_000, description="the highest wager")
    payout: Decimal | None = Field(None, gt=0, le=1_000_000_000, description="the most that a round pays out")
    steps: dict[Name, Decimal] = Field(
        default_factory=dict, description="steps of an amount by wager, `every` for all others (§ 521.7(d))"
    )
    currency: Text = Field("$", description="the sign before an amount")


class GuideSection(Section):
    """The approval of the gaming guide that is made from this file (§ 521.9(c), (d))."""

    approval: Text = Field(description="the approval of a sample of the guide: by whom, when, its reference")
    sample: Text = Field(description="which sample was approved: the number at the foot of the guide")


# -- the computer and the floor ------------------------------------------------------------------------------------


class BrokerSection(Section):
    """The MQTT broker of the floor: TLS only, and everybody shows a certificate."""

    host: Host = Field(description="the broker's name, as its certificate states it, or its address")
    port: Port = Field(8883, description="the broker's port")
    ca: File = Field(description="the certificate of the authority that signed the broker's, PEM")
    certificate: File = Field(description="this computer's own certificate, PEM")
    key: File = Field(description="the private key that belongs to it, PEM")
    keep_alive_s: int = number(5, 600, "the floor is told of a silence 1.5 times as long", 20)


class SigningSection(Section):
    """The publisher signs what it sends to the floor, and keeps the floor's receipts."""

    key: File = Field(
        "/var/lib/table-controller-publish/table.key", description="the table's private key, Ed25519, PEM"
    )
    floor_key: File = Field(
        "/etc/table-controller/floor.key.pub", description="the floor's public key, Ed25519, PEM"
    )


class ComputerSection(Section):
    """What is done about the computer itself, where it tells."""

    supply: Literal["alert", "lock", "off"] = Field(
        "alert", description="supply voltage too low: alert, lock the table while it lasts, or ignore it"
    )
    clock_battery: Literal["alert", "off"] = Field(
        "alert", description="battery of the clock low; off: it has none"
    )


# -- devices -------------------------------------------------------------------------------------------------------


class DeviceSection(Section):
    """A device: its driver, the driver's options, and its wiring."""

    backend: Name = Field(description="the driver (docs/wiring.md); `mock` is simulated hardware")
    options: dict[str, object] = Field(default_factory=dict, description="options of the driver")


class HeadPins(Section):
    """The pins of a wheel's sensor head."""

    encoder_a: Pin
    encoder_b: Pin
    index: Pin
    clapper: Pin


class HeadDevice(DeviceSection):
    """The wheel's sensor head. The clapper's contact is closed while the clapper hangs free."""

    pins: HeadPins


class RotorPins(Section):
    """The pins of a roulette wheel's sensor head."""

    encoder_a: Pin
    encoder_b: Pin
    index: Pin
    ball_1: Pin
    ball_2: Pin | None = Field(None, description="the second beam, without which the ball's direction is not seen")


class RotorHeadDevice(DeviceSection):
    """A roulette wheel's sensor head: the rotor's encoder and index, and one or two beams across the track."""

    pins: RotorPins


class ReaderDevice(DeviceSection):
    """The wheel reader, which sees the pocket in which the ball is."""


class ButtonsDevice(DeviceSection):
    """The dealer's buttons."""

    pins: dict[Name, Pin] = Field(min_length=1, description="pin of each button, by the control's name")


class KeypadDevice(DeviceSection):
    """A matrix keypad."""

    rows: list[Pin] = Field(min_length=1, max_length=8, description="pins that are driven, top to bottom")
    columns: list[Pin] = Field(min_length=1, max_length=8, description="pins that are read, left to right")
    keys: list[list[Name]] = Field(description="the control on each key, row by row")


class KeyboardDevice(DeviceSection):
    """A keypad that sends codes: by USB, or over a serial line."""

    codes: dict[Name, Code] = Field(
        min_length=1, description="what each control's key sends: KEY_KP1, or a line of text"
    )


class SwitchesDevice(DeviceSection):
    """Key switches and dry contacts."""

    pins: dict[Name, Pin] = Field(min_length=1, description="pin of each switch, by its name")


class TamperContact(Section):
    """A contact of a door, the cabinet or a panel: closed while that is, so that a cut wire reads as open."""

    pin: Pin
    opens: Literal["alert", "lock"] = Field("lock", description="an opening locks the table, or only alerts")
    latch: Pin | None = Field(None, description="pin of a latch that remembers an opening while the power is off")


class TamperDevice(DeviceSection):
    """Contacts of door and cabinet."""

    contacts: dict[Name, TamperContact] = Field(
        min_length=1, max_length=8, description="each contact by its name: door, cabinet, panel"
    )
    latch_reset: Pin | None = Field(None, description="pin that resets the latches; none if a person does")


class PanelDevice(DeviceSection):
    """The lamps behind the layout."""

    lamps: dict[Name, Output] = Field(min_length=1, description="output number of each area's lamp")


class BuzzerDevice(DeviceSection):
    """The dealer's buzzer."""

    pin: Pin


class DeviceSections(Section):
    """What is connected to the table's computer. No pin serves two purposes."""

    head: HeadDevice | None = None
    rotor: RotorHeadDevice | None = None
    reader: ReaderDevice | None = None
    buttons: ButtonsDevice | None = None
    keypad: KeypadDevice | None = None
    keyboard: KeyboardDevice | None = None
    switches: SwitchesDevice
    tamper: TamperDevice | None = None
    panel: PanelDevice
    sounder: BuzzerDevice


class TableConfig(Section):
    """One table."""

    table: Name = Field(description="the table's name, on every record")
    game: Name = Field(description="the game that is played on it")
    journal: JournalSection
    credentials: CredentialsOrNone = Field(
        None, description="floorpersons and dealers; none if the key needs no number and PIN"
    )
    wheel: WheelSection | None = None
    rotor: RotorSection | None = None
    dice: DiceSection | None = None
    rules: dict[str, object] = Field(default_factory=dict, description="settings of this game only")
    layout: LayoutSection = Field(default_factory=LayoutSection)
    limits: LimitsSection | None = None
    guide: GuideSection | None = None
    screens: ScreensSection = Field(default_factory=ScreensSection)
    broker: BrokerSection | None = Field(None, description="where the table's rounds are published")
    computer: ComputerSection = Field(default_factory=ComputerSection)
    signing: SigningSection | None = Field(None, description="keys with which the table's record is signed")
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
