/** Texts that programs read differently: what Podium reads of them is what the real kubectl reads. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { it } from 'mocha';
import type { Json, JsonObject } from '../../../server/src/kubernetes/json.ts';
import { asMap } from '../../../server/src/manifests/read-data.ts';
import { outputLimits } from '../../../server/src/manifests/limits.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { decodeText } from '../../../server/src/manifests/decode-text.ts';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { readToApply, readToKustomize } from '../../support/kubectl-reading.ts';
import { generatedTexts } from './generated-texts.ts';

const bom = '\uFEFF';

function config(fields: string, name = 'a'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${fields}`;
}

/** Why kustomize, which has another reader than kubectl itself, does not read it alike. */
type Otherwise =
  | 'YAML 1.2'
  | 'refuses it'
  | 'reads the first only'
  | 'drops the last line break'
  | 'folds it'
  | 'has no null'
  | undefined;

const traps: Readonly<Record<string, readonly [text: string, otherwise?: Otherwise]>> = {
  'a quoted text that goes on at the column of its key': [config('data:\n  a: "one\n  two\n  three"\n  b: x\n')],
  'a quoted text that goes on at the first column': [config("data:\n  a: 'one\ntwo\n\nthree'\n  b: x\n")],
  'a quoted text that goes on before its key': [config('data:\n    a: "one\n  two"\n    b: c\n')],
  'a quoted text that ends on a line of its own': [config('data:\n  a: "one\n"\n  b: x\n')],
  'a quoted text of nothing but line breaks': [config('data:\n  a: "\n\n\n"\n  b: x\n')],
  'a quoted text with an escaped line break': [config('data:\n  a: "one\\\n  two\\n\\\n  three"\n  b: x\n')],
  'a quoted text with what looks like a comment': [config('data:\n  a: "one\n  # two\n  three" # four\n  b: x\n')],
  'a quoted text with tabs before its lines': [config('data:\n  a: "one\n\ttwo"\n')],
  'quoted texts in a list': [config('list:\n- "one\n  two"\n- \'three\nfour\'\n- five\n')],
  'quoted texts in brackets': [config('map: {a: "one\ntwo", b: [c, "d\ne"]}\n')],
  'twenty quoted texts': [config(`data:\n${Array.from({ length: 20 }, (_, i) => `  k${i}: "a${i}\n  b"\n`).join('')}`)],
  'a quoted text at the top': [config('a: "one\ntwo"\nb: 1\n')],
  'a quoted text that holds a document marker': [config('data:\n  a: "one\n---\ntwo"\n'), 'refuses it'],
  'a quoted text that is never closed': [config('data:\n  a: "one\n  b: x\n')],
  'a quoted text with text behind it': [config('data:\n  a: "one" two\n')],
  'brackets that go on at the first column': [config('data: {\na: b,\nc: "d"\n}\n')],
  'brackets that close at the first column': [config('list: [\n"x",\n"y1"\n]\nmore: [\n  z\n]\n')],
  'brackets that close before their key': [config('a:\n  b:\n    c: [\n    "d"\n  ]\n')],
  'a text without quotes that goes on in brackets': [config('map: {a: b\nc, d: e}\n')],
  'brackets with comments and bad indentation': [config('list: [ # one\n"x", # two\n"z"\n]\n')],
  'brackets with tabs': [config('map: {\n\t"x": "z",\n\t"w": [\n\t\t"1"\n\t]\n}\n')],
  'brackets that are never closed': [config('list: [a, b\nc: d\n')],
  'a text without quotes at the column of its key': [config('data:\n  a: one\n  two\n  b: x\n')],
  'a text without quotes of more lines': [config('data:\n  a: one\n    two\n\n    three\n  b: x\n')],
  'a placeholder of Flux': [config('data:\n  a: ${NAME:=5Gi}\n  b: ${B:="x"}\n  ${KEY}: ${APP:-foo}-bar\n')],
  'a placeholder of Flux in a list': [config('list:\n- ${A}\n- ${B:=c}\n- "${D:=e}"\n')],
  'a placeholder of Flux in brackets': [config('list: [${A:=b}]\n')],
  'a placeholder with signs of percent in a text': [config('data:\n  a: x%NAME%\n  b: "%NAME%"\n')],
  'a placeholder with signs of percent': [config('data:\n  a: %NAME%\n')],
  'a placeholder with at signs': [config('data:\n  a: @NAME@\n')],
  'a byte order mark': [`${bom}${config('')}`],
  'a byte order mark before a comment': [`${bom}# one\n${config('')}`],
  'a byte order mark before a document marker': [`${bom}---\n${config('')}`],
  'a byte order mark in the middle': [`${config('')}---\n${bom}${config('', 'b')}`],
  'a byte order mark on a line in the middle': [`${config('')}---\n${bom}\n${config('', 'b')}`],
  'a byte order mark behind a commented marker': [`${config('')}--- # two\n${bom}${config('', 'b')}`],
  'a byte order mark in a text': [config(`data: {a: "b${bom}c"}\n`)],
  'line ends of Windows': [config('data:\n  a: |\n    b\n    c\n  d: "e\n    f"\n').replaceAll('\n', '\r\n')],
  'line ends of Windows between documents': [`${config('')}---\n${config('', 'b')}`.replaceAll('\n', '\r\n')],
  'a file of another tool before': [`replicas: 3\n---\n${config('')}`, 'refuses it'],
  'a kind without an apiVersion before': [`kind: Cluster\nname: x\n---\n${config('')}`, 'refuses it'],
  'documents of nothing': [`---\n---\n# one\n---\n${config('')}---\n`],
  'a comment behind a marker': [`${config('')}--- # next\n${config('', 'b')}`],
  'blanks behind a marker': [`${config('')}---   \n${config('', 'b')}---\t\n${config('', 'c')}`],
  'what follows the end of a document': [`${config('')}...\n${config('', 'b')}`],
  'a marker behind the end of a document': [`${config('')}...\n---\n${config('', 'b')}`],
  'a text behind a marker': [`${config('')}--- text\n${config('', 'b')}`],
  'a map behind a marker': [`${config('')}--- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n`],
  'an anchor behind a marker': [`${config('')}--- &x\n${config('', 'b')}`],
  'a tag behind the first marker': [`# one\n--- !!map\n${config('')}`],
  'a directive': [`%YAML 1.1\n---\n${config('')}`],
  'a directive of another version, behind a comment': [`# one\n%YAML 1.2\n---\n${config('')}`],
  'a directive behind a marker': [`${config('')}---\n%YAML 1.1\n---\n${config('', 'b')}`],
  'a directive behind a commented marker': [`${config('')}--- # two\n%YAML 1.1\n---\n${config('', 'b')}`],
  'a directive behind a document': [`${config('data: {a: b}\n')}%YAML 1.1\n---\n${config('', 'b')}`],
  'a directive behind the end of a document': [`${config('')}...\n%YAML 1.1\n---\n${config('', 'b')}`],
  'a directive without a marker behind it': [`%YAML 1.1\n${config('')}`],
  'a directive for tags behind a document': [`${config('')}%TAG ! tag:example.com,2000:\n---\n${config('', 'b')}`],
  'what is no directive in the first column': [config('data:\n  a: |\n    b\n%c\n')],
  'a directive for tags': [`%TAG ! tag:example.com,2000:\n---\n${config('')}`],
  'a colon before a bracket': [config('map: {z:}\nmore: {z:, a: b}\nlist: [z:, {k:}, x: ]\n'), 'has no null'],
  'a colon between a key and a bracket': [config('data: {z:{a: b}}\n')],
  'a quoted key with a colon before a bracket': [config('map: {"z":}\nmore: {"k":, x: z}\n'), 'has no null'],
  'an address in brackets': [config('data: {z: http://x, k: a:b}\n')],
  'a line break of Unicode in a text': [config('data:\n  a: "one\u2028two\u2029"\n'), 'folds it'],
  'a marker in a block': [config('data:\n  a: |\n    b\n    ---\n    c\n')],
  'a block at the end of the text': [config('data:\n  a: |\n    b\n    c'), 'drops the last line break'],
  'a block that keeps its line breaks': [`${config('data:\n  a: |+\n    b\n\n')}---\n${config('', 'b')}`],
  'a block of given indentation': [config('data:\n  a: |2\n      b\n    c\n')],
  'a comment behind a block': [config('data:\n  a: |\n    b\n  # c\n  d: e\n')],
  'a tab behind a colon': [config('data:\n  a:\tb\n')],
  'a tab on a line of its own': [config('data:\n\t\n  a: b\n')],
  'a tab before a comment': [config('data:\n  a: b\n\t# c\n')],
  'a tab in a block': [config('data:\n  a: |\n    b\n\t\n  c: d\n')],
  'a tab as indentation': [config('data:\n\ta: b\n')],
  'words of YAML 1.1': [config('a: yes\nb: off\nc: [y, n, on, NO, True, ~, Null]\n'), 'YAML 1.2'],
  'numbers of YAML 1.1': [config('a: [010, 0o10, 0x1F, 1_000, 1e3, .5, +1, 0b11, 1:30, 1., 00, 08]\n'), 'YAML 1.2'],
  'merge keys': [config('base: &b {c: 1, d: 2}\ne:\n  <<: *b\n  c: 3\nf:\n  <<: [*b, {c: 5, z: 6}]\n')],
  'a key before a merge key': [config('base: &b {c: 1}\ne:\n  c: 3\n  <<: *b\n'), 'YAML 1.2'],
  'an anchor of another document': [`${config('a: &x b\n')}---\n${config('c: *x\n', 'b')}`],
  'a key that is written twice': [config('data: {a: b}\ndata: {c: d}\n'), 'refuses it'],
  tags: [config('a: !!str 1\nb: !!int "3"\nc: !foo bar\nd: !!binary aGVsbG8=\n')],
  'text in base64 that is none': [config('a: !!binary "a b"\n')],
  'a comment that touches a quote': [config('data:\n  a: "b"#c\n')],
  'an escaped apostrophe': [config("data:\n  a: \"it\\'s \\\\'so\\\\' \"\n"), 'refuses it'],
  'an escaped slash': [config('data:\n  a: "b\\/c"\n')],
  'half a character': [config('data:\n  a: "\\ud83d\\ude00"\n')],
  'an escape that is none': [config('data:\n  a: "\\d"\n')],
  'a control character': [config('data:\n  a: b\u0007c\n')],
  'the character DEL': [config('data:\n  a: b\u007Fc\n')],
  JSON: ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"b":"c"}}\n'],
  'JSON with escapes that YAML lacks': [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"b":"c\\/\\ud83d\\ude00"}}\n',
    'refuses it',
  ],
  'JSON with tabs': ['{\n\t"apiVersion":"v1",\n\t"kind":"ConfigMap",\n\t"metadata":{"name":"a"}\n}\n'],
  'objects of JSON one behind the other': [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}\n{\n"apiVersion":"v1",\n"kind":"ConfigMap",\n"metadata":{"name":"b"}\n}\n',
    'reads the first only',
  ],
  'JSON and YAML in one stream': [
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}\n---\n${config('', 'b')}`,
  ],
  'a list': [
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n',
  ],
  'a long list with texts that are not indented': [
    `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: 40 }, (_, i) => `- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a${i}}\n  data:\n    a: "${'x'.repeat(600)}\n- ${i}\nb"\n`).join('')}`,
  ],
  'a list of a kind': [
    'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n',
    'refuses it',
  ],
};

/** What else ends a line in YAML 1.1. */
const breaks = {
  'the next line of Unicode': '\u0085',
  'a separator of lines': '\u2028',
  'one of paragraphs': '\u2029',
};

const textsWithBreaks: Readonly<Record<string, (sign: string) => string>> = {
  'in a text': (sign) => config(`data:\n  a: one${sign}two\n  b: x\n`),
  'in a text that goes on': (sign) => config(`data:\n  a: one ${sign}    two\n  b: x\n`),
  'between entries': (sign) => config(`data:\n  a: one${sign}  b: x\n`),
  'in a comment': (sign) => config(`data:\n  a: one # c${sign}  b: x\n`),
  'in a block': (sign) => config(`data:\n  a: |\n    one${sign}      two\n    three\n  b: x\n`),
  'in a block that is not indented behind it': (sign) => config(`data:\n  a: |\n    one${sign}two\n    three\n`),
  'in a folded block': (sign) => config(`data:\n  a: >-\n    one${sign}    two\n    three\n`),
  'at the end of a block': (sign) => config(`data:\n  a: |\n    one${sign}  b: x\n`),
  'at the end of a block without one': (sign) => config(`data:\n  a: |-\n    one${sign}  b: x\n`),
  'at the end of a block that keeps them': (sign) => config(`data:\n  a: |+\n    one${sign}${sign}\n  b: x\n`),
  'at the end of a folded block': (sign) => config(`data:\n  a: >\n    one\n    two${sign}\n  b: x\n`),
  'behind a backslash': (sign) => config(`data:\n  a: "one\\${sign}  two"\n  b: x\n`),
  'behind a backslash, before another': (sign) => config(`data:\n  a: "one\\${sign}\n  two"\n  b: x\n`),
  'behind a line break with a backslash': (sign) => config(`data:\n  a: "one\\\n${sign}  two \\ ${sign} x"\n  b: x\n`),
  'in single quotes': (sign) => config(`data:\n  a: 'it''s ${sign}  two'\n  b: x\n`),
  'in double quotes': (sign) => config(`data:\n  a: "one${sign}\n ${sign} two\\n"\n  b: x\n`),
  'behind a line break': (sign) => config(`data:\n  a: "one\n${sign}  two"\n  b: x\n`),
  'in a key': (sign) => config(`data:\n  a${sign}b: x\n`),
  'in brackets': (sign) => config(`data: {a: b,${sign}c: d}\n`),
};

