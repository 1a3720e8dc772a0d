import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { stringify } from 'yaml';
import { runToEnd } from '../../../server/src/kit/steps.ts';
import type { Json, JsonObject } from '../../../server/src/kubernetes/json.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import { trimmed } from '../../../server/src/kubernetes/scheduling-fields.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import { outputLimits } from '../../../server/src/manifests/limits.ts';
import type { ManifestFile } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { readSnapshot } from '../../../server/src/manifests/read-snapshot.ts';
import { snapshotFault } from '../../../server/src/manifests/snapshot-fault.ts';
import { placedRange } from '../../../server/src/manifests/text-positions.ts';
import { fileSource } from '../../../server/src/manifests/text-source.ts';

const uri = 'file:///cluster.yaml';

/** Reads bytes in pieces of some size. */
async function inPieces(bytes: Uint8Array, size: number): Promise<ManifestFile | string> {
  // eslint-disable-next-line @typescript-eslint/require-await -- pieces come as from a file
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  };
  const source = { size: bytes.length, pieces: pieces(), again: (from: number, to: number) => bytes.slice(from, to) };
  const outcome = (await readSnapshot(uri, () => Promise.resolve(source), runToEnd))!;
  if ('file' in outcome) return outcome.file;
  return 'fault' in outcome ? outcome.fault : outcome.unreadable;
}

function asWhole(text: string): ManifestFile | string {
  const file = parseManifestFile(uri, text, null, undefined, outputLimits);
  return snapshotFault(file, text.trim() === '') ?? file;
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
  fc.constantFrom('', '---', '- a', 'items:', '"', "'", '\\', '{', '}]', '#', '🚀', '\ufeff', 'ä\u0000', 'on', '1:30', '~'),
  fc.constantFrom('{{ .Values.x }}', '9007199254740993', 'a\nb\n', ' \t', 'null', '&a', '*a', '\r\n', '\ud83d'),
);
const names = fc.constantFrom('a', 'web', 'shop-web-5d8f7c9b4d-abcde', 'ä', '');
const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    oddText,
    fc.constantFrom<Json>(null, true, 0, -1.5, 9007199254740991, 1e21),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(oddText, fc.constantFrom('app', '__proto__', 'constructor', 'name', 'items')), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;
const kinds = fc.constantFrom(['v1', 'Pod'], ['v1', 'Node'], ['apps/v1', 'Deployment'], ['example.com/v1', 'Odd'], ['v1', '']);
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
  const { apiVersion: _version, kind: _kind, ...rest } = value as JsonObject;
  return rest;
});
const list = fc
  .record({
    items: fc.oneof(
      fc.array(fc.oneof({ weight: 6, arbitrary: object }, { weight: 1, arbitrary: untyped }, anyValue), { maxLength: 5 }),
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
      fc.asyncProperty(written, size, async ({ documents, indentSeq, lineWidth, flow, end, before, behind }, pieces) => {
        const options = { indentSeq, lineWidth, collectionStyle: flow === 3 ? 'flow' : 'any' } as const;
        const texts = documents.map((each) => stringify(each, options));
        await assertSame(before + texts.join('---\n').replaceAll('\n', end) + behind, pieces);
      }),
      { numRuns: 300 },
    );
  });
});
