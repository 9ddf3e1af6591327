# list_copies NAME: the copies of a backup in this folder, the newest first, one in a line.
list_copies() {
  local file
  for file in "$1"-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].*; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
  done | sort -r
}

# beyond COUNT: the lines after the first COUNT.
beyond() {
  tail -n "+$(($1 + 1))"
}
