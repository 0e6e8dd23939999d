"""What a table's file has to say of the limits sign (§ 521.7)."""

from collections.abc import Iterator

from config.schema import TableConfig


def sign_advice(config: TableConfig) -> Iterator[str]:
    """What a file that is in order leaves open: a table has limits, on the board or on another sign."""
    if config.limits is None:
        yield (
            "the table has no limits, and shows none (§ 521.7(a), (b)); add `limits:` with minimum and maximum, "
            "or with `posted: elsewhere` if another sign at the table states them"
        )
