"""The Node that runs what is installed under `node/`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

MODULES = Path(__file__).resolve().parent / "node" / "node_modules"
MAJOR = 22


def node() -> str:
    """A Node that is new enough: the installed one, else the machine's own."""
    installed = sorted(MODULES.glob("node-*/bin/node"))
    for candidate in [*map(str, installed), shutil.which("node")]:
        if candidate is None:
            continue
        try:
            version = subprocess.run([candidate, "--version"], capture_output=True, text=True, timeout=20).stdout
        except (OSError, subprocess.TimeoutExpired):
            continue
        match = re.match(r"v(\d+)\.", version)
        if match and int(match.group(1)) >= MAJOR:
            return candidate
    raise RuntimeError(f"Node {MAJOR} or newer is needed; neither npm's nor the machine's is there")
