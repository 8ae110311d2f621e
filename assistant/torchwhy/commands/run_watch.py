"""`torchwhy run --watch`: what the guards report is said while the command runs, and a page at its end."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.cli.output import tell
from torchwhy.cli.setup import page_lang
from torchwhy.errors import KnowledgeError, UsageError
from torchwhy.text.plain import encodable, escaped

if TYPE_CHECKING:
    from torchwhy.runtime.json_types import JSONObject


class WatchedRun:
    """Of one run: hands the guards to the command's programs, and says what they report."""

    def __init__(self, args: argparse.Namespace, folder: str, env: dict[str, str]) -> None:
        from torchwhy.run.watched import Watched, prepare

        self.args, self.lang = args, page_lang(args)
        self.watched = Watched(folder)
        prepare(folder, self.lang, self.own_guards())
        env["TORCHWHY_RUN_WATCH"] = "1"

    def own_guards(self) -> list[str]:
        """The guards of the user's own knowledge that may run. A folder that is not there ends no run."""
        from torchwhy.knowledge.roots import knowledge_roots
        from torchwhy.run.watched import guard_files

        from .own_python import allowed

        say = (lambda line: None) if self.args.quiet else tell
        try:
            files = guard_files(knowledge_roots(self.args.kb)[1:])
        except KnowledgeError as error:
            say(error)
            return []
        return [str(path) for path in allowed(map(Path, files), self.args.mine, say)]

    def tick(self) -> None:
        """Say what is new."""
        from torchwhy.run.watch_page import finding_line
        from torchwhy.text.phrases import phrase

        found, off = self.watched.news()
        if self.args.quiet:
            return
        for finding in found:
            tell(finding_line(finding, self.lang))
        for name in off:
            tell(phrase("watch_off", self.lang, id=name, why=self.watched.off[name]))

    def end(self, command: Sequence[str]) -> JSONObject:
        """The rest and the page; what --json writes of it."""
        from torchwhy.run.last import without_secrets
        from torchwhy.run.watch_page import html_page, page_lines

        self.tick()
        self.watched.end()
        if not self.args.quiet:
            for line in page_lines(self.watched, self.lang):
                tell(line)
        if self.args.html:
            try:
                with open(self.args.html, "w", encoding="utf-8") as file:
                    file.write(encodable(html_page(self.watched, without_secrets(command), self.lang)))
            except OSError as error:
                tell(UsageError(f"{escaped(self.args.html)}: cannot be written ({error.strerror})"))
        return self.watched.as_json()
