"""The router."""

from wayfinder.options import with_defaults
from wayfinder.pattern import compile_route
from wayfinder.result import Found, Redirect


class Router:
    def __init__(self, **options):
        self._options = with_defaults(options)
        self._routes = []

    def add(self, route, handler):
        self._routes.append((compile_route(route, self._options["ignore_case"]), handler))

    def find(self, path):
        """Found, a Redirect to the path with or without a slash at its end, or None."""
        if len(path) > self._options["max_length"]:
            return None
        found = self._match(path)
        if found:
            return found
        other = path[:-1] if path.endswith("/") else path + "/"
        return Redirect(other) if self._match(other) else None

    def _match(self, path):
        for pattern, handler in self._routes:
            match = pattern.fullmatch(path)
            if match:
                return Found(handler, match.groupdict())
        return None
