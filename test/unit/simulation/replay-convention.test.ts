import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { Node, Taint } from '../../../server/src/kubernetes/objects.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { clusterObjectsOf, ClusterState, replay } from '../../../server/src/scheduler/index.ts';
import { simulate } from '../../../server/src/simulation/index.ts';
import { readCases } from '../../conformance/recorded-files.ts';

interface ReplayCase {
  readonly id: string;
  readonly objects: readonly JsonObject[];
}

interface PodLike {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

const files = ['v1.34/replay-preempt', 'v1.34/replay-interpod', 'v1.34/replay-wild'];

/**
 * Where nothing replaces a victim, all grace periods are equal and nobody is older than others, the clock adds nothing
 * to a replay.
 */
describe('simulate takes the decisions of replays', () => {
  const cases = files
    .flatMap((file) => readCases(file) as unknown as readonly ReplayCase[])
    // Pods that are ending leave during a simulation, as those that a taint evicts do; in a replay they stay.
    .filter(({ objects }) => {
      const evicting = new Set(objects.filter(evicts).map((node) => (node as unknown as PodLike).metadata['name']));
      const pods = objects.filter((object) => object['kind'] === 'Pod') as unknown as readonly PodLike[];
      return !pods.some(({ metadata, spec }) => 'deletionTimestamp' in metadata || evicting.has(spec['nodeName']));
    });

  it('finds cases to compare', () => {
    assert.ok(cases.length >= 30, String(cases.length));
  });

  for (const { id, objects } of cases) {
    it(id, () => {
      const declared = objects.map((object) => ({
        object: decodeObject(object['kind'] === 'Pod' ? levelled(object) : object).object,
      }));
      const report = runToEnd(
        simulate({ workspace: [], snapshot: declared }, { kind: 'workspace' }, { threatLimit: 0 }),
      );
      const lines = report.steps
        .filter(({ kind }) => kind === 'scheduled' || kind === 'nominated')
        .map(
          ({ kind, pod, node }) =>
            `${kind} ${report.pods[pod]?.namespace ?? ''}/${report.pods[pod]?.name ?? ''} ${report.nodes[node ?? -1]?.name ?? ''}`,
        );
      const cluster = ClusterState.from(clusterObjectsOf(declared.map(({ object }) => object)));
      const replayed = [...replay(cluster)].flatMap((step) =>
        step.result === 'Scheduled' || step.result === 'Nominated'
          ? [`${step.result.toLowerCase()} ${step.pod} ${step.node}`]
          : [],
      );
      assert.deepEqual(lines, replayed);
    });
  }
});

function evicts(object: JsonObject): boolean {
  return object['kind'] === 'Node' && ((object as unknown as Node).spec?.taints ?? []).some(isNoExecute);
}

function isNoExecute({ effect }: Taint): boolean {
  return effect === 'NoExecute';
}

/** A pod that leaves after as long as all others; one that waits is as old as all others. */
function levelled(object: JsonObject): JsonObject {
  const { metadata, spec } = object as unknown as PodLike;
  const { creationTimestamp, ...ageless } = metadata;
  const runs = 'nodeName' in spec && creationTimestamp !== undefined;
  return { ...object, metadata: runs ? metadata : ageless, spec: { ...spec, terminationGracePeriodSeconds: 30 } };
}
