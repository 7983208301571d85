"""The classes of objectives of this package, by keyword."""

from typing import Any

from zermelo import registry

OBJECTIVES: dict[str, Any] = {row.name: row.load() for row in registry.OBJECTIVES.own}
"""The classes of this package by their keywords; ``registry.OBJECTIVES`` is the table."""
