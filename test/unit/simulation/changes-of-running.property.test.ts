import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { WholeReport } from '../../../server/src/report-model/report.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import {
  ArrivalPreviews,
  compareRuns,
  parseEvent,
  type SimulationInput,
  simulateEvents,
} from '../../../server/src/simulation/index.ts';
import { WorkspaceRuns } from '../../../server/src/simulation/preview/workspace-runs.ts';
import { input, node, podSpec, priorityClass, running, workload } from './cluster-builder.ts';

const runs = Number(process.env['PODIUM_CLUSTERS'] ?? 60);

/** A workload of a world: how it is written, and on which nodes its pods run from the start. */
interface Made {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly replicas: number;
  readonly cpu: number;
  readonly className: string;
  readonly more: JsonObject;
  readonly on: readonly string[];
}

const nodes = ['a', 'b', 'c'];
const strategies: Readonly<Record<Made['kind'], readonly JsonObject[]>> = {
  Deployment: [
    {},
    { strategy: { type: 'Recreate' } },
    { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
  ],
  StatefulSet: [{}, { podManagementPolicy: 'Parallel' }, { updateStrategy: { rollingUpdate: { partition: 1 } } }],
  DaemonSet: [{}, { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }],
};

const made = fc.constantFrom<Made['kind']>('Deployment', 'StatefulSet', 'DaemonSet').chain((kind) =>
  fc.record<Made>({
    kind: fc.constant(kind),
    replicas: fc.integer({ min: 1, max: 3 }),
    cpu: fc.constantFrom(300, 500, 700, 1100),
    className: fc.constantFrom('', '', 'low', 'high'),
    more: fc.constantFrom(...strategies[kind]),
    on: fc.oneof(fc.constant([]), fc.shuffledSubarray(nodes)),
  }),
);

type Edit = Partial<Pick<Made, 'cpu' | 'className' | 'replicas'>>;
const edits = fc.oneof<fc.Arbitrary<Edit>[]>(
  fc.constantFrom(200, 600, 1500).map((cpu) => ({ cpu })),
  fc.constantFrom('low', 'high').map((className) => ({ className })),
  fc.integer({ min: 0, max: 4 }).map((replicas) => ({ replicas })),
);

const worlds = fc.record({
  cpus: fc.tuple(...nodes.map(() => fc.integer({ min: 1, max: 3 }))),
  web: made,
  other: made,
  edit: edits,
  isSnapshot: fc.boolean(),
});

function written(name: string, { kind, replicas, cpu, className, more }: Made): JsonObject {
  const spec = podSpec(`${cpu}m`, className === '' ? {} : { priorityClassName: className });
  const object = workload(kind, name, replicas, spec);
  return { ...object, spec: { ...(object['spec'] as JsonObject), ...more } };
}

/** Whether pods of it have not come yet: beside a snapshot they come with the change, else before it. */
function isIncomplete({ kind, replicas, on }: Made): boolean {
  return kind === 'DaemonSet' ? on.length < nodes.length : on.length < replicas;
}

function podsOf(name: string, { kind, replicas, cpu, className, on }: Made): readonly JsonObject[] {
  const priority = { '': 0, low: 10, high: 1000 }[className] ?? 0;
  const amount = kind === 'DaemonSet' ? on.length : Math.min(replicas, on.length);
  const owner = kind === 'Deployment' ? `ReplicaSet/${name}-5d4f8` : `${kind}/${name}`;
  return on.slice(0, amount).map((at, index) => {
    const own = kind === 'StatefulSet' ? `${name}-${index}` : `${name}-5d4f8-${at}`;
    const spec = className === '' ? {} : { priorityClassName: className };
    return running(own, `${cpu}m`, at, priority, { owner, labels: { app: name }, spec });
  });
}

/** As a server has it that somebody applied it to: with what that and controllers have set, and its ReplicaSet. */
function stored(name: string, world: Made): readonly JsonObject[] {
  const object = written(name, world);
  const { metadata, spec } = object as { readonly metadata: JsonObject; readonly spec: JsonObject };
  const revision = { 'deployment.kubernetes.io/revision': '1' };
  const made = { creationTimestamp: '2026-01-01T00:00:00Z' };
  const annotations = { ...revision, 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };
  const owner = { ...object, metadata: { ...metadata, ...made, uid: name, generation: 1, annotations } };
  if (world.kind !== 'Deployment') return [owner];
  const controller = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: name, controller: true };
  const { replicas, template } = spec as { readonly replicas: number; readonly template: JsonObject };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      ...made,
      name: `${name}-5d4f8`,
      uid: `${name}-5d4f8`,
      annotations: revision,
      ownerReferences: [controller],
    },
    spec: { replicas, selector: { matchLabels: { app: name } }, template },
  };
  return [owner, set];
}

