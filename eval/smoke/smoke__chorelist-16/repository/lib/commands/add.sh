# adds a chore
run() {
  printf '[ ] %s\n' "$*" >>"$chores_file"
}
