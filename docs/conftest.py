"""Transcripts: ``tests/test_transcripts.py`` and ``tests/synthesis`` run these pages;
the scripts that make pictures need a browser.
"""

collect_ignore = ["uses", "howto/synthesis.md", "images"]
