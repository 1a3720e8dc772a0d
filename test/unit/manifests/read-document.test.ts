import assert from 'node:assert/strict';
import { isList, isObject } from '../../../server/src/util/values.ts';
import type { Json, Path } from '../../../server/src/kubernetes/json.ts';
import type { ManifestDocument } from '../../../server/src/manifests/manifest.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { generatedTexts } from './generated-texts.ts';
import { objectOf, plain, pod, problemsOf, readFile, readOne, textAt } from './read.ts';

describe('what a document is', () => {
  const helm = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n';
  const cases: readonly (readonly [what: string, text: string, content: string])[] = [
    ['a manifest', pod(), 'manifest'],
    ['a manifest in JSON', '{"apiVersion": "v1", "kind": "Pod"}', 'manifest'],
    ['comments only', '# apiVersion and kind\r\n---\r\n', 'empty'],
    ['nothing', '', 'empty'],
    ['other YAML', 'replicas: 3\n', 'data'],
    ['YAML with a kind but no apiVersion', 'kind: [a, apiVersion]\n', 'data'],
    ['broken YAML of another program', 'a: [\n', 'data'],
    ['an empty list', 'apiVersion: v1\nkind: List\nitems: []\n', 'manifest'],
    ['a Helm action as a value', `${helm}spec: {{ .Values.spec }}\n`, 'template'],
    ['a Helm action on a line of its own', `${helm}{{- if .Values.on }}\nspec: {}\n{{- end }}\n`, 'template'],
    ['a Helm action in quotes', `${helm}spec: {nodeName: "{{ .Values.node }}"}\n`, 'template'],
    ['a Helm action in a block scalar', `${helm}data:\n  a: |\n    {{ include "x" . }}\n`, 'template'],
    ['a template of another kind in a field', `${helm}spec: {replicas: "{{ replicas }}"}\n`, 'template'],
    ['a template of another kind in broken text', `${helm}spec: {{ x }}y: z\n`, 'template'],
    [
      'a Helm action behind the mark of a text (#36)',
      `${helm}data:\n  a: |{{- toYaml .Values.a | nindent 4 }}\n`,
      'template',
    ],
    ['the same with a space', `${helm}data:\n  a: | {{- toYaml .Values.a | nindent 4 }}\n`, 'template'],
    ['a Helm action in JSON', '{"apiVersion": "v1", "kind": "Pod", "a": "{{ .Values.a }}"}', 'template'],
    ['an action in a comment', `${helm}# {{ .Values.a }}\n`, 'manifest'],
    ['a template for an agent, in an annotation', `${helm}  annotations: {a: '{{ with secret "x" }}'}\n`, 'manifest'],
    ['a template for an agent, in a block scalar', `${helm}data:\n  a: |\n    {{- with secret "x" -}}\n`, 'manifest'],
    ['an argument with a template', `${helm}spec:\n  args: ["--format={{.Name}}"]\n`, 'manifest'],
  ];
  for (const [what, text, content] of cases) {
    it(`tells ${what} as ${content}`, () => {
      const document = readOne(text);
      assert.equal(document.content, content);
      if (content !== 'manifest') {
        assert.deepEqual(document.objects, []);
        assert.deepEqual(document.problems, []);
      }
    });
  }
});

