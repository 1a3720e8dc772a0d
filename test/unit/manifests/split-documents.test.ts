import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ManifestFile } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { splitDocuments } from '../../../server/src/manifests/split-documents.ts';
import { pod, readFile } from './read.ts';

function parts(text: string): string[] {
  return splitDocuments(text).map(({ start, end }) => text.slice(start, end));
}

describe('splitting a stream into documents', () => {
  const cases: readonly (readonly [what: string, documents: readonly string[]])[] = [
    ['nothing', ['']],
    ['one document', ['a: 1\n']],
    ['two documents', ['a: 1\n', '---\nb: 2\n']],
    ['a leading marker', ['---\na: 1\n']],
    ['a marker with a comment', ['a: 1\n', '--- # second\nb: 2\n']],
    ['a marker with content', ['a: 1\n', '--- |\n text\n']],
    ['a marker with a carriage return', ['a: 1\r\n', '---\r\nb: 2\r\n']],
    ['a marker at the end of the text', ['a: 1\n', '---']],
    ['comments and directives before the first marker', ['# head\n%YAML 1.1\n---\na: 1\n', '---\nb: 2\n']],
    ['a byte order mark before the marker', ['\uFEFF---\na: 1\n', '---\nb: 2\n']],
    ['empty documents', ['---\n', '---\n', '---\n']],
    ['an end marker', ['a: 1\n...\n# none\n', '---\nb: 2\n']],
    ['an end marker without another beginning', ['a: 1\n...\nb: 2\n']],
    ['objects of JSON behind each other', ['{"a": 1}\n\n', '{\n"b": {\n}\n}\n', '{"c": 3}\n']],
    ['brackets that are no object of their own', ['a: {b: 1}\n{c: 2}\n']],
    ['an end marker followed by blank lines', ['a: 1\n...\n\n\n']],
    ['dashes that are no marker', ['a: 1\n----\n']],
    ['an indented marker', ['a: |\n  ---\nb: 2\n']],
    ['text without a line end', ['a: 1\n', '---\nb: 2']],
  ];
  for (const [what, documents] of cases) {
    it(`finds ${what}`, () => {
      assert.deepEqual(parts(documents.join('')), documents);
    });
  }

  it('counts lines as the language server protocol does', () => {
    const lines = splitDocuments('a: 1\r\n---\r\nb: 2\n# one\rtwo\n---\nc: 3\n').map(({ line }) => line);
    assert.deepEqual(lines, [0, 1, 5]);
  });

  it('takes unchanged documents over by identity and reads the edited one again', () => {
    const texts = [1, 2, 3].map((n) => `---\n${pod(`metadata: {name: pod-${n}}`)}`);
    const before = readFile(texts.join(''));
    const edited = [texts[0]!, `${texts[1]!}# more\n`, texts[2]!].join('');
    const after = parseManifestFile(before.uri, edited, 2, before);
    assert.equal(after.documents[0]!.document, before.documents[0]!.document);
    assert.notEqual(after.documents[1]!.document, before.documents[1]!.document);
    assert.equal(after.documents[2]!.document, before.documents[2]!.document);
    assert.equal(after.documents[2]!.line, before.documents[2]!.line + 1);
  });

  it('does not look at documents that stand where they stood', () => {
    const texts = [1, 2, 3, 4, 5].map((n) => `---\n${pod(`metadata: {name: pod-${n}}`)}`);
    const before = readFile(texts.join(''));
    // As many lines as before: what stands behind has the same place, and is the same placed document.
    const after = parseManifestFile(before.uri, texts.join('').replace('pod-3', 'longer-name-3'), 2, before);
    const taken = after.documents.map((placed, index) => placed === before.documents[index]);
    assert.deepEqual(taken, [true, true, false, true, true]);
  });

  it('gives after any edits what a fresh reading gives', () => {
    const line = fc.constantFrom(
      '---',
      '...',
      '--- # x',
      '# note',
      '%YAML 1.1',
      '',
      ' ',
      'a: 1',
      'b: "é🦄"',
      '-',
      '--',
      '----',
      'apiVersion: v1',
      'kind: Pod',
    );
    const ending = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '');
    const piece = fc.array(fc.tuple(line, ending), { maxLength: 12 }).map((lines) => lines.flat().join(''));
    const start = fc.constantFrom('', '', '', '\uFEFF');
    const edit = fc.tuple(fc.nat(), fc.nat(30), piece);
    const told = ({ documents, problems }: ManifestFile): unknown => [
      documents.map(({ document, ...place }) => [document.text, place]),
      problems,
    ];
    const limits = { fileLength: 1_000_000, documentLength: 1_000_000, documents: 12 };
    fc.assert(
      fc.property(start, piece, fc.array(edit, { minLength: 1, maxLength: 5 }), (mark, rest, edits) => {
        let text = mark + rest;
        let file = parseManifestFile('file:///any.yaml', text, null, undefined, limits);
        for (const [at, length, added] of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + added + text.slice(from + length);
          file = parseManifestFile('file:///any.yaml', text, null, file, limits);
          assert.deepEqual(told(file), told(parseManifestFile('file:///any.yaml', text, null, undefined, limits)));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
