"""A second interpreter that sees only the standard library, as another installation would, is asked to import torch. Started as the
interpreter that torch was installed into, it finds it."""

import subprocess
import sys


def start(*options):
    done = subprocess.run([sys.executable, *options, "-c", "import torch; print(torch.__version__)"], check=False)
    if done.returncode:
        sys.exit(1)


def broken():
    start("-I", "-S")  # no site-packages


def fixed():
    start()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
