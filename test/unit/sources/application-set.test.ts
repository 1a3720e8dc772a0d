import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { stringify } from 'yaml';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;

const template = (name: string, path: string): object => ({
  metadata: { name },
  spec: { source: { repoURL: '', path }, destination: { namespace: name } },
});

function set(generators: readonly object[], template: object, more: object = {}): string {
  return stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'all' },
    spec: { generators, template, ...more },
  });
}

/** Each Application with the folder that it takes, and why others are not known. */
async function made(text: string): Promise<string[]> {
  tree.write({ 'set.yaml': text });
  const { applied } = await findIn(tree.root, null, { whyNot: 'not-asked' });
  return applied.sources.map(({ source: { name, recipe }, refusal }) => {
    const files = recipe?.tool === 'none' ? recipe.files.map((file) => file.slice(tree.root.length + 1)) : [];
    return `${name}: ${refusal?.message ?? files.join(' ')}`;
  });
}

const go = { goTemplate: true, goTemplateOptions: ['missingkey=error'] };

describe('the generators of an ApplicationSet', () => {
  beforeEach(() => {
    tree.write({
      'apps/Web_1.0/pod.yaml': pod('web'),
      'apps/db/pod.yaml': pod('db'),
      'apps/db/nested/pod.yaml': pod('nested'),
      'apps/.hidden/pod.yaml': pod('hidden'),
      'clusters/prod/config.yaml':
        '- {app: web, replicas: 3, at: {zone: a}}\n- {app: db, replicas: 1, at: {zone: b}}\n',
      'clusters/eu/test/config.yaml': 'app: db\nreplicas: 1\nat: {zone: c}\n',
    });
  });

  it('of folders match one step with a star, however many there are, and leave hidden folders out', async () => {
    const generator = { git: { directories: [{ path: 'apps/**' }, { path: 'apps/none', exclude: true }] } };
    assert.deepEqual(await made(set([generator], template('{{path.basenameNormalized}}', '{{path}}'))), [
      'Application web-1.0: apps/Web_1.0/pod.yaml',
      'Application db: apps/db/pod.yaml',
    ]);
    assert.deepEqual(await made(set([generator], template('{{path[1]}}-{{ path[0] }}', '{{path}}'))), [
      'Application Web_1.0-apps: apps/Web_1.0/pod.yaml',
      'Application db-apps: apps/db/pod.yaml',
    ]);
  });

  it("of files match as git's, and take lists, names of files, values and prefixes", async () => {
    const git = {
      files: [{ path: 'clusters/*.yaml' }],
      values: { full: '{{app}}-{{at.zone}}' },
      pathParamPrefix: 'at',
    };
    const name = '{{values.full}}-{{at.path.basename}}-{{at.path.filename}}';
    assert.deepEqual(await made(set([{ git }], template(name, 'apps/{{app}}'))), [
      'Application db-c-test-config.yaml: apps/db/pod.yaml',
      'Application web-a-prod-config.yaml: it does not say which repository its path is in',
      'Application db-b-prod-config.yaml: apps/db/pod.yaml',
    ]);
  });

  it('of a matrix fill in the second from the first', async () => {
    const list = { list: { elements: [{ app: 'db' }] } };
    const folders = { git: { directories: [{ path: 'apps/{{app}}' }] } };
    assert.deepEqual(await made(set([{ matrix: { generators: [list, folders] } }], template('{{app}}', '{{path}}'))), [
      'Application db: apps/db/pod.yaml',
    ]);
    const files = { git: { files: [{ path: 'clusters/prod/config.yaml' }] } };
    const more = { list: { elementsYaml: '[{name: "{{ .app }}-x"}, {name: "{{ .app }}-y"}]' } };
    const generators = [{ matrix: { generators: [files, more] }, selector: { matchLabels: { 'at.zone': 'b' } } }];
    assert.deepEqual(await made(set(generators, template('{{ .name }}', 'apps/{{ .app }}'), go)), [
      'Application db-x: apps/db/pod.yaml',
      'Application db-y: apps/db/pod.yaml',
    ]);
  });

  it('that are merged say more of what the first makes, and make nothing themselves', async () => {
    const base = {
      list: {
        elements: [
          { app: 'db', name: 'a' },
          { app: 'web', name: 'b' },
        ],
      },
    };
    const more = {
      list: {
        elements: [
          { app: 'db', name: 'c' },
          { app: 'other', name: 'd' },
        ],
      },
    };
    const merge = { generators: [base, more], mergeKeys: ['app'] };
    assert.deepEqual(await made(set([{ merge }], template('{{app}}-{{name}}', 'apps/db'))), [
      'Application db-c: apps/db/pod.yaml',
      'Application web-b: apps/db/pod.yaml',
    ]);
    const twice = { list: { elements: [{ app: 'db' }, { app: 'db' }] } };
    assert.deepEqual(await made(set([{ merge: { ...merge, generators: [base, twice] } }], template('x', 'apps/db'))), [
      'ApplicationSet all: the Applications of its generator merge are not known without Argo CD',
    ]);
  });

  it('of no kind make nothing, and are not missed (#36)', async () => {
    const list = { list: { elements: [{ app: 'db' }] } };
    assert.deepEqual(await made(set([{}, list], template('{{app}}', 'apps/db'))), ['Application db: apps/db/pod.yaml']);
  });

  it('that ask a cluster are named, also within others', async () => {
    const list = { list: { elements: [{ app: 'db' }] } };
    const matrix = { generators: [list, { clusters: {} }] };
    assert.deepEqual(await made(set([{ matrix }, list], template('{{app}}', 'apps/db'))), [
      'Application db: apps/db/pod.yaml',
      'ApplicationSet all: the Applications of its generator clusters are not known without Argo CD',
    ]);
  });

  it('that make more Applications than anybody means are named', async () => {
    const list = { list: { elements: Array.from({ length: 1000 }, (_, index) => ({ [`n${index}`]: 'x' })) } };
    const matrix = { generators: [list, list] };
    assert.deepEqual(await made(set([{ matrix }], template('x', 'apps/db'))), [
      'ApplicationSet all: the Applications of its generator matrix are not known without Argo CD',
    ]);
  });
});

