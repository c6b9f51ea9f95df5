"""The night shift: reviews many recordings by itself, loses nothing, and says exactly what was watched.

    sources -> examine -> recording sets -> plan -> watch segments -> conclude -> store -> morning report
               `------------ tasks, run by an engine (pool or cluster) -----------'

`night.py` decides what is run when; every task reads and writes files, so that it can be done again anywhere.
"""
