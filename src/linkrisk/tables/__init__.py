"""Published tables, and how sure an intruder may be of a match between two samples."""
