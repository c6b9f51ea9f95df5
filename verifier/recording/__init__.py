"""Recordings: the only package that opens video files, and the only one that computes media time.

`probe` reads a file's packets once and gives its timeline; `Decoder` gives its pictures with the timeline's times.
"""
