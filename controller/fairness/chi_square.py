"""Pearson's chi-square test of a wheel's counts against equal sections.

Its p-value is valid for one test, at a number of spins that was fixed beforehand. Repeated tests that act on the
least p raise more false alarms than p: :mod:`controller.fairness.evidence` is for that.
"""

import math
from collections.abc import Sequence


def p_value(counts: Sequence[int]) -> float:
    """The probability of counts at least as uneven on a fair wheel; approximate below some five spins a section.

    Args:
        counts: by section; 1 is returned without any spin.

    Raises:
        ValueError: fewer than two sections, or a count below 0.
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"counts must be two or more numbers of 0 or more: {list(counts)}")
    expected = sum(counts) / len(counts)
    if not expected:
        return 1.0
    return upper_tail(math.fsum((count - expected) ** 2 for count in counts) / expected, len(counts) - 1)


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
