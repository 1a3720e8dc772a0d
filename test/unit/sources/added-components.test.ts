import assert from 'node:assert/strict';
import { it } from 'mocha';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

/** Components change what the kustomization takes, and its patches what they make, as if it named them itself. */
describeWithTools('components that an object adds to a kustomization', () => {
  const objects: Readonly<Record<string, string>> = {
    'a Flux Kustomization':
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\nspec: {path: ./web/app, components: [../../parts/database], sourceRef: {kind: GitRepository, name: flux-system}}\n',
    'an Application':
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {path: web/app, kustomize: {components: [../../parts/database]}}, destination: {}}\n',
  };
  for (const [title, object] of Object.entries(objects)) {
    it(`are changed by its patches: ${title} (#36)`, async () => {
      tree.write({
        'clusters/web.yaml': object,
        'parts/database/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [database.yaml]\nimages: [{name: nginx, newTag: "2"}]\n',
        'parts/database/database.yaml':
          'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: database}\nspec: {replicas: 1}\n',
        'web/app/kustomization.yaml': 'resources: [pod.yaml]\npatches: [{path: patch.yaml}]\n',
        'web/app/pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "nginx:1"}]}\n',
        'web/app/patch.yaml':
          'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: database}\nspec: {replicas: 3}\n',
      });
      const { applied } = await findIn(tree.root, 'v34');
      const specs = applied.sources.map(({ made }) => made.map(({ object }) => JSON.stringify(object.value['spec'])));
      assert.deepEqual(specs, [['{"replicas":3}', '{"containers":[{"image":"nginx:2","name":"web"}]}']]);
    });
  }
});
