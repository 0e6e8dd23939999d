"""The evidence against a wheel of equal sections; valid if it is evaluated after every spin, without end.

The hypothesis: whatever happened before and whichever way the wheel turns, it stops at each of its n sections with
probability 1/n. It is tested against many alternatives (:mod:`controller.fairness.alternatives`). Each multiplies
its stake, at every spin, by the probability that it gave to the observed stop, over 1/n. The **e-value** is the sum
of all stakes, which start with a total of 1:

    M = sum over alternatives k of  w_k * product over spins of  q_k(stop | direction) / (1/n)

On a fair wheel the factor of every alternative is 1 on average at every spin, so M is a martingale that starts at 1
and is never negative: a *test martingale*. By Ville's inequality the probability that M *ever* reaches c, however
long the wheel is played, is at most 1/c. Evaluation at each spin with optional stopping adds no false alarms. The
dealer may choose the direction, even depending on earlier spins: the hypothesis does not cover it.

Sources:
    J. Ville, Étude critique de la notion de collectif. Gauthier-Villars, Paris 1939 (the inequality).
    H. Robbins, Statistical methods related to the law of the iterated logarithm. Annals of Mathematical Statistics
    41(5), 1970, pp. 1397-1409 (mixtures over alternatives).
    A. Ramdas, P. Grünwald, V. Vovk, G. Shafer, Game-theoretic statistics and safe anytime-valid inference.
    Statistical Science 38(4), 2023, pp. 576-601 (a survey; test martingales and e-values).

M depends on the counts by direction and section alone, not on their order; it is computed from them anew for each
few spins that are added, so that rounding does not add up over millions of them.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from controller.fairness.alternatives import FloatArray, mixture, suspect

DIRECTIONS = ("clockwise", "counterclockwise", "")
"""Empty: not known. Such a spin counts only for alternatives that hold for any direction."""
_SCOPES_OF = {"clockwise": (0, 1), "counterclockwise": (0, 2), "": (0,)}
"""The scopes, as in the mixture, that bet on a spin in each direction."""
_LEAST_REPORTED = 1.0
"""log10 of the least e-value that is reported as a suspicion."""


class Evidence:
    """The evidence against a wheel of equal sections.

    Args:
        sections: 2 to 100.
        counts: earlier ones, by direction (``DIRECTIONS``) and section.
    """

    def __init__(self, sections: int, counts: Mapping[str, Sequence[int]] | None = None) -> None:
        self._mixture = mixture(sections)
        known = counts or {}
        self.counts = {name: list(known.get(name, [0] * sections)) for name in DIRECTIONS}

    def add(self, spins: Sequence[tuple[int, str]]) -> float:
        """Count spins in their order.

        Args:
            spins: where the wheel stopped (index into its order, clockwise around the rim) and which way it turned.

        Returns:
            The highest :attr:`log10` after any of them; minus infinity for no spin.
        """
        log_stakes, highest = self._stakes(), -math.inf
        for position, direction in spins:
            self.counts[direction][position] += 1
            for scope in _SCOPES_OF[direction]:
                log_stakes[scope] += self._mixture.log_factors[position]
            highest = max(highest, _log_sum(log_stakes))
        return highest / math.log(10)

    @property
    def log10(self) -> float:
        """The decimal logarithm of the e-value now: 0 before the first spin, 4 at odds of 10,000 to 1."""
        return _log_sum(self._stakes()) / math.log(10)

    def suspicion(self, labels: Sequence[str] = ()) -> str:
        """What the evidence points to, as text; empty below an e-value of 10.

        Args:
            labels: of the sections, by position; may be left out, or empty for some.
        """
        logs = self._stakes()
        total = _log_sum(logs)
        if total < _LEAST_REPORTED * math.log(10):
            return ""
        return suspect(self._mixture, np.exp(logs - total), self._by_scope(), labels)

    def _by_scope(self) -> FloatArray:
        """Counts of each scope, scopes by sections; exact up to 2**53."""
        counts = np.array([self.counts[name] for name in DIRECTIONS], dtype=np.float64)
        return np.array([counts.sum(axis=0), *counts[:2]])

    def _stakes(self) -> FloatArray:
        """Natural logarithms of all stakes, scopes by shapes."""
        stakes: FloatArray = self._by_scope() @ self._mixture.log_factors + self._mixture.log_weights
        return stakes


def _log_sum(logs: FloatArray) -> float:
    """The logarithm of a sum of terms given by their logarithms; terms of any size."""
    highest = float(logs.max())
    # Below exp(-700), which is negligible here, the exponential takes twenty times as long.
    return highest + math.log(float(np.exp(np.maximum(logs - highest, -700.0)).sum()))
