"""Kernels: arrays and records of arrays (NamedTuples) in, arrays out; nothing is checked or read.

A kernel is plain Python. :mod:`zermelo._runtime` interprets it if the work is small, and compiles
it otherwise.
"""