describe('objects of a document', () => {
  it('knows types, name and namespace', () => {
    const object = objectOf(pod('metadata: {name: web, namespace: shop}'));
    const { apiVersion, kind, name, namespace, path } = object;
    assert.deepEqual(
      { apiVersion, kind, name, namespace, path },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name: 'web',
        namespace: 'shop',
        path: [],
      },
    );
    assert.equal(objectOf(pod('metadata: {generateName: web-}')).name, '');
    assert.equal(objectOf(pod('metadata: [oops]')).name, '');
  });

  it('flattens lists and gives items of typed lists their kind', () => {
    const document = readOne(`apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: worker}}
- apiVersion: v1
  kind: PodList
  items: [{metadata: {name: a}}, {kind: Odd}]
- just text
`);
    assert.deepEqual(
      document.objects.map(({ kind, name, path }) => [kind, name, path.join('.')]),
      [
        ['Node', 'worker', 'items.0'],
        ['Pod', 'a', 'items.1.items.0'],
      ],
    );
    assert.equal(document.objects[1]!.value['kind'], 'Pod');
    assert.deepEqual(document.objects[1]!.locateNearest(['spec']), document.objects[1]!.locate(['metadata'], 'key'));
  });

  it('does not read the schema of a CustomResourceDefinition', () => {
    const object = objectOf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: x}
spec:
  example: {apiVersion: v1, kind: Pod}
`);
    assert.equal(object.kind, 'CustomResourceDefinition');
    assert.deepEqual(plain(object.value['metadata']), { name: 'x' });
    assert.equal(object.value['spec'], undefined);
  });

  it('reads JSON as kubectl prints it, with the same places', () => {
    const text = JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'PodList',
        items: [{ metadata: { name: 'ü😀"\\', labels: {} }, spec: { a: [1, -2.5e3, true, null] } }],
      },
      null,
      4,
    );
    const document = readOne(text);
    const object = document.objects[0]!;
    assert.equal(object.name, 'ü😀"\\');
    assert.deepEqual(plain(object.value['spec']), { a: [1, -2500, true, null] });
    assert.equal(textAt(document, object.locate(['spec', 'a', 1])), '-2500');
    assert.equal(textAt(document, object.locate(['metadata', 'labels'])), '"labels": {}');
    assert.equal(textAt(document, object.locate(['metadata', 'labels'], 'key')), '"labels"');
    assert.deepEqual(problemsOf(readOne('{"apiVersion":"v1","kind":"Pod","a":1,"a":2}')), [
      'warning yaml-duplicate-key: "a"',
    ]);
  });

  it('keeps what can be read of half-typed JSON', () => {
    const document = readOne('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"a": ');
    assert.equal(document.objects[0]!.name, 'x');
    assert.notEqual(document.problems.length, 0);
  });
});

describe('places of what is written', () => {
  const fields = [
    'metadata:',
    '  name: "😀" # face',
    '  labels: {a: b}',
    'spec:',
    '  list:',
    '  - x: 1',
    '    z: |',
    '      text',
    '      more',
    '  empty:',
    '  folded: two',
    '    lines',
  ];
  for (const [what, newline] of [
    ['line feeds', '\n'],
    ['carriage returns', '\r\n'],
  ] as const) {
    it(`finds entries, keys and values with ${what}`, () => {
      const document = readOne(pod(...fields).replaceAll('\n', newline));
      const object = document.objects[0]!;
      const at = (path: readonly (string | number)[], part: 'entry' | 'key' | 'value'): string | undefined =>
        textAt(document, object.locate(path, part))?.replaceAll('\r', '');
      assert.equal(at(['metadata', 'name'], 'entry'), 'name: "😀"');
      assert.equal(at(['metadata', 'name'], 'key'), 'name');
      assert.equal(at(['metadata', 'name'], 'value'), '"😀"');
      assert.equal(at(['metadata', 'labels'], 'value'), '{a: b}');
      assert.equal(at(['spec', 'list', 0], 'value'), 'x: 1\n    z: |\n      text\n      more');
      assert.equal(at(['spec', 'list', 0, 'z'], 'value'), '|\n      text\n      more');
      assert.equal(at(['spec', 'empty'], 'entry'), 'empty');
      assert.equal(at(['spec', 'empty'], 'value'), 'empty');
      assert.equal(at(['spec', 'folded'], 'value'), 'two\n    lines');
      assert.equal(at(['spec', 'none'], 'value'), undefined);
      assert.equal(at(['spec', 'list', 'x'], 'value'), undefined);
      assert.equal(at(['metadata', 'name', 'x'], 'value'), undefined);
    });
  }

  it('falls back to the nearest key, and at last to the kind', () => {
    const document = readOne(pod(...fields));
    const nearest = (...path: (string | number)[]): string | undefined =>
      textAt(document, document.objects[0]!.locateNearest(path, 'value'));
    assert.equal(nearest('metadata', 'name'), '"😀"');
    assert.equal(nearest('metadata', 'labels', 'z'), 'labels');
    assert.equal(nearest('spec', 'empty', 'a', 0), 'empty');
    assert.equal(nearest('status', 'phase'), 'kind: Pod');
    assert.equal(nearest(), 'kind: Pod');
  });

  it('finds keys in large maps', () => {
    const document = readOne(pod(...Array.from({ length: 500 }, (_, i) => `key-${i}: value-${i}`)));
    for (const i of [0, 7, 499]) {
      assert.equal(textAt(document, document.objects[0]!.locate([`key-${i}`], 'value')), `value-${i}`);
    }
  });

  it('knows what the cursor is on', () => {
    const document = readOne(pod(...fields));
    const at = (needle: string, shift = 0): string | null => {
      const located = document.at(document.text.indexOf(needle) + shift);
      return (
        located &&
        `${located.on} ${located.path.join('.')}: ${document.text.slice(located.range.start, located.range.end)}`
      );
    };
    assert.equal(at('name'), 'key metadata.name: name');
    assert.equal(at('"😀"'), 'value metadata.name: "😀"');
    assert.equal(at('"😀"', 4), 'value metadata.name: "😀"');
    assert.equal(at('# face', 1), null);
    assert.equal(at('b}'), 'value metadata.labels.a: b');
    assert.equal(at('x: 1', 3), 'value spec.list.0.x: 1');
    assert.equal(at('more'), 'value spec.list.0.z: |\n      text\n      more');
    assert.equal(at('empty:', 6), null);
    assert.equal(document.at(-1), null);
    assert.equal(document.at(document.text.length + 5), null);
  });

  it('lists real comments only', () => {
    const document = readOne(`# top\n---\n${pod('a: "# no" # yes', 'b: |', '  # no', 'c: x#no', '# last')}`);
    assert.deepEqual(
      document.comments().map(({ text }) => text),
      ['# top', '# yes', '# last'],
    );
    for (const { text, range } of document.comments()) assert.equal(textAt(document, range), text);
    assert.deepEqual(
      readOne('a: 1 # one\n')
        .comments()
        .map(({ text }) => text),
      ['# one'],
    );
  });
});

