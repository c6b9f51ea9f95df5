"""Hands as solid bodies, posed, lit and photographed in three dimensions: pictures that no flat drawing gives."""
