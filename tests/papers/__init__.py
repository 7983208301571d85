"""The page "From the papers", its examples, and the errata."""
