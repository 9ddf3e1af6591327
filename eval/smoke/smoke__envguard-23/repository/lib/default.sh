# run_default NAME=VALUE...: an export line for each variable without a value.
run_default() {
  local pair
  for pair in "$@"; do
    present "${pair%%=*}" || printf 'export %s=%q\n' "${pair%%=*}" "${pair#*=}"
  done
}
