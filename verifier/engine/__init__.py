"""The game of twenty-one itself: totals, outcomes, settlement, and lawful rounds dealt from a seed.

Nothing here knows of video, files or verdicts. Sources are N.D. Admin. Code 99-01.3-08-01, -09, -10 and -11.
"""
