# help: every command with the comment of its first line.
help() {
  local file
  for file in "$here"/lib/commands/*.sh; do
    printf '%-8s %s\n' "$(basename "$file" .sh)" "$(sed -n '1s/^# *//p' "$file")"
  done
}

unknown() {
  echo "unknown command: $1" >&2
  exit 2
}
