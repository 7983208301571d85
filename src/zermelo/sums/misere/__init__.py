"""Misère play: genus and quotients."""
