import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { Json, JsonObject } from '../../../server/src/kubernetes/json.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { trimmed } from '../../../server/src/kubernetes/scheduling-fields.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import { outputLimits } from '../../../server/src/manifests/limits.ts';
import type { ManifestFile, ManifestObject } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { readSnapshot } from '../../../server/src/manifests/read-snapshot.ts';
import { snapshotFault } from '../../../server/src/manifests/snapshot-fault.ts';
import { largeSnapshot } from '../../support/large-snapshots.ts';
import { placedRange } from '../../../server/src/manifests/text-positions.ts';

const uri = 'file:///cluster.yaml';

/** Reads bytes in pieces of some size. */
async function inPieces(bytes: Uint8Array, size: number): Promise<ManifestFile | string> {
  // oxlint-disable-next-line typescript/require-await -- pieces come as from a file
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  };
  const source = { size: bytes.length, pieces: pieces(), again: (from: number, to: number) => bytes.slice(from, to) };
  const outcome = (await readSnapshot(uri, () => Promise.resolve(source), runToEnd))!;
  if ('file' in outcome) return outcome.file;
  return 'fault' in outcome ? outcome.fault.message : outcome.unreadable;
}

function asWhole(text: string): ManifestFile | string {
  const file = parseManifestFile(uri, text, null, undefined, outputLimits);
  return snapshotFault(file, text.trim() === '')?.message ?? file;
}

/** What is known of each object: what it is, what is kept of it, and where its name, labels and kind stand. */
function objectsOf(file: ManifestFile | string, isKept: boolean): unknown {
  if (typeof file === 'string') return file;
  return file.documents.flatMap((placed) =>
    placed.document.objects.map((object) => {
      const { apiVersion, kind, namespace, name, path, decoded, value } = object;
      const at = ([['metadata', 'name'], ['metadata', 'labels', 'app'], ['kind']] as const).map((way) =>
        placedRange(placed, object.locateNearest(way, 'value')),
      );
      const kept = isKept ? decoded : decodeObject(trimmed(value, apiVersion, kind));
      return plain({ apiVersion, kind, namespace, name, path, at, ...kept });
    }),
  );
}

