"""What the law says of events: catalogues of clauses, one check for each clause or family, and the judgement."""
