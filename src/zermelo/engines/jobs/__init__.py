"""The files of a job: its directory or URL, its records, and who may run it."""
