import assert from 'node:assert/strict';
import { pod, readFile } from './read.ts';

/** What the YAML library says is told in plain words, found by how its message begins: one text for each message. */
const cases: readonly (readonly [message: string, text: string])[] = [
  ['Expected “:” after this key.', pod('a:', '- 1', '2')],
  ['A key must stand on one line. Is a “:” missing?', pod('spec:', '  a', '  b: 1')],
  ['Expected “- ” before this list item.', pod('a:', '- - x', '  y')],
  ['A second “:” on one line. Quote the value if it is text.', pod('a: b: c')],
  ['A list cannot stand where a key is expected.', pod('a:', '    - x', '  - y')],
  ['This does not line up with the other keys of its map.', pod('a:', '    b: 1', '  c: 2')],
  ['This does not line up with the other items of its list.', pod('a:', '  - - x', '   - y')],
  ['This quote is never closed.', pod('a: "b')],
  ['Expected “,” or “:” here.', pod('a: {"b" "c": 1}')],
  ['Expected “,” between these items.', pod('a: {"b"? "c": d}')],
  ['Inside { } and [ ] everything must be written with { } and [ ].', pod('a: {b:', '  - c', '}')],
  ['A list must start on the line after its key.', pod('a: - b')],
  ['There is no “{” for this “}”.', pod('a: }')],
  ['There is no “[” for this “]”.', pod('a: ]')],
  ['Unexpected text after the value.', pod('a: "b" c')],
  ['Start the document on the line after “---”.', '--- apiVersion: v1\nkind: Pod\n'],
  ['Expected “---” after the directives.', '%YAML 1.2\napiVersion: v1\nkind: Pod\n'],
  ['Expected “]”.', pod('a: [1, 2')],
  ['Expected “}”.', pod('a: {b: 1')],
  ['Tabs cannot be used for indentation in YAML. Use spaces.', pod('spec:', '\ta: 1')],
  ['A key may have at most 1,024 characters. Is a quote or a “:” missing?', pod(`"${'a'.repeat(1025)}": 1`)],
  ['A value can have only one anchor.', pod('a: &x &y 1')],
  ['A value can have only one tag.', pod('a: !!str !!int 1')],
  ['An alias can have neither an anchor nor a tag.', pod('a: &x 1', 'b: &y *x')],
];

describe('what is wrong with a text', () => {
  for (const [message, text] of cases) {
    it(`says: ${message}`, () => {
      const found = readFile(text).documents.flatMap(({ document }) => document.problems);
      assert.deepEqual(
        found.map((problem) => problem.message),
        [message],
      );
    });
  }
});
