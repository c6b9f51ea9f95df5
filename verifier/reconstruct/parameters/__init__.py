"""Every number that decides in `reconstruct/`, once: `par.NAME`, its meaning below it, its unit by its name.

`_S` (seconds), `_MM`, `_PX`, `_DEGREES`, `_HZ`, `_MM_S` and `_CENTS` are units; `_P` is a probability, `_ODDS` log
odds, `_SHARE` a part of a whole, `_LOOKS` a count of looks, `_RADII` a length in radii of the chip. Any other name is a
count or a ratio. Where the meaning names no origin, the number is a choice, weighed on simulated recordings.
docs/reconstruction-parameters.md lists them all (`benchmarks/parameters.py`).
"""

from verifier.reconstruct.parameters.between import *
from verifier.reconstruct.parameters.cards import *
from verifier.reconstruct.parameters.hands import *
from verifier.reconstruct.parameters.money import *
from verifier.reconstruct.parameters.poker import *
from verifier.reconstruct.parameters.resting import *
from verifier.reconstruct.parameters.rounds import *
from verifier.reconstruct.parameters.table import *
