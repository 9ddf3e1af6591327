"""Routes as regular expressions."""

import re


def compile_route(route, ignore_case):
    """A compiled expression whose named groups are the route's parameters."""
    parts = []
    for part in route.strip("/").split("/"):
        if part.startswith("{") and part.endswith("*}"):
            parts.append(f"(?P<{part[1:-2]}>.+)")
        elif part.startswith("{") and part.endswith("}"):
            parts.append(f"(?P<{part[1:-1]}>[^/]+)")
        else:
            parts.append(re.escape(part))
    slash = "/" if route.endswith("/") and route != "/" else ""
    return re.compile("/" + "/".join(parts) + slash, re.IGNORECASE if ignore_case else 0)
