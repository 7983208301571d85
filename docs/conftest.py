"""The pages of ``uses`` are transcripts, which ``tests/test_transcripts.py`` runs."""

collect_ignore = ["uses"]
