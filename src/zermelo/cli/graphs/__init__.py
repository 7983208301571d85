"""The commands for graphs: pictures, formats, families, transformations."""
