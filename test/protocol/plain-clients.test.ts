import assert from 'node:assert/strict';
import type { CodeAction, CompletionItem, Hover, SymbolInformation, WorkspaceEdit } from 'vscode-languageserver/node';
import { TestClient } from './test-client.ts';

const files = {
  'class.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n',
  'other.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: { name: other }\nspec: { priorityClassName: high, containers: [{ name: a, image: b }] }\n',
};

const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web } # 😀\nspec:\n  priorityClasName: "é😀"\n  priorityClassName: high\n  containers: [{ name: main, image: b }]\n';

describe('a client that can do little', () => {
  for (const root of ['rootUri', 'rootPath'] as const) {
    it(`is answered in forms that it knows, and says where it is by ${root} alone`, async () => {
      const client = await TestClient.start({
        root,
        files,
        early: true,
        capabilities: {
          workspace: { configuration: false, workspaceFolders: false, workspaceEdit: {} },
          textDocument: { hover: { contentFormat: ['plaintext'] } },
          window: {},
          general: { positionEncodings: ['utf-8'] },
        },
      });
      // What it offers is not taken: every client counts in UTF-16.
      assert.ok(['utf-16', undefined].includes(client.initialized.capabilities.positionEncoding));
      const uri = await client.open('web.yaml', pod);
      const found = await client.diagnostics(uri, (all) => all.some(({ code }) => code === 'unknown-field'));
      const { range } = found.find(({ code }) => code === 'unknown-field')!;
      assert.deepEqual(range, { start: { line: 4, character: 2 }, end: { line: 4, character: 18 } });
      // The class is in a file that nobody has opened.
      assert.deepEqual(
        found.filter(({ code }) => code === 'unknown-priority-class'),
        [],
      );
      const textDocument = { uri };
      const position = { line: 5, character: 23 };
      const { contents } = await client.request<Hover>('textDocument/hover', { textDocument, position });
      assert.equal((contents as { readonly kind: string }).kind, 'plaintext');
      const { value } = contents as { readonly value: string };
      assert.match(value, /1,?000/);
      assert.doesNotMatch(value, /\*\*|`|\]\(|\\/);
      const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
        textDocument,
        position,
        newName: 'top',
      });
      assert.equal(edit.documentChanges, undefined);
      assert.deepEqual(
        Object.keys(edit.changes!).sort(),
        ['class.yaml', 'other.yaml', 'web.yaml'].map((path) => client.uri(path)),
      );
      const actions = await client.request<readonly CodeAction[]>('textDocument/codeAction', {
        textDocument,
        range,
        context: { diagnostics: [] },
      });
      assert.ok(actions.some((action) => action.edit !== undefined));
      assert.ok(actions.every((action) => action.edit === undefined || action.edit.changes?.[uri]?.length === 1));
      const symbols = await client.request<readonly SymbolInformation[]>('textDocument/documentSymbol', {
        textDocument,
      });
      assert.deepEqual(
        symbols.map(({ name, containerName, location }) => [name, containerName, location.uri]),
        [
          ['web', undefined, uri],
          ['main', 'web', uri],
        ],
      );
      const items = await client.request<readonly CompletionItem[]>('textDocument/completion', {
        textDocument,
        position,
      });
      assert.ok(
        items.every(({ insertTextFormat, textEdit }) => insertTextFormat !== 2 && !textEdit?.newText.includes('$')),
      );
      await client.stop();
    });
  }
});
