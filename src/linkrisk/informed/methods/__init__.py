"""What each protection method says about a pair of records; one file per method or kind of method."""
