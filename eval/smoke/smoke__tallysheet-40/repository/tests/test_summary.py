import unittest
from decimal import Decimal

from tallysheet.reading.sheet import Row
from tallysheet.summary import summarise
from tallysheet.table import write_table


class SummaryTest(unittest.TestCase):
    def test_adds_up_by_region(self):
        rows = [Row("South", Decimal("1.5")), Row("North", Decimal(2)), Row("South", Decimal("0.5"))]
        self.assertEqual(summarise(rows), [("North", 2), ("South", 2), ("Total", 4)])

    def test_writes_a_table(self):
        self.assertEqual(write_table([("A", Decimal(1)), ("Total", Decimal(1))]), "A          1.00\nTotal      1.00")
