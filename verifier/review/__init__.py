"""Use cases: review a recording, gather evidence, take people's verdicts, score, write the weekly document."""
