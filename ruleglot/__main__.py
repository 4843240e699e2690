"""`python -m ruleglot`, from any folder: one that holds its own `engine` or `service` is in nobody's way."""

import os
import sys

if not sys.flags.safe_path:  # the current folder would be searched first
    os.execv(sys.executable, [sys.executable, "-P", "-m", "ruleglot", *sys.argv[1:]])  # noqa: S606  our own arguments

from ruleglot.cli import main

main(prog_name="ruleglot")
