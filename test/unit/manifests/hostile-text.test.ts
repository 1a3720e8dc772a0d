import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { Json, Path } from '../../../server/src/kubernetes/json.ts';
import type { ManifestDocument, ManifestFile, OffsetRange } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { type YamlReading, readAnyYaml } from '../../../server/src/manifests/yaml-reader.ts';

const seeds = [
  `# head\n--- # one\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: "we😀b"\n  labels: &l {app: web, tier: 'it''s'}\nspec:\n  template:\n    metadata:\n      labels:\n        <<: *l\n        on: y\n    spec:\n      priorityClassName: high\n      containers:\n      - name: a # c\n        args: [--x, "{y}", 010]\n        script: |\n          #!/bin/sh\n          echo {\n`,
  `apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: v1\r\n  kind: Pod\r\n- metadata: {name: b}\r\n  ? a\r\n  : b\r\n---\r\n...\r\n%YAML 1.1\r\n---\r\napiVersion: v1\r\nkind: Pod\r\nspec: >-\r\n  a\r\n\r\n  b\r\n`,
  '{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "\\u00e9", "n": -1.5e3}}, null]}\n',
];
const pieces = [
  '"',
  "'",
  '\t',
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '&a ',
  '*a',
  '<<: *a',
  '\n',
  '\r\n',
  '\r',
  '---\n',
  '...',
  '#',
  '|\n',
  '>',
  '? ',
  '!!int ',
  '{{ x }}',
  '%',
  '\uFEFF',
  '\uD83D',
  '  ',
  'apiVersion: v1\nkind: Pod\n',
  ',',
];

const edited = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(12),
        fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 4 })),
      ),
      { maxLength: 6 },
    ),
    fc.option(fc.nat()),
  )
  .map(([seed, edits, cut]) => {
    let text = seed;
    for (const [at, length, piece] of edits) {
      const start = at % (text.length + 1);
      text = text.slice(0, start) + piece + text.slice(start + length);
    }
    return cut === null ? text : text.slice(0, cut % (text.length + 1));
  });

function assertInside(range: OffsetRange, document: ManifestDocument): void {
  assert.ok(range.start >= 0 && range.start <= range.end && range.end <= document.text.length, JSON.stringify(range));
}

function* pathsOf(value: Json, path: Path): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    yield* pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** What holds for every text. */
function assertSound(file: ManifestFile, text: string): void {
  const read = file.documents.map(({ document }) => document.text).join('');
  assert.equal(read, text.replaceAll(/\r(?!\n)/g, '\n'));
  let offset = 0;
  for (const { document, line } of file.documents) {
    assert.equal(text.slice(0, offset).split(/\r\n|\r|\n/).length - 1, line);
    offset += document.text.length;
    for (const { range } of document.problems) assertInside(range, document);
    for (const { range, text: comment } of document.comments()) {
      assert.equal(document.text.slice(range.start, range.end), comment);
    }
    const hasAliases = /[&*]|<</.test(document.text);
    for (const object of document.objects) {
      for (const path of pathsOf(object.value, [])) {
        assertInside(object.locateNearest(path), document);
        const entry = object.locate(path);
        const value = object.locate(path, 'value');
        if (entry === undefined || value === undefined) continue;
        assertInside(entry, document);
        assertInside(value, document);
        if (hasAliases) continue;
        assert.ok(entry.start <= value.start && value.end <= entry.end, 'a value stands in its entry');
        const parent = path.length === 0 ? undefined : object.locate(path.slice(0, -1), 'value');
        if (parent !== undefined) {
          assert.ok(parent.start <= entry.start && entry.end <= parent.end, 'an entry stands in its parent');
        }
      }
    }
    for (let at = 0; at <= document.text.length; at += 7) {
      const located = document.at(at);
      if (located !== null) assert.ok(located.range.start <= at && at <= located.range.end);
      assertInside(document.pathAt(at).range, document);
    }
  }
}

describe('any text', () => {
  it('is read without throwing, with sound places, however it is broken', function () {
    fc.assert(
      fc.property(edited, (text) => {
        assertSound(parseManifestFile('file:///any.yaml', text), text);
      }),
      // A key that is not written, behind a blank at the end of everything, was once outside of its map.
      { numRuns: 1000, examples: [['apiVersion: v1\nkind: Pod\nspec: >-\n!!int \n']] },
    );
  });

  it('gives the same read in pieces of a few values', () => {
    fc.assert(
      fc.property(edited, fc.integer({ min: 1, max: 6 }), (text, size) => {
        const whole = runToEnd(readAnyYaml(text, Number.POSITIVE_INFINITY));
        const pieces = runToEnd(readAnyYaml(text, size));
        const isBroken = ({ problems }: YamlReading): boolean => problems.some(({ severity }) => severity === 'error');
        assert.equal(isBroken(pieces), isBroken(whole));
        assert.deepEqual(pieces.root?.value, whole.root?.value);
        // Where two pieces of broken text meet, a place may be at the end of one or at the start of the other.
        if (!isBroken(whole)) assert.deepEqual(pieces, whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same read fresh or after an edit', () => {
    fc.assert(
      fc.property(edited, edited, (before, after) => {
        const previous = parseManifestFile('file:///any.yaml', before, 1);
        const told = ({ documents }: ManifestFile): unknown =>
          documents.map(({ document, ...place }) => [
            place,
            document.content,
            document.problems,
            document.objects.map(({ value }) => value),
          ]);
        assert.deepEqual(
          told(parseManifestFile('file:///any.yaml', after, 2, previous)),
          told(parseManifestFile('file:///any.yaml', after, 2)),
        );
      }),
      { numRuns: 300 },
    );
  });
});

const corpus = join(import.meta.dirname, '../../../../shared/corpus');
if (existsSync(corpus)) {
  describe('manifests that people ship', () => {
    it('are read without an error', function () {
      const files = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) =>
        /\.(?:ya?ml|json)$/.test(entry.name),
      );
      const errors: string[] = [];
      let objects = 0;
      for (const entry of files) {
        const path = join(entry.parentPath, entry.name);
        const { documents, problems } = parseManifestFile(path, readFileSync(path, 'utf8'));
        for (const { message } of problems) errors.push(`${path}: ${message}`);
        for (const { document } of documents) {
          objects += document.objects.length;
          for (const { severity, message } of document.problems) {
            if (severity === 'error') errors.push(`${path}: ${message}`);
          }
        }
      }
      assert.deepEqual(errors, []);
      assert.ok(objects > 1000);
    });
  });
}
