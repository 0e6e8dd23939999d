"""Keeps the values of a label few: each is a time series that Prometheus keeps for weeks."""

OTHER = "other"
"""Stands for all values beyond the first ones."""
_LENGTH = 60


class LabelValues:
    """The values of a label that others choose, as a message's reason.

    Args:
        most: how many have a series of their own; those that come first.
    """

    def __init__(self, most: int = 50) -> None:
        self._most = most
        self._known: set[str] = set()

    def of(self, value: str) -> str:
        """The label's value for what came."""
        if value in self._known:
            return value
        if not value or len(value) > _LENGTH or len(self._known) >= self._most:
            return OTHER
        self._known.add(value)
        return value
