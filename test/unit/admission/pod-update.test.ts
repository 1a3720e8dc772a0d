import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { validatePodUpdate } from '../../../server/src/admission/pods/update.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Pod } from '../../../server/src/kubernetes/objects.ts';
import { podOf, updateErrors, updateTexts } from './judged.ts';

const gated = { schedulingGates: [{ name: 'a/one' }, { name: 'a/two' }] };

function requiring(...terms: JsonObject[]): JsonObject {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
}

const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };
const zoneA = { key: 'zone', operator: 'In', values: ['a'] };

const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const onlyAdditions = 'only additions are allowed (no mutations or deletions)';

describe('validatePodUpdate: gates', () => {
  it('[GATE-2] lets each gate go, in any order', () => {
    assert.deepEqual(updateTexts({ schedulingGates: [{ name: 'a/two' }] }, gated), []);
    assert.deepEqual(updateTexts({ schedulingGates: [{ name: 'a/one' }] }, gated), []);
    assert.deepEqual(updateTexts({}, gated), []);
  });

  it('[GATE-2] lets no gate come', () => {
    const next = { schedulingGates: [{ name: 'a/one' }, { name: 'a/three' }] };
    assert.deepEqual(updateTexts(next, gated), [
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/three'",
    ]);
    assert.deepEqual(updateTexts({ schedulingGates: [{ name: 'a/one' }] }, {}), [
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a/one'",
    ]);
    assert.deepEqual(updateErrors(next, gated)[0]?.at.path, ['spec', 'schedulingGates', 1, 'name']);
  });
});

describe('validatePodUpdate: node selector', () => {
  const selector = { nodeSelector: { disk: 'ssd' } };

  it('[GATE-4] gains entries while the pod is gated', () => {
    assert.deepEqual(
      updateTexts({ ...gated, nodeSelector: { disk: 'ssd', zone: 'a' } }, { ...gated, ...selector }),
      [],
    );
    assert.deepEqual(updateTexts({ ...gated, ...selector }, gated), []);
  });

  it('[GATE-4] loses and changes none', () => {
    for (const nodeSelector of [{}, { disk: 'hdd' }, { zone: 'a' }]) {
      const [error] = updateErrors({ ...gated, nodeSelector }, { ...gated, ...selector });
      assert.equal(error?.at.text, 'spec.nodeSelector');
      assert.equal(error.detail, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)');
    }
  });

  it('[GATE-4] may be tightened together with lifting the last gate', () => {
    assert.deepEqual(updateTexts(selector, gated), []);
  });

  it('[GATE-4] is fixed without gates', () => {
    const [error] = updateErrors(selector, {});
    assert.equal(error?.at.text, 'spec');
    assert.deepEqual(error.at.path, ['spec', 'nodeSelector']);
  });
});

describe('validatePodUpdate: node affinity', () => {
  it('[GATE-5] may be anything where there was none', () => {
    const affinity = requiring({ matchExpressions: [ssd] }, { matchExpressions: [zoneA] });
    assert.deepEqual(updateTexts({ ...gated, affinity }, gated), []);
    assert.deepEqual(updateTexts({ ...gated, affinity }, { ...gated, affinity: {} }), []);
    assert.deepEqual(updateTexts({ ...gated, affinity }, { ...gated, affinity: { nodeAffinity: {} } }), []);
  });

  it('[GATE-6] adds requirements at the end of a term', () => {
    const old = { ...gated, affinity: requiring({ matchExpressions: [ssd] }) };
    assert.deepEqual(updateTexts({ ...gated, affinity: requiring({ matchExpressions: [ssd, zoneA] }) }, old), []);
    const withField = {
      matchExpressions: [ssd],
      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }],
    };
    assert.deepEqual(updateTexts({ ...gated, affinity: requiring(withField) }, old), []);
  });

  it('[GATE-6] puts none in front, changes none, drops none', () => {
    const old = { ...gated, affinity: requiring({ matchExpressions: [ssd] }) };
    for (const matchExpressions of [[zoneA, ssd], [{ ...ssd, values: ['ssd', 'nvme'] }], []]) {
      const errors = updateTexts({ ...gated, affinity: requiring({ matchExpressions }) }, old);
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', /only additions are allowed \(no mutations or deletions\)$/);
    }
  });

  it('[GATE-6] adds and drops no term', () => {
    const old = { ...gated, affinity: requiring({ matchExpressions: [ssd] }) };
    const next = { ...gated, affinity: requiring({ matchExpressions: [ssd] }, { matchExpressions: [zoneA] }) };
    for (const changed of [next, gated]) {
      const [error] = updateErrors(changed, old);
      assert.equal(error?.at.text, terms);
      assert.equal(error.detail, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    }
  });

  it('[GATE-6] leaves a term empty that was empty', () => {
    const [error] = updateErrors(
      { ...gated, affinity: requiring({ matchExpressions: [ssd] }) },
      { ...gated, affinity: requiring({}) },
    );
    assert.deepEqual([error?.at.text, error?.detail], [`${terms}[0]`, onlyAdditions]);
  });

  it('[GATE-7] lets preferred terms change freely', () => {
    const preferring = (weight: number): JsonObject => ({
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight, preference: { matchExpressions: [ssd] } }],
      },
    });
    assert.deepEqual(updateTexts({ ...gated, affinity: preferring(5) }, { ...gated, affinity: preferring(9) }), []);
    assert.deepEqual(updateTexts(gated, { ...gated, affinity: preferring(9) }), []);
  });

  it('keeps pod affinity fixed, gated or not', () => {
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }] },
    };
    assert.deepEqual(updateTexts({ ...gated, affinity }, gated), ['spec: Forbidden: pod updates may not change …']);
  });
});