interface Read {
  readonly objects: readonly Json[];
  /** Whether something was said to be wrong, so that nothing of it would be applied. */
  readonly isRefused: boolean;
  /** Whether another program fills it in, so that nothing of it is read, be it YAML as it stands or not. */
  readonly isTemplate: boolean;
}

function readByPodium(text: string): Read {
  const { documents } = parseManifestFile('file:///file.yaml', text, null, undefined, outputLimits);
  const isRefused = documents.some(({ document }) => document.problems.some(({ severity }) => severity === 'error'));
  const objects = documents.flatMap(({ document }) => document.objects.map(({ value }) => sorted(value)));
  return { objects, isRefused, isTemplate: documents.some(({ document }) => document.content === 'template') };
}

/** In the order of the keys, without empty maps of metadata, which kustomize leaves out. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value as JsonObject)
    .filter(([name, inner]) => (name !== 'labels' && name !== 'annotations') || Object.keys(inner ?? {}).length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/** Objects of JSON one behind the other, as kubectl prints them, without the label that it was asked to set. */
function labelled(text: string): Json[] {
  const objects = parseManifestFile('file:///file.yaml', text).documents.flatMap(({ document }) => document.objects);
  return objects.map(({ value }) => {
    const metadata = asMap(value['metadata']);
    const { read, ...labels } = asMap(metadata['labels']);
    assert.equal(read, 'here');
    const rest = Object.entries(metadata).filter(([name]) => name !== 'labels');
    const kept = Object.keys(labels).length === 0 ? rest : [...rest, ['labels', labels] as const];
    return sorted({ ...value, metadata: Object.fromEntries(kept) });
  });
}