describe('where a cursor is in half-typed text', () => {
  /** `|` marks the cursor. */
  function cursor(text: string): string {
    const offset = text.indexOf('|');
    const document = readOne(text.slice(0, offset) + text.slice(offset + 1));
    const place = document.pathAt(offset);
    return `${place.on} ${place.path.join('.')} [${document.text.slice(place.range.start, place.range.end)}]`;
  }
  const cases: readonly (readonly [what: string, fields: readonly string[], place: string])[] = [
    [
      'after a key and a blank',
      ['spec:', '  priorityClassName: |', '  nodeName: x'],
      'value spec.priorityClassName []',
    ],
    ['after a key at the end', ['spec:', '  priorityClassName: |'], 'value spec.priorityClassName []'],
    ['in a value', ['spec:', '  priorityClassName: hi|'], 'value spec.priorityClassName [hi]'],
    [
      'in a quote that is open',
      ['spec:', '  priorityClassName: "hi|', '  nodeName: x'],
      'value spec.priorityClassName ["hi]',
    ],
    ['in a half-typed key', ['spec:', '  prio|', '  nodeName: x'], 'key spec.prio [prio]'],
    ['in a half-typed last key', ['spec:', '  nodeName: x', '  prio|'], 'key spec.prio [prio]'],
    ['on a blank line of a map', ['spec:', '  nodeName: x', '  |'], 'inside spec []'],
    ['on a blank line between entries', ['spec:', '  nodeName: x', '  |', '  a: b'], 'inside spec []'],
    ['on a blank line further out', ['spec:', '  nodeName: x', '|'], 'inside  []'],
    ['below a key without a value', ['spec:', '  |'], 'inside spec []'],
    ['in an item of a list', ['spec:', '  containers:', '  - name: a', '    |'], 'inside spec.containers.0 []'],
    ['beside the items of a list', ['spec:', '  containers:', '    - name: a', '    |'], 'inside spec.containers []'],
    ['after a dash', ['spec:', '  containers:', '  - |'], 'value spec.containers.0 []'],
    ['after a dash, before a comment', ['spec:', '  containers:', '  - | # one'], 'value spec.containers.0 []'],
    [
      'after a second dash, before a comment',
      ['spec:', '  finalizers:', '  - a', '  - | # b', '  - c'],
      'value spec.finalizers.1 []',
    ],
    [
      'before a dash with a comment',
      ['spec:', '  finalizers:', '    - a', '    |', '    - # b'],
      'inside spec.finalizers []',
    ],
    ['in braces', ['spec: {a: b, |}'], 'inside spec []'],
    ['after a key in braces', ['spec: {a: |}'], 'value spec.a []'],
  ];
  for (const [what, fields, place] of cases) {
    it(`finds the place ${what}`, () => {
      assert.equal(cursor(pod(...fields)), place);
      assert.equal(cursor(pod(...fields).replaceAll('\n', '\r\n')), place);
    });
  }

  it('finds it in a document that says no kind yet', () => {
    assert.equal(cursor('metadata:\n  na|'), 'value metadata [na]');
    assert.equal(cursor('|'), 'inside  []');
  });

  it('gives the object of a list it is in', () => {
    const text = 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec:\n    nodeName: \n';
    const place = readFile(text).documents[0]!.document.pathAt(text.length - 1);
    assert.equal(place.object?.kind, 'Pod');
    assert.deepEqual(place.path, ['spec', 'nodeName']);
  });
});

