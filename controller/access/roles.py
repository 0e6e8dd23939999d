"""What a person may do on the pages of a table or a floor."""

from enum import StrEnum


class Role(StrEnum):
    """Each role may do what those before it may."""

    LOOK = "look"
    """Open pages, follow streams, export."""
    ACKNOWLEDGE = "acknowledge"
    """Acknowledge alerts, too."""
    ADMINISTER = "administer"
    """Everything."""

    def allows(self, needed: "Role") -> bool:
        """Whether a person of this role may do what the other one is needed for."""
        order = list(Role)
        return order.index(self) >= order.index(needed)
