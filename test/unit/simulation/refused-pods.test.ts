import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Report } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { ArrivalPreviews, simulate } from '../../../server/src/simulation/index.ts';
import {
  headlineOf,
  input,
  node,
  placeOf,
  pod,
  podOf,
  podSpec,
  priorityClass,
  running,
  simulated,
  workload,
} from './cluster-builder.ts';

const high = priorityClass('high', 1000);
const old = running('old', 4, 'a', 0);

function messageOf(report: Report, name: string): string {
  return report.decisions[podOf(report, name).decision ?? -1]?.message ?? '';
}

const heavyAffinity: JsonObject = {
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
      ],
    },
  },
};

describe('what the API server refuses', () => {
  for (const [name, refused, text] of [
    [
      'an affinity weight of 101',
      pod('new', 4, { priorityClassName: 'high', ...heavyAffinity }),
      /^Pod "new" is invalid: spec\.affinity\.nodeAffinity\.preferred.*weight: Invalid value: 101: must be in the range 1-100$/,
    ],
    [
      'a name that is none',
      pod('New_1', 4, { priorityClassName: 'high' }),
      /^Pod "New_1" is invalid: metadata\.name: /,
    ],
    [
      'a request below zero, which would add room',
      pod('new', -1, { priorityClassName: 'high' }),
      /^Pod "new" is invalid: spec\.containers\[0\]\.resources\.requests\[cpu\]: Invalid value: "-1": must be greater than or equal to 0$/,
    ],
    [
      'a Deployment with such a template',
      workload('Deployment', 'new', 1, podSpec(4, { priorityClassName: 'high', ...heavyAffinity })),
      /^Deployment\.apps "new" is invalid: spec\.template\.spec\.affinity.*: must be in the range 1-100$/,
    ],
    [
      'a Deployment that selects other pods than its own',
      { ...workload('Deployment', 'new', 1, podSpec(4, { priorityClassName: 'high' })), ...otherLabels('new') },
      /^Deployment\.apps "new" is invalid: spec\.template\.metadata\.labels: .*`selector` does not match template `labels`$/,
    ],
  ] as const) {
    it(`[PRI-4] neither places nor evicts for ${name}, and is told in its words`, () => {
      const report = simulated([high, node('a', 4), old, refused]);
      assert.equal(placeOf(report, 'old'), 'running on a');
      const made = report.pods.find((each) => each.name !== 'old')!;
      assert.equal(made.after.state, 'rejected');
      assert.match(messageOf(report, made.name), text);
      const why = messageOf(report, made.name).replace(/^.* is invalid: /, '');
      const which = refused['kind'] === 'Pod' ? made.name : '1 pod of new';
      assert.equal(headlineOf(report), `${which} is refused: ${why}.`);
      const { kind, metadata } = refused as { kind: string; metadata: { name: string } };
      const preview = runToEnd(
        new ArrivalPreviews(input([high, node('a', 4), old, refused])).arrivalOf({
          kind: 'workload',
          workloadKind: kind,
          namespace: 'default',
          name: metadata.name,
        }),
      );
      assert.equal(preview?.kind, 'rejected');
      assert.equal(preview.text, `rejected: ${messageOf(report, made.name)}`);
    });
  }

  it('[PRI-3] has no class above the range, so that pods which name it are refused, and says that', () => {
    const report = simulated([
      priorityClass('huge', 1_000_000_001),
      node('a', 4),
      old,
      pod('new', 4, { priorityClassName: 'huge' }),
    ]);
    assert.equal(placeOf(report, 'new'), 'rejected');
    assert.equal(messageOf(report, 'new'), 'pods "new" is forbidden: no PriorityClass with name huge was found');
    assert.ok(report.assumptions.some(({ text }) => text === '1 PriorityClass refused by the API server: huge'));
  });

  it('is a misspelled field, too, as strict decoding answers it', () => {
    const text = `apiVersion: v1
kind: Pod
metadata: { name: new }
spec:
  priorityClasName: high
  containers: [{ name: a, image: a }]
`;
    const workspace = declaredObjects(parseManifestFile('file:///a.yaml', text));
    const report = runToEnd(simulate({ workspace, snapshot: [] }, { kind: 'workspace' }));
    assert.equal(
      messageOf(report, 'new'),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.priorityClasName"',
    );
  });

  it('is no field of another minor where the minor is only assumed, as the diagnostics only inform of it', () => {
    const text = `apiVersion: v1
kind: Node
metadata: { name: a }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" }, nodeInfo: { kubeletVersion: v1.33.2 } }
---
apiVersion: v1
kind: Pod
metadata: { name: new }
spec: { schedulingGroup: { podGroupName: x }, containers: [{ name: a, image: a }] }
`;
    const workspace = declaredObjects(parseManifestFile('file:///a.yaml', text));
    const placed = (kubernetes: 'auto' | '1.34'): string =>
      placeOf(runToEnd(simulate({ workspace, snapshot: [], kubernetes }, { kind: 'workspace' })), 'new');
    assert.deepEqual([placed('auto'), placed('1.34')], ['running on a', 'rejected']);
  });

  it('is told of pods of a workload that is itself accepted', () => {
    const web = workload('Deployment', 'web', 2, podSpec(1, { nodeName: 'a', schedulingGates: [{ name: 'x.io/y' }] }));
    const report = simulated([node('a', 4), web]);
    assert.match(headlineOf(report), /^2 pods of web are refused: spec.nodeName: Forbidden/);
    assert.match(
      report.decisions[0]?.message ?? '',
      /^Pod "web-.*" is invalid: spec\.nodeName: Forbidden: cannot be set/,
    );
  });

  it('is not what a patch leaves out, unless patches are known', () => {
    const patch = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'app' }] } } },
    };
    const of = (knowsPatches: boolean) =>
      runToEnd(simulate({ ...input([node('a', 4), patch]), knowsPatches }, { kind: 'workspace' })).pods[0]?.after.state;
    assert.equal(of(false), 'running');
    assert.equal(of(true), 'rejected');
  });

  it('is not what the cluster has accepted already', () => {
    const stored = { ...pod('Stored_1', 1), status: { phase: 'Pending' } };
    assert.equal(placeOf(simulated([node('a', 4), stored]), 'Stored_1'), 'running on a');
  });
});