describe('a hostile ApplicationSet', () => {
  const left = 'ApplicationSet all: its template needs Argo CD to be filled in';
  const times = (count: number, text: string): string => text.repeat(count);
  for (const [what, text, expected] of [
    ['branches in branches', `${times(9000, '{{ if .a }}')}x${times(9000, '{{ end }}')}`, left],
    ['brackets in brackets', `{{ ${times(50_000, '(')}.a${times(50_000, ')')} }}`, left],
    ['texts that grow with each function', `{{ .a${times(40, ' | replace "x" "xxxxxxxxxx"')} }}`, left],
    ['a mark between all characters', `{{ .long | replace "" .long }}`, left],
    ['a list that is joined by what it is made of', `{{ join .long (splitList "x" .long) }}`, left],
    ['fifty thousand branches', times(50_000, '{{ if .a }}') + times(50_000, '{{ end }}'), left],
    ['much work that makes little', `{{ .long${times(5000, ' | upper')} | len }}`, left],
  ] as const) {
    it(`with ${what} is left to Argo CD, in bounds`, async () => {
      tree.write({ 'apps/db/pod.yaml': pod('db') });
      const element = { a: 'x', long: 'x'.repeat(100_000) };
      assert.deepEqual(await made(set([{ list: { elements: [element] } }], template(text, 'apps/db'), go)), [expected]);
    });
  }

  it('that asks its second generator again for each of its first is named, though nothing is left of it', async () => {
    const elements = Array.from({ length: 3000 }, (_, index) => ({ a: String(index) }));
    const none = { list: { elements }, selector: { matchLabels: { a: 'none' } } };
    const matrix = { generators: [{ list: { elements } }, none] };
    assert.deepEqual(await made(set([{ matrix }], template('x', 'apps/db'))), [
      'ApplicationSet all: the Applications of its generator list are not known without Argo CD',
    ]);
  });

  it('that writes a long text ten thousand times is counted as far as it is not filled in', async () => {
    const elements = Array.from({ length: 10_000 }, (_, index) => ({ a: String(index) }));
    const long = { metadata: { name: 'app-{{.a}}', annotations: { long: `${'x'.repeat(100_000)}{{.a}}` } }, spec: {} };
    assert.ok((await made(set([{ list: { elements } }], long, go))).includes(left));
  });
});

