# run_summary NAME...: whether each variable has a value, but not which.
run_summary() {
  local name
  for name in "$@"; do
    if present "$name"; then echo "$name has a value"; else echo "$name has no value"; fi
  done
}
