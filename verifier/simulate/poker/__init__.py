"""Hold'em performed at a simulated table: scripts of hands, movements, planted breaches."""
