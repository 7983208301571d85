"""How answers and progress are printed."""
