import unittest

from pocketledger.reader import read_entries


class ReaderTest(unittest.TestCase):
    def test_sorts_by_day_and_skips_comments(self):
        entries = read_entries(["2026-02-01 tea 3.50", "# nothing", "", "2026-01-01 new year gift -20 # Ada"])
        self.assertEqual([entry.label for entry in entries], ["new year gift", "tea"])

    def test_names_the_line_at_fault(self):
        with self.assertRaisesRegex(ValueError, "line 2"):
            read_entries(["2026-02-01 tea 3.50", "2026-02-02"])
