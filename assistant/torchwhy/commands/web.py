"""`torchwhy chat --web`: its address, and what the process of each tab is told."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import socket
import stat
import subprocess
from contextlib import suppress

from torchwhy.cli.output import tell
from torchwhy.errors import UsageError
from torchwhy.runtime.import_path import own_python
from torchwhy.runtime.install import install_line
from torchwhy.text.language import choose

HOST, PORT = "127.0.0.1", 8765

OPENED = "open the address above in a browser; Ctrl-C ends it"


def run_web(args: argparse.Namespace) -> int:
    """Serve the chat until Ctrl-C. Raises UsageError."""
    port = PORT if args.port is None else args.port
    if stat.S_IFMT(os.fstat(0).st_mode) in (stat.S_IFIFO, stat.S_IFREG):
        raise UsageError("chat --web reads no standard input: paste into its page, or torchwhy -f FILE")
    try:
        from torchwhy.tui.web.server import ChatServer

        opened = socket.create_server((HOST, port))
    except ImportError as error:
        if (error.name or "").startswith("torchwhy"):
            raise
        raise UsageError(f"chat --web needs {error.name}, which is missing: {install_line('web')}") from error
    except (OSError, OverflowError) as error:
        raise UsageError(f"--port {port}: {error}; --port 0 takes any free one") from error
    told = {name: getattr(args, name) for name in ("kb", "model", "lang", "no_vectors", "machine")}
    words = own_python(f"from torchwhy.commands.chat import open_tab; open_tab(**{told!r})")
    command = subprocess.list2cmdline(words) if os.name == "nt" else f"exec {shlex.join(words)}"
    server = ChatServer(command, choose(args.lang, ""))
    with opened, suppress(KeyboardInterrupt):
        print(f"http://{HOST}:{opened.getsockname()[1]}/{server.token}/", flush=True)
        tell(OPENED)
        asyncio.run(server.listen(opened))
    return 0
