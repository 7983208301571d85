"""Games larger than memory: one program over partitions of the positions, and its executors.

:mod:`zermelo.engines.partitions` has the program and its executor for one machine, which keeps a
budget of memory. :mod:`zermelo.engines.cluster` has its executor for a Dask cluster.
:mod:`zermelo.engines.jobs` has the files of a job, :mod:`zermelo.engines.moves` reads the moves of
a game, and :mod:`zermelo.engines.tiers` explores and solves games that are given by rules.
"""
