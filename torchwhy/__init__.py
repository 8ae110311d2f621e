"""torchwhy under its own name: `import torchwhy` gives what `import assistant` gives."""

from assistant import *  # noqa: F403
from assistant import __all__ as __all__
from assistant import __version__ as __version__
