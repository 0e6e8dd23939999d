"""The section ``devices`` of a table's file: what is connected to its computer, and which backend drives it."""

from typing import Literal

from pydantic import Field

from config.values import Name, Output, Pin, Section, Text


class DeviceSection(Section):
    """A device: how it is wired, which backend drives it, and that backend's own options."""

    backend: Name = Field(description="the driver: a folder under hal/")
    options: dict[str, object] = Field(default_factory=dict, description="options of the backend")


class HeadPins(Section):
    """The pins of a wheel's sensor head."""

    encoder_a: Pin
    encoder_b: Pin
    index: Pin
    clapper: Pin


class HeadDevice(DeviceSection):
    """The wheel's sensor head: encoder, index and clapper."""

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
    """The wheel reader, which sees the pocket in which the ball lies."""


class ButtonsDevice(DeviceSection):
    """Buttons, a pin each."""

    pins: dict[Name, Pin] = Field(min_length=1, description="pin of each button, by the control's name")


class KeypadDevice(DeviceSection):
    """A matrix keypad."""

    rows: list[Pin] = Field(min_length=1, max_length=8, description="pins that are driven, top to bottom")
    columns: list[Pin] = Field(min_length=1, max_length=8, description="pins that are read, left to right")
    keys: list[list[Name]] = Field(description="the control on each key, row by row")


class KeyboardDevice(DeviceSection):
    """A keypad that sends codes: by USB, or over a serial line."""

    codes: dict[Name, Text] = Field(
        min_length=1, description="what each control's key sends, by the control's name: KEY_KP1, or a line of text"
    )


class SwitchesDevice(DeviceSection):
    """Key switches and dry contacts, a pin each."""

    pins: dict[Name, Pin] = Field(min_length=1, description="pin of each switch, by its name")


class TamperContact(Section):
    """A contact of a door, the cabinet or a panel: closed while that is, so that a cut wire reads as open."""

    pin: Pin
    opens: Literal["alert", "lock"] = Field(
        "lock", description="what an opening does: lock the table, or only alert the dealer and the floor"
    )
    latch: Pin | None = Field(
        None, description="pin of a latch that remembers an opening while the power is off; none if nothing does"
    )


class TamperDevice(DeviceSection):
    """Contacts of door and cabinet."""

    contacts: dict[Name, TamperContact] = Field(
        min_length=1, max_length=8, description="each contact by its name: door, cabinet, panel"
    )
    latch_reset: Pin | None = Field(
        None, description="pin that resets the latches once an opening is on record; none if a person does"
    )


class PanelDevice(DeviceSection):
    """The lamps behind the layout."""

    lamps: dict[Name, Output] = Field(min_length=1, description="output number of each area's lamp")


class BuzzerDevice(DeviceSection):
    """The dealer's buzzer."""

    pin: Pin


class DeviceSections(Section):
    """What is connected to the table's computer."""

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
