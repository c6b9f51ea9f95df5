"""Whole tables as solid bodies, lit and photographed in three dimensions: a second world beside the flat drawings."""
