import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { gunzipSync } from 'node:zlib';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { runToEnd, simulate } from '../../../server/src/simulation/index.ts';

interface ReplayCase {
  readonly id: string;
  readonly objects: readonly JsonObject[];
  readonly expected: {
    readonly steps: readonly { readonly pod: string; readonly result: string; readonly node?: string }[];
  };
}

interface PodLike {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

const files = ['replay-preempt', 'replay-interpod', 'replay-wild'].map(
  (name) => new URL(`../../conformance/data/${name}.jsonl.gz`, import.meta.url),
);

/** Where nothing replaces a victim and all grace periods are equal, the clock adds nothing to the recorded replays. */
describe('simulate takes the decisions of the recorded replays', () => {
  const cases = files
    .flatMap((file) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as ReplayCase)
    // Pods that are ending leave during a simulation; in a replay they stay.
    .filter(
      ({ objects }) =>
        !objects.some(
          (object) => object['kind'] === 'Pod' && 'deletionTimestamp' in (object as unknown as PodLike).metadata,
        ),
    );

  it('finds cases to compare', () => {
    assert.ok(cases.length >= 30, String(cases.length));
  });

  for (const { id, objects, expected } of cases) {
    it(id, () => {
      const declared = objects.map((object) => ({
        object: decodeObject(object['kind'] === 'Pod' ? withEqualGrace(object) : object).object,
      }));
      const report = runToEnd(
        simulate({ workspace: [], snapshot: declared }, { kind: 'workspace' }, { threatLimit: 0 }),
      );
      const told = report.steps
        .filter(({ kind }) => kind === 'scheduled' || kind === 'nominated')
        .map(
          ({ kind, pod, node }) =>
            `${kind} ${report.pods[pod]?.namespace ?? ''}/${report.pods[pod]?.name ?? ''} ${report.nodes[node ?? -1]?.name ?? ''}`,
        );
      const recorded = expected.steps
        .filter(({ result }) => result === 'Scheduled' || result === 'Nominated')
        .map(({ result, pod, node }) => `${result.toLowerCase()} ${pod} ${node ?? ''}`);
      assert.deepEqual(told, recorded);
    });
  }
});

function withEqualGrace(object: JsonObject): JsonObject {
  const { spec } = object as unknown as PodLike;
  return { ...object, spec: { ...spec, terminationGracePeriodSeconds: 30 } };
}
