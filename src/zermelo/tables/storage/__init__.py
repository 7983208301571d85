"""The format of tables: entries, blocks, headers."""
