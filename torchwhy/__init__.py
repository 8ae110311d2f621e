"""torchwhy under its own name: `import torchwhy` gives what `import assistant` gives."""

from assistant import __all__ as __all__
from assistant import __dir__ as __dir__
from assistant import __getattr__ as __getattr__

TYPE_CHECKING = False  # that of `typing`, without its import
if TYPE_CHECKING:
    from assistant import *  # noqa: F403
