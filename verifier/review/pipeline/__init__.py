"""The stages that a review of one recording and a night of many have in common.

examine -> plan -> watch segments -> conclude: reconstruct, judge, account, evidence
"""
