import assert from 'node:assert/strict';
import type { Report } from '../../../server/src/report-model/report.ts';
import { podium } from './run-podium.ts';

/** Objects of small clusters, and what becomes of them under `podium simulate --event`. */

export const shop = 'samples/online-shop';

export const container = (cpu: string): object => ({ name: 'c', image: 'x', resources: { requests: { cpu } } });

export function node(name: string, cpu = '4', spec: object = {}): object {
  const amounts = { cpu, memory: '64Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec,
    status: { capacity: amounts, allocatable: amounts },
  };
}

export function workload(kind: string, name: string, replicas: number, cpu = '1', spec: object = {}): object {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { terminationGracePeriodSeconds: 10, containers: [container(cpu)], ...spec },
  };
  if (kind === 'Job') {
    const pods = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
    return {
      apiVersion: 'batch/v1',
      kind,
      metadata: { name },
      spec: { parallelism: replicas, completions: replicas, template: pods },
    };
  }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { ...(kind === 'DaemonSet' ? {} : { replicas }), selector: { matchLabels: labels }, template },
  };
}

export const high = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 1000,
};

export async function run(objects: readonly object[], events: readonly string[]): Promise<Report> {
  const { stdout, stderr } = await podium(
    ['simulate', '-', '--format', 'json', ...events.flatMap((event) => ['--event', event])],
    { stdin: objects.map((each) => JSON.stringify(each)).join('\n---\n') },
  );
  assert.ok(stdout.startsWith('{'), stderr);
  return JSON.parse(stdout) as Report;
}

/** `name node` of what runs at the end, sorted. */
export function running({ pods, nodes }: Report, name = ''): readonly string[] {
  return pods
    .filter(({ name: own, after }) => after.state === 'running' && own.startsWith(name))
    .map(({ name: own, after }) => `${own.replace(/-[a-z0-9]{8,10}-/, '-')} ${nodes[after.node ?? -1]?.name ?? ''}`)
    .sort();
}

/** `clock kind name` of each step. */
export function steps({ pods, steps: all }: Report, name = ''): readonly string[] {
  return all
    .filter(({ pod }) => pods[pod]!.name.startsWith(name))
    .map(({ clock, kind, pod }) => `${clock} ${kind} ${pods[pod]!.name.replace(/-[a-z0-9]{8,10}-/, '-')}`);
}