describe('where things stand in a file that no editor shows', () => {
  const parts = ['entry', 'key', 'value'] as const;

  function* pathsIn(value: Json, path: Path = []): Generator<Path> {
    yield path;
    const inner = isList(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
    for (const [step, part] of inner) yield* pathsIn(part, [...path, step]);
  }

  /** All that a document says of places, with objects by their paths. */
  function placesIn(document: ManifestDocument): unknown {
    const offsets = Array.from({ length: Math.ceil(document.text.length / 7) }, (_, index) => index * 7);
    return {
      ofPaths: document.objects.map((object) =>
        [...pathsIn(object.value), ['metadata', 'name'], ['spec', 'none']].map((path) =>
          parts.map((part) => [object.locate(path, part), object.locateNearest(path, part)]),
        ),
      ),
      at: offsets.map((offset) => {
        const found = document.at(offset);
        return found && { ...found, object: found.object.path };
      }),
      pathAt: offsets.map((offset) => {
        const found = document.pathAt(offset);
        return { ...found, object: found.object?.path };
      }),
      comments: document.comments(),
    };
  }

  it('is found as in one that an editor shows, also when it is shown afterwards', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- kind: Pod\n  apiVersion: v1\n  metadata: {name: a}\n`;
    for (const text of [list, pod('metadata: {namespace: x} # none'), ...generatedTexts(40)]) {
      const shown = parseManifestFile('file:///a.yaml', text, 1);
      const closed = parseManifestFile('file:///a.yaml', text, null);
      const opened = parseManifestFile('file:///a.yaml', text, 1, parseManifestFile('file:///a.yaml', text, null));
      for (const [index, { document }] of shown.documents.entries()) {
        const places = placesIn(document);
        assert.deepEqual(placesIn(closed.documents[index]!.document), places, text);
        assert.deepEqual(placesIn(opened.documents[index]!.document), places, text);
      }
    }
  });

  it('leaves the objects what they are', () => {
    const { documents } = parseManifestFile('file:///a.yaml', pod('metadata: {name: a}'), null);
    const [object] = documents[0]!.document.objects;
    const { value, decoded } = object!;
    assert.ok(object!.locate(['metadata']) !== undefined);
    assert.equal(object!.value, value);
    assert.equal(object!.decoded, decoded);
    assert.equal(documents[0]!.document.at(0)?.object, object);
    assert.equal(documents[0]!.document.pathAt(0).whole, value);
  });
});
