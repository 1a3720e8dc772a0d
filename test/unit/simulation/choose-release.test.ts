import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Minor } from '../../../server/src/util/minors.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { gateProblem } from '../../../server/src/kubernetes/feature-gates.ts';
import { chooseRelease } from '../../../server/src/simulation/cluster/choose-release.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { input, node } from './cluster-builder.ts';

/** A node whose kubelet tells its version. */
function kubelet(name: string, version: string): JsonObject {
  const made = node(name, 4);
  return { ...made, status: { ...(made['status'] as JsonObject), nodeInfo: { kubeletVersion: version } } };
}

function answeredAs(
  workspace: readonly JsonObject[],
  snapshot: readonly JsonObject[] = [],
  kubernetes?: 'auto' | Minor,
): { readonly minor: string; readonly told: string } {
  const given = { ...input(workspace, snapshot), ...(kubernetes === undefined ? {} : { kubernetes }) };
  const report = runToEnd(simulate(given, { kind: 'workspace' }));
  const assumptions = report.assumptions.find(({ text }) => text.startsWith('Kubernetes '));
  return {
    minor: report.kubernetes,
    told: `${assumptions?.mark ?? ''} ${assumptions?.text ?? ''}: ${assumptions?.detail ?? ''}`,
  };
}

describe('which Kubernetes answers', () => {
  it('is the newest that was compared where no node says, and that is assumed', () => {
    const { minor, told: text } = answeredAs([node('a', 4)]);
    assert.equal(minor, '1.36');
    assert.match(text, /^\? Kubernetes 1\.36, default scheduler profile: No node says which version it runs/);
  });

  it('is that of the newest kubelet, as clouds write it too', () => {
    const { minor, told: text } = answeredAs([kubelet('a', 'v1.34.9'), kubelet('b', 'v1.35.2-gke.1346000')]);
    assert.equal(minor, '1.35');
    assert.match(text, /^= Kubernetes 1\.35, .*The newest kubelet of the nodes is of 1\.35\./);
  });

  it('is that of the snapshot before that of the workspace', () => {
    assert.equal(answeredAs([kubelet('a', 'v1.36.1')], [kubelet('b', 'v1.34.3')]).minor, '1.34');
  });

  it('is the nearest that is known for older and newer ones, and says so', () => {
    const old = answeredAs([kubelet('a', 'v1.29.4')]);
    assert.equal(old.minor, '1.34');
    assert.match(old.told, /^\? .*The nodes run 1\.29, older than what is known: answered as 1\.34\./);
    const recent = answeredAs([kubelet('a', 'v1.41.0')]);
    assert.equal(recent.minor, '1.37');
    assert.match(recent.told, /newer than what is known: answered as 1\.37/);
  });

  it('says once of 1.37 that it is as published', () => {
    const standing = /Answered as published; not yet compared with a running scheduler\./g;
    const { minor, told: text } = answeredAs([kubelet('a', 'v1.37.1')]);
    assert.equal(minor, '1.37');
    assert.equal(text.match(standing)?.length, 1);
    assert.match(text, /^= Kubernetes 1\.37, .*The newest kubelet of the nodes is of 1\.37\. Answered as published/);
    assert.doesNotMatch(answeredAs([kubelet('a', 'v1.36.1')]).told, standing);
  });

  it('is the one that is asked for, whatever the nodes say', () => {
    assert.equal(answeredAs([kubelet('a', 'v1.36.1')], [], '1.34').minor, '1.34');
  });

  it('takes no text for a version that is none', () => {
    for (const version of ['', 'v1', '1.35', 'v1.35x', `v1.${'9'.repeat(400)}`]) {
      assert.equal(answeredAs([kubelet('a', version)]).minor, '1.36', version);
    }
  });

  it('[#41] leaves out feature gates that it does not have, and says so', () => {
    const gates = new Map([
      ['VolumeLimitScaling', true],
      ['GangScheduling', true],
      ['HPAScaleToZero', true],
    ]);
    const choice = (minor: Minor) => chooseRelease(minor, { snapshot: [], workspace: [] }, gates);
    const older = choice('1.34');
    assert.match(
      older.why,
      /Kubernetes 1\.34 has no feature gate VolumeLimitScaling and GangScheduling: they are left out\.$/,
    );
    assert.ok(
      !older.release.featureGates.has('VolumeLimitScaling') && older.release.featureGates.has('HPAScaleToZero'),
    );
    assert.equal(choice('1.36').why, 'Kubernetes 1.36 was asked for.');
    assert.match(choice('1.37').why, /Kubernetes 1\.37 has no feature gate GangScheduling: it is left out\.$/);
  });

  // Sources: kube_features.go of pkg/features, apiserver, apiextensions-apiserver, controller-manager, and client-go
  it('[#41] knows the feature gates that change none of its answers by their names', () => {
    for (const gate of [
      'AllowServiceExternalIPs',
      'CRDObservedGenerationTracking',
      'CustomCPUCFSQuotaPeriod',
      'WatchListClient',
    ]) {
      assert.equal(gateProblem(gate), '', gate);
    }
    assert.notEqual(gateProblem('CPUCFSQuotaPeriod'), '', 'what the source calls it and no flag');
  });

  it('[#41] switches all gates of a stage, but for those that are named', () => {
    const on = (minor: Minor, gates: Readonly<Record<string, boolean>>) =>
      chooseRelease(minor, { snapshot: [], workspace: [] }, new Map(Object.entries(gates))).release.featureGates;
    assert.ok(on('1.34', { AllAlpha: true }).has('HPAScaleToZero'));
    assert.ok(!on('1.34', { AllAlpha: true, HPAScaleToZero: false }).has('HPAScaleToZero'));
    assert.ok(!on('1.34', { AllAlpha: true }).has('ImageVolume'), 'beta, and off by default');
    assert.ok(on('1.34', { AllBeta: true }).has('ImageVolume'));
    assert.ok(!on('1.36', { AllBeta: false }).has('StrictIPCIDRValidation'));
    assert.ok(!on('1.36', { AllBeta: false }).has('DRADeviceTaints'));
    assert.ok(on('1.36', { AllBeta: false }).has('ImageVolume'), 'of everybody by then');
  });

  it('[#41] has one feature gate for all of groups in 1.37', () => {
    const gates = new Map([['GenericWorkload', true]]);
    const on = (minor: Minor) => [...chooseRelease(minor, { snapshot: [], workspace: [] }, gates).release.featureGates];
    const others = ['GangScheduling', 'WorkloadAwarePreemption'] as const;
    assert.deepEqual(
      others.filter((gate) => on('1.36').includes(gate)),
      [],
    );
    assert.deepEqual(
      others.filter((gate) => on('1.37').includes(gate)),
      others,
    );
  });
});
