"""A ledger in a text file."""
