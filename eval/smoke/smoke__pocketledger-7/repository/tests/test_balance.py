import unittest
from datetime import date

from pocketledger.balance import balance_on
from pocketledger.reader import read_entries

BOOK = read_entries(["2026-01-01 salary 2000.00", "2026-01-15 coat -150.50"])


class BalanceTest(unittest.TestCase):
    def test_leaves_out_what_comes_later(self):
        self.assertEqual(str(balance_on(BOOK, date(2026, 1, 10))), "2000.00")

    def test_of_nothing_is_zero(self):
        self.assertEqual(str(balance_on([], date(2026, 1, 10))), "0.00")
