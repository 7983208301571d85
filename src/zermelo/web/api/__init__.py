"""The requests of the pages, and the functions that answer them in worker processes."""
