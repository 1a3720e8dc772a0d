import assert from 'node:assert/strict';
import { objectOf, plain, pod, problemsOf, readFile, readOne, textAt } from './read.ts';

describe('anchors, aliases and merge keys', () => {
  it('expands them and shares one value', () => {
    const object = objectOf(pod('a: &x {p: 1, q: [2]}', 'b: *x', 'c:', '  <<: *x', '  p: 3'));
    assert.deepEqual(plain(object.value), {
      apiVersion: 'v1',
      kind: 'Pod',
      a: { p: 1, q: [2] },
      b: { p: 1, q: [2] },
      c: { p: 3, q: [2] },
    });
    assert.equal(object.value['a'], object.value['b']);
  });

  it('merges in the order of the text, as go-yaml v2 does', () => {
    const { value } = objectOf(
      pod('m: &m {p: 1}', 'n: &n {p: 2, q: 2}', 'before: {p: 9, <<: *m}', 'list: {<<: [*m, *n]}'),
    );
    assert.deepEqual(plain(value['before']), { p: 1 });
    assert.deepEqual(plain(value['list']), { p: 1, q: 2 });
  });

  it('finds what comes through an alias or a merge key where it is written', () => {
    const document = readOne(pod('a: &x {p: one, q: [two]}', 'b: *x', 'c:', '  <<: *x', '  own: three'));
    const object = document.objects[0]!;
    const first = document.text.indexOf('one');
    assert.deepEqual(object.locate(['b', 'p'], 'value'), { start: first, end: first + 3 });
    assert.deepEqual(object.locate(['c', 'p'], 'value'), { start: first, end: first + 3 });
    assert.equal(textAt(document, object.locate(['c', 'q', 0])), 'two');
    assert.equal(textAt(document, object.locate(['c', 'own'])), 'own: three');
  });

  it('reports missing anchors, cycles and wrong merges at the alias', () => {
    assert.deepEqual(problemsOf(readOne(pod('a: *none', 'b: &b', '  c: *b', 'd: {<<: [1]}'))), [
      'error yaml-alias: *none',
      'error yaml-alias: *b',
      'error yaml-alias: [1]',
    ]);
  });

  it('stops an alias bomb', () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`,
    );
    const document = readOne(pod('l0: &l0 [x, x, x, x, x, x, x, x, x]', ...levels));
    assert.equal(document.problems.length, 1);
    assert.equal(document.problems[0]!.code, 'yaml-alias');
    assert.match(document.problems[0]!.message, /expand to more than 400,000 values/);
  });

  it('stops a bomb of merge keys', () => {
    const wide = Array.from({ length: 2000 }, (_, i) => `k${i}: 1`).join(', ');
    const merges = Array.from({ length: 2000 }, (_, i) => `m${i}: {<<: *w}`);
    assert.deepEqual(
      readOne(pod(`w: &w {${wide}}`, ...merges)).problems.map(({ code }) => code),
      ['yaml-alias'],
    );
  });
});

describe('duplicate keys', () => {
  it('takes the last value and warns at the later key', () => {
    const document = readOne(pod('spec: {a: 1}', 'on: 1', 'spec: {b: 2}', '"true": 2'));
    assert.deepEqual(plain(document.objects[0]!.value), { apiVersion: 'v1', kind: 'Pod', spec: { b: 2 }, true: 2 });
    assert.deepEqual(problemsOf(document), ['warning yaml-duplicate-key: spec', 'warning yaml-duplicate-key: "true"']);
    assert.equal(document.problems[0]!.range.start, document.text.lastIndexOf('spec'));
    assert.equal(textAt(document, document.objects[0]!.locate(['spec'])), 'spec: {b: 2}');
  });

  it('takes a key that a merge key gave already for its own', () => {
    assert.deepEqual(problemsOf(readOne(pod('m: &m {p: 1}', 'n: {<<: *m, p: 2}'))), []);
  });

  it('finds them among thousands', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `key-${i}: 1`);
    assert.equal(readOne(pod(...keys, 'key-7: 2')).problems.length, 1);
  });
});

describe('text that is not right', () => {
  const cases: readonly (readonly [what: string, fields: readonly string[], problems: readonly string[]])[] = [
    ['a tab as indentation', ['spec:', '\ta: 1'], ['error yaml-syntax: \t']],
    ['a second colon', ['a: b: c'], ['error yaml-syntax: b']],
    ['a list that is not closed', ['a: [1, 2', 'b: 3'], ['error yaml-syntax: b']],
    ['a quote that is not closed', ['a: "b', 'c: d'], ['error yaml-syntax: "b']],
    ['a key without a colon', ['spec:', '  a'], []],
    ['a key without a colon before another', ['spec:', '  a', '  b: 1'], ['error yaml-syntax: a']],
    ['a key without a colon at the end', ['spec:', '  b: 1', '  a'], ['error yaml-syntax: a']],
    ['a reserved character', ['a: @b'], ['error yaml-syntax: @']],
    ['a map as a key', ['? {a: 1}', ': b'], ['error yaml-syntax: {a: 1}']],
    ['null as a key', ['~: b'], ['error yaml-syntax: ~']],
  ];
  for (const [what, fields, problems] of cases) {
    it(`reports ${what} at its place and once`, () => {
      assert.deepEqual(problemsOf(readOne(pod(...fields))), problems);
    });
  }

  it('keeps what can be read around half-typed lines', () => {
    const object = objectOf(
      pod(
        'metadata:',
        '  name: x',
        'spec:',
        '  prio',
        '  containers:',
        '  - name: "a',
        '    image: b',
        '  nodeName: node-a',
      ),
    );
    assert.deepEqual(plain(object.value['spec']), {
      prio: null,
      containers: [{ name: null, image: 'b' }],
      nodeName: 'node-a',
    });
    assert.equal(object.name, 'x');
  });

  it('reports what broke first, and not what follows from it (#36)', () => {
    const broken = ['args:', '  - |', '    run <<END', 'import os', 'import os', 'try {', 'a: b: c', '}'];
    assert.deepEqual(
      readOne(pod('x: 1', 'x: 2', ...broken)).problems.map(({ code }) => code),
      ['yaml-duplicate-key', 'yaml-syntax'],
    );
  });

  it('never lets a broken document hide its neighbours', () => {
    const { documents } = readFile(`${pod('a: "')}---\n${pod('metadata: {name: second}')}---\n{{{\n---\n${pod()}`);
    assert.deepEqual(
      documents.map(({ document }) => document.objects.map(({ name }) => name)),
      [[''], ['second'], [], ['']],
    );
  });

  it('says where a document is a manifest although its types cannot be read', () => {
    const document = readOne('apiVersion: v1\nkind: Pod\n  metadata:\n    name: x\n');
    assert.equal(document.content, 'manifest');
    assert.notEqual(document.problems.length, 0);
  });
});

describe('limits', () => {
  const deep: readonly (readonly [what: string, field: string])[] = [
    ['block maps', `a:${Array.from({ length: 1000 }, (_, i) => `\n${' '.repeat(i + 1)}a:`).join('')}`],
    ['compact lists', `a:\n  ${'- '.repeat(1000)}b`],
    ['explicit keys', `a:\n  ${'? '.repeat(1000)}b`],
    ['brackets', `a: ${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['braces that are never closed', `a: ${'{b: '.repeat(100_000)}`],
  ];
  for (const [what, field] of deep) {
    it(`ends ${what} of 1,000 levels in one problem`, () => {
      const document = readOne(pod(field));
      assert.deepEqual(
        document.problems.map(({ code }) => code),
        ['document-too-deep'],
      );
      assert.equal(document.content, 'manifest');
      assert.deepEqual(document.objects, []);
    });
  }

  it('ends deep JSON in one problem', () => {
    const document = readOne(`{"apiVersion": "v1", "kind": "Pod", "a": ${'['.repeat(100_000)}`);
    assert.deepEqual(
      document.problems.map(({ code }) => code),
      ['document-too-deep'],
    );
  });

  it('reads real depths', () => {
    const value = objectOf(pod(`a: ${'['.repeat(200)}${']'.repeat(200)}`)).value['a'];
    assert.equal(JSON.stringify(value).length, 400);
  });

  it('does not read a manifest of 10 MB, and says so', () => {
    const file = readFile(pod(`a: ${'x'.repeat(10 * 1024 * 1024)}`));
    assert.deepEqual(
      file.problems.map(({ code, severity }) => `${severity} ${code}`),
      ['warning file-too-large'],
    );
    assert.deepEqual(file.documents, []);
    assert.deepEqual(readFile('x'.repeat(10 * 1024 * 1024)).problems, []);
  });

  it('does not read a document that the API server would not take, and says so', () => {
    const document = readOne(pod(`a: ${'x'.repeat(4 * 1024 * 1024)}`));
    assert.deepEqual(
      document.problems.map(({ code }) => code),
      ['document-too-large'],
    );
  });

  it('takes no large schema for a manifest (#36)', () => {
    const schema = {
      a: { properties: { apiVersion: { type: 'string' }, kind: { type: 'x'.repeat(4 * 1024 * 1024) } } },
    };
    const { content, problems } = readOne(JSON.stringify(schema, null, 2));
    assert.deepEqual([content, problems.length], ['data', 0]);
  });

  it('reads the first 5,000 of 10,000 documents, and says where it stops', () => {
    const text = `---\n${pod()}`.repeat(10_000);
    const file = readFile(text);
    assert.equal(file.documents.length, 5000);
    assert.deepEqual(
      file.problems.map(({ code }) => code),
      ['too-many-documents'],
    );
    assert.equal(file.problems[0]!.range.start, text.length / 2);
  });
});
