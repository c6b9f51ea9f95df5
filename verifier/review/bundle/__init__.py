"""Evidence bundles: what is known of a finding, a review or a week, signed, to be checked anywhere."""
