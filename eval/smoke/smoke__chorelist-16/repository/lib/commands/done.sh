# ticks off the chore of that number
run() {
  local changed
  changed=$(all_chores | sed "$1s/^\[ \]/[x]/")
  printf '%s\n' "$changed" >"$chores_file"
}
