"""The partitioned program on a cluster of Dask."""
