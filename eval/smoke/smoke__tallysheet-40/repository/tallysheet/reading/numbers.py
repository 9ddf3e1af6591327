"""Numbers as people write them."""

from decimal import Decimal


def parse_number(text):
    """The Decimal that `text` stands for; a comma counts as a decimal point."""
    return Decimal(text.strip().replace(",", ".", 1) if "." not in text else text.strip().split(",")[0])
