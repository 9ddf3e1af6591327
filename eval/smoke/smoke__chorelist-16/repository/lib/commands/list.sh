# lists the chores with their numbers
run() {
  all_chores | sed = | sed 'N;s/\n/ /'
}
