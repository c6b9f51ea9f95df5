"""Reviews that people ask for in the dashboard: choosing recordings, the queue, and the process that works it off."""
