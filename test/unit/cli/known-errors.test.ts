import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const tree = temporaryTree();

/** The errors that `podium check` finds, and what it counts as not seen. */
async function errors(
  ...args: readonly string[]
): Promise<{ readonly errors: readonly string[]; readonly unseen: readonly string[] }> {
  const { stdout, stderr } = await podium(['check', '.', '--format', 'json', ...args], {
    cwd: tree.root,
    env: args.includes('--no-render') ? {} : { PATH: toolFolder('v34') },
  });
  assert.notEqual(stdout, '', stderr);
  const { problems, unseen } = JSON.parse(stdout) as {
    readonly problems: readonly { readonly path: string; readonly severity: string; readonly message: string }[];
    readonly unseen: readonly { readonly kind: string; readonly name: string }[];
  };
  return {
    errors: problems.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path}: ${message}`),
    unseen: unseen.map(({ kind, name }) => `${kind} ${name}`),
  };
}

const deployment = (name: string, spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const whole =
  '{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}';
const part = '{template: {spec: {containers: [{name: a, args: [b]}]}}}';

describe('podium check raises no error for what is not applied as it is written', () => {
  it('where a component takes a patch that does not say its version', async () => {
    tree.write({
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: patch.yaml, target: {kind: ConfigMap}}]\n',
      'component/patch.yaml': 'kind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n',
      'alone.yaml': 'kind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n',
    });
    assert.deepEqual((await errors('--no-render')).errors, ['alone.yaml: error validating data: apiVersion not set']);
  });

  it('and counts no definition as a part of one that no kustomization takes', async () => {
    const crd = (spec: string): string =>
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec:\n${spec}`;
    tree.write({
      'config/kustomization.yaml': 'resources: [map.yaml]\n',
      'config/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'config/crd.yaml': crd('  group: b.c\n  versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]\n'),
      'config/late.yaml': crd('  versions: [{name: v1}]\n  group: b.c\n').replace('as.b.c', 'ds.b.c'),
      'config/part.yaml': crd('  conversion: {strategy: Webhook}\n'),
    });
    const { unseen } = await errors('--no-render');
    assert.deepEqual(
      unseen.filter((each) => each.endsWith('.yaml')),
      ['part config/part.yaml'],
    );
  });

  it('where a document is no YAML: that is the one error', async () => {
    tree.write({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: *none\n' });
    const found = (await errors('--no-render')).errors;
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0]!, /There is no anchor/);
  });

  it('where a patch lies beside a ConfigMap in one file that no kustomization takes', async () => {
    tree.write({
      'app/kustomization.yaml': 'resources: [web.yaml]\n',
      'app/web.yaml': deployment('web', whole),
      'app/production.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n${deployment('web', part)}`,
      'app/both.yaml': `${deployment('other', whole)}---\n${deployment('web', part)}`,
    });
    const found = await errors('--no-render');
    assert.deepEqual([...new Set(found.errors.map((text) => text.split(':')[0]))], ['app/both.yaml']);
    assert.deepEqual(found.unseen, ['source app', 'part app/production.yaml']);
  });
});

describeWithTools('podium check of Kustomizations', () => {
  const kustomization = (name: string, spec: object): string =>
    JSON.stringify({ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name }, spec });

  it('raises no error for an empty variable that a patch of one that cannot be built may fill in', async () => {
    const patch = { patch: kustomization('any', { wait: true }), target: { kind: 'Kustomization' } };
    tree.write({
      'top.yaml': kustomization('top', { path: './flux', patches: [patch] }),
      'flux/child.yaml': kustomization('child', { path: './app', postBuild: { substitute: { A: 'a' } } }),
      'flux/broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: *none\n',
      'app/volume.yaml':
        'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a}\nspec:\n  capacity: {storage: 1Mi}\n  accessModes: [ReadWriteMany]\n  nfs:\n    server: "${SERVER}"\n    path: "/${A}"\n',
    });
    const found = await errors();
    assert.deepEqual(
      found.errors.map((text) => text.split(':')[0]),
      ['flux/broken.yaml'],
      found.errors.join('\n'),
    );
    tree.write({ 'flux/broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n' });
    assert.match((await errors()).errors.join('\n'), /spec\.nfs\.server: Required value/);
    // What is remote is known before anything is rendered.
    const components = 'components: ["https://host.invalid/team/parts"]\n';
    tree.write({ 'flux/kustomization.yaml': `resources: [child.yaml, broken.yaml]\n${components}` });
    assert.deepEqual((await errors()).errors, []);
  });
});
