"""The package that other programs import, and the command."""
