import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findIn } from './find-fixture.ts';
import { temporaryTree } from './temporary-tree.ts';

const tree = temporaryTree();

/** The names of the sources of each target. */
async function sourcesByTarget(): Promise<Record<string, string[]>> {
  const sources = await findIn(tree.root, null, { whyNot: 'not-asked' });
  return Object.fromEntries(
    sources.targets.all.map((target) => [
      target.name,
      sources.rendered(target).sources.map(({ source }) => source.name),
    ]),
  );
}

const flux = (name: string, path: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {path: ${path}, sourceRef: {kind: GitRepository, name: flux-system}}\n`;
const application = (name: string, path: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: argocd}\nspec: {source: {path: ${path}}, destination: {namespace: default}}\n`;
const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
const takes = (...resources: string[]): string => `resources: [${resources.join(', ')}]\n`;

describe('clusters of one repository', () => {
  it('applies what one cluster names beyond the others in that cluster only (#36)', async () => {
    tree.write({
      'clusters/dev/apps.yaml': flux('apps', './apps/dev'),
      'clusters/prod/apps.yaml': flux('apps', './apps/prod'),
      'clusters/prod/loki.yaml': flux('loki', './loki/overlays/prod'),
      'apps/dev/pod.yaml': pod('web'),
      'apps/prod/pod.yaml': pod('web'),
      'loki/base/kustomization.yaml': takes('pod.yaml'),
      'loki/base/pod.yaml': pod('loki'),
      'loki/overlays/dev/kustomization.yaml': takes('../../base'),
      'loki/overlays/prod/kustomization.yaml': takes('../../base'),
      'shared/kustomization.yaml': takes('pod.yaml'),
      'shared/pod.yaml': pod('shared'),
    });
    assert.deepEqual(await sourcesByTarget(), {
      dev: ['Kustomization flux-system/apps', 'loki/overlays/dev', 'shared'],
      prod: ['Kustomization flux-system/apps', 'Kustomization flux-system/loki', 'shared'],
    });
  });

  it('tells clusters apart by their folders, whatever their names are (#36)', async () => {
    tree.write({
      'clusters/main/apps.yaml': flux('apps', './apps/main'),
      'clusters/main/media.yaml': flux('media', './media'),
      'clusters/utility/apps.yaml': flux('apps', './apps/utility'),
      'clusters/edge/apps.yaml': flux('apps', './apps/edge'),
      'clusters/edge/dns.yaml': flux('dns', './dns'),
      'clusters/utility/dns.yaml': flux('dns', './dns'),
      'apps/main/pod.yaml': pod('web'),
      'apps/utility/pod.yaml': pod('web'),
      'apps/edge/pod.yaml': pod('web'),
      'dns/pod.yaml': pod('dns'),
      'media/pod.yaml': pod('media'),
    });
    const both = ['Kustomization flux-system/apps', 'Kustomization flux-system/dns'];
    assert.deepEqual(await sourcesByTarget(), {
      edge: both,
      main: ['Kustomization flux-system/apps', 'Kustomization flux-system/media'],
      utility: both,
    });
  });

  it('applies no overlay of another environment where there is none of its own (#36)', async () => {
    tree.write({
      'argocd/dev/web.yaml': application('web', 'web/overlays/dev'),
      'argocd/eu-prod/web.yaml': application('web', 'web/overlays/prod'),
      'argocd/staging/web.yaml': application('web', 'web/overlays/staging'),
      'argocd/eu-prod/mail.yaml': application('mail', 'mail'),
      'mail/pod.yaml': pod('mail'),
      ...Object.fromEntries(
        ['dev', 'prod', 'staging'].map((name) => [`web/overlays/${name}/kustomization.yaml`, takes('../../base')]),
      ),
      'web/base/kustomization.yaml': takes('pod.yaml'),
      'web/base/pod.yaml': pod('web'),
      'jobs/base/kustomization.yaml': takes('pod.yaml'),
      'jobs/base/pod.yaml': pod('job'),
      'jobs/overlays/prod/kustomization.yaml': takes('../../base'),
      'jobs/overlays/staging/kustomization.yaml': takes('../../base'),
    });
    const targets = await sourcesByTarget();
    assert.deepEqual(targets['dev'], ['Application web']);
    assert.deepEqual(targets['staging'], ['Application web', 'jobs/overlays/staging']);
    assert.deepEqual(targets['eu-prod'], ['Application mail', 'Application web', 'jobs/overlays/prod']);
  });

  it('tells kustomizations of clusters with the same name apart by the folder above them (#36)', async () => {
    tree.write({
      'base/web/kustomization.yaml': takes('pod.yaml'),
      'base/web/pod.yaml': pod('web'),
      'clusters/one/team/apps/web/kustomization.yaml': takes('../../../../../base/web'),
      'clusters/two/team/apps/web/kustomization.yaml': takes('../../../../../base/web'),
    });
    assert.deepEqual(await sourcesByTarget(), {
      one: ['clusters/one/team/apps/web'],
      two: ['clusters/two/team/apps/web'],
    });
  });
});
