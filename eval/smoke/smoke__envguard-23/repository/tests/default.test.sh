is "gives a default for what is not set" "export NO_SUCH_ONE=a\\ b" "$("$root/bin/envguard" default 'NO_SUCH_ONE=a b')"
is "gives a default for what is empty" "export PORT=8080" "$(PORT= "$root/bin/envguard" default PORT=8080)"
is "leaves what has a value" "" "$(PORT=1 "$root/bin/envguard" default PORT=8080)"
is "an empty variable has no value" "PORT has no value" "$(PORT= "$root/bin/envguard" summary PORT)"