function otherLabels(name: string): JsonObject {
  return {
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'other' } },
      template: { metadata: { labels: { app: name } }, spec: podSpec(4, { priorityClassName: 'high' }) },
    },
  };
}

describe('a pod whose manifest names a node', () => {
  it('[PLA-11] runs from the start where its kubelet takes it, and is named', () => {
    const report = simulated([
      high,
      node('a', 4),
      pod('there', 4, { nodeName: 'a' }),
      pod('new', 4, { priorityClassName: 'high' }),
    ]);
    assert.deepEqual(podOf(report, 'there').before, { state: 'running', node: 0 });
    assert.equal(placeOf(report, 'there'), 'evicted on a');
    assert.equal(placeOf(report, 'new'), 'running on a');
    assert.ok(report.assumptions.some(({ text }) => text === '1 pod taken for running: default/there'));
    const preview = runToEnd(
      new ArrivalPreviews(input([node('a', 4), pod('there', 4, { nodeName: 'a' })])).arrivalOf({
        kind: 'workload',
        workloadKind: 'Pod',
        namespace: 'default',
        name: 'there',
      }),
    );
    assert.equal(preview?.text, 'runs on a');
  });

  it('[PLA-11][PLA-13] is rejected by a kubelet whose node would end it, unless it tolerates that', () => {
    const tainted = node('a', 4, { spec: { taints: [{ key: 'maint', effect: 'NoExecute' }] } });
    const tolerations = [{ key: 'maint', operator: 'Exists' }];
    const report = simulated([
      tainted,
      pod('new', 1, { nodeName: 'a' }),
      pod('there', 1, { nodeName: 'a', tolerations }),
    ]);
    assert.equal(placeOf(report, 'new'), 'rejected');
    assert.equal(
      messageOf(report, 'new'),
      'TaintToleration: Pod was rejected: Predicate TaintToleration failed: node(s) had untolerated taint(s)',
    );
    assert.equal(placeOf(report, 'there'), 'running on a');
  });

  it('#34 is refused by the kubelet of a node with another operating system, wherever the scheduler placed it', () => {
    const report = simulated([
      node('a', 2, { labels: { 'kubernetes.io/os': 'linux' } }),
      workload('Deployment', 'iis', 2, podSpec(1, { os: { name: 'windows' } })),
      pod('there', 1, { nodeName: 'a', os: { name: 'windows' } }),
      pod('unix', 2, { os: { name: 'linux' } }),
    ]);
    const message = "PodOSNotSupported: Pod was rejected: Failed to admit pod as the OS field doesn't match node OS";
    assert.deepEqual(report.pods.map(({ name, after }) => [name.split('-')[0], after.state]).sort(), [
      ['iis', 'rejected'],
      ['iis', 'rejected'],
      ['there', 'rejected'],
      ['unix', 'running'],
    ]);
    assert.equal(messageOf(report, 'there'), message);
    assert.match(headlineOf(report), /iis (is|are) refused|3 pods are refused/);
    // They take no room once they have failed.
    assert.equal(report.steps.at(-1)?.requested[0]?.amounts['cpu'] ?? 2000, 2000);
  });

  it('[PLA-13] may stay on a node that is not ready for five minutes, as admission makes all pods tolerate it', () => {
    const gone = node('a', 4, { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] } });
    const report = simulated([gone, pod('new', 1, { nodeName: 'a' })]);
    assert.equal(placeOf(report, 'new'), 'evicted on a');
    assert.deepEqual(
      report.steps.map(({ kind, clock }) => [kind, clock]).filter(([kind]) => kind === 'deleted'),
      [['deleted', 300]],
    );
  });
});

