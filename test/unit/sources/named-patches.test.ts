import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'mocha';
import { asMap } from '../../../server/src/manifests/read-data.ts';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}\n';
const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n';

function objects(patches: readonly object[]): Readonly<Record<string, string>> {
  const of = (apiVersion: string, kind: string, spec: object): string =>
    JSON.stringify({ apiVersion, kind, metadata: { name: 'web' }, spec });
  return {
    'app.yaml': of('argoproj.io/v1alpha1', 'Application', {
      source: { path: 'web', kustomize: { patches } },
      destination: { namespace: 'shop' },
    }),
    'flux.yaml': of('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: './web', patches }),
    'web/kustomization.yaml': 'resources: [web.yaml]\n',
    'web/web.yaml': deployment,
  };
}

async function outcomes(): Promise<string[]> {
  const { applied } = await findIn(tree.root, 'v34');
  return applied.sources
    .map(({ source, made, refusal }) => {
      const replicas = made.map(({ object }) => JSON.stringify(asMap(object.value['spec'])['replicas']));
      return `${source.kind}: ${refusal?.why ?? replicas.join()}`;
    })
    .toSorted();
}

describeWithTools('patches that objects of Flux and Argo CD name by a path', () => {
  it('are those of the folder for Argo CD, and nothing for Flux', async () => {
    tree.write({ ...objects([{ path: 'patch.yaml' }]), 'web/patch.yaml': patch });
    assert.deepEqual(await outcomes(), ['argo-application: 5', 'flux-kustomization: tool-error']);
  });

  it('are not taken from outside of the folder', async () => {
    tree.write({ ...objects([{ path: '../patch.yaml' }]), 'patch.yaml': patch });
    assert.ok((await outcomes()).includes('argo-application: tool-error'));
  });

  it('are never fetched', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(patch);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      tree.write(objects([{ path: `http://127.0.0.1:${port}/patch.yaml` }]));
      assert.deepEqual(await outcomes(), ['argo-application: tool-error', 'flux-kustomization: tool-error']);
      assert.deepEqual(asked, []);
    } finally {
      server.close();
    }
  });
});
