"""What people do at the prompts of the table layer: complete acts, and the prompts themselves.

No digit that is keyed into a prompt is an event: only what was confirmed with it is.
"""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Act(Frozen):
    """An act that was offered (:class:`controller.machine.offers.Offer`), chosen and confirmed."""

    at_ns: int
    act: str
    argument: str = ""
    """Code: of the reason, or of what is corrected."""
    utc_ns: int = 0
    by: str = ""
    """Credential number of the floorperson; empty where the table asks for none, and for the dealer's own act."""
    floor: bool = True
    """By the floorperson's key; False for the dealer's own act."""
    kind: Literal["act"] = "act"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PromptOpened(Frozen):
    """A prompt asks for digits that may be a PIN. After a power cut, the rest of them is discarded."""

    at_ns: int
    prompt: str
    """``floorperson``, ``log-on``."""
    kind: Literal["prompt-opened"] = "prompt-opened"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PromptClosed(Frozen):
    """It was answered, cancelled, or closed by itself."""

    at_ns: int
    prompt: str
    how: str
    """``answered``, ``cancelled``, ``expired``."""
    kind: Literal["prompt-closed"] = "prompt-closed"
