import assert from 'node:assert/strict';
import {
  documentAtLine,
  offsetInDocument,
  placedPosition,
  placedRange,
} from '../../../server/src/manifests/text-positions.ts';
import { pod, readFile } from './read.ts';

describe('positions in the file', () => {
  const first = pod('a: "😀"');
  for (const [what, newline] of [
    ['line feeds', '\n'],
    ['carriage returns', '\r\n'],
  ] as const) {
    it(`counts lines and UTF-16 units with ${what}`, () => {
      const file = readFile(`${first}---\n${pod('b: "😀" # x', 'c: d')}`.replaceAll('\n', newline));
      const placed = file.documents[1]!;
      const object = placed.document.objects[0]!;
      assert.deepEqual(placedRange(placed, object.locate(['c'], 'value')!), {
        start: { line: 7, character: 3 },
        end: { line: 7, character: 4 },
      });
      const comment = placed.document.comments()[0]!;
      assert.deepEqual(placedPosition(placed, comment.range.start), { line: 6, character: 8 });
      assert.equal(offsetInDocument(placed, { line: 6, character: 8 }), comment.range.start);
      assert.equal(documentAtLine(file.documents, 6), placed);
      assert.equal(documentAtLine(file.documents, 2), file.documents[0]);
      assert.equal(documentAtLine(file.documents, 3), placed);
    });
  }

  it('stays inside the document and the line', () => {
    const placed = readFile(first).documents[0]!;
    assert.equal(offsetInDocument(placed, { line: 0, character: 999 }), 'apiVersion: v1'.length);
    assert.equal(offsetInDocument(placed, { line: 99, character: 0 }), first.length);
    assert.deepEqual(placedPosition(placed, 9999), { line: 3, character: 0 });
  });
});
