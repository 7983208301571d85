"""Transcripts: ``tests/test_transcripts.py`` and ``tests/synthesis`` run these pages."""

collect_ignore = ["uses", "howto/synthesis.md"]
