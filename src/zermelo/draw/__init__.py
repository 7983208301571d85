"""Pictures of graphs and solutions."""
