"""The kinds of answers, one in each file: data and certificates."""
