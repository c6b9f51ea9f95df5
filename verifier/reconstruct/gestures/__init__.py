"""What players ask for with their hands: visits to their spaces, and the signals made there."""
