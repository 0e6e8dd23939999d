"""Pearson's chi-square test of a wheel's counts against equal sections.

Its p-value is valid for one test at a number of spins that was fixed beforehand. Repeated tests of the same wheel
that act on the least p have more false alarms than p, and in the end always one: see
:mod:`controller.fairness.evidence`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The result of the test.

    Attributes:
        degrees: of freedom.
        p: the probability of a statistic at least as large on a fair wheel, 0 to 1; approximate, as the
            distribution is, below some five spins a section.
    """

    statistic: float
    degrees: int
    p: float


def chi_square(counts: Sequence[int]) -> ChiSquare:
    """The test of counts by section; p is 1 without any spin.

    Raises:
        ValueError: fewer than two sections, or a count below 0.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more numbers of 0 or more: {list(counts)}")
    spins, degrees = sum(counts), len(counts) - 1
    if not spins:
        return ChiSquare(0.0, degrees, 1.0)
    expected = spins / len(counts)
    statistic = math.fsum((count - expected) ** 2 for count in counts) / expected
    return ChiSquare(statistic, degrees, upper_tail(statistic, degrees))


def upper_tail(statistic: float, degrees: int) -> float:
    """The probability that a chi-square variable with these degrees of freedom is at least ``statistic``.

    It is the regularised incomplete gamma function Q(degrees/2, statistic/2), from Q(1/2, x) = erfc(√x) or
    Q(1, x) = exp(-x) by Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Γ(a + 1) (NIST Digital Library of Mathematical
    Functions, § 8.4 and § 8.8). No term is negative, so nothing cancels.
    """
    x = statistic / 2
    if x <= 0:
        return 1.0
    a, total = (0.5, math.erfc(math.sqrt(x))) if degrees % 2 else (1.0, math.exp(-x))
    while a < degrees / 2:
        total += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return min(total, 1.0)