/** In an order of their own, as kustomize sorts what it prints. */
function asSet(objects: readonly Json[]): string[] {
  return objects.map((object) => JSON.stringify(object)).sort();
}

/** What kustomize asks of a file beyond that it can be read. */
const rules =
  /missing metadata\.name|already defined|already registered id|missing Resource metadata|missing kind in object|invalid Kustomization/;

async function assertKustomizedAlike(text: string): Promise<void> {
  const mine = readByPodium(text);
  const theirs = await readToKustomize([text], 'v34');
  if ('error' in theirs) {
    if (!rules.test(theirs.error)) assert.ok(mine.isRefused || mine.objects.length === 0, theirs.error);
    return;
  }
  assert.equal(mine.isRefused, false);
  assert.deepEqual(asSet(mine.objects), asSet(readByPodium(theirs.text).objects));
}

async function assertAppliedAlike(text: string): Promise<void> {
  const mine = readByPodium(text);
  const theirs = await readToApply(text, 'v34');
  if ('error' in theirs && !theirs.error.includes("Object 'Kind' is missing")) {
    if (!theirs.error.includes('apiVersion')) assert.ok(mine.isRefused || mine.isTemplate, theirs.error);
  } else if ('text' in theirs) {
    assert.equal(mine.isRefused, false);
    assert.deepEqual(mine.objects, labelled(theirs.text));
  }
}

