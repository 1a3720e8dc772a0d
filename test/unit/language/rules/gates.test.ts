import { checkRule } from './check-rule.ts';

const gated = (gates: readonly string[], more = ''): string => `apiVersion: v1
kind: Pod
metadata:
  name: migration
spec:
${gates.length === 0 ? '' : `  schedulingGates:\n${gates.map((gate) => `    - name: ${gate}\n`).join('')}`}${more}  containers:
    - name: migrate
      image: migrate
`;

const committed = (text: string) => ({ committed: { 'manifest.yaml': text } });

describe('gate-added', () => {
  it('[GATE-2] [ED-3] refuses a gate that the committed pod does not have, and takes it back', () =>
    checkRule('gate-added', {
      manifest: gated(['example.com/one', '‹example.com/two›']),
      ...committed(gated(['example.com/one'])),
      severity: 'error',
      message:
        "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/two' (compared with git HEAD)",
      fixes: { 'Take back the gate': gated(['example.com/one']) },
    }));

  it('[GATE-2] takes back the whole list with its only gate', () =>
    checkRule('gate-added', {
      manifest: gated(['‹example.com/two›']),
      ...committed(gated([])),
      fixes: { 'Take back the gate': gated([]) },
    }));

  it('[GATE-2] [ED-3] compares with the cluster snapshot', () =>
    checkRule('gate-added', {
      manifest: gated(['‹example.com/two›']),
      snapshot: `${gated([])}  nodeName: node-a
  serviceAccountName: default
status: { phase: Running }
`.replace('  name: migration', '  name: migration\n  namespace: default\n  uid: 3b9f'),
      message: 'compared with the cluster snapshot',
    }));

  it('[GATE-2] lets gates go, in any order', () =>
    checkRule('gate-added', {
      manifest: gated(['example.com/two']),
      ...committed(gated(['example.com/one', 'example.com/two'])),
    }));

  it('[GATE-2] says nothing about a new pod', () =>
    checkRule('gate-added', { manifest: gated(['example.com/one']), ...committed('# empty\n') }));

  it('[GATE-2] works on JSON', () =>
    checkRule('gate-added', {
      manifest:
        '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"schedulingGates":[{"name":"x/a"},{"name":‹"x/b"›}],"containers":[]}}\n',
      ...committed(
        '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"schedulingGates":[{"name":"x/a"}],"containers":[]}}\n',
      ),
      fixes: {
        'Take back the gate':
          '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"schedulingGates":[{"name":"x/a"}],"containers":[]}}\n',
      },
    }));
});

describe('gated-node-selector', () => {
  const selector = (entries: string): string => gated(['x/a'], `  nodeSelector:\n${entries}`);

  it('[GATE-4] refuses a changed entry and puts it back', () =>
    checkRule('gated-node-selector', {
      manifest: selector('    disk: hdd\n').replace('nodeSelector', '‹nodeSelector›'),
      ...committed(selector('    disk: ssd\n')),
      severity: 'error',
      message: 'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      fixes: { 'Put the entries back as they were': selector('    disk: ssd\n') },
    }));

  it('[GATE-4] refuses a removed entry and puts it back', () =>
    checkRule('gated-node-selector', {
      manifest: selector('    disk: ssd\n').replace('nodeSelector', '‹nodeSelector›'),
      ...committed(selector('    zone: a\n    disk: ssd\n')),
      fixes: { 'Put the entries back as they were': selector('    zone: a\n    disk: ssd\n') },
    }));

  it('[GATE-4] accepts an added entry', () =>
    checkRule('gated-node-selector', {
      manifest: selector('    disk: ssd\n    zone: a\n'),
      ...committed(selector('    disk: ssd\n')),
    }));
});

describe('gated-node-affinity', () => {
  const affinity = (text: string): string =>
    gated(['x/a'], text === '' ? '' : `  affinity:\n    nodeAffinity:\n${text}`);
  const required = (...terms: readonly (readonly string[])[]): string =>
    `      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
${terms.map((keys) => `          - matchExpressions:\n${keys.map((key) => `              - { key: ${key}, operator: Exists }\n`).join('')}`).join('')}`;

  it('[GATE-5] lets a pod without affinity get any', () =>
    checkRule('gated-node-affinity', { manifest: affinity(required(['a'])), ...committed(affinity('')) }));

  it('[GATE-6] lets a term gain requirements', () =>
    checkRule('gated-node-affinity', {
      manifest: affinity(required(['a', 'b'])),
      ...committed(affinity(required(['a']))),
    }));

  it('[GATE-6] refuses another term', () =>
    checkRule('gated-node-affinity', {
      manifest: affinity(required(['a'], ['b'])).replace('nodeSelectorTerms', '‹nodeSelectorTerms›'),
      ...committed(affinity(required(['a']))),
      severity: 'error',
      message: 'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
    }));

  it('[GATE-6] refuses a changed requirement', () =>
    checkRule('gated-node-affinity', {
      manifest: affinity(required(['b'])).replace('- matchExpressions', '- ‹matchExpressions›'),
      ...committed(affinity(required(['a']))),
      message: 'only additions are allowed (no mutations or deletions)',
    }));

  it('[GATE-7] lets preferred terms change freely', () => {
    const preferred = (key: string): string => `      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          preference: { matchExpressions: [{ key: ${key}, operator: Exists }] }
`;
    return checkRule('gated-node-affinity', {
      manifest: affinity(preferred('b')),
      ...committed(affinity(preferred('a'))),
    });
  });
});
