"""The options of a router and their defaults; each has its section in docs/options.md."""

DEFAULTS = {
    "ignore_case": False,
    "max_length": 2000,
}


def with_defaults(given):
    """The options given over the defaults; raises TypeError for an option that does not exist."""
    unknown = sorted(set(given) - set(DEFAULTS))
    if unknown:
        raise TypeError(f"unknown option: {', '.join(unknown)}")
    return {**DEFAULTS, **given}
