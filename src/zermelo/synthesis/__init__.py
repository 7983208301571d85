"""Games of synthesis: whether a specification is realizable, and the machine that realizes it."""
