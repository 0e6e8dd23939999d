"""A keypad on a serial line, which sends a line or a character per key. Backend ``serial``.

``codes`` defines what each key sends. A keypad that sends lines::

    keyboard:
      backend: serial
      options:
        port: /dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0
      codes: {1: K01, 2: K02, enter: K15}

One that sends a character per key, without an end::

      options:
        port: /dev/ttyAMA0
        line_end: none
      codes: {1: '1', 2: '2', enter: '#'}

Unprintable characters are written with a backslash, as :func:`hal.serial.lines.spelled` reads them. Settings of
the port: :mod:`hal.serial.settings`.

Such keypads do not report releases, so every key is released right after its press. **A stuck key** shows by one
thing only: if the keypad repeats what it sends while a key is down. A code that comes again within an eighth of a
second for a second is such a key: what follows is no press, and after ten seconds more it is stuck
(:mod:`hal.serial.repeats`). Of a keypad that does not repeat, or repeats more slowly, nobody can know that a key is
down; nor, of any, that one was when the table started. It then seems as if nobody pressed it, or as if a hand did.
"""

from collections.abc import Mapping

from pydantic import BaseModel

from hal.errors import HalError
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, KeySource, Timer
from hal.serial.lines import Broken, Framing, TextLine, spelled
from hal.serial.repeats import KeyRepeats
from hal.serial.settings import SerialKeysSettings
from hal.serial.talk import Lost, Returned, Said, Talk


def open_device(wiring: BaseModel, settings: SerialKeysSettings, clock: Clock) -> KeySource:
    """The keys of a keyboard section.

    Raises:
        HalError: a code cannot be used, or the port cannot be opened.
    """
    codes: dict[str, str] = getattr(wiring, "codes", {})
    return SerialKeys(controls_by_code(codes, settings), settings, clock)


def controls_by_code(codes: Mapping[str, str], settings: SerialKeysSettings) -> dict[str, str]:
    """The control of each code, as it is sent.

    Args:
        codes: the code of each control, as it is written.

    Raises:
        HalError: a code that cannot be sent or that two keys send, or none at all; the message names the control.
    """
    if not codes:
        raise HalError("backend 'serial' finds keys by what they send; write `codes`, in a section `keyboard`")
    controls: dict[str, str] = {}
    for control, written in codes.items():
        code = _code(control, written, settings.framing)
        if code in controls:
            raise HalError(
                f"the keys '{controls[code]}' and '{control}' both send '{written}' on {settings.port}; "
                "correct `codes`"
            )
        controls[code] = control
    return controls


def _code(control: str, written: str, framing: Framing) -> str:
    """What a key sends."""
    try:
        code = spelled(written)
    except ValueError as error:
        raise HalError(f"the code of '{control}', '{written}': {error}") from None
    if not framing.end:
        if len(code) != 1 or ord(code) > 0xFF:
            raise HalError(f"the code of '{control}', '{written}', is not one character; correct it, or `line_end`")
        return code
    end = framing.end.decode("ascii")
    if not (code.isascii() and code.isprintable()) or end in code or len(code) > framing.longest:
        raise HalError(
            f"the code of '{control}', '{written}', can never come as a line; write printable characters, at most "
            "`longest_chars`, without `line_end`"
        )
    return code


class SerialKeys:
    """Keys on a serial line.

    Args:
        controls: the control of each code, as it is sent.
    """

    def __init__(self, controls: Mapping[str, str], settings: SerialKeysSettings, clock: Clock) -> None:
        self._controls, self._port = controls, settings.port
        self._faulty = False
        self._deliver: DeliverKey | None = None
        self._talk = Talk(settings, clock)
        self._clock = clock
        self._repeats = KeyRepeats()
        self._timer: Timer | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        self._talk.start(self._on_item)

    def close(self) -> None:
        self._deliver = None
        self._cancel()
        self._talk.close()

    def _on_item(self, item: Said, at_ns: int) -> None:
        if isinstance(item, Lost):
            self._fault(item.detail, at_ns)
        elif isinstance(item, Returned):
            self._in_order(at_ns)
        elif isinstance(item, TextLine) and item.text in self._controls:
            self._in_order(at_ns)
            self._pass_on(self._repeats.code(self._controls[item.text], at_ns))
        elif not self._faulty:  # Reported once, and not for every line.
            self._fault(self._unknown(item), at_ns)

    def _pass_on(self, events: list[KeyEvent]) -> None:
        for event in events:
            self._send(event)
        self._cancel()
        due_ns = self._repeats.due_ns
        if self._deliver is not None and due_ns is not None:
            self._timer = self._clock.call_at(due_ns, self._on_due)

    def _on_due(self) -> None:
        self._pass_on(self._repeats.tick(self._clock.now_ns()))

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _unknown(self, item: TextLine | Broken) -> str:
        """The fault text for input that is not the code of a key."""
        if isinstance(item, Broken):
            remedy = "check baud_rate, parity, line_end and checksum, and the cable"
            return f"the keypad at {self._port} cannot be understood, {item}; {remedy}"
        return f"the keypad at {self._port} sends {item.text!r}, which is no key's code; correct `codes`"

    def _fault(self, detail: str, at_ns: int) -> None:
        self._faulty = True
        self._send(FaultEvent(detail, at_ns))

    def _in_order(self, at_ns: int) -> None:
        if self._faulty:
            self._faulty = False
            self._send(FaultEvent("", at_ns))

    def _send(self, event: KeyEvent | FaultEvent) -> None:
        if self._deliver is not None:  # The callback may close the device.
            self._deliver(event)
