import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeWithTools } from '../../support/kubernetes-tools.ts';
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

  it('takes into clusters what lies beside them in the folder of one that has theirs in it (#36)', async () => {
    tree.write({
      'fleet/prod.yaml': flux('apps', './apps/fleet'),
      'fleet/east/prod.yaml': flux('apps', './apps/east'),
      'fleet/west/prod.yaml': flux('apps', './apps/west'),
      'fleet/common/kustomization.yaml': takes('pod.yaml'),
      'fleet/common/pod.yaml': pod('common'),
      'apps/fleet/pod.yaml': pod('web'),
      'apps/east/pod.yaml': pod('web'),
      'apps/west/pod.yaml': pod('web'),
    });
    const byTarget = await sourcesByTarget();
    assert.deepEqual(Object.keys(byTarget), ['east', 'fleet', 'west']);
    for (const sources of Object.values(byTarget)) assert.ok(sources.includes('fleet/common'), sources.join());
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

  it('tells clusters of several owners apart, each in the folder of its owner (#36)', async () => {
    const apps = (owner: string, cluster: string): Record<string, string> => ({
      [`argocd/envs/${owner}/${cluster}/apps.yaml`]: application(`apps-${owner}`, `apps/${cluster}`),
      [`argocd/envs/${owner}/${cluster}/own.yaml`]: application(`own-${cluster}`, `own/${cluster}`),
      [`apps/${cluster}/pod.yaml`]: pod('web'),
      [`own/${cluster}/pod.yaml`]: pod(cluster),
    });
    tree.write({
      ...apps('moc', 'demo'),
      ...apps('moc', 'jerry'),
      ...apps('osc', 'first'),
      ...apps('osc', 'second'),
    });
    assert.deepEqual(await sourcesByTarget(), {
      demo: ['Application apps-moc', 'Application own-demo'],
      first: ['Application apps-osc', 'Application own-first'],
      jerry: ['Application apps-moc', 'Application own-jerry'],
      second: ['Application apps-osc', 'Application own-second'],
    });
  });

  it('applies one of the clusters, and never two, with what is written for environments that no cluster has (#36)', async () => {
    tree.write({
      'clusters/main/apps.yaml': flux('apps', './apps/main'),
      'clusters/main/media.yaml': flux('media', './media'),
      'clusters/utility/apps.yaml': flux('apps', './apps/utility'),
      'clusters/utility/dns.yaml': flux('dns', './dns'),
      'apps/main/pod.yaml': pod('web'),
      'apps/utility/pod.yaml': pod('web'),
      'dns/pod.yaml': pod('dns'),
      'media/pod.yaml': pod('media'),
      'jobs/base/kustomization.yaml': takes('pod.yaml'),
      'jobs/base/pod.yaml': pod('job'),
      'jobs/overlays/blue/kustomization.yaml': takes('../../base'),
      'jobs/overlays/green/kustomization.yaml': takes('../../base'),
    });
    const targets = await sourcesByTarget();
    const ofMain = ['Kustomization flux-system/apps', 'Kustomization flux-system/media'];
    assert.deepEqual(targets['green'], [...ofMain, 'jobs/overlays/green']);
    assert.deepEqual(targets['main'], [...ofMain, 'jobs/overlays/blue']);
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

  it('applies nothing of the folder of an environment in another one, whatever its alternatives are called (#36)', async () => {
    tree.write({
      'argocd/dev/logging.yaml': application('logging', 'logging'),
      'argocd/dev/put-away/logging.yaml': application('logging', 'logging'),
      'logging/pod.yaml': pod('logging'),
      'web/base/kustomization.yaml': takes('pod.yaml'),
      'web/base/pod.yaml': pod('web'),
      'web/overlays/production/kustomization.yaml': takes('../../base'),
      'web/overlays/uat/kustomization.yaml': takes('../../base'),
    });
    assert.deepEqual(await sourcesByTarget(), {
      dev: ['Application logging'],
      production: ['web/overlays/production'],
      'put-away': ['Application logging'],
      uat: ['web/overlays/uat'],
    });
  });

  it('keeps the clusters of one environment apart (#36)', async () => {
    const files: Record<string, string> = {
      'apps/base/kustomization.yaml': takes('pod.yaml'),
      'apps/base/pod.yaml': pod('base'),
      'apps/mail/base/kustomization.yaml': takes('pod.yaml'),
      'apps/mail/base/pod.yaml': pod('mail'),
      'apps/mail/prod/00/kustomization.yaml': takes('../../base'),
      'apps/mail/prod/01/kustomization.yaml': takes('../../base'),
    };
    for (const name of ['dev', 'prod']) {
      files[`clusters/${name}/base/kustomization.yaml`] = takes('../../../apps/base', 'pod.yaml');
      files[`clusters/${name}/base/pod.yaml`] = pod(name);
      files[`apps/web/${name}/kustomization.yaml`] = takes('../../base');
      for (const cluster of ['00', '01']) {
        files[`clusters/${name}/${cluster}/kustomization.yaml`] = takes('../base');
      }
    }
    tree.write(files);
    assert.deepEqual(await sourcesByTarget(), {
      'dev/00': ['apps/web/dev', 'clusters/dev/00'],
      'dev/01': ['apps/web/dev', 'clusters/dev/01'],
      'prod/00': ['apps/mail/prod/00', 'apps/web/prod', 'clusters/prod/00'],
      'prod/01': ['apps/mail/prod/01', 'apps/web/prod', 'clusters/prod/01'],
    });
  });

  it('takes what lies beside environments in a folder of clusters for environments, too (#36)', async () => {
    const files: Record<string, string> = { 'base/kustomization.yaml': takes('pod.yaml'), 'base/pod.yaml': pod('web') };
    for (const name of ['dev', 'ithc', 'prod']) {
      files[`clusters/${name}/kustomization.yaml`] = takes('../../base');
      files[`apps/web/${name}/00/kustomization.yaml`] = takes('../../../../base');
      files[`apps/web/${name}/base/kustomization.yaml`] = `namespace: web\n${takes('../../../../base')}`;
    }
    tree.write(files);
    const of = (name: string): string[] => [`apps/web/${name}/00`, `apps/web/${name}/base`, `clusters/${name}`];
    assert.deepEqual(await sourcesByTarget(), { dev: of('dev'), ithc: of('ithc'), prod: of('prod') });
  });

  it('keeps the clusters of one environment apart to which objects of one name deliver (#36)', async () => {
    const files: Record<string, string> = {};
    for (const path of ['dev/00', 'prod/00', 'prod/01']) {
      files[`clusters/${path}/apps.yaml`] = flux('apps', `./apps/${path.split('/')[0]!}`);
      files[`clusters/${path}/own.yaml`] = flux(`own-${path.replace('/', '-')}`, `./own/${path}`);
      files[`apps/${path.split('/')[0]!}/pod.yaml`] = pod('web');
      files[`own/${path}/pod.yaml`] = pod('own');
    }
    tree.write(files);
    const named = (...names: string[]): string[] => names.map((name) => `Kustomization flux-system/${name}`);
    assert.deepEqual(await sourcesByTarget(), {
      dev: named('apps', 'own-dev-00'),
      'prod/00': named('apps', 'own-prod-00'),
      'prod/01': named('apps', 'own-prod-01'),
    });
  });

  it('applies one base for several tenants of an environment, each in a namespace of its own (#36)', async () => {
    const files: Record<string, string> = { 'base/kustomization.yaml': takes('pod.yaml'), 'base/pod.yaml': pod('web') };
    for (const name of ['dev', 'prod']) {
      for (const tenant of ['a', 'b']) {
        files[`${name}/${tenant}/kustomization.yaml`] = `namespace: ${tenant}\n${takes('../../base')}`;
      }
    }
    tree.write(files);
    assert.deepEqual(await sourcesByTarget(), { dev: ['dev/a', 'dev/b'], prod: ['prod/a', 'prod/b'] });
  });

  it('applies overlays beside each other that are of no environment and have a namespace each (#36)', async () => {
    tree.write({
      'base/kustomization.yaml': takes('pod.yaml'),
      'base/pod.yaml': pod('web'),
      'premium/kustomization.yaml': `namespace: premium\n${takes('../base')}`,
      'standard/kustomization.yaml': `namespace: standard\n${takes('../base')}`,
      'aws/kustomization.yaml': `namespace: mail\n${takes('../base')}`,
      'gcp/kustomization.yaml': `namespace: mail\n${takes('../base')}`,
    });
    assert.deepEqual(await sourcesByTarget(), {
      aws: ['aws', 'premium', 'standard'],
      gcp: ['gcp', 'premium', 'standard'],
    });
  });

  it('takes overlays of one base for alternatives of which one only has a namespace (#36)', async () => {
    tree.write({
      'base/kustomization.yaml': takes('pod.yaml'),
      'base/pod.yaml': pod('web'),
      'kind/kustomization.yaml': takes('../base'),
      'openshift/kustomization.yaml': `namespace: web\n${takes('../base')}`,
    });
    assert.deepEqual(await sourcesByTarget(), { kind: ['kind'], openshift: ['openshift'] });
  });

  it('takes overlays that nobody delivers for other clusters than those to which their base is delivered (#36)', async () => {
    tree.write({
      'argocd/envs/blue/web.yaml': application('web', 'web/overlays/blue'),
      'argocd/envs/green/web.yaml': application('web', 'web/overlays/green'),
      'argocd/envs/green/mail.yaml': application('mail', 'mail/overlays/green'),
      ...Object.fromEntries(
        ['web/overlays/blue', 'web/overlays/green', 'web/overlays/third', 'web/overlays/fourth'].map((folder) => [
          `${folder}/kustomization.yaml`,
          takes('../../base'),
        ]),
      ),
      'web/base/kustomization.yaml': takes('pod.yaml'),
      'web/base/pod.yaml': pod('web'),
      'mail/overlays/green/pod.yaml': pod('mail'),
      'dns/overlays/third/kustomization.yaml': takes('pod.yaml'),
      'dns/overlays/third/pod.yaml': pod('dns'),
    });
    assert.deepEqual(await sourcesByTarget(), {
      blue: ['Application web'],
      fourth: ['web/overlays/fourth'],
      green: ['Application mail', 'Application web'],
      third: ['dns/overlays/third', 'web/overlays/third'],
    });
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

describeWithTools('clusters that Flux applies with values of their own', () => {
  it('are told apart where kustomizations take in the objects that deliver to them (#36)', async () => {
    const files: Record<string, string> = {};
    for (const folder of ['clusters/main', 'clusters/utility', 'playground/edge']) {
      files[`${folder}/flux/kustomization.yaml`] = takes('sync.yaml');
      files[`${folder}/flux/sync.yaml`] = flux('apps', `./${folder}/apps`);
      files[`${folder}/apps/pod.yaml`] = pod(`web-${folder.split('/')[1]!}`);
    }
    tree.write(files);
    const sources = await findIn(tree.root, 'v34');
    const made = sources.targets.all.map((target) => [
      target.name,
      sources.rendered(target).sources.flatMap((one) => one.made.map(({ object }) => object.name)),
    ]);
    assert.deepEqual(made, [
      ['edge', ['apps', 'web-edge']],
      ['main', ['apps', 'web-main']],
      ['utility', ['apps', 'web-utility']],
    ]);
  });

  it('each get what the objects of one base apply there (#36)', async () => {
    const files: Record<string, string> = {
      'apps/flux.yaml': flux('flux-system', './none'),
      'apps/web.yaml': flux('web', '"./web/${CLUSTER}"'),
    };
    for (const cluster of ['00', '01']) {
      const folder = `clusters/prod/${cluster}`;
      files[`${folder}/kustomization.yaml`] = `${takes('../base')}patches: [{path: flux.yaml}]\n`;
      files[`${folder}/flux.yaml`] = flux('flux-system', `./${folder}`).replace(
        'spec: {',
        `spec: {postBuild: {substitute: {CLUSTER: "${cluster}"}}, `,
      );
      files[`web/${cluster}/pod.yaml`] = pod(`web-${cluster}`);
    }
    files['clusters/prod/base/kustomization.yaml'] = takes('../../../apps/flux.yaml', '../../../apps/web.yaml');
    tree.write(files);
    const sources = await findIn(tree.root, 'v34');
    const made = sources.targets.all.map((target) => [
      target.name,
      sources
        .rendered(target)
        .sources.filter(({ source }) => source.name === 'Kustomization flux-system/web')
        .map(({ made: objects, refusal }) => refusal?.message ?? objects.map(({ object }) => object.name)),
    ]);
    assert.deepEqual(made, [
      ['00', [['web-00']]],
      ['01', [['web-01']]],
    ]);
  });
});
