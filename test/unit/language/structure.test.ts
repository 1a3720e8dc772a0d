import assert from 'node:assert/strict';
import type { Position, SelectionRange } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { documentLinks, foldingRanges, selectionRanges } from '../../../server/src/language/structure/index.ts';
import { surroundings, TestWorkspace } from './test-workspace.ts';

/** What each step of "expand selection" selects. */
function steps(text: string, selection: SelectionRange): string[] {
  const document = TextDocument.create('', '', 0, text);
  const found: string[] = [];
  for (let each: SelectionRange | undefined = selection; each !== undefined; each = each.parent) {
    found.push(document.getText(each.range).replaceAll('\r\n', '\n'));
  }
  return found;
}

async function stepsAt(source: string, path = 'a.yaml'): Promise<string[]> {
  const workspace = await TestWorkspace.of({ [path]: source });
  const [selection] = selectionRanges(workspace.file(path), [workspace.cursor(path)]);
  return steps(workspace.text(path), selection!);
}

const container = '{ name: web, image: ‹›nginx }';
const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - ${container}
`;

/** The lines that fold, first and last counted from 0. */
async function folds(source: string, path = 'a.yaml'): Promise<(readonly [number, number])[] | null> {
  const workspace = await TestWorkspace.of({ [path]: source });
  return foldingRanges(workspace.file(path))?.map(({ startLine, endLine }) => [startLine, endLine] as const) ?? null;
}

describe('selection ranges', () => {
  for (const { name, wrap } of surroundings) {
    it(`grow from the value to its pair, the mapping, the item and the document, ${name}`, async () => {
      const found = await stepsAt(wrap(pod));
      const item = container.replace('‹›', '');
      assert.deepEqual(found.slice(0, 3), ['nginx', 'image: nginx', item]);
      assert.ok(found.includes(`- ${item}`), 'the list');
      assert.ok(found.includes(`containers:\n    - ${item}`), 'the pair of the list');
      assert.ok(found.at(-1)!.endsWith(pod.replace('‹›', '').trimEnd()), 'the document');
      for (const [index, inner] of found.slice(0, -1).entries()) assert.ok(found[index + 1]!.includes(inner));
    });
  }

  it('select an object of a List before the List', async () => {
    const item = 'apiVersion: v1\n  kind: Node\n  metadata: { name: a }';
    const found = await stepsAt(`apiVersion: v1\nkind: List\nitems:\n- ${item.replace('a }', '‹›a }')}\n`);
    assert.ok(found.includes(item));
    assert.ok(found.at(-1)!.startsWith('apiVersion: v1\nkind: List'));
  });

  it('are there for what is no object, for half-typed text and for an empty file', async () => {
    assert.deepEqual((await stepsAt('cluster:\n  paths: [‹›a, b]\n')).slice(0, 3), ['a', '[a, b]', 'paths: [a, b]']);
    assert.deepEqual(await stepsAt('‹›'), ['']);
    assert.equal(
      (await stepsAt('apiVersion: v1\nkind: Pod\nspec: { a: [‹›\n')).at(-1),
      'apiVersion: v1\nkind: Pod\nspec: { a: [',
    );
  });

  it('answer every cursor, a place outside the file too', async () => {
    const workspace = await TestWorkspace.of({ 'a.yaml': pod });
    const places: Position[] = [workspace.cursor('a.yaml'), { line: 900, character: 4 }, { line: 0, character: 0 }];
    assert.equal(selectionRanges(workspace.file('a.yaml'), places).length, 3);
  });
});

describe('folding', () => {
  it('folds documents where there are several, and what is indented', async () => {
    const found = await folds('# one\na:\n  b: 1\n\n---\nx: 1\ny:\n  - z: 1\n    w: 2\n');
    assert.deepEqual(found, [
      [1, 2],
      [5, 8],
      [6, 8],
      [7, 8],
    ]);
  });

  it('folds items, and each object, of a List in the column of its key', async () => {
    const found = await folds(
      'kind: List\nitems:\n- kind: Node\n  spec:\n    a: 1\n- kind: Node\n  b: 2\nmetadata: {}\n',
    );
    assert.deepEqual(found, [
      [1, 6],
      [2, 4],
      [3, 4],
      [5, 6],
    ]);
  });

  it('folds regions, as the editor does of itself', async () => {
    assert.deepEqual(await folds('# region web\na: 1\nb: 2\n# endregion\n# endregion\n'), [[0, 3]]);
  });

  it('leaves JSON to the editor, and gives no more than a client wants, documents first', async () => {
    assert.equal(await folds('{\n  "a": 1\n}\n', 'a.json'), null);
    const workspace = await TestWorkspace.of({ 'a.yaml': 'a:\n  b: 1\n---\na: 1\nb:\n  c: 1\n' });
    assert.deepEqual(
      foldingRanges(workspace.file('a.yaml'), 2)?.map(({ startLine }) => startLine),
      [0, 3],
    );
  });
});

describe('document links', () => {
  /** What is underlined, and where each leads. */
  async function links(path: string, source: string, there: readonly string[]): Promise<Record<string, string>> {
    const workspace = await TestWorkspace.of({ [path]: source });
    const document = TextDocument.create('', '', 0, workspace.text(path));
    const known = new Set(there.map((each) => `file:///${each}`));
    const found = documentLinks(workspace.file(path), (uri) => known.has(uri));
    return Object.fromEntries(found.map(({ range, target }) => [document.getText(range), target!]));
  }

  it('lead from a kustomization to its files, and to the kustomizations of folders', async () => {
    const text = `# 🦄
---
resources: [web.yaml, ../base, "a b.yaml", missing.yaml, https://example.org/x.yaml, /etc/x.yaml]
components:
  - ../parts/tls
bases: [../old/]
patches:
  - path: patches/more.yaml
  - patch: "x.yaml"
  - nonsense
patchesStrategicMerge: [12, "kind: Pod\\nx.yaml"]
`;
    const there = [
      'overlays/web.yaml',
      'overlays/a b.yaml'.replace(' ', '%20'),
      'overlays/x.yaml',
      'base/kustomization.yml',
      'parts/tls/Kustomization',
      'old/kustomization.yaml',
      'overlays/patches/more.yaml',
      'etc/x.yaml',
    ];
    assert.deepEqual(await links('overlays/kustomization.yaml', text, there), {
      'web.yaml': 'file:///overlays/web.yaml',
      '../base': 'file:///base/kustomization.yml',
      '"a b.yaml"': 'file:///overlays/a%20b.yaml',
      '../parts/tls': 'file:///parts/tls/Kustomization',
      '../old/': 'file:///old/kustomization.yaml',
      'patches/more.yaml': 'file:///overlays/patches/more.yaml',
    });
  });

  it('lead from a scenario to its manifests and its snapshot', async () => {
    const text = 'cluster:\n  paths: [web.yaml, folder]\n  snapshot: prod.snapshot.json\n';
    const there = ['web.yaml', 'folder', 'prod.snapshot.json'];
    assert.deepEqual(await links('a.podium.yaml', text, there), {
      'web.yaml': 'file:///web.yaml',
      'prod.snapshot.json': 'file:///prod.snapshot.json',
    });
  });

  it('are not in other files, nor in empty and broken ones', async () => {
    assert.deepEqual(await links('a.yaml', 'resources: [web.yaml]\n', ['web.yaml']), {});
    assert.deepEqual(await links('kustomization.yaml', '', []), {});
    assert.deepEqual(await links('kustomization.yaml', 'resources: {a: [}\n', []), {});
  });
});
