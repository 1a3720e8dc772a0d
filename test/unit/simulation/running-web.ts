import { strict as assert } from 'node:assert';
import { runToEnd } from '../../../server/src/util/steps.ts';
import type { Declared, KubeObject } from '../../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { parseEvent, parseOperation } from '../../../server/src/simulation/operations/parse-operation.ts';
import { compareRuns } from '../../../server/src/simulation/compare/compare-runs.ts';
import { simulateEvents } from '../../../server/src/simulation/scenario/simulate-scenario.ts';

/** A Deployment that runs on two nodes, and how it is changed. */

export const template = (cpu: string, className?: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [{ name: 'main', image: 'example.com/web:1', resources: { requests: { cpu } } }],
    ...(className === undefined ? {} : { priorityClassName: className }),
  },
});

export const of = (cpu: string, image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image, resources: { requests: { cpu } } }] },
});

export const web = (cpu: string, more: object = {}, className?: string): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template(cpu, className), ...more },
  }) as KubeObject;

/** The Deployment with more in the spec of its pods. */
export function withPodSpec(cpu: string, podSpec: object, more: object = {}): KubeObject {
  const own = structuredClone(web(cpu, more));
  Object.assign((own as unknown as { spec: { template: { spec: object } } }).spec.template.spec, podSpec);
  return own;
}

export const node = (name: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: { cpu: '2', memory: '8Gi', pods: '110' }, nodeInfo: { kubeletVersion: 'v1.36.3' } },
  }) as unknown as KubeObject;

export const pod = (name: string, on: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      creationTimestamp: '2026-11-01T08:00:00Z',
      labels: { app: 'web', 'pod-template-hash': 'old' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-old', uid: 'rs', controller: true }],
    },
    spec: { ...template('500m').spec, nodeName: on, priority: 0 },
    status: { phase: 'Running', startTime: '2026-11-01T08:00:00Z', conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as KubeObject;

export const gold = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'gold' },
  value: 1000,
} as unknown as KubeObject;

export const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team', namespace: 'shop' },
  spec: { hard: { 'requests.cpu': '1' } },
} as unknown as KubeObject;

export const running = [node('a'), node('b'), gold, web('500m'), pod('web-old-a', 'a'), pod('web-old-b', 'b')];

/** A pod that nobody controls. */
export const bare = (name: string, cpu: string, className?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: template(cpu, className).spec,
});

export function declared(objects: readonly KubeObject[]): readonly Declared[] {
  return objects.map((object) => ({ object }));
}

export function play(workspace: readonly KubeObject[], whatIfs: readonly string[] = []): WholeReport {
  const events = whatIfs.map((text) => {
    const operation = parseOperation(text);
    assert.ok(!('problem' in operation), text);
    return { operation, text, at: 0 };
  });
  const input = { workspace: declared(workspace), snapshot: declared(running) };
  return runToEnd(simulateEvents(input, { kind: 'workspace' }, events as Parameters<typeof simulateEvents>[2]));
}

export function played(workspace: readonly KubeObject[], texts: readonly string[], readyAfter?: number): WholeReport {
  const events = texts.map((text) => {
    const event = parseEvent(text);
    assert.ok(!('problem' in event), text);
    return event;
  });
  const input = { workspace: declared(workspace), snapshot: declared(running), readyAfter };
  return runToEnd(simulateEvents(input, { kind: 'workspace' }, events));
}

/** What a change of files does on the two nodes; what is not written any more is removed where `prunes` is given. */
export function compareFiles(before: readonly KubeObject[], after: readonly KubeObject[], prunes = false): WholeReport {
  const [earlier, now] = [before, after].map((own) => ({
    input: { workspace: declared([node('a'), node('b'), ...own]), snapshot: [] },
    events: [],
  }));
  return runToEnd(compareRuns(earlier!, { ...now!, prunes }, { kind: 'workspace' }, 'git HEAD'));
}

/** What a set or a Job comes to on two nodes when its spec is changed. */
export const changed = (kind: string, before: object, after: object): WholeReport => {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
  const [earlier, now] = [before, after].map((spec) => {
    const own = { apiVersion, kind, metadata: { name: 'db', namespace: 'shop' }, spec } as unknown as KubeObject;
    return { input: { workspace: declared([node('a'), node('b'), own]), snapshot: [] }, events: [] };
  });
  return runToEnd(compareRuns(earlier!, now!, { kind: 'workspace' }, 'git HEAD'));
};

/** The spec of a set. */
export const made = (cpu: string, image: string, more: object = {}) => ({
  ...(more as { readonly replicas?: number }),
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image, resources: { requests: { cpu } } }] },
  },
});
