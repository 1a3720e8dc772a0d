import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Declared } from '../../../server/src/kubernetes/objects.ts';
import type { Report, ReportPod, WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import {
  simulate,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
} from '../../../server/src/simulation/index.ts';

/** Short ways to write down the objects of a test. All pods ask for cpu only, unless they say more. */

export function node(
  name: string,
  cpu: string | number,
  more: { labels?: JsonObject; spec?: JsonObject; memory?: string } = {},
): JsonObject {
  const amounts = { cpu: String(cpu), memory: more.memory ?? '64Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...more.labels } },
    spec: more.spec ?? {},
    status: { capacity: amounts, allocatable: amounts },
  };
}

export function podSpec(cpu: string | number, more: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: String(cpu) } } }], ...more };
}

/** A pod that is only written down. */
export function pod(
  name: string,
  cpu: string | number,
  spec: JsonObject = {},
  labels: JsonObject = { app: name },
): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels }, spec: podSpec(cpu, spec) };
}

/** A pod that runs in the cluster; `owner` is `Kind/name`. */
export function running(
  name: string,
  cpu: string | number,
  nodeName: string,
  priority: number,
  more: { owner?: string; labels?: JsonObject; spec?: JsonObject; startTime?: string } = {},
): JsonObject {
  const [kind, owner] = more.owner?.split('/') ?? [];
  const owners =
    kind === undefined || owner === undefined
      ? []
      : [{ apiVersion: 'apps/v1', kind, name: owner, uid: owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: more.labels ?? { app: name }, ownerReferences: owners },
    spec: podSpec(cpu, { nodeName, priority, ...more.spec }),
    status: { phase: 'Running', startTime: more.startTime ?? '2026-01-01T00:00:00Z' },
  };
}

export function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  replicas: number,
  spec: JsonObject,
  labels: JsonObject = { app: name },
): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default' },
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

export function priorityClass(name: string, value: number, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more };
}

export function budget(name: string, labels: JsonObject, spec: JsonObject, status?: JsonObject): JsonObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: labels }, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

function declared(objects: readonly JsonObject[]): Declared[] {
  return objects.map((object) => ({ object: object }));
}

export function input(objects: readonly JsonObject[], snapshot: readonly JsonObject[] = []): SimulationInput {
  return { workspace: declared(objects), snapshot: declared(snapshot) };
}

export function simulated(
  objects: readonly JsonObject[],
  scenario: Scenario = { kind: 'workspace' },
  options: SimulationOptions = {},
): WholeReport {
  return runToEnd(simulate(input(objects), scenario, options));
}

export function podOf(report: Report, name: string): ReportPod {
  const found = report.pods.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no pod ${name} among ${report.pods.map((each) => each.name).join(', ')}`);
  return found;
}

/** `running on a`, `pending`, `evicted on b`. */
export function placeOf(report: Report, name: string): string {
  const { state, node: index } = podOf(report, name).after;
  return index === null ? state : `${state} on ${report.nodes[index]?.name ?? '?'}`;
}

/** The steps in short: `0 nominated web-1 to a, evicting x`. */
export function stepsOf(report: Report): string[] {
  return report.steps.map(({ clock, kind, pod: index, node: nodeIndex, victims }) => {
    const name = report.pods[index]?.name ?? '?';
    const at = nodeIndex === null ? '' : ` on ${report.nodes[nodeIndex]?.name ?? '?'}`;
    const hurt = victims.map((victim) => report.pods[victim]?.name ?? '?').join(' ');
    return `${clock} ${kind} ${name}${at}${hurt === '' ? '' : ` [${hurt}]`}`;
  });
}

export function headlineOf(report: Report): string {
  return report.answer.headline;
}

/** Classes above, below and between one another, the one between of pods that never preempt. */
export const ladder = [
  priorityClass('high', 1000),
  priorityClass('low', 10),
  priorityClass('patient', 500, { preemptionPolicy: 'Never' }),
];
