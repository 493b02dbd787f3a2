"""Jobs, one at a time, and the processes that do them."""
