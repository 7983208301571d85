"""Rules from names and from files."""
