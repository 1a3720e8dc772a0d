import assert from 'node:assert/strict';
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
    ['an end marker', ['a: 1\n...\n', '# next\n---\nb: 2\n']],
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
    assert.equal(edited.slice(after.documents[2]!.offset), texts[2]);
  });
});
