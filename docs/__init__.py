"""Documents that are drawn from the code: ``make docs``."""
