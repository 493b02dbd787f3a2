"""The private folder, files that are sent up, files that are sent back."""
