"""Turn a folder of invoices (JSON) into one CSV file for the accountant."""

import csv
import json
import sys
from pathlib import Path


def rows(folder):
    for path in sorted(Path(folder).glob("*.json")):
        invoice = json.loads(path.read_text(encoding="utf-8"))
        for line in invoice["lines"]:
            yield path.stem, line["item"], line["quantity"], f'{line["price"] / 100:.2f}'


def main(folder):
    out = csv.writer(sys.stdout)
    out.writerow(["invoice", "item", "quantity", "price"])
    out.writerows(rows(folder))


if __name__ == "__main__":
    main(sys.argv[1])
