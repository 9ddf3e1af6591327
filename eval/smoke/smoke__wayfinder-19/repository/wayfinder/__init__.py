"""Finds the handler for a path."""

from wayfinder.result import Found, Redirect
from wayfinder.router import Router

__all__ = ["Found", "Redirect", "Router"]