describe('a hostile ApplicationSet, once more', () => {
  const unknown = (kind: string): string =>
    `ApplicationSet all: the Applications of its generator ${kind} are not known without Argo CD`;

  it('whose elements cannot be read, or are none, is named', async () => {
    const bomb = ['a: &a [x, x]', 'b: &b [*a, *a, *a, *a]', 'c: [*b, *b, *none]'].join('\n');
    for (const elementsYaml of [bomb, 'a: 1', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
      assert.deepEqual(await made(set([{ list: { elementsYaml } }], template('x', 'apps/db'), go)), [unknown('list')]);
    }
    tree.write({ 'c/a.json': `[${'{},'.repeat(50_000)}{}]` });
    const git = { repoURL: '', files: [{ path: 'c/*.json' }] };
    assert.deepEqual(await made(set([{ git }], template('x', 'apps/db'), go)), [unknown('git')]);
  });

  it('with names that no server takes shows none of them', async () => {
    tree.write({ 'apps/db/pod.yaml': pod('db') });
    const elements = ['a\u001b[31m', 'a\nb', '\u202eb', 'n'.repeat(300), 'good'].map((name) => ({ name }));
    assert.deepEqual(await made(set([{ list: { elements } }], template('{{name}}', 'apps/db'))), [
      'Application good: apps/db/pod.yaml',
      'ApplicationSet all: the API server refuses the names of 4 Applications',
    ]);
  });

  it('has no tool run more than a thousand times', async () => {
    tree.write({ 'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n' });
    const elements = Array.from({ length: 1500 }, (_, index) => ({ name: `a${index}` }));
    const found = await made(set([{ list: { elements } }], template('{{name}}', 'chart')));
    const counts = new Map<string, number>();
    for (const text of found) {
      const why = text.replace(/^Application a\d+: /, '');
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(counts), {
      'nothing is rendered (--no-render)': 1000,
      'its ApplicationSet makes more than 1000 that have to be rendered': 500,
    });
  });
});

describe('the template of an ApplicationSet', () => {
  const fill = async (text: string, element: object): Promise<string | undefined> => {
    tree.write({ 'apps/db/pod.yaml': pod('db') });
    const [first] = await made(set([{ list: { elements: [element] } }], template(text, 'apps/db'), go));
    return first?.replace(/^Application |: apps\/db\/pod\.yaml$/g, '');
  };

  for (const [text, expected] of [
    ['{{ index .path.segments 1 }}-{{.path.basename}}', 'b-c'],
    ['a {{- /* nothing */ -}} b', 'ab'],
    ['x {{- " y" }}', 'x y'],
    ['{{ .name | lower | trimSuffix "-app" }}', 'my'],
    ['{{ if eq .env "prod" }}p{{ else if .other }}o{{ else }}n{{ end }}-{{ .env }}', 'p-prod'],
    ['{{ if and .set (not .unset) }}{{ if .unset }}1{{ else }}2{{ end }}{{ end }}', '2'],
    ['{{ if and .missing .set }}1{{ else }}2{{ end }}', '2'],
    ['{{ default "none" .missing }}-{{ .count }}', 'none-3'],
    ['{{ (index .list 0).id }}-{{ replace "_" "-" .under | quote }}', 'x-"a-b"'],
    ['{{ normalize .under }}-{{ `{{env}}` }}', 'a-b-{{env}}'],
    ['{{ splitList "/" .path.path | last }}-{{ ternary "yes" "no" .set }}', 'c-yes'],
  ] as const) {
    it(`fills in ${text}`, async () => {
      const element = {
        path: { path: 'a/b/c', basename: 'c', segments: ['a', 'b', 'c'] },
        ...{ name: 'My-App', env: 'prod', set: true, unset: false, count: 3, under: 'a_b', list: [{ id: 'x' }] },
      };
      assert.equal(await fill(text, element), expected);
    });
  }

  for (const text of [
    '{{ .missing }}',
    '{{ .name.deeper }}',
    '{{ range .list }}x{{ end }}',
    '{{ env "HOME" }}',
    '{{ constructor }}',
    '{{ if .name }}',
    '{{ .name',
    '{{ end }}',
    '{{ index .list 7 }}',
    '{{ lower 3 }}',
  ]) {
    it(`leaves ${text} to Argo CD`, async () => {
      assert.equal(
        await fill(text, { name: 'x', list: [] }),
        'ApplicationSet all: its template needs Argo CD to be filled in',
      );
    });
  }

  it('is changed by that of a generator, and by a patch for each Application', async () => {
    tree.write({ 'apps/db/pod.yaml': pod('db'), 'apps/web/pod.yaml': pod('web') });
    const list = { elements: [{ app: 'db' }, { app: 'web' }], template: { metadata: { name: '{{ .app }}-own' } } };
    const templatePatch =
      'spec:\n  {{- if eq .app "web" }}\n  source: {path: apps/web}\n  {{- end }}\n  destination: {namespace: "{{ .app }}"}\n';
    assert.deepEqual(await made(set([{ list }], template('shared', 'apps/db'), { ...go, templatePatch })), [
      'Application db-own: apps/db/pod.yaml',
      'Application web-own: apps/web/pod.yaml',
    ]);
  });

  it('that an Application renders makes each of its own once, told where the set is written (#36)', async () => {
    const text = set([{ list: { elements: [{ app: 'db' }] } }], template('{{app}}', 'apps/{{app}}'));
    const spec = { source: { repoURL: '', path: 'argo' }, destination: { namespace: 'argocd' } };
    const root = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'root' }, spec };
    tree.write({
      'apps/db/pod.yaml': pod('db'),
      'argo/kustomization.yaml': 'resources: [set.yaml]\n',
      'argo/set.yaml': `# All of them.\n${text}`,
      'root.yaml': stringify(root),
    });
    const { applied } = await findIn(tree.root, 'v34');
    assert.deepEqual(
      applied.sources.map(({ source: { name, place } }) => [name, place.file.slice(tree.root.length + 1), place.line]),
      [
        ['Application root', 'root.yaml', 1],
        ['Application db', 'argo/set.yaml', 2],
      ],
    );
  });
});