describe('validatePodUpdate: everything else', () => {
  it('lets images and a lower deadline through', () => {
    const containers = [{ name: 'main', image: 'nginx:2' }];
    assert.deepEqual(updateTexts({ containers, activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 9 }), []);
    assert.deepEqual(updateTexts({ activeDeadlineSeconds: 9 }, { activeDeadlineSeconds: 5 }), [
      'spec.activeDeadlineSeconds: Invalid value: 9: must be less than or equal to previous value',
    ]);
  });

  it('lets no container come or go', () => {
    const containers = ['main', 'proxy'].map((name) => ({ name, image: 'nginx' }));
    assert.deepEqual(updateTexts({ containers }, {}), [
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
  });

  it('[PLA-13] adds tolerations, and changes seconds only', () => {
    const old = { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }] };
    const longer = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    assert.deepEqual(updateTexts({ tolerations: [longer, { key: 'b', operator: 'Exists' }] }, old), []);
    assert.deepEqual(updateTexts({}, old), [
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ]);
  });

  it('points at what changed, as deep as it can', () => {
    const resources = (cpu: string): JsonObject => ({
      containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }],
    });
    const [error] = updateErrors(resources('2'), resources('1'));
    assert.equal(error?.at.text, 'spec');
    assert.deepEqual(error.at.path, ['spec', 'containers', 0, 'resources', 'requests', 'cpu']);
    assert.deepEqual(updateErrors(resources('1'), resources('1000m')), []);
  });

  it('takes defaults that are written out for no change', () => {
    const written = {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      hostNetwork: false,
      nodeSelector: {},
      containers: [{ name: 'main', image: 'nginx', imagePullPolicy: 'Always', resources: {} }],
    };
    assert.deepEqual(updateErrors(written, {}), []);
    assert.deepEqual(updateErrors({}, written), []);
    const probed = (volume: JsonObject, httpGet: JsonObject): JsonObject => ({
      volumes: [{ name: 'a', ...volume }],
      containers: [{ name: 'main', image: 'nginx', livenessProbe: { httpGet: { port: 80, ...httpGet } } }],
    });
    assert.deepEqual(updateErrors(probed({ emptyDir: {} }, { path: '/' }), probed({}, {})), []);
    assert.equal(updateErrors(probed({}, { path: '/ready' }), probed({}, {})).length, 1);
  });

  it('[PRI-7] restores a priority that the new version leaves out', () => {
    assert.deepEqual(updateErrors({ priorityClassName: 'high' }, { priorityClassName: 'high', priority: 5 }), []);
    const changed = updateErrors(
      { priorityClassName: 'high', priority: 6 },
      { priorityClassName: 'high', priority: 5 },
    );
    assert.deepEqual(changed[0]?.at.path, ['spec', 'priority']);
  });

  it('spares selectors that were malformed already', () => {
    const affinity = requiring({ matchExpressions: [{ ...ssd, values: ['not good'] }] });
    assert.deepEqual(updateErrors({ affinity }, { affinity }), []);
  });
});

describe('validatePodUpdate: what it judges twice, and what it lets be', () => {
  const annotated = (cost: string): Pod =>
    podOf({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } });

  it('reports a bad annotation twice, as upstream does, unless it is stored', () => {
    const errors = validatePodUpdate(annotated('x'), annotated('1'));
    assert.deepEqual(
      errors.map(({ detail }) => detail),
      ['must be a 32bit integer', 'must be a 32bit integer'],
    );
    assert.deepEqual(validatePodUpdate(annotated('x'), annotated('y')), []);
  });

  it('goes easy on values of node affinity for the sake of stored values alone', () => {
    const bad = { key: 'disk', operator: 'In', values: ['not a label!'] };
    const stored = requiring({ matchExpressions: [ssd], matchFields: [{ key: 'x', operator: 'In', values: ['n'] }] });
    const next = requiring({
      matchExpressions: [ssd, bad],
      matchFields: [{ key: 'x', operator: 'In', values: ['n'] }],
    });
    const fields = updateErrors({ ...gated, affinity: next }, { ...gated, affinity: stored }).map(
      ({ at: { text: field } }) => field,
    );
    assert.deepEqual(fields, [`${terms}[0].matchExpressions[1].values[0]`, `${terms}[0].matchFields[0].key`]);
  });

  it('judges label keys that are stored twice as v1.33 did', () => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] };
    const twice = {
      ...constraint,
      labelSelector: { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
    };
    const spec = { topologySpreadConstraints: [twice] };
    assert.deepEqual(updateTexts(spec, spec), [
      'spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    ]);
  });
});
