chores_file=${CHORES:-chores.txt}

# all_chores: the lines of the file, none when it is not there yet.
all_chores() {
  if [ -f "$chores_file" ]; then cat "$chores_file"; fi
}

# count_chores MARK: how many lines carry the mark, " " or "x".
count_chores() {
  all_chores | grep -c "^\[$1\] " || true
}