describe('one priority in all answers', () => {
  it('[PRI-15] of a running pod that names a class and no number is that of the class', () => {
    const hand = { ...running('hand', 4, 'a', 0), spec: podSpec(4, { nodeName: 'a', priorityClassName: 'high' }) };
    const report = simulated([high, node('a', 4), hand]);
    assert.equal(podOf(report, 'hand').priority, 1000);
    const text = '1 running pod with the priority of the class now: default/hand';
    assert.ok(report.assumptions.some((each) => each.text === text));
  });

  it('[PRI-15] of a running pod is the number that it has, whatever its class says now', () => {
    const before = running('before', 4, 'a', 5, { spec: { priorityClassName: 'high' } });
    const report = simulated([high, node('a', 4), before]);
    assert.equal(podOf(report, 'before').priority, 5);
    const text = '1 running pod with another priority than that of the class: default/before';
    assert.ok(report.assumptions.some((each) => each.text === text));
  });

  it('[PRI-17] of a class without a value is 0', () => {
    const bare = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'bare' } };
    const report = simulated([bare, node('a', 4), pod('new', 1, { priorityClassName: 'bare' })]);
    assert.equal(placeOf(report, 'new'), 'running on a');
    assert.equal(podOf(report, 'new').priority, 0);
  });
});

describe('how the API server is set up', () => {
  it('[PLA-9] refuses anti-affinity beyond a node with LimitPodHardAntiAffinityTopology', () => {
    const far = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }] };
    const given = input([node('a', 4), pod('new', 1, { affinity: { podAntiAffinity: far } })]);
    const of = (admissionPlugins: readonly 'LimitPodHardAntiAffinityTopology'[]): Report =>
      runToEnd(simulate({ ...given, admissionPlugins }, { kind: 'workspace' }));
    assert.equal(placeOf(of([]), 'new'), 'running on a');
    const report = of(['LimitPodHardAntiAffinityTopology']);
    assert.equal(placeOf(report, 'new'), 'rejected');
    assert.match(messageOf(report, 'new'), /^pods "new" is forbidden: affinity\.PodAntiAffinity.* is allowed$/);
  });

  it('[PRI-16] refuses a class that it limits and no quota covers', () => {
    const configuration = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'ResourceQuotaConfiguration',
      limitedResources: [
        { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
      ],
    };
    const report = simulated([
      high,
      configuration,
      node('a', 4),
      pod('new', 1, { priorityClassName: 'high' }),
      pod('low', 1),
    ]);
    assert.equal(messageOf(report, 'new'), 'insufficient quota to match these scopes: [{PriorityClass In [high]}]');
    assert.equal(placeOf(report, 'low'), 'running on a');
  });

  it('takes nothing of a configuration that is broken', () => {
    for (const plugins of [
      null,
      7,
      [null, { name: 'ResourceQuota' }, { name: 'ResourceQuota', configuration: { limitedResources: [7, {}] } }],
    ]) {
      const broken = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins };
      assert.equal(placeOf(simulated([broken, node('a', 4), pod('new', 1)]), 'new'), 'running on a');
    }
  });
});
