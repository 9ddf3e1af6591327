"""Adds up amounts of CSV files."""
