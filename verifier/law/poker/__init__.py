"""The checks of nd-poker (N.D. Admin. Code 99-01.3-09-04); importing this package registers them."""
