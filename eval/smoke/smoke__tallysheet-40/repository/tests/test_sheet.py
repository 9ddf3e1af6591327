import io
import unittest
from decimal import Decimal

from tallysheet.reading.numbers import parse_number
from tallysheet.reading.sheet import read_sheet


class SheetTest(unittest.TestCase):
    def test_reads_columns_in_any_order(self):
        rows = read_sheet(io.StringIO("amount;region\n3,5;North\n"))
        self.assertEqual(rows, [("North", Decimal("3.5"))])

    def test_one_separator_stands_before_the_decimals(self):
        self.assertEqual(parse_number("1.250"), Decimal("1.25"))
        self.assertEqual(parse_number(" 980,50 "), Decimal("980.5"))
        self.assertEqual(parse_number("-3"), Decimal(-3))
