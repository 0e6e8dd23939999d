"""People for tables that ask for credentials: a PIN is the number, twice."""

from dataclasses import dataclass

from controller.access.credentials import Role
from controller.bench.rig import Rig
from controller.table.desk import Staff

FLOOR, SECURITY, MAINTENANCE, DEALER = "1001", "2002", "3003", "12"


@dataclass(frozen=True)
class Listed:
    """The people of a list, by role."""

    floorpersons: tuple[str, ...]
    dealers: tuple[str, ...]

    def knows(self, number: str, role: Role) -> bool:
        return number in (self.floorpersons if role is Role.FLOORPERSON else self.dealers)

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and pin == 2 * number


def staff(session_s: int = 120, dealer_pin: bool = False) -> Staff:
    """Three floorpersons and a dealer."""
    people = Listed((FLOOR, SECURITY, MAINTENANCE), (DEALER,))
    return Staff(people, session_s * 1_000_000_000, dealer_pin)


def identify(table: Rig, number: str = FLOOR) -> None:
    """A person turns the key, and keys number and PIN."""
    table.press("floor-key", *number, "enter", *(2 * number), "enter")