describeWithTools('YAML as kubectl reads it', () => {
  for (const [what, [text, otherwise]] of Object.entries(traps)) {
    it(`reads ${what}`, async () => {
      await assertAppliedAlike(text);
      if (otherwise === undefined) await assertKustomizedAlike(text);
    });
  }

  for (const [name, sign] of Object.entries(breaks)) {
    for (const [where, textWith] of Object.entries(textsWithBreaks)) {
      it(`reads ${name} ${where}`, async () => {
        await assertAppliedAlike(textWith(sign));
        // Separators beside line feeds are line feeds where kustomize has written them.
        if (where !== 'in double quotes') await assertKustomizedAlike(textWith(sign));
      });
    }
  }

  for (const [index, text] of generatedTexts(40).entries()) {
    it(`reads generated text ${index + 1}`, async () => {
      const theirs = await readToApply(text, 'v34');
      assert.ok('text' in theirs, JSON.stringify(theirs));
      assert.deepEqual(readByPodium(text), { objects: labelled(theirs.text), isRefused: false, isTemplate: false });
      await assertKustomizedAlike(text);
    });
  }
});

/** Real manifests of public repositories, where they are at hand; they are no part of the project. */
const corpus = fileURLToPath(new URL('../../../../shared/corpus', import.meta.url));

