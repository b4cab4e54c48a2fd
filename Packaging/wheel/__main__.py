"""Runs the program in the place of Python."""

import os
import sys

from . import program

os.execv(program(), ["candlewire", *sys.argv[1:]])
