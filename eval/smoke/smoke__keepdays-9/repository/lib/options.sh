# Sets keep, dry and name from the command line.
read_options() {
  keep=7 dry=no
  local option OPTIND=1
  while getopts k:n option; do
    case $option in
      k) keep=$OPTARG ;;
      n) dry=yes ;;
      *) usage ;;
    esac
  done
  shift $((OPTIND - 1))
  [ $# -eq 1 ] || usage
  case $keep in '' | *[!0-9]*) usage ;; esac
  name=$1
}

usage() {
  echo "usage: keepdays [-k COUNT] [-n] NAME" >&2
  exit 2
}
