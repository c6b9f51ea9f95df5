"""What the night shift keeps: the journal of its jobs, and the lease by which two nights do not overlap."""
