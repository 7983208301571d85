"""What the command line names: files, games, objectives and their data."""
