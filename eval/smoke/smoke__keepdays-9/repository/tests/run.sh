#!/usr/bin/env bash
# Runs every tests/*.test.sh and prints the results in the Test Anything Protocol.
cd "$(dirname "$0")/.." || exit 2
root=$PWD
count=0 failures=0

# ok NAME COMMAND...: passes when the command does.
ok() {
  local name=$1
  shift
  count=$((count + 1))
  if "$@"; then echo "ok $count - $name"; else
    echo "not ok $count - $name"
    failures=$((failures + 1))
  fi
}

# is NAME EXPECTED GOT
is() {
  ok "$1" test "$2" = "$3"
  if [ "$2" != "$3" ]; then printf '# expected: %s\n# got: %s\n' "$2" "$3"; fi
}

for file in "$root"/tests/*.test.sh; do
  scratch=$(mktemp -d)
  cd "$scratch" || exit 2
  . "$file"
  cd "$root" && rm -rf "$scratch"
done
echo "1..$count"
[ "$failures" -eq 0 ]
