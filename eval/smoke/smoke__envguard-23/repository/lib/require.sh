# run_require NAME...: names all variables that are missing and fails when there are any.
run_require() {
  local name missing=0
  for name in "$@"; do
    present "$name" && continue
    echo "missing: $name"
    missing=1
  done
  return "$missing"
}