/** How many pods of each workload are how in the end. */
function endOf({ pods, workloads, victims }: WholeReport): unknown {
  const counts = new Map<string, number>();
  for (const { workload: index, after } of pods) {
    const key = `${index === null ? '' : workloads[index]!.name} ${after.state}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { counts: [...counts].sort(), victims: victims.length };
}

function operationOf({ kind }: Made, edit: Edit): string {
  const target = `${kind.toLowerCase()}/web`;
  if (edit.cpu !== undefined) return `request ${target} cpu=${edit.cpu}m`;
  return edit.className === undefined ? `scale ${target} ${edit.replicas}` : `priority ${target} ${edit.className}`;
}

function compare(earlier: SimulationInput, now: SimulationInput, texts: readonly string[]): WholeReport {
  const events = texts.map((text) => {
    const event = parseEvent(`${text} at 0s`);
    assert.ok(!('problem' in event), text);
    return event;
  });
  return runToEnd(compareRuns({ input: earlier, events: [] }, { input: now, events }, { kind: 'workspace' }, 'before'));
}

describe('one meaning of a change, where pods run from the start and others may be evicted', () => {
  it('[#33] gives the same through all doors: a commit, a what-if, the page', () => {
    let compared = 0;
    fc.assert(
      fc.property(worlds, ({ cpus, web, other, edit, isSnapshot }) => {
        if (web.kind === 'DaemonSet' && edit.replicas !== undefined) return;
        if (Object.entries(edit).every(([key, value]) => web[key as keyof Edit] === value)) return;
        const cluster = [
          ...nodes.map((name, index) => node(name, cpus[index]!)),
          priorityClass('low', 10),
          priorityClass('high', 1000),
          ...podsOf('web', web),
          ...podsOf('other', other),
        ];
        const [before, after] = [web, { ...web, ...edit }].map((each) => [
          written('web', each),
          written('other', other),
        ]);
        const of = (objects: readonly JsonObject[]): SimulationInput =>
          isSnapshot
            ? input(objects, [...cluster, ...stored('web', web), ...stored('other', other)])
            : input([...cluster, ...objects]);
        const earlier = of(before!);
        // What arrives with evictions is asked about before it arrives.
        if (
          podsOf('web', web).length === 0 &&
          runToEnd(simulateEvents(earlier, { kind: 'workspace' }, [])).victims.length > 0
        ) {
          return;
        }
        const text = operationOf(web, edit);
        const edited = compare(earlier, of(after!), []);
        const tried = compare(earlier, earlier, [text]);
        compared += 1;
        assert.equal(tried.answer.headline, edited.answer.headline);
        assert.deepEqual(tried.answer.balance, edited.answer.balance);
        const page = new WorkspaceRuns(earlier, new ArrivalPreviews(earlier)).report({ kind: 'workspace' }, [text]);
        assert.equal(runToEnd(page).answer.headline, edited.answer.headline);
        if (!isSnapshot || [web, other].some(isIncomplete)) return;
        assert.deepEqual(endOf(runToEnd(simulateEvents(of(after!), { kind: 'workspace' }, []))), endOf(edited));
      }),
      { numRuns: runs },
    );
    assert.ok(compared > runs / 4);
  });
});