/** Whatever its prototypes are. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

async function assertSame(text: string, size: number): Promise<void> {
  assert.deepEqual(objectsOf(await inPieces(Buffer.from(text), size), true), objectsOf(asWhole(text), false), text);
}

const oddText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    '---',
    '- a',
    'items:',
    '"',
    "'",
    '\\',
    '{',
    '}]',
    '#',
    '🚀',
    '\ufeff',
    'ä\u0000',
    'on',
    '1:30',
    '~',
  ),
  fc.constantFrom('{{ .Values.x }}', '9007199254740993', 'a\nb\n', ' \t', 'null', '&a', '*a', '\r\n', '\ud83d'),
);
const names = fc.constantFrom('a', 'web', 'shop-web-5d8f7c9b4d-abcde', 'ä', '');
const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    oddText,
    fc.constantFrom<Json>(null, true, 0, -1.5, 9007199254740991, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(oddText, fc.constantFrom('app', '__proto__', 'constructor', 'name', 'items')),
      tie('value'),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;
const kinds = fc.constantFrom(
  ['v1', 'Pod'],
  ['v1', 'Node'],
  ['apps/v1', 'Deployment'],
  ['example.com/v1', 'Odd'],
  ['v1', ''],
);
const object = fc
  .record(
    {
      types: kinds,
      name: names,
      uid: fc.constantFrom('u-1', 'u-2'),
      labels: fc.dictionary(fc.constantFrom('app', 'tier', '__proto__'), oddText, { maxKeys: 2 }),
      annotations: fc.dictionary(fc.constantFrom('a', 'x.kubernetes.io/b'), oddText, { maxKeys: 2 }),
      isOwned: fc.boolean(),
      spec: anyValue,
      status: anyValue,
    },
    { requiredKeys: ['types'] },
  )
  .map(({ types: [apiVersion = '', kind = ''], name, uid, labels, annotations, isOwned, spec, status }): Json => {
    const ownerReferences = isOwned === true ? { ownerReferences: [{ kind: 'ReplicaSet', controller: true }] } : {};
    const metadata = { name, labels, annotations, uid, ...ownerReferences };
    return plain({ apiVersion, kind, metadata, spec, status }) as Json;
  });
const untyped = object.map((value) => {
  return Object.fromEntries(
    Object.entries(value as JsonObject).filter(([key]) => key !== 'apiVersion' && key !== 'kind'),
  );
});
const list = fc
  .record({
    items: fc.oneof(
      fc.array(fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: untyped }, anyValue), {
        maxLength: 5,
      }),
      fc.constant(null),
    ),
    kind: fc.constantFrom('List', 'PodList', 'NodeList', ''),
    isFirst: fc.boolean(),
    nested: fc.boolean(),
  })
  .map(({ items, kind, isFirst, nested }): JsonObject => {
    const inner = { apiVersion: 'v1', kind: 'List', items: nested && items !== null ? [...items] : [] };
    const all = items === null ? null : nested ? [...items, inner] : items;
    return isFirst
      ? { kind, apiVersion: 'v1', metadata: {}, items: all }
      : { apiVersion: 'v1', items: all, kind, metadata: { resourceVersion: '' } };
  });
const lineEnds = fc.constantFrom('\n', '\r\n');
const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1_000_000));

describe('reading a snapshot in pieces', () => {
  it('gives what reading all of its JSON at once gives, each thing at its place', async () => {
    const written = fc.record({
      documents: fc.array(fc.oneof(list, object), { minLength: 1, maxLength: 3 }),
      indent: fc.constantFrom(0, 4),
      end: lineEnds,
      mark: fc.constantFrom('', '\ufeff', '\n', ' '),
      between: fc.constantFrom('\n', '\n\n', '\n---\n', ''),
      // Keys that come twice, further text, and what is no JSON.
      broken: fc.constantFrom('', '', '', '\n# end\n', ' x', ',', '\n---\nkind: Pod\napiVersion: v1\n', '\n{"a":1}'),
    });
    await fc.assert(
      fc.asyncProperty(written, size, async ({ documents, indent, end, mark, between, broken }, pieces) => {
        const texts = documents.map((each) => JSON.stringify(each, null, indent));
        await assertSame(mark + texts.join(between).replaceAll('\n', end) + broken, pieces);
      }),
      { numRuns: 300 },
    );
  });

  it('finds the place of an object in an item that says not what it is', async () => {
    const text = '{"apiVersion":"v1","items":[{"items":[{}]},{"items":[{"metadata":{"name":"a"}}]}],"kind":"NodeList"}';
    await assertSame(text, 1);
    await assertSame(
      'apiVersion: v1\nitems:\n- items:\n  - {}\n- items:\n  - metadata:\n      name: a\nkind: NodeList\n',
      1,
    );
  });

  it('gives what reading all of its YAML at once gives, each thing at its place', async () => {
    const written = fc.record({
      documents: fc.array(fc.oneof(list, object), { minLength: 1, maxLength: 3 }),
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 20),
      flow: fc.constantFrom(0, 0, 3),
      end: lineEnds,
      before: fc.constantFrom('', '\ufeff', '# of kubectl\n', '---\n', '%YAML 1.1\n---\n'),
      behind: fc.constantFrom('', '', '...\n', '---\n', '\n\n', 'x: "\n', '- z\n', '\t\n'),
    });
    await fc.assert(
      fc.asyncProperty(
        written,
        size,
        async ({ documents, indentSeq, lineWidth, flow, end, before, behind }, pieces) => {
          const options = { indentSeq, lineWidth, collectionStyle: flow === 3 ? 'flow' : 'any' } as const;
          const texts = documents.map((each) => stringify(each, options));
          await assertSame(before + texts.join('---\n').replaceAll('\n', end) + behind, pieces);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives what the same text in UTF-16 gives, wherever it is cut', async () => {
    const text = '\ufeffapiVersion: v1\nkind: Node\nmetadata: {name: "ä🚀"}\n';
    for (const pieces of [1, 3, 7, 1000]) {
      const file = await inPieces(Buffer.from(text, 'utf16le'), pieces);
      assert.ok(typeof file === 'object');
      const [declared] = declaredObjects(file);
      assert.equal(declared?.object.metadata?.name, 'ä🚀');
      assert.deepEqual(declared.origin?.range, {
        start: { line: 2, character: 17 },
        end: { line: 2, character: 22 },
      });
    }
  });

  it('keeps what is equal among the pods of a workload once, and nothing that nobody reads', async () => {
    const text = [...largeSnapshot('json', { nodes: 2, pods: 60 })].join('');
    const file = await inPieces(Buffer.from(text), 10_000);
    assert.ok(typeof file === 'object');
    const pods = file.documents.flatMap(({ document }) => document.objects).filter(({ kind }) => kind === 'Pod');
    assert.equal(pods.length, 60);
    const partsOf = ({ value }: ManifestObject, of: string, part: string): unknown =>
      (value[of] as JsonObject | undefined)?.[part];
    const [first, second, last] = [pods[0]!, pods[1]!, pods[59]!];
    assert.equal(partsOf(first, 'metadata', 'labels'), partsOf(second, 'metadata', 'labels'));
    assert.equal(
      (partsOf(first, 'spec', 'containers') as readonly Json[])[0],
      (partsOf(second, 'spec', 'containers') as readonly Json[])[0],
    );
    assert.notDeepEqual(partsOf(first, 'metadata', 'labels'), partsOf(last, 'metadata', 'labels'));
    assert.equal(partsOf(first, 'status', 'containerStatuses') === undefined, false);
    assert.equal(partsOf(first, 'status', 'hostIP'), undefined);
    assert.deepEqual(plain(partsOf(first, 'spec', 'volumes')), []);
  });

  /** Each is larger than what is read as a whole when in doubt. */
  const filler = [...largeSnapshot('json', { nodes: 10, pods: 4_000 })].join('');
  const refused: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
    'a text that is cut off': [
      filler.slice(0, -2000),
      /^cannot be read at line \d+: The text ends before an object that it begins\.$/,
    ],
    'one that is cut off between two items': [
      filler.slice(0, filler.lastIndexOf(',\n{"apiVersion"') + 1),
      /^cannot be read at line \d+: The text ends/,
    ],
    'an item that is no JSON': [
      filler.replace('"Running"', 'Running'),
      /^cannot be read at line 12: This item is not JSON/,
    ],
    'a key without a value': [
      filler.replace('"metadata":{},', '"metadata":,'),
      /: The object that ends here is not JSON/,
    ],
    'text behind it': [`${filler}error: you must be logged in\n`, /: There is text after the end of an object/],
    'a refusal among the items': [
      filler.replace('{"apiVersion"', '{"apiVersion":"v1","kind":"Status","message":"no"},{"apiVersion"'),
      /^is an error of the API server: “no”$/,
    ],
    'an object that is too deep': [filler.replace('"Running"', '['.repeat(300)), /nested deeper than 250 levels/],
    'an item that is too large': [
      `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"${'x'.repeat(9 * 1024 * 1024)}`,
      /^has an item of more than 8 MiB, which is as much as Podium reads$/,
    ],
    'a document that is too large': [
      `apiVersion: v1\nkind: Node\na: ${'x'.repeat(9 * 1024 * 1024)}\n`,
      /^has a document that is no list of more than 8 MiB/,
    ],
    'more items than any cluster has': [
      `{"apiVersion":"v1","kind":"PodList","items":[${`{}${' '.repeat(8)},`.repeat(1_000_000)}{}]}`,
      /^has more than 1,000,000 objects/,
    ],
    'more items that are none': [
      `{"apiVersion":"v1","kind":"List","items":[${'0,'.repeat(1_000_000)}0]}`,
      /^has more than 1,000,000 objects/,
    ],
    'half a million items that are none': [
      `{"apiVersion":"v1","kind":"List","items":[${`0${' '.repeat(16)},`.repeat(500_000)}0]}`,
      /^has no Kubernetes object in it$/,
    ],
    'millions of documents': [
      '---\n'.repeat(3_000_000),
      /^has more than 200,000 documents, which is as many as Podium reads$/,
    ],
  };
  for (const [name, [text, why]] of Object.entries(refused)) {
    it(`refuses ${name}, of whatever size`, async () => {
      const outcome = await inPieces(Buffer.from(text), 1024 * 1024);
      assert.ok(typeof outcome === 'string', 'half a cluster');
      assert.match(outcome, why);
    });
  }

  it('takes anchors that items share for what they are, or says that it does not', async () => {
    const shared = 'apiVersion: v1\nkind: List\nitems:\n- &a {apiVersion: v1, kind: Node, metadata: {name: a}}\n- *a\n';
    await assertSame(shared, 10);
    const many = '- apiVersion: v1\n  kind: Node\n  metadata: {name: b}\n  x: "'
      .concat('x'.repeat(1_000_000), '"\n')
      .repeat(9);
    const outcome = await inPieces(Buffer.from(shared + many), 1024 * 1024);
    assert.ok(typeof outcome === 'string');
    assert.match(outcome, /^cannot be read at line 5: .*anchor.* Items that share anchors are read up to 8 MiB\.$/);
  });
});
