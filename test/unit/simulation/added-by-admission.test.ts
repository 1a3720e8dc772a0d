import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { declared, of, running, web } from './running-web.ts';

const proxy = { name: 'istio-proxy', image: 'proxyv2:1', resources: { requests: { cpu: '900m' } } };

/** The ReplicaSet that the pods were made by. */
const replicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    name: 'web-old',
    namespace: 'shop',
    uid: 'rs',
    labels: { app: 'web', 'pod-template-hash': 'old' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web', controller: true }],
  },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web', 'pod-template-hash': 'old' } },
    template: { ...of('500m', 'example.com/web:1'), metadata: { labels: { app: 'web', 'pod-template-hash': 'old' } } },
  },
} as unknown as KubeObject;

type Spec = Readonly<Record<string, unknown>> & { readonly containers: readonly object[] };

/** The cluster in which the newest pod has more than its template says. */
function stored(more: (spec: Spec) => object): readonly KubeObject[] {
  const pods = running.map((object): KubeObject => {
    if (object.metadata?.name !== 'web-old-b') return object;
    const { spec } = object as unknown as { readonly spec: Spec };
    const metadata = { ...object.metadata, creationTimestamp: '2026-11-01T09:00:00Z' };
    return { ...object, metadata, spec: { ...spec, ...more(spec) } } as KubeObject;
  });
  return [...pods, replicaSet];
}

function changed(snapshot: readonly KubeObject[], before: KubeObject, after: KubeObject): WholeReport {
  const [earlier, now] = [before, after].map((own) => ({
    input: { workspace: declared([own]), snapshot: declared(snapshot) },
    events: [],
  }));
  return runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
}

describe('what a cluster adds to pods when they are made', () => {
  const image = (name: string): KubeObject => web('500m', { template: of('500m', `example.com/web:${name}`) });
  const meshed = stored(({ containers }) => ({ containers: [...containers, proxy] }));

  it('[#33] is on new pods as on running ones: a sidecar asks for its part, and it is said', () => {
    assert.match(changed([...running, replicaSet], image('1'), image('2')).answer.headline, /rolls out in 2 steps/);
    const { answer, assumptions, pods } = changed(meshed, image('1'), image('2'));
    assert.match(answer.headline, /its roll-out stops at 1 of 2/);
    const told = assumptions.find(({ text }) => text.includes('istio-proxy'));
    assert.equal(told?.text, 'istio-proxy added to new pods of 1 workload, as running ones have it');
    const made = pods.filter(({ name }) => !name.startsWith('web-old'));
    assert.ok(made.length > 0 && made.every(({ requests }) => requests['cpu'] === 1400));
  });

  it('[#33] is no container that was written, and is taken out of the template', () => {
    const template = of('500m', 'example.com/web:1');
    const both = { ...template, spec: { containers: [...template.spec.containers, proxy] } };
    const { spec } = replicaSet as unknown as { readonly spec: { readonly template: { readonly metadata: object } } };
    const own = { ...replicaSet, spec: { ...spec, template: { ...both, metadata: spec.template.metadata } } };
    const snapshot = [...meshed.filter(({ kind }) => kind !== 'ReplicaSet'), own as KubeObject];
    const { answer, assumptions } = changed(snapshot, web('500m', { template: both }), image('1'));
    assert.match(answer.headline, /rolls out in 2 steps/);
    assert.deepEqual(
      assumptions.filter(({ text }) => text.includes('added to new pods')),
      [],
    );
  });

  it('[#33] is a scheduling gate, which holds new pods back as it holds the newest', () => {
    const gated = stored(() => ({ nodeName: undefined, schedulingGates: [{ name: 'example.com/queue' }] }));
    assert.match(
      changed(gated, image('1'), image('2')).answer.headline,
      /the scheduling gate example\.com\/queue holds the new pods back/,
    );
  });

  it('[#33] is said where a pod waits for it', () => {
    const more = { workspace: declared([web('500m', { replicas: 4 })]), snapshot: declared(meshed) };
    const { answer } = runToEnd(simulateEvents(more, { kind: 'workspace' }, []));
    assert.match(
      JSON.stringify(answer),
      /its container istio-proxy, which its template has not, asks for 0\.9 cpu of it/,
    );
  });

  it('[#33] is what a VerticalPodAutoscaler lets containers ask for, whatever their template says', () => {
    const small = { requests: { cpu: '100m' } };
    const of = (annotations: object): readonly KubeObject[] =>
      stored(({ containers }) => ({ containers: containers.map((each) => ({ ...each, resources: small })) })).map(
        (each) =>
          each.metadata?.name === 'web-old-b'
            ? { ...each, metadata: { ...each.metadata, annotations } as object }
            : each,
      );
    const cpuOfNew = (snapshot: readonly KubeObject[]): readonly unknown[] => {
      const { pods } = changed(snapshot, image('1'), image('2'));
      return pods.filter(({ name }) => !name.startsWith('web-old')).map(({ requests }) => requests['cpu']);
    };
    const resized = of({ vpaUpdates: 'Pod resources updated by web: container 0: cpu request' });
    assert.deepEqual(cpuOfNew(resized), [100, 100]);
    // Somebody else has resized it by hand.
    assert.deepEqual(cpuOfNew(of({})), [500, 500]);
    const { assumptions } = changed(resized, image('1'), image('2'));
    assert.ok(
      assumptions.some(({ text }) => text.startsWith('New pods of Deployment shop/web request what a Vertical')),
    );
  });

  it('[#33] is on new pods of a DaemonSet, but not taken from a pod of an earlier template', () => {
    const template = of('500m', 'example.com/agent:1');
    const set = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: {
        ...{ name: 'agent', namespace: 'shop', uid: 'ds' },
        annotations: { 'deprecated.daemonset.template.generation': '2' },
      },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    } as unknown as KubeObject;
    const podOf = (node: string, generation: string): KubeObject => {
      const [like] = running.filter(({ kind }) => kind === 'Pod');
      const ownerReferences = [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'ds', controller: true },
      ];
      const labels = { app: 'web', 'controller-revision-hash': generation, 'pod-template-generation': generation };
      const spec = { ...template.spec, containers: [...template.spec.containers, proxy], nodeName: node, priority: 0 };
      return {
        ...like,
        metadata: { ...like!.metadata, name: `agent-${node}`, uid: `agent-${node}`, labels, ownerReferences },
        spec,
      } as unknown as KubeObject;
    };
    const nodes = running.filter(({ kind }) => kind === 'Node');
    const cpuOfNew = (generation: string): readonly unknown[] => {
      const next = {
        ...set,
        spec: { selector: { matchLabels: { app: 'web' } }, template: of('500m', 'example.com/agent:2') },
      } as unknown as KubeObject;
      const pods = nodes.map((node) => podOf(node.metadata!.name!, generation));
      const { pods: after } = changed([...nodes, set, ...pods], set, next);
      const old = new Set(pods.map(({ metadata }) => metadata!.name));
      return after.filter(({ name }) => !old.has(name)).map(({ requests }) => requests['cpu']);
    };
    assert.ok(cpuOfNew('2').includes(1400));
    assert.ok(!cpuOfNew('1').includes(1400) && cpuOfNew('1').includes(500));
  });
});
