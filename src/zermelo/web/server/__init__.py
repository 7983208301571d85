"""The server: the application, its guard, its workers, and how it runs."""
