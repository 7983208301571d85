"""Looking positions up in solved games."""
