import sys

from tallysheet.summary import summarise
from tallysheet.table import write_table
from tallysheet.reading.sheet import read_sheet

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    print(write_table(summarise(read_sheet(file))))
