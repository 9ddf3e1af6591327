is "help prints the first lines" "add      adds a chore" "$("$root/bin/chorelist" help | head -n 1)"
"$root/bin/chorelist" fly 2>/dev/null
is "refuses what is no command" 2 $?
