/** The short way of reading YAML is the library's where it answers. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { readPlainYaml } from '../../../server/src/manifests/plain-yaml.ts';
import { splitDocuments } from '../../../server/src/manifests/split-documents.ts';
import { readAnyYaml } from '../../../server/src/manifests/yaml-reader.ts';
import { generatedTexts } from './generated-texts.ts';

/** Whether the text is read the short way; then it has to be read as by the library. */
function isPlain(text: string): boolean {
  const plain = readPlainYaml(text);
  if (plain === null) return false;
  const read = { ...plain, problems: [], template: false, unclosed: [] };
  assert.deepEqual(read, runToEnd(readAnyYaml(text)), JSON.stringify(text));
  return true;
}

function documentsOf(text: string): string[] {
  return splitDocuments(text).map(({ start, end }) => text.slice(start, end));
}

const config = 'apiVersion: v1\nkind: ConfigMap\n';

const plain: Readonly<Record<string, string>> = {
  'a document marker and comments': `# one\n---\n# two\n${config}# three\n`,
  'a list at the column of its key': `${config}list:\n- a\n- b: 1\n  c: 2\n-\n  d: 3\n- - e\n  - f\n`,
  'values that are not written': `${config}a:\nb:   # one\nlist:\n-\n- # two\n- x\n`,
  'words that mean something': `${config}a: on\nb: 010\nc: ~\nd: 1_000\ne: 0x1F\nf: 12345678901234567890\non: off\n`,
  'quoted keys and values': `${config}"a b": 'it''s' # one\n'c': "say \\"so\\"\\n"\n`,
  brackets: `${config}a: []\nb: {}\nc: [get, "list", 5, exit 0]\nd: {a: b, "c": [d, {e: 'f'}]} # one\n`,
  'texts below their header': `${config}a: |\n  one\n    two\n\n  three\nb: >-\n  four\n  five\n\n\nc: |-\n  six`,
  'texts of more lines': `${config}a: one\n  two\n\n  three\nb: "four\n  five"\nc: 'six\n\n  seven' # eight\n`,
  'signs within words': `${config}a: b#c\nd: e:f\ng: -v\nh: :8080\ni: it's\n`,
  'alerts with templates of their own': `${config}data:\n  a: |\n    {{ $labels.pod }} is down\n`,
  'indented as a whole': `  ${config.replaceAll('\n', '\n  ')}a: b\n`,
};

const other: Readonly<Record<string, string>> = {
  anchors: `${config}a: &a b\nc: *a\n`,
  tags: `${config}a: !!str 5\n`,
  'keys that are written twice': `${config}a: b\na: c\n`,
  'a chart’s template': `${config}data:\n  a: |\n    {{ .Values.a }}\n`,
  'a field with template actions': `${config}a: '{{ a }}'\n`,
  'a map in a text': `${config}a: b: c\n`,
  'half a line': `${config}metadata:\n  prio\n  name: a\n`,
  'a line that is indented too far': `${config}a: b\n    c: d\n`,
  'a line that is not indented enough': `${config}a:\n    b: c\n  d: e\n`,
  'a quote that is never closed': `${config}a: "b\n`,
  'a quoted text at the column of its key': `${config}a: "b\nc"\n`,
  tabs: `${config}a:\n\tb: c\n`,
  'an infinite number': `${config}a: .inf\n`,
  'a null for a key': `${config}~: a\n`,
  'a merge key': `${config}<<: {a: b}\n`,
  'what stands behind the end of a document': `${config}a:\n...  b: c\n`,
  'a text at the top': 'one two\n',
  nothing: '# one\n',
};

/** Numbers from 0 to below 1, the same each time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const signs = [
  ' ',
  '  ',
  '\n',
  ':',
  ': ',
  ' #',
  '- ',
  '-',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|',
  '>',
  ',',
  '&a ',
  '*',
  '!',
  '\t',
  '\\',
  '?',
  '%',
  '~',
];

/** A text with some signs put in, and some of it taken out. */
function damaged(text: string, random: () => number): string {
  let result = text;
  for (let times = Math.floor(random() * 4) + 1; times > 0; times--) {
    const at = Math.floor(random() * (result.length + 1));
    const without = random() < 0.4 ? Math.floor(random() * 4) : 0;
    const sign = random() < 0.8 ? signs[Math.floor(random() * signs.length)]! : '';
    result = result.slice(0, at) + sign + result.slice(at + without);
  }
  return result;
}

describe('the short way of reading YAML', () => {
  for (const [what, text] of Object.entries(plain)) {
    it(`reads ${what} as the library does`, () => {
      assert.ok(isPlain(text));
    });
  }

  for (const [what, text] of Object.entries(other)) {
    it(`leaves ${what} to the library`, () => {
      assert.equal(readPlainYaml(text), null);
    });
  }

  it('reads what programs and people write as the library does, and most of it', () => {
    const files = ['samples', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const yaml = files.filter((file) => /\.ya?ml$/.test(file));
    const texts = yaml.flatMap((file) => documentsOf(readFileSync(file, 'utf8')));
    const read = texts.filter(isPlain).length;
    assert.ok(read > texts.length / 2, `${read} of ${texts.length}`);
  });

  it('reads generated documents, and what is left of them when they are damaged, as the library does', () => {
    const random = randomNumbers(7);
    const sources = [...Object.values(plain), ...generatedTexts(300)].flatMap(documentsOf);
    let read = 0;
    for (const source of sources) {
      if (isPlain(source)) read++;
      for (let time = 0; time < 12; time++) if (isPlain(damaged(source, random))) read++;
    }
    assert.ok(read > 300, `${read} of ${sources.length * 13}`);
  });
});
