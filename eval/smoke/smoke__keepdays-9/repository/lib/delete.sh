# delete_all: deletes the files that standard input names, one in a line, and says how many.
delete_all() {
  local file count=0
  while IFS= read -r file; do
    rm -f -- $file
    count=$((count + 1))
  done
  echo "deleted $count"
}
