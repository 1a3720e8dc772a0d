import assert from 'node:assert/strict';
import { TestWorkspace } from './test-workspace.ts';

const written = (fields: Readonly<Record<string, string>>): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${fields['name'] ?? 'web'}
spec:
  replicas: ${fields['replicas'] ?? '1'}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      nodeName: ${fields['node'] ?? '""'}
      containers:
        - name: web
          image: web
          resources: { requests: { memory: ${fields['memory'] ?? '1Gi'}, cpu: 1 } }
`;

async function codesOf(fields: Readonly<Record<string, string>>): Promise<unknown[]> {
  const workspace = await TestWorkspace.of({ 'a.yaml': written(fields) });
  return workspace.diagnostics('a.yaml').map(({ code }) => code);
}

describe('values that are filled in before a manifest is applied', () => {
  for (const [what, fields] of [
    ['a quantity of Flux', { memory: '"${MEMORY:=5Gi}"' }],
    ['a number of Flux', { replicas: '${REPLICAS:=3}' }],
    ['a part of a name', { name: 'web-${ENVIRONMENT}' }],
    ['a node between signs of percent', { node: '"%NODE%"' }],
    ['a part of a quantity', { memory: '"%MEMORY%Gi"' }],
  ] as const) {
    it(`says nothing of ${what}`, async () => {
      assert.deepEqual(await codesOf(fields), []);
    });
  }

  it('says nothing of an object whose name is one of them, and nothing of others for its sake', async () => {
    const budget = `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 1, selector: { matchLabels: { app: web } } }\n`;
    const named = (name: string): string => `${written({ name, node: 'nowhere', replicas: 'many' })}---\n${budget}`;
    const codes = async (text: string): Promise<unknown[]> => {
      const workspace = await TestWorkspace.of({ 'a.yaml': text });
      return workspace.diagnostics('a.yaml').map(({ code }) => code);
    };
    assert.ok((await codes(named('web'))).includes('wrong-type'));
    for (const name of ['web-{name}', '"%NAME%-web"', 'web-${app}', '<NAME>']) {
      assert.deepEqual(await codes(named(name)), [], name);
    }
    assert.deepEqual(await codes(`apiVersion: v1\nkind: \${KIND}\nmetadata: { name: web }\n`), []);
  });

  it('says what is wrong beside them', async () => {
    assert.deepEqual(await codesOf({ memory: '"${MEMORY:=5Gi}"', replicas: 'many' }), ['wrong-type']);
    assert.deepEqual(await codesOf({ memory: '5%' }), ['wrong-type']);
  });
});

describe('a document that is read in part', () => {
  it('is not warned about, as the rest may say otherwise', async () => {
    const budget =
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec:\n  minAvailable: 1\n  selector: { matchLabels: { app: web } }\n';
    const codes = async (rest: string): Promise<unknown[]> => {
      const workspace = await TestWorkspace.of({ 'a.yaml': `${written({})}---\n${budget}${rest}` });
      return workspace.diagnostics('a.yaml').map(({ code }) => code);
    };
    assert.deepEqual(await codes(''), ['budget-blocks-evictions']);
    assert.deepEqual(await codes('  "unhealthyPodEvic: [\n'), ['yaml-syntax']);
  });
});
