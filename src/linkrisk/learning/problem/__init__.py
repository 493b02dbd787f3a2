"""The problem of learning: one row for each record and rival, and what can be settled before any search."""
