"""What several checkers use; none of it is code of solvers."""
