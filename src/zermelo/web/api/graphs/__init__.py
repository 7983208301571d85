"""Games on graphs: where they come from, their results and pictures, and their exports."""
