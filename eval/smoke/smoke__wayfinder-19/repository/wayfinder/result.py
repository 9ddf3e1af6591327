"""What a search gives."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Found:
    handler: object
    parameters: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Redirect:
    path: str
