"""Learning on files that are too large for rows of all pairs: a partition of the parameters bounds the links."""
