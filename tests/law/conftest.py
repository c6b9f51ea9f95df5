"""The builders of logs lie in this folder, tables of records in those of the sections: all are on the path."""

import sys
from pathlib import Path

sys.path[:0] = [str(folder) for folder in sorted(Path(__file__).parent.glob("s08_*"))]
