"""Binary formats."""
