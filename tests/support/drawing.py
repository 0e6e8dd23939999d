"""How property tests draw their cases: the same in every run of the suite, or new ones.

Profiles of Hypothesis: ``fixed`` derives the cases from the test's own source, ``explore`` from the seed that it is
given (``pytest --hypothesis-profile=explore --hypothesis-seed=7``). Neither keeps cases of earlier runs, nor limits
how long one may take.
"""

from hypothesis import settings
from hypothesis.internal.conjecture import providers

FIXED, EXPLORE = "fixed", "explore"


def draw_the_same_everywhere() -> None:
    """Register both profiles, and load the one whose cases depend on nothing but the test."""
    settings.register_profile(FIXED, derandomize=True, database=None, deadline=None)
    settings.register_profile(EXPLORE, derandomize=False, database=None, deadline=None)
    settings.load_profile(FIXED)
    # Constants of the modules that are loaded would be drawn, too: others in another order of the tests. There is
    # no setting for that.
    providers._get_local_constants = lambda: providers._local_constants
