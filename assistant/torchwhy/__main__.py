import sys

from torchwhy.cli import main

if __name__ == "__main__":
    sys.exit(main())
