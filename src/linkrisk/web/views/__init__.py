"""The views: one module for each step. A module has ``routes``: method, address, and the function that answers."""
