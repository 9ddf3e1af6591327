"""The command line."""

import argparse
from datetime import date

from pocketledger.balance import balance_on
from pocketledger.reader import read_entries
from pocketledger.statement import month_statement


def main(arguments, write=print):
    parser = argparse.ArgumentParser(prog="pocketledger")
    commands = parser.add_subparsers(dest="command", required=True)
    balance = commands.add_parser("balance")
    balance.add_argument("--on", type=date.fromisoformat, required=True)
    balance.add_argument("file")
    statement = commands.add_parser("statement")
    statement.add_argument("--month", required=True)
    statement.add_argument("file")
    options = parser.parse_args(arguments)
    with open(options.file, encoding="utf-8") as file:
        entries = read_entries(file)
    if options.command == "balance":
        write(balance_on(entries, options.on))
    else:
        year, month = map(int, options.month.split("-"))
        for line in month_statement(entries, year, month):
            write(line)
    return 0
