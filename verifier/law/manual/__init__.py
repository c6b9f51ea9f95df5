"""The checks of house-manual, the casino dealer manual; importing this package registers them."""

from verifier.law.manual import adopted, deal, dealer, decisions, money, options, pickup, shoe, surrender
