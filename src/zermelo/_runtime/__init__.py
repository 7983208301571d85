"""What the machine gives: compiled code, memory, threads, files."""
