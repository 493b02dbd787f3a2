"""Box search: branch and bound over boxes of few parameters."""
