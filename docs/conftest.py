"""The pages of ``uses`` are transcripts, which ``tests/test_transcripts.py`` runs; so is the page on
synthesis, which ``tests/synthesis`` runs."""

collect_ignore = ["uses", "howto/synthesis.md"]
