"""What is there at the end of a day."""

from decimal import Decimal


def balance_on(entries, day):
    """The sum of all entries up to and including `day`."""
    return sum((entry.amount for entry in entries if entry.day < day), Decimal("0.00"))
