"""Pictures as files and as text."""
