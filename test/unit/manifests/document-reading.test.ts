import assert from 'node:assert/strict';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { type KnownItems, readText } from '../../../server/src/manifests/document-reading.ts';
import type { ManifestFile } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile, readManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { plain } from './read.ts';

const item = (name: string): string => `- apiVersion: v1
  kind: Pod # of ${name}
  metadata:
    name: ${name}
  spec:
    containers:
    - name: main
      command: ["a",
        "- b"]
`;
const wholeFrom = Number.POSITIVE_INFINITY;

describe('long lists, read item by item', () => {
  const flush = `# head\napiVersion: v1\nitems:\n# first\n${item('a')}\n# between\n${item('b')}${item('c')}kind: List\nmetadata: {x: 1} # tail\n`;
  const indented = `apiVersion: v1\nkind: PodList\nitems:\n${`${item('a')}${item('b')}`.replace(/^/gm, '    ')}\n`;
  const broken = flush.replace('name: b', 'name: "b').replace('{x: 1}', '{x: 1');

  for (const [what, text] of [
    ['flush with its key', flush],
    ['indented', indented],
    ['with carriage returns', flush.replaceAll('\n', '\r\n')],
    ['followed by the end of the document', `${indented}...\n`],
    ['with a broken item', broken],
  ] as const) {
    it(`gives the same as reading a list ${what} in one piece`, () => {
      const used: KnownItems = new Map();
      const parts = runToEnd(readText(text, new Map(), used, 0));
      const whole = runToEnd(readText(text, new Map(), new Map(), wholeFrom));
      assert.notEqual(used.size, 0, 'not read in parts');
      assert.deepEqual(
        plain(parts.objects().map(({ value }) => value)),
        plain(whole.objects().map(({ value }) => value)),
      );
      assert.deepEqual(parts.comments, whole.comments);
      assert.equal(parts.typed, whole.typed);
      for (const [index, object] of parts.objects().entries()) {
        const other = whole.objects()[index]!;
        assert.deepEqual(object.path, other.path);
        for (const path of [[], ['kind'], ['metadata', 'name'], ['spec', 'containers', 0, 'command', 1], ['none']]) {
          assert.deepEqual(object.locate(path), other.locate(path));
        }
      }
      for (let offset = 0; offset <= text.length; offset++) {
        assert.deepEqual(parts.placeAt(offset), whole.placeAt(offset), `at ${offset}`);
      }
    });
  }

  it('reads in one piece what uses anchors across items, and templates', () => {
    for (const text of [
      `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, spec: &s {a: 1}}\n- {apiVersion: v1, kind: Pod, spec: *s}\n`,
      `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, spec: "{{ .Values.x }}"}\n`,
    ]) {
      const parts = runToEnd(readText(text, new Map(), new Map(), 0));
      const whole = runToEnd(readText(text, new Map(), new Map(), wholeFrom));
      assert.equal(parts.template, whole.template);
      assert.deepEqual(parts.problems, whole.problems);
      assert.deepEqual(
        plain(parts.objects().map(({ value }) => value)),
        plain(whole.objects().map(({ value }) => value)),
      );
    }
  });

  it('knows the cursor at the end of an item and around the list', () => {
    const reading = runToEnd(readText(flush, new Map(), new Map(), 0));
    const path = (needle: string, shift: number): string => {
      const { on, path: steps } = reading.cursorAt(flush.indexOf(needle) + shift);
      return `${on} ${steps.join('.')}`;
    };
    assert.equal(path('name: b', 7), 'value items.1.metadata.name');
    assert.equal(path('kind: List', 7), 'value kind');
    assert.equal(path('metadata: {x', 11), 'key metadata.x');
  });

  it('keeps the values of items that an edit does not touch', () => {
    const items = Array.from({ length: 200 }, (_, i) => item(`pod-${i}`));
    const text = `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
    const before = parseManifestFile('file:///list.yaml', text, 1);
    const after = parseManifestFile('file:///list.yaml', text.replace('name: pod-7\n', 'name: other\n'), 2, before);
    const values = (file: typeof before): readonly unknown[] =>
      file.documents[0]!.document.objects.map(({ value }) => value);
    const kept = values(after).filter((value, index) => value === values(before)[index]);
    assert.equal(kept.length, 199);
    assert.equal(after.documents[0]!.document.objects[7]!.name, 'other');
  });
});

describe('a file that is read in steps', () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: 300 }, (_, i) => item(`pod-${i}`)).join('')}`;
  const limits = { fileLength: 1_000_000, documentLength: 500_000, documents: 5 };
  const told = ({ documents, problems }: ManifestFile): unknown =>
    documents.map(({ document, ...place }) => [
      place,
      document.text,
      document.content,
      document.problems,
      document.objects.map(({ name, value }) => [name, value]),
      problems,
    ]);

  function inSteps(text: string, previous?: ManifestFile): { readonly file: ManifestFile; readonly steps: number } {
    const reading = readManifestFile('file:///snapshot.yaml', text, null, previous, limits);
    for (let steps = 0; ; steps++) {
      const step = reading.next();
      if (step.done === true) return { file: step.value, steps };
    }
  }

  for (const [what, text] of [
    ['one long list', list],
    [
      'several documents',
      `${list}---\n${list.replaceAll('pod-', 'job-')}---\na: 1\n---\n${item('x').replace('- ', '  ')}`,
    ],
    ['more documents than are read', 'apiVersion: v1\nkind: Pod\n---\n'.repeat(9)],
    ['a document that is too large', `${list}${'# more\n'.repeat(90_000)}`],
    ['a file that is too large', `${list}${'# more\n'.repeat(200_000)}`],
    [
      'JSON',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }],
      }),
    ],
    ['nothing', ''],
  ] as const) {
    it(`gives for ${what} what reading it at once gives`, () => {
      assert.deepEqual(
        told(inSteps(text).file),
        told(parseManifestFile('file:///snapshot.yaml', text, null, undefined, limits)),
      );
    });
  }

  it('lets others go first after each item, and reads again only what has changed', () => {
    const { file, steps } = inSteps(list);
    assert.ok(steps >= 300);
    const again = inSteps(list.replace('name: pod-7\n', 'name: other\n'), file).file;
    const values = (one: ManifestFile): readonly unknown[] =>
      one.documents[0]!.document.objects.map(({ value }) => value);
    assert.equal(values(again).filter((value, index) => value === values(file)[index]).length, 299);
  });
});
