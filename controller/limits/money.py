"""An amount as people write it."""

from decimal import Decimal


def money(currency: str, amount: str) -> str:
    """``$25,000`` or ``$2.50``."""
    places = -int(str(Decimal(amount).as_tuple().exponent))
    return f"{currency}{Decimal(amount):,.{max(places, 2) if places else 0}f}"
