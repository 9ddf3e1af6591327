is "says nothing when all are there" "" "$(HOST=a "$root/bin/envguard" require HOST)"
is "names what is missing" "missing: NO_SUCH_ONE" "$(HOST=a "$root/bin/envguard" require HOST NO_SUCH_ONE)"
"$root/bin/envguard" require 'a b' 2>/dev/null
is "refuses what is no variable" 2 $?
