/** What the packed server tells an editor in another language, besides the report of a workspace. */
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import type { Capacity } from '../../server/src/contract/capacity.ts';
import type { Remedy } from '../../server/src/contract/remedy.ts';
import type { Report, ReportDecision } from '../../server/src/contract/report.ts';
import { operationForms } from '../../server/src/simulation/scenario/parse-operation.ts';
import type { Doubt } from '../../server/src/protocol.ts';
import { TestClient } from '../protocol/test-client.ts';
import type { Language } from './english-left.ts';

const cronJob = (name: string, spec: string): string => `apiVersion: batch/v1
kind: CronJob
metadata: { name: ${name}, namespace: shop, creationTimestamp: "2026-03-02T00:10:00Z" }
spec:
  schedule: "*/20 * * * *"
  ${spec}
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: x }] } } } }
`;

/** CronJobs that have missed times, whose runs overlap, and that come too late. */
const schedules = [
  cronJob('endless', 'concurrencyPolicy: Allow'),
  cronJob('patient', 'concurrencyPolicy: Forbid'),
  cronJob('hasty', 'concurrencyPolicy: Replace'),
].join('---\n');

const node = `apiVersion: v1
kind: Node
metadata: { name: node-a }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "30" } }
`;

const scenarios = {
  'schedules.podium.yaml':
    'start: 2026-03-02T01:05:00Z\nuntil: 30m\nlasts: { cronjob/shop/patient: 30m, cronjob/shop/hasty: 30m }\nevents: []\nquestions: [pending]\n',
  'broken.podium.yaml': 'events:\n  - fly away\n',
  'two.podium.yaml': 'events: []\n---\nevents: []\n',
  'empty.podium.yaml': '',
  'lost.podium.yaml': 'cluster: { snapshot: /nowhere.yaml }\nevents: []\n',
  'elsewhere.podium.yaml': 'cluster: { paths: [//server/share] }\nevents: []\n',
  'nodes.podium.yaml': 'cluster: { assumeNodes: many }\nevents: []\n',
  'workload.podium.yaml': 'workload: checkout\nevents: []\n',
  'unknown.podium.yaml': 'events: [drain node/none at 5s]\n',
};

/** What stands in the failures of these scenarios as it is written there: names, keys and operations. */
export const namedInFailures = [
  ...['kubectl get -o yaml', 'json', 'kind: Pod', '/nowhere.yaml', '//server/share', 'KIND/NAMESPACE/NAME', 'node-a'],
  ...[
    'assumeNodes',
    'events',
    'workload',
    'many',
    'none.yaml',
    'none.json',
    "'drain node/none at 5s'",
    'Node none',
    'fly',
  ],
  Object.keys(operationForms).join(', '),
];

export interface Told {
  readonly reports: readonly (Report & { readonly capacity: readonly Capacity[] })[];
  /** What is asked before a run is begun. */
  readonly doubts: readonly Doubt[];
  /** Why there is no report. */
  readonly failures: readonly string[];
  /** What is being done while somebody waits. */
  readonly progress: readonly string[];
}

const told = new Map<Language, Promise<Told>>();

/** What runs of the sample come to, and why there is none of a small workspace whose snapshot is none. */
export function toldByServer(locale: Language): Promise<Told> {
  const known = told.get(locale) ?? ask(locale);
  told.set(locale, known);
  return known;
}

async function ask(locale: Language): Promise<Told> {
  const folder = await mkdtemp(join(tmpdir(), 'podium-languages-'));
  await cp(join(root, 'samples/online-shop'), folder, { recursive: true });
  const sample = await TestClient.start({ folder, locale });
  const progress = new Set<string>();
  sample.connection.onNotification('podium/simulationProgress', ({ text }: { readonly text: string }) => {
    progress.add(text);
  });
  const reports = [await reportOf(sample, 'night.podium.yaml'), await reportOf(sample, 'upgrade.podium.yaml')];
  await sample.stop();
  const small = await TestClient.start({
    locale,
    files: { ...scenarios, 'node.yaml': node, 'schedules.yaml': schedules, 'cluster.yaml': 'kind: Pod\n' },
    settings: { cluster: { snapshot: 'cluster.yaml' } },
  });
  reports.push(await reportOf(small, 'schedules.podium.yaml'));
  const whole = { scenario: { kind: 'workspace' } };
  const doubt = await small.request<Doubt>('podium/simulate', { ...whole, asks: ['snapshot'] });
  const failing = [
    ...[...Object.keys(scenarios).slice(1), 'missing.podium.yaml', 'none.yaml'].map((name) => about(small, name)),
    { scenario: { kind: 'change', commit: 'HEAD' } },
    { ...whole, against: { kind: 'previous' } },
    ...['none.json', 'cluster.yaml'].map((name) => ({ ...whole, against: { kind: 'file', uri: small.uri(name) } })),
  ];
  const failures: string[] = [];
  for (const params of failing) {
    const why = await small.request('podium/simulate', params).catch((error: unknown) => error);
    if (!(why instanceof Error)) throw new Error(`There is a report: ${JSON.stringify(params)}`);
    failures.push(why.message);
  }
  await small.stop();
  return { reports, doubts: [doubt], failures, progress: [...progress] };
}

const about = (client: TestClient, name: string) => ({ scenario: { kind: 'file', uri: client.uri(name) }, run: 1 });

async function reportOf(client: TestClient, name: string): Promise<Told['reports'][number]> {
  const asked = about(client, name);
  const report = await client.request<Report>('podium/simulate', asked);
  const workloads = [...report.workloads.keys()].slice(0, 4);
  const decisions = await client.request<readonly ReportDecision[]>('podium/decisions', { run: 1, indexes: null });
  const capacity = await client.request<readonly Capacity[]>('podium/capacity', { run: 1, workloads });
  const remedies = await client.request<readonly Remedy[]>('podium/remedies', asked);
  return { ...report, decisions, capacity, remedies };
}