interface CorpusFile extends Read {
  readonly path: string;
  readonly text: string;
}

function readFile(path: string): CorpusFile {
  const decoded = decodeText(readFileSync(path));
  assert.ok('text' in decoded, path);
  // kustomize drops the last line break of a block where the file has none.
  const text = `${decoded.text}\n`;
  return { path, text, ...readByPodium(text) };
}

/** Groups that one kustomization can list: no object twice, and alone what is refused or may be. */
function together(files: readonly CorpusFile[]): CorpusFile[][] {
  const groups: { files: CorpusFile[]; keys: Set<string> }[] = [];
  for (const file of files) {
    const keys = file.objects.map(identity);
    const isAlone = file.isRefused || keys.length === 0 || keys.includes(undefined);
    const fitting = groups.find(
      (group) =>
        !isAlone && group.files.length < 25 && group.keys.size > 0 && !keys.some((key) => group.keys.has(key!)),
    );
    const group = fitting ?? { files: [], keys: new Set<string>() };
    if (fitting === undefined) groups.push(group);
    group.files.push(file);
    if (!isAlone) for (const key of keys) group.keys.add(key!);
  }
  return groups.map((group) => group.files);
}

/** Undefined where kustomize would not take the object. Versions of a group are one to it. */
function identity(object: Json): string | undefined {
  const { kind, metadata } = asMap(object);
  const { name, namespace = '' } = asMap(metadata);
  const isTaken = typeof kind === 'string' && kind !== 'Kustomization' && typeof name === 'string';
  return isTaken ? JSON.stringify([kind, namespace, name]) : undefined;
}

async function areKustomizedAlike(group: readonly CorpusFile[]): Promise<boolean> {
  const theirs = await readToKustomize(
    group.map(({ text }) => text),
    'v34',
  );
  if ('error' in theirs) return false;
  const mine = group.flatMap(({ objects }) => objects);
  return isDeepStrictEqual(asSet(mine), asSet(readByPodium(theirs.text).objects));
}

if (existsSync(corpus)) {
  describeWithTools('real manifests as kubectl reads them', function () {
    for (const repository of readdirSync(corpus, { withFileTypes: true })) {
      if (!repository.isDirectory()) continue;
      it(`reads every file of ${repository.name}`, async () => {
        const files = readdirSync(join(corpus, repository.name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name));
        const waiting = together(files.map(readFile)).values();
        const differing: string[] = [];
        /** In halves, until it is known which of them it is. */
        const compareGroup = async (group: readonly CorpusFile[]): Promise<void> => {
          const [first, ...others] = group;
          if (first === undefined) return;
          if (others.length === 0) {
            await assertKustomizedAlike(first.text).catch((error: unknown) => {
              differing.push(`${relative(corpus, first.path)}: ${String(error).slice(0, 400)}`);
            });
          } else if (!(await areKustomizedAlike(group))) {
            const half = group.length >> 1;
            await compareGroup(group.slice(0, half));
            await compareGroup(group.slice(half));
          }
        };
        const compare = async (): Promise<void> => {
          for (const group of waiting) await compareGroup(group);
        };
        await Promise.all([compare(), compare(), compare()]);
        assert.deepEqual(differing, []);
      });
    }
  });
}
