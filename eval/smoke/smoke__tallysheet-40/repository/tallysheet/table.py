"""Text output."""


def write_table(rows):
    """Labels to the left, sums with two decimals to the right."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"{label:<{width}} {amount:>9.2f}" for label, amount in rows)
