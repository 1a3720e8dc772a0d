import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { runToEnd } from '../../server/src/util/steps.ts';
import type { JsonObject } from '../../server/src/kubernetes/json.ts';
import { keyOfObject } from '../../server/src/kubernetes/names.ts';
import type { Declared, KubeObject } from '../../server/src/kubernetes/objects.ts';
import type { WholeReport } from '../../server/src/report-model/report.ts';
import { compareRuns, type SimulationInput } from '../../server/src/simulation/index.ts';
import { simulateEvents } from '../../server/src/simulation/scenario/simulate-scenario.ts';
import { readCases, rolloutFiles } from './recorded-files.ts';

const workspace = { kind: 'workspace' } as const;

describe('recorded roll-outs as changes of files, in a cluster that a snapshot has', () => {
  for (const name of rolloutFiles) {
    it(`[#33] ${name}: compared with a commit, they do what they do beside the snapshot`, () => {
      const cases = readCases(name).filter(isOneEdit);
      assert.ok(cases.length > 100);
      for (const each of cases) {
        const { kubernetes } = each;
        const objects = list(each['objects']);
        const snapshot = declared(list(each['before'])).map((stored) => asApplied(stored, declared(objects)));
        const inputOf = (written: readonly JsonObject[]) =>
          ({ workspace: firstOfEach(declared(written)), snapshot, kubernetes }) as SimulationInput;
        const [earlier, now] = [inputOf(objects), inputOf([...changeOf(each), ...objects])];
        const beside = runToEnd(simulateEvents(now, workspace, []));
        const compared = runToEnd(
          compareRuns({ input: earlier, events: [] }, { input: now, events: [] }, workspace, 'git HEAD'),
        );
        assert.deepEqual(outcomeOf(compared), outcomeOf(beside), JSON.stringify(each['id']));
        assert.doesNotMatch(JSON.stringify(compared.comparison), /creationTimestamp|deployment\.kubernetes\.io/);
      }
    });
  }
});

/** Whether workloads are written otherwise, once and with nothing else. Of a CronJob a run counts as begun before. */
function isOneEdit(recorded: JsonObject): boolean {
  const steps = list(recorded['change']);
  if (list(recorded['objects']).some(({ kind }) => kind === 'CronJob')) return false;
  return steps.length === 1 && Object.keys(steps[0]!).every((key) => key === 'at' || key === 'apply');
}

function changeOf(recorded: JsonObject): readonly JsonObject[] {
  return list(list(recorded['change'])[0]!['apply']);
}

function list(value: unknown): readonly JsonObject[] {
  return value as readonly JsonObject[];
}

function declared(objects: readonly JsonObject[]): readonly Declared[] {
  return objects.map((object) => {
    const { metadata, kind } = object as unknown as KubeObject;
    const isOfCluster =
      kind === 'Node' || kind === 'PriorityClass' || kind === 'PersistentVolume' || kind === 'StorageClass';
    const namespace = metadata?.namespace ?? (isOfCluster ? undefined : 'shop');
    return { object: { ...object, metadata: { ...metadata, ...(namespace === undefined ? {} : { namespace }) } } };
  });
}

/** With what `kubectl apply` leaves of the manifest. */
function asApplied({ object }: Declared, applied: readonly Declared[]): Declared {
  const manifest = applied.find((each) => keyOfObject(each.object) === keyOfObject(object));
  if (manifest === undefined) return { object };
  const text = JSON.stringify(manifest.object);
  const annotations = {
    ...object.metadata?.annotations,
    'kubectl.kubernetes.io/last-applied-configuration': text,
  };
  return { object: { ...object, metadata: { ...object.metadata, annotations } } };
}

function firstOfEach(objects: readonly Declared[]): readonly Declared[] {
  return [...new Map([...objects].reverse().map((each) => [keyOfObject(each.object), each])).values()].reverse();
}

/** How many pods of each workload are how in the end, and who was evicted for whom. */
function outcomeOf({ pods, workloads, victims }: WholeReport): unknown {
  const counts = new Map<string, number>();
  for (const { workload, after } of pods) {
    const { name, kind } = workloads[workload!]!;
    const key = `${kind} ${name} ${after.state}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { counts: [...counts].sort(), evicted: victims.length };
}
