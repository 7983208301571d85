"""The explorer: a server on this machine, its JSON interface, and the pages that use it."""
