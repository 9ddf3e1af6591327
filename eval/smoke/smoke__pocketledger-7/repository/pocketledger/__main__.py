import sys

from pocketledger.cli import main

sys.exit(main(sys.argv[1:]))
