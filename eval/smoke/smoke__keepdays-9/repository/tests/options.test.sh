"$root/bin/keepdays" 2>/dev/null
is "wants a name" 2 $?
"$root/bin/keepdays" -k many db 2>/dev/null
is "wants a number of copies" 2 $?
