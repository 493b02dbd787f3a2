"""Where tasks run, and how kernels are compiled."""
