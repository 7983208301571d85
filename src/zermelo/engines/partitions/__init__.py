"""The partitioned program: partitions, messages, snapshots."""
