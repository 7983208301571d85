"""Games larger than memory: one program over partitions of the positions, and its executors.

:mod:`zermelo.engines.partitions.program` is the program,
:mod:`zermelo.engines.partitions.partition` is what it does with one partition, and
:mod:`zermelo.engines.partitions.disk` runs it on one machine within a budget of memory.
"""
