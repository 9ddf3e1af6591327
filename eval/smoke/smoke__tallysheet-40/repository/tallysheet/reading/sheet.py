"""Rows of a file."""

import csv
from collections import namedtuple

from tallysheet.reading.numbers import parse_number

Row = namedtuple("Row", "region amount")


def read_sheet(file):
    """The rows of a CSV file with the columns region and amount, in any order."""
    sample = file.read(4096)
    file.seek(0)
    dialect = csv.Sniffer().sniff(sample.splitlines()[0], delimiters=";,\t")
    return [Row(line["region"].strip(), parse_number(line["amount"])) for line in csv.DictReader(file, dialect=dialect)]
