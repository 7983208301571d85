"""Objectives: each is a small frozen record that says what winning means."""

from zermelo._runtime.lazy import import_on_use

__all__ = import_on_use(__name__)
