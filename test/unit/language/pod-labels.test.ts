import assert from 'node:assert/strict';
import { type Position, ResponseError } from 'vscode-languageserver';
import { linkedRanges, prepareRename, references, rename } from '../../../server/src/language/navigation/index.ts';
import { TestWorkspace } from './test-workspace.ts';

const workload = (name: string, port: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { app: ${name} } }
spec:
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: "${name}"
        tier: front
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector:
                matchExpressions:
                  - { key: app, operator: In, values: [${name}, other] }
              topologyKey: kubernetes.io/hostname
            - labelSelector: { matchLabels: { app: ${name} } }
              namespaces: [elsewhere]
              topologyKey: kubernetes.io/hostname
      containers:
        - name: main
          image: nginx
          ports: [{ name: ${port}, containerPort: 80 }]
          readinessProbe: { httpGet: { port: ${port}, path: / } }
`;

const service = (name: string, selector: string, port: string): string => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec:
  selector: { ${selector} }
  ports: [{ port: 80, targetPort: ${port} }]
`;

const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: shop }
spec:
  podSelector: { matchLabels: { app: web } }
  ingress:
    - from: [{ podSelector: { matchLabels: { app: api } } }]
      ports: [{ port: http }]
`;

const files = {
  'web.yaml': workload('web', 'http'),
  'api.yaml': workload('api', 'http'),
  'services.yaml': [
    service('web', 'app: web', 'http'),
    service('api', 'app: api', 'http'),
    service('elsewhere', 'app: web', 'http').replace('namespace: shop', 'namespace: bank'),
  ].join('---\n'),
  'policy.yaml': policy,
};

async function open(changed: Partial<typeof files> = {}): Promise<TestWorkspace> {
  return TestWorkspace.of({ ...files, ...changed });
}

/** Behind the first letter of a part of a text. */
function inside(workspace: TestWorkspace, path: string, part: string, offset: number): Position {
  const { documents } = workspace.file(path);
  const text = documents.map(({ document }) => document.text).join('');
  const at = text.indexOf(part);
  assert.notEqual(at, -1, part);
  const before = text.slice(0, at + offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

function renamed(workspace: TestWorkspace, path: string, position: Position, name: string): Record<string, string> {
  const edit = rename(workspace.file(path), position, name, workspace.facts);
  assert.ok(!(edit instanceof ResponseError), edit instanceof ResponseError ? edit.message : '');
  return workspace.apply(edit);
}

describe('labels of pods', () => {
  it('[ED-6] are renamed with all that selects the pods, in their namespace only', async () => {
    const workspace = await open();
    const changed = renamed(workspace, 'web.yaml', inside(workspace, 'web.yaml', 'app: "web"', 7), 'store');
    assert.equal(
      changed['web.yaml'],
      files['web.yaml']
        .replace('      app: web\n', '      app: store\n')
        .replace('"web"', '"store"')
        .replace('[web, other]', '[store, other]'),
    );
    assert.equal(changed['services.yaml'], files['services.yaml'].replace('app: web', 'app: store'));
    assert.equal(changed['policy.yaml'], files['policy.yaml'].replace('app: web', 'app: store'));
    assert.equal(changed['api.yaml'], undefined);
  });

  it('[ED-6] have their key renamed in every selector of the namespace', async () => {
    const workspace = await open();
    const key = 'app.kubernetes.io/name';
    const changed = renamed(workspace, 'web.yaml', inside(workspace, 'web.yaml', 'app: "web"', 1), key);
    assert.match(changed['web.yaml']!, /matchLabels:\n {6}app\.kubernetes\.io\/name: web\n/);
    assert.match(changed['web.yaml']!, /key: app\.kubernetes\.io\/name, operator: In/);
    assert.match(changed['web.yaml']!, /labels: \{ app: web \}/);
    assert.match(changed['api.yaml']!, /app\.kubernetes\.io\/name: "api"/);
    assert.match(changed['policy.yaml']!, /matchLabels: \{ app\.kubernetes\.io\/name: api \}/);
  });

  it('[ED-6] are found from a selector', async () => {
    const workspace = await open();
    const position = inside(workspace, 'services.yaml', 'app: web', 6);
    const found = references(workspace.file('services.yaml'), position, workspace.facts, true);
    assert.deepEqual(
      found.map(({ uri }) => uri.slice('file:///'.length)),
      ['web.yaml', 'services.yaml', 'web.yaml', 'web.yaml', 'policy.yaml'],
    );
  });

  it('[ED-6] are refused a value that the API server refuses', async () => {
    const workspace = await open();
    const position = inside(workspace, 'web.yaml', 'app: "web"', 7);
    const answer = rename(workspace.file('web.yaml'), position, 'a b', workspace.facts);
    assert.ok(answer instanceof ResponseError);
    assert.match(answer.message, /^a b: /);
  });

  it('[ED-6] are typed together with the selector that must match them', async () => {
    const workspace = await open();
    const file = workspace.file('web.yaml');
    const texts = (position: Position): string[] | undefined =>
      linkedRanges(file, position, workspace.facts)?.ranges.map(({ start, end }) =>
        files['web.yaml'].split('\n')[start.line]!.slice(start.character, end.character),
      );
    assert.deepEqual(texts(inside(workspace, 'web.yaml', 'app: "web"', 7)), ['web', 'web', 'web']);
    assert.deepEqual(texts(inside(workspace, 'web.yaml', 'app: "web"', 1)), ['app', 'app', 'app']);
    assert.equal(texts(inside(workspace, 'web.yaml', 'tier', 1)), undefined);
    assert.equal(texts(inside(workspace, 'web.yaml', 'image', 1)), undefined);
  });
});

describe('ports of pods', () => {
  it('[ED-6] are renamed in the workload and in what selects it, and nowhere else', async () => {
    const workspace = await open();
    const position = inside(workspace, 'web.yaml', 'name: http', 7);
    const prepared = prepareRename(workspace.file('web.yaml'), position, workspace.facts);
    assert.ok(!(prepared instanceof ResponseError));
    assert.equal(prepared.placeholder, 'http');
    const changed = renamed(workspace, 'web.yaml', position, 'web-http');
    assert.equal(changed['web.yaml'], files['web.yaml'].replaceAll(': http', ': web-http'));
    assert.equal(changed['services.yaml'], files['services.yaml'].replace('targetPort: http', 'targetPort: web-http'));
    assert.equal(changed['policy.yaml'], files['policy.yaml'].replace('port: http', 'port: web-http'));
    assert.equal(changed['api.yaml'], undefined);
  });

  it('[ED-6] are renamed together in all workloads that one service selects', async () => {
    const both = service('both', 'tier: front', 'http');
    const workspace = await open({ 'services.yaml': both });
    const changed = renamed(
      workspace,
      'services.yaml',
      inside(workspace, 'services.yaml', 'targetPort: http', 13),
      'h',
    );
    assert.equal(changed['services.yaml'], both.replace('targetPort: http', 'targetPort: h'));
    for (const name of ['web.yaml', 'api.yaml'] as const) {
      assert.equal(changed[name], files[name].replaceAll(': http', ': h'));
    }
  });

  it('[ED-6] do not take the name of another port', async () => {
    const two = files['web.yaml'].replace('ports: [', 'ports: [{ name: admin, containerPort: 81 }, ');
    const workspace = await open({ 'web.yaml': two });
    const answer = rename(
      workspace.file('web.yaml'),
      inside(workspace, 'web.yaml', 'name: http', 7),
      'admin',
      workspace.facts,
    );
    assert.ok(answer instanceof ResponseError);
    assert.equal(answer.message, 'Deployment web has a port admin already.');
  });
});
