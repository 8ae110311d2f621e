"""The server by pygls's own client, over stdio."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.conftest import ROOT

SHORT = 'import torch\nx = torch.rand(3)\nprint("π", x.cuda()); x.cuda()\nx.cuda()\n'
TIMEOUT_S = 60
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}


class Editor:
    """A client with one open file, and what it was told of it."""

    def __init__(self, path: Path) -> None:
        self.path, self.client = path, LanguageClient("editor", "1")
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def hear(params: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

    async def start(self, *words: str) -> None:
        await self.client.start_io(sys.executable, "-m", "torchwhy", "lsp", *words, env=ENVIRONMENT)
        folder = types.WorkspaceFolder(self.path.parent.as_uri(), "project")
        await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), workspace_folders=[folder])
        )
        self.client.initialized(types.InitializedParams())

    async def diagnostics(self) -> list[types.Diagnostic]:
        return list((await asyncio.wait_for(self.told.get(), TIMEOUT_S)).diagnostics)

    async def open(self, text: str) -> list[types.Diagnostic]:
        item = types.TextDocumentItem(self.path.as_uri(), types.LanguageKind.Python, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    def type(self, text: str, version: int) -> None:
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.path.as_uri()),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def save(self) -> list[types.Diagnostic]:
        its = types.TextDocumentIdentifier(self.path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(its))
        return await self.diagnostics()

    async def actions(self, line: int) -> list[types.CodeAction]:
        place = types.Range(types.Position(line, 0), types.Position(line, 0))
        its = types.TextDocumentIdentifier(self.path.as_uri())
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(its, place, types.CodeActionContext([]))
        )
        return [each for each in found or () if isinstance(each, types.CodeAction)]


def edited(path: Path, use: Callable[[Editor], Awaitable[None]], *words: str) -> None:
    """Use an editor until it ends its server, which ends well."""

    async def whole() -> None:
        editor = Editor(path)
        await editor.start(*words)
        await use(editor)
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await asyncio.wait_for(editor.client.stop(), TIMEOUT_S)

    asyncio.run(whole())


def test_a_file_is_told_of_as_it_is_typed(tmp_path: Path) -> None:
    async def use(editor: Editor) -> None:
        first, second = await editor.open(SHORT)
        assert (first.code, first.source) == ("tensor-cuda-not-inplace", "torchwhy")
        assert first.severity is types.DiagnosticSeverity.Warning
        start, end = first.range.start, first.range.end
        assert SHORT.split("\n")[start.line][start.character : end.character] == "x.cuda()"
        assert "torchwhy show tensor-cuda-not-inplace" in first.message
        assert first.message.split("\n")[0] not in ("", first.code)
        assert second.range.start.line == 3
        editor.type(SHORT + "y = (\n", 2)  # in the middle of a line, and nobody waits for this version
        editor.type("import torch\nx = torch.rand(3).cuda()\n", 3)
        assert await editor.diagnostics() == [] and editor.told.empty()

    edited(tmp_path / "train.py", use)


def test_an_action_writes_what_the_fix_does(tmp_path: Path) -> None:
    path = tmp_path / "train.py"

    async def use(editor: Editor) -> None:
        await editor.open(SHORT)
        (action,) = await editor.actions(3)
        assert action.edit and action.edit.changes
        (change,) = action.edit.changes[path.as_uri()]
        assert (change.range.start.line, change.new_text) == (3, "x = x.cuda()")
        assert await editor.actions(0) == []

    edited(path, use)


def test_a_saved_file_is_known_to_the_others(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.torchwhy]\nignore = ["tensor-cuda-not-inplace"]\n', "utf-8"
    )

    async def use(editor: Editor) -> None:
        assert await editor.open(SHORT) == []
        (tmp_path / "pyproject.toml").unlink()
        assert len(await editor.save()) == 2

    edited(tmp_path / "train.py", use)


def test_without_pygls_it_is_one_line() -> None:
    code = "import sys; sys.modules['pygls'] = None\nfrom torchwhy.cli import main\nsys.exit(main(['lsp']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=False
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "lsp needs pygls" in done.stderr and "'.[lsp]'" in done.stderr
