"""Checkers, one for each kind of answer. They share nothing but data with what they check.

They import no solver, and of the kernels only their own, in ``zermelo._kernels.verify``.
"""
