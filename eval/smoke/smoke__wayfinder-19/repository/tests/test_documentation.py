import re
import unittest
from pathlib import Path

from wayfinder.options import DEFAULTS

OPTIONS = Path(__file__).parent.parent / "docs" / "options.md"


class DocumentationTest(unittest.TestCase):
    def test_every_option_has_a_section_with_its_default(self):
        sections = dict(re.findall(r"^## (\w+)\n\nDefault: `([^`]+)`", OPTIONS.read_text("utf-8"), re.MULTILINE))
        self.assertEqual(sections, {name: str(default) for name, default in DEFAULTS.items()})
