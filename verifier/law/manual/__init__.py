"""The checks of house-manual, the casino dealer manual; importing this package registers them."""
