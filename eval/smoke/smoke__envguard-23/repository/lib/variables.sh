# present NAME: does the variable have a value?
present() {
  check_name "$1"
  [ -n "${!1:-}" ]
}

# check_name NAME: ends the program for what cannot be a variable.
check_name() {
  case $1 in
    '' | [0-9]* | *[!A-Za-z0-9_]*)
      echo "not a variable: $1" >&2
      exit 2
      ;;
  esac
}
