"""Where tasks run: a pool of processes on this computer, or a Ray cluster."""
