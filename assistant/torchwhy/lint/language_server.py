"""The findings of open files by the Language Server Protocol: diagnostics, with the safe fixes as actions."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from torchwhy.errors import UsageError
from torchwhy.knowledge.site import page_of_id
from torchwhy.source.rewrite import Edit, edited
from torchwhy.text.phrases import phrase
from torchwhy.version import __version__

from .api import wanted
from .check import check_sources
from .finding import Finding
from .rule import Rule
from .settings import read_settings
from .sources import CheckedFile, collect

PAUSE_S = 0.3  # without a key, until what was typed is checked
SEVERITIES = {"wrong": types.DiagnosticSeverity.Warning, "look": types.DiagnosticSeverity.Information}
QUICK_FIXES = types.CodeActionOptions([types.CodeActionKind.QuickFix])


class Diagnostics:
    """What the open files are checked by. `titles`: of the entries, by id, in the language of the answers."""

    def __init__(self, rules: Sequence[Rule], titles: Mapping[str, str], lang: str, strict: bool) -> None:
        self.rules, self.titles, self.lang, self.strict = rules, titles, lang, strict
        self._files: dict[str, list[str]] = {}  # of each folder, which a file of it may import
        self._found: dict[str, tuple[int | None, list[Finding]]] = {}  # of each file in one version

    def forget(self) -> None:
        """A file was saved or closed: what lies in the folders, and their settings, may have changed."""
        self._files.clear()
        self._found.clear()

    def findings(self, document: TextDocument, root: str, say: Callable[[str], None]) -> list[Finding]:
        """Those of a file as it stands in the editor. Raises UsageError."""
        version, found = self._found.get(document.uri, (None, []))
        if version is None or version != document.version:
            settings = read_settings(Path(root))
            if root not in self._files:
                self._files[root] = [each.path for each in collect([root])]
            source = CheckedFile(document.path, document.source, always=True)
            told = check_sources([source], self.rules, say=say, beside=self._files[root])
            found = wanted(told, settings, self.strict)
            self._found[document.uri] = document.version, found
        return found

    def diagnostic(self, document: TextDocument, finding: Finding) -> types.Diagnostic:
        page = page_of_id(finding.id, self.lang)
        told = (
            self.titles.get(finding.id, finding.id),
            finding.message[self.lang],
            phrase("lint_fix", self.lang, fix=finding.fix[self.lang]),
            f"torchwhy show {finding.id}",
        )
        return types.Diagnostic(
            range=_range(document, finding),
            message="\n".join(told),
            severity=SEVERITIES[finding.sure],
            code=finding.id,
            code_description=types.CodeDescription(href=page) if page else None,
            source="torchwhy",
        )

    def action(self, document: TextDocument, finding: Finding) -> types.CodeAction | None:
        """The change that cannot be wrong, as `check --fix` writes it."""
        if finding.edit is None or finding.sure != "wrong":
            return None
        change = _change(document.source, finding.edit)
        return change and types.CodeAction(
            title=f"torchwhy: {finding.fix[self.lang]}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(document, finding)],
            edit=types.WorkspaceEdit(changes={document.uri: [change]}),
        )


def _range(document: TextDocument, finding: Finding) -> types.Range:
    """Where a finding stands, in the units that the editor counts in."""
    return document.position_codec.range_to_client_units(
        document.lines,
        types.Range(
            types.Position(finding.line - 1, finding.column - 1),
            types.Position(finding.end_line - 1, finding.end_column - 1),
        ),
    )


def _change(text: str, edit: Edit) -> types.TextEdit | None:
    """The line as the edit leaves it; None where the file would not parse."""
    changed = edited(text, [edit])
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError):
        return None
    before, after, at = text.split("\n"), changed.split("\n"), edit.line - 1
    if len(after) < len(before):  # nothing is left of the line
        return types.TextEdit(types.Range(types.Position(at, 0), types.Position(at + 1, 0)), "")
    whole = types.Range(types.Position(at, 0), types.Position(at, len(before[at])))  # it is ASCII
    return types.TextEdit(whole, after[at])


class Server(LanguageServer):
    """Tells the findings of the open files."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        super().__init__("torchwhy", __version__)
        self.diagnostics = diagnostics

    def document(self, uri: str) -> TextDocument:
        return self.workspace.get_text_document(uri)

    def findings(self, document: TextDocument) -> list[Finding]:
        path = Path(document.path)
        folders = [to_fs_path(each) for each in self.workspace.folders]
        root = next((each for each in folders if each and path.is_relative_to(each)), str(path.parent))
        try:
            return self.diagnostics.findings(document, root, self.say)
        except UsageError as error:
            self.say(str(error))
            return []

    def say(self, line: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, line))

    def tell(self, uri: str) -> None:
        document = self.document(uri)
        told = [self.diagnostics.diagnostic(document, each) for each in self.findings(document)]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, told, document.version))


def make_server(diagnostics: Diagnostics) -> Server:
    """A server that has not started: an open file is checked when it was opened, typed into, saved."""
    server = Server(diagnostics)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.tell(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def typed(params: types.DidChangeTextDocumentParams) -> None:
        await asyncio.sleep(PAUSE_S)
        its = params.text_document
        if server.document(its.uri).version == its.version:  # nothing was typed since
            server.tell(its.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        diagnostics.forget()
        server.tell(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        diagnostics.forget()  # opened again, its versions begin anew
        none = types.PublishDiagnosticsParams(params.text_document.uri, [])
        server.text_document_publish_diagnostics(none)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, QUICK_FIXES)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.document(params.text_document.uri)
        lines = range(params.range.start.line, params.range.end.line + 1)
        near = (each for each in server.findings(document) if each.line - 1 in lines)
        return [each for each in (diagnostics.action(document, one) for one in near) if each is not None]

    return server
