"""The store of a study on disk: every finished cell at once, several runs side by side."""
