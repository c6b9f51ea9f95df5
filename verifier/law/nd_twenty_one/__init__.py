"""Twenty-one, N.D. Admin. Code chapter 99-01.3-08, a folder a section; importing this package registers its checks.

`s08_11/sub16_payoff.py` holds checks of subsection 08-11(16). Each check lies in the section of the first clause that
it names, and its module bears the number of a subsection that its checks name. `shared` serves several sections.
"""

from importlib import import_module
from pkgutil import walk_packages

for _module in sorted(found.name for found in walk_packages(__path__, f"{__name__}.")):
    import_module(_module)
