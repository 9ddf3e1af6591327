touch db-2026-01-0{1,2,3}.tar dbx-2026-01-01.tar db-latest.tar
is "prints what it would delete" "db-2026-01-02.tar
db-2026-01-01.tar" "$("$root/bin/keepdays" -n -k 1 db)"
is "says how many it deleted" "deleted 2" "$("$root/bin/keepdays" -k 1 db)"
is "keeps the newest and what is no copy" "db-2026-01-03.tar db-latest.tar dbx-2026-01-01.tar" "$(echo *)"
is "has nothing to delete the next time" "deleted 0" "$("$root/bin/keepdays" -k 1 db)"
