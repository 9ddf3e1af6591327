"""Reads the text file."""

from datetime import date
from decimal import Decimal

from pocketledger.entry import Entry


def read_entries(lines):
    """The entries of the lines, sorted by day; blank lines and comments are left out."""
    entries = []
    for number, line in enumerate(lines, start=1):
        text = line.split("#", 1)[0].split()
        if not text:
            continue
        if len(text) < 3:
            raise ValueError(f"line {number}: needs a date, a word and an amount")
        day, *label, amount = text
        entries.append(Entry(date.fromisoformat(day), " ".join(label), Decimal(amount)))
    return sorted(entries, key=lambda entry: entry.day)
