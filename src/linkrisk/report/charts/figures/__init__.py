"""One figure per file: what it holds of a result, how it is told, and how it is drawn."""
