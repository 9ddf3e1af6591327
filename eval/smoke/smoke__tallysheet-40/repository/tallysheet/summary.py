"""Sums by region."""

from decimal import Decimal


def summarise(rows):
    """Rows of (label, sum) in alphabetical order, and a last one with the total."""
    sums = {}
    for row in rows:
        sums[row.region] = sums.get(row.region, Decimal(0)) + row.amount
    total = sum(sums.values(), Decimal(0))
    return [*sorted(sums.items()), ("Total", total)]
