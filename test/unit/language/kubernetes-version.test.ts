import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Diagnostic } from 'vscode-languageserver';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import { kubernetesFor } from '../../../server/src/language/index/kubernetes-version.ts';
import { defaultSettings } from '../../../server/src/language/settings/settings.ts';
import { snapshotFault } from '../../../server/src/manifests/snapshot-fault.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { TestWorkspace } from './test-workspace.ts';

const nodeOf = (version: string): string => `apiVersion: v1
kind: Node
metadata: { name: a }
status: { nodeInfo: { kubeletVersion: ${version} } }
`;

const podWith = (field: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  ${field}
  containers: [{ name: a, image: a }]
`;

function textOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

async function saidOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const workspace = await TestWorkspace.of(files);
  return workspace.diagnostics('pod.yaml').map(({ severity, message }) => `${severity} ${textOf(message)}`);
}

describe('the Kubernetes that judges in the editor', () => {
  it('is that of the nodes, and what it does not know is an error', async () => {
    const pod = podWith('schedulingGroup: { podGroupName: g }');
    assert.deepEqual(await saidOf({ 'pod.yaml': pod, 'node.yaml': nodeOf('v1.35.1') }), [
      '1 strict decoding error: unknown field "spec.schedulingGroup". It exists in Kubernetes 1.36 and 1.37 only.',
    ]);
    const ignored = await saidOf({ 'pod.yaml': pod, 'node.yaml': nodeOf('v1.36.1') });
    assert.deepEqual(
      ignored.map((text) => text.slice(0, 2)),
      ['4 '],
    );
  });

  it('is a guess where no node says: then a field of another minor is no error', async () => {
    assert.deepEqual(await saidOf({ 'pod.yaml': podWith('workloadRef: { name: a, podGroup: b }') }), [
      '3 This field exists in Kubernetes 1.35 only.',
    ]);
  });

  it('judges values as that minor does, again when the nodes change', async () => {
    const pod = podWith('tolerations: [{ key: a, operator: Gt, value: "1" }]');
    const workspace = await TestWorkspace.of({ 'pod.yaml': pod, 'node.yaml': nodeOf('v1.34.9') });
    const text = (): string =>
      textOf(workspace.diagnostics('pod.yaml').find(({ severity }) => severity === 1)!.message);
    assert.match(text(), /supported values: "Equal", "Exists"$/);
    workspace.write('node.yaml', nodeOf('v1.35.6'));
    assert.match(text(), /supported values: "Equal", "Exists", "Gt", "Lt"$|"Equal", "Exists", "Lt", "Gt"$/);
  });

  it('knows a kind of a later minor, and says which serves it', async () => {
    const policy =
      'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: { name: a }\n';
    assert.deepEqual(await saidOf({ 'pod.yaml': policy, 'node.yaml': nodeOf('v1.34.9') }), [
      '1 no matches for kind "MutatingAdmissionPolicy" in version "admissionregistration.k8s.io/v1". It is served by Kubernetes 1.36 and 1.37.',
    ]);
    assert.deepEqual(await saidOf({ 'pod.yaml': policy }), []);
  });

  it('names the feature gate behind groups of pods', async () => {
    const group = (version: string, kind: string): string =>
      `apiVersion: scheduling.k8s.io/${version}\nkind: ${kind}\nmetadata: { name: a }\n`;
    const [error, ...more] = await saidOf({ 'pod.yaml': group('v1alpha2', 'PodGroup') });
    assert.equal(
      error,
      '1 no matches for kind "PodGroup" in version "scheduling.k8s.io/v1alpha2". In Kubernetes 1.36 it is served where the feature gate GenericWorkload and scheduling.k8s.io/v1alpha2 are switched on. Both are off by default, and pods are scheduled each on its own.',
    );
    assert.deepEqual(more, []);
    const [workload = ''] = await saidOf({ 'pod.yaml': group('v1alpha1', 'Workload'), 'node.yaml': nodeOf('v1.35.6') });
    assert.match(workload, /In Kubernetes 1\.35 it is served where the feature gate GenericWorkload/);
    assert.deepEqual(await saidOf({ 'pod.yaml': group('v1alpha1', 'PodGroup').replace('k8s.io', 'x-k8s.io') }), []);
  });

  it('is known with the reason, and left out of hovers', async () => {
    const workspace = await TestWorkspace.of({ 'pod.yaml': podWith('priority: 0'), 'node.yaml': nodeOf('v1.29.3') });
    const { release, why } = kubernetesFor(workspace.facts, defaultSettings);
    assert.equal(`${release.minor}: ${why}`, '1.34: The nodes run 1.29, older than what is known: answered as 1.34.');
    const { contents } = hover(workspace.file('pod.yaml'), { line: 1, character: 1 }, workspace.facts)!;
    assert.doesNotMatch(contents.value, /1\.34/);
  });

  it('is that of the API server before that of the kubelets, where the snapshot has it', async () => {
    const snapshot = `${nodeOf('v1.34.9')}---\nclientVersion: { gitVersion: v1.36.0 }\nserverVersion: { gitVersion: v1.35.2-eks-1 }\n`;
    assert.equal(snapshotFault(parseManifestFile('file:///s.yaml', snapshot), false), null);
    const { facts } = await TestWorkspace.of({}, { snapshot });
    const { release, why } = kubernetesFor(facts, defaultSettings);
    assert.equal(release.minor, '1.35');
    assert.equal(why, 'The API server of the snapshot is of 1.35.');
  });

  it('is the one of the setting, whatever else is known', async () => {
    const { facts } = await TestWorkspace.of({ 'node.yaml': nodeOf('v1.36.1') });
    const settings = { ...defaultSettings, kubernetes: { ...defaultSettings.kubernetes, version: '1.34' as const } };
    assert.equal(kubernetesFor(facts, settings).release.minor, '1.34');
  });
});
