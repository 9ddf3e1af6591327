is "lists nothing at first" "" "$("$root/bin/chorelist" list)"
"$root/bin/chorelist" add water the plants
"$root/bin/chorelist" add sweep
"$root/bin/chorelist" done 1
is "lists chores with numbers and marks" "1 [x] water the plants
2 [ ] sweep" "$("$root/bin/chorelist" list)"
