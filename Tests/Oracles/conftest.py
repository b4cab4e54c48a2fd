"""Finds what the folders of `Tests` share, wherever pytest was started."""

import sys
from pathlib import Path

BROWSER = str(Path(__file__).resolve().parents[1] / "Browser")
if BROWSER not in sys.path:
    sys.path.insert(0, BROWSER)
