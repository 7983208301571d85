"""Tests of games of return and repetition."""
