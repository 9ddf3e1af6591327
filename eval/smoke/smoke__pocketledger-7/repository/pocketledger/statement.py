"""A month of the ledger."""

from calendar import monthrange
from datetime import date, timedelta

from pocketledger.balance import balance_on


def month_statement(entries, year, month):
    """Lines: what was there before the month, its entries, what was there at its end."""
    first = date(year, month, 1)
    last = date(year, month, monthrange(year, month)[1])
    lines = [f"before {balance_on(entries, first - timedelta(days=1))}"]
    for entry in entries:
        if first <= entry.day <= last:
            lines.append(f"{entry.day} {entry.label} {entry.amount}")
    lines.append(f"after {balance_on(entries, last)}")
    return lines
