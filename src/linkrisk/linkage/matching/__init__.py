"""One to one: pairs scored by how likely they are, and the posterior over all ways to match the two files."""
