import assert from 'node:assert/strict';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { rewrites } from '../../../server/src/language/checks/rewrites.ts';
import { surroundings, TestWorkspace } from './test-workspace.ts';

const limitRange = `apiVersion: v1
kind: LimitRange
metadata: { name: limits, namespace: shop }
spec: { limits: [{ type: Container, defaultRequest: { cpu: 250m } }] }
`;

const pod = (lines: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: shop }
spec:
  containers:
    - name: ‹›web
      image: nginx
${lines}`;

const bare = '      resources:\n        requests:\n          cpu: "100m"\n          memory: "128Mi"\n';

async function written(source: string, others: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const workspace = await TestWorkspace.of({ ...others, 'a.yaml': source });
  const cursor = workspace.ranges('a.yaml')[0]!;
  const [action] = rewrites(workspace.file('a.yaml'), cursor, workspace.facts);
  if (action?.edit === undefined) return undefined;
  const after = workspace.apply(action.edit)['a.yaml']!;
  for (const { document } of parseManifestFile('', after).documents) assert.deepEqual(document.problems, []);
  workspace.write('a.yaml', after);
  const again = rewrites(workspace.file('a.yaml'), cursor, workspace.facts);
  assert.deepEqual(again, []);
  return after;
}

describe('writing the requests of a container', () => {
  for (const { name, wrap } of surroundings) {
    it(`writes small ones, ${name}`, async () => {
      assert.equal(await written(wrap(pod(''))), wrap(pod(bare)).replace('‹›', ''));
    });
  }

  it('writes what a LimitRange of the namespace gives', async () => {
    const after = await written(pod(''), { 'limits.yaml': limitRange });
    assert.equal(after, pod(bare.replace('100m', '250m')).replace('‹›', ''));
  });

  it('writes what limits give, beside them', async () => {
    const limits = '      resources:\n        limits: { cpu: 2 }\n';
    const requests = '        requests:\n          cpu: "2"\n          memory: "128Mi"\n';
    assert.equal(await written(pod(limits)), pod(limits + requests).replace('‹›', ''));
  });

  it('writes between braces', async () => {
    const flow = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: ‹›a, image: a }] }\n';
    assert.match((await written(flow)) ?? '', /"requests":\{"cpu":"100m","memory":"128Mi"\}/);
  });

  it('offers nothing where requests are written, nor outside of containers', async () => {
    assert.equal(await written(pod('      resources: { requests: { cpu: 1 } }\n')), undefined);
    assert.equal(
      await written('apiVersion: v1\nkind: Pod\nmetadata: { name: ‹›a }\nspec: { containers: [] }\n'),
      undefined,
    );
    assert.equal(await written('‹›'), undefined);
  });
});
