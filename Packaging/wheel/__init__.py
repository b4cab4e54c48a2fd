"""The program `candlewire`: a server of market data, a terminal page and a command line."""

import os
import sysconfig
from pathlib import Path


def program() -> Path:
    """The program that this package installed: in the environment, for the user, or beside a `--target` folder."""
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        str(Path(__file__).resolve().parent.parent / "bin"),
    ]
    for folder in folders:
        path = Path(folder) / "candlewire"
        if path.exists():
            return path
    raise FileNotFoundError("The program candlewire is not there; install the package again.")
