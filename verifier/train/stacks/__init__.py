"""Rendered pictures of stacks of chips as people photograph them, from low and middle angles."""
