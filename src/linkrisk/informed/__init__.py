"""The intruder who knows how a release was protected: what is public, and what follows for every pair of records."""
