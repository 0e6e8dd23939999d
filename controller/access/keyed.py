"""What has been keyed of an identification (:mod:`controller.access.authentication`)."""

from enum import Enum
from typing import NamedTuple

from controller.access.credentials import LONGEST_NUMBER, MOST_PIN_DIGITS


class Prompt(Enum):
    """What the next digits are."""

    NUMBER = "number"
    PIN = "pin"


class KeyedCredential(NamedTuple):
    """An identification in progress."""

    prompt: Prompt = Prompt.NUMBER
    turned: bool = False
    """The key was turned for it and takes effect with it."""
    number: str = ""
    pin: str = ""

    @property
    def keyed(self) -> str:
        """The digits of what is asked for."""
        return self.pin if self.prompt is Prompt.PIN else self.number

    def with_digits(self, digits: str) -> "KeyedCredential":
        """The same with other digits of what is asked for. One digit too many keeps them invalid."""
        if self.prompt is Prompt.PIN:
            return self._replace(pin=digits[: MOST_PIN_DIGITS + 1])
        return self._replace(number=digits[: LONGEST_NUMBER + 1])
