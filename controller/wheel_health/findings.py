"""What is found of a wheel, in words, each with what to do about it."""

from enum import Enum

from controller.tracking.motion import direction_of
from hal.lazy_dataclass import dataclass


class WheelSign(Enum):
    """What a finding is about."""

    STRIKES = "strikes"
    RELEASES = "releases"
    LOSSES = "losses"
    IMBALANCE = "imbalance"
    BENT_PEG = "bent-peg"
    MISSING_PEG = "missing-peg"
    CONTACT = "contact"
    DROPS = "drops"
    FRICTION = "friction"


@dataclass(frozen=True, slots=True)
class WheelFinding:
    """A finding.

    Attributes:
        sign: what it is about.
        spin: at which of the spins that were looked at it was found, from 1.
        what: one sentence.
        remedy: what to do, one sentence.
        direction: +1, -1; 0 for both.
        peg: the peg's number; None if it is not about one.
        value: how much, in the unit of ``what``.
    """

    sign: WheelSign
    spin: int
    what: str
    remedy: str
    direction: int = 0
    peg: int | None = None
    value: float = 0.0

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"


def peg_name(peg: int, sections: int) -> str:
    """A peg by the sections on either side, in the wheel's order from 1."""
    return f"the peg between sections #{(peg - 1) % sections + 1} and #{peg % sections + 1}"


def strikes(spin: int, direction: int, value: float, most: float) -> WheelFinding:
    """The contact closes elsewhere than calibrated."""
    what = (
        f"Turning {direction_of(direction).value}, the contact closes {abs(value):.2f} degrees "
        f"{'later' if value > 0 else 'earlier'} than calibrated; beyond {most:.2f} spins are void."
    )
    remedy = "Look at the leather and its screws, replace a soft or crooked leather, then calibrate the wheel anew."
    return WheelFinding(WheelSign.STRIKES, spin, what, remedy, direction, value=value)


def releases(spin: int, direction: int, value: float, most: float) -> WheelFinding:
    """The leather slips off elsewhere than calibrated."""
    what = (
        f"Turning {direction_of(direction).value}, the leather slips off {abs(value):.2f} degrees "
        f"{'later' if value > 0 else 'earlier'} than calibrated; beyond {most:.2f} spins are void."
    )
    remedy = "Look at the leather's tip, replace a worn leather, then calibrate the wheel anew."
    return WheelFinding(WheelSign.RELEASES, spin, what, remedy, direction, value=value)


def losses(spin: int, direction: int, value: float, other: float, most: float) -> WheelFinding:
    """Sections take more or less of the wheel's speed than calibrated.

    Args:
        other: by how much they do in the other direction.
    """
    more = value > 0
    what = (
        f"Turning {direction_of(direction).value}, the wheel loses {abs(value):.0%} {'more' if more else 'less'} "
        f"in a section than calibrated; beyond {most:.0%} honest spins may be void as touched."
    )
    if value * other < 0 and abs(other) > abs(value) / 3:
        remedy = "The leather hangs to one side: set it straight or replace it, then calibrate the wheel anew."
    elif more:
        remedy = "Clean and grease the bearing, see that nothing rubs, then calibrate the wheel anew."
    else:
        remedy = "The leather has softened: replace it, then calibrate the wheel anew."
    return WheelFinding(WheelSign.LOSSES, spin, what, remedy, direction, value=value)


def imbalance(spin: int, share: float, fastest_deg: float, sections: int) -> WheelFinding:
    """A heavy spot makes the wheel rest more often in some sections.

    Args:
        fastest_deg: where along the rim the wheel is fastest.
    """
    favoured = {way: _section(fastest_deg + way * 90, sections) for way in (1, -1)}
    what = (
        f"The wheel is out of balance: it rests {share:.0%} more often around section #{favoured[1]} turning "
        f"counterclockwise, and around #{favoured[-1]} turning clockwise."
    )
    heavy = _section(fastest_deg + 180, sections)
    remedy = (
        f"Level the wheel, see that it hangs true, and take weight from the rim near section #{heavy} or add it "
        "opposite, if the clapper is at the top; if it is below, the other way about."
    )
    return WheelFinding(WheelSign.IMBALANCE, spin, what, remedy, value=share)


def _section(along_deg: float, sections: int) -> int:
    return int(along_deg % 360 * sections / 360) % sections + 1


def bent_peg(spin: int, peg: int, value: float, sections: int) -> WheelFinding:
    """A peg stands elsewhere than calibrated."""
    what = (
        f"{peg_name(peg, sections).capitalize()} stands {abs(value):.2f} degrees too far "
        f"{'counterclockwise' if value > 0 else 'clockwise'} along the rim: it is bent or loose."
    )
    remedy = "Straighten it or screw it in, then calibrate the wheel anew."
    return WheelFinding(WheelSign.BENT_PEG, spin, what, remedy, peg=peg, value=value)


def missing_peg(spin: int, peg: int, sections: int) -> WheelFinding:
    """A peg never closed the contact."""
    what = f"{peg_name(peg, sections).capitalize()} did not close the contact: it is gone, or bent away."
    return WheelFinding(WheelSign.MISSING_PEG, spin, what, "Replace it, then calibrate the wheel anew.", peg=peg)


def contact(spin: int, pegs: int, sections: int) -> WheelFinding:
    """Many pegs did not close the contact."""
    what = f"In a spin {pegs} of {sections} pegs did not close the contact."
    return WheelFinding(
        WheelSign.CONTACT, spin, what, "Look at the clapper's contact, its wire and the leather.", value=pegs
    )


def drops(spin: int, share: float, level: float, angle_deg: float) -> WheelFinding:
    """A roulette ball comes down more often on one part of the track.

    Args:
        share: of the last spins, the part in which it came down clockwise from ball_1 to ball_2.
        level: the same of a wheel that is level.
        angle_deg: how long that part is.
    """
    what = (
        f"Of the last balls {share:.0%} came down within the {angle_deg:g} degrees clockwise from ball_1 to "
        f"ball_2; on a level wheel {level:.0%} do."
    )
    remedy = (
        "Level the wheel, look at track and deflectors on the side where the balls come down, then log the work."
    )
    return WheelFinding(WheelSign.DROPS, spin, what, remedy, value=share)


def friction(spin: int, ratio: float, first: int) -> WheelFinding:
    """A roulette wheel's rotor slows down sooner than it did.

    Args:
        ratio: what it loses of its speed now, over what it lost in the first spins that were measured.
        first: how many those are.
    """
    what = f"The rotor slows down {ratio:.1f} times as fast as in the first {first} spins that were measured."
    remedy = "Clean and oil its bearing, see that nothing rubs, then log the work."
    return WheelFinding(WheelSign.FRICTION, spin, what, remedy, value=ratio)
