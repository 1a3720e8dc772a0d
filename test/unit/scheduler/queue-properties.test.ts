import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SchedulingQueue, type PodInfo } from '../../../server/src/scheduler/index.ts';
import { clusterOf, pod } from './cluster-builder.ts';

const plugins = ['NodeResourcesFit', 'NodeAffinity', 'InterPodAffinity'];
const cluster = clusterOf();
const pods: readonly PodInfo[] = Array.from({ length: 6 }, (_, index) =>
  cluster.arriving(pod(`p${index}`, { priority: index % 3 })),
);

type Step =
  | { readonly kind: 'add' | 'gate' | 'open' | 'delete' | 'update'; readonly pod: number }
  | { readonly kind: 'try'; readonly rejectedBy: readonly string[] | null }
  | { readonly kind: 'event'; readonly plugin: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('add', 'gate', 'open', 'delete', 'update'),
    pod: fc.nat({ max: pods.length - 1 }),
  }),
  fc.record({ kind: fc.constant('try'), rejectedBy: fc.option(fc.subarray(plugins)) }),
  fc.record({ kind: fc.constant('event'), plugin: fc.constantFrom(...plugins) }),
  fc.record({
    kind: fc.constant('wait'),
    seconds: fc.oneof(fc.double({ min: 0, max: 12, noNaN: true }), fc.constant(400)),
  }),
  fc.record({ kind: fc.constant('restart') }),
);

/** Does the steps, and looks at the queue after each. Returns who was tried, when. */
function play(
  steps: readonly Step[],
  look: (queue: SchedulingQueue, known: ReadonlySet<string>) => void = () => undefined,
): string[] {
  const queue = new SchedulingQueue();
  const known = new Set<string>();
  const tried: string[] = [];
  let now = 0;
  const take = (each: Step): void => {
    switch (each.kind) {
      case 'add':
      case 'gate': {
        const info = pods[each.pod]!;
        known.add(info.key);
        if (each.kind === 'add') queue.add(info, now);
        else queue.addGated(info, now);
        return;
      }
      case 'open':
        queue.openGates(pods[each.pod]!, now);
        return;
      case 'delete':
        known.delete(pods[each.pod]!.key);
        queue.delete(pods[each.pod]!.key);
        return;
      case 'update':
        queue.update(pods[each.pod]!, now, () => each.pod % 2 === 0);
        return;
      case 'try': {
        const next = queue.pop();
        if (next === undefined) return;
        tried.push(`${now} ${next.pod.name}`);
        if (each.rejectedBy !== null) {
          queue.addUnschedulable(next.pod, new Set(each.rejectedBy), now);
          return;
        }
        known.delete(next.pod.key);
        queue.delete(next.pod.key);
        return;
      }
      case 'event':
        queue.move(
          (rejectedBy) => rejectedBy.has(each.plugin),
          ({ pod: { priority } }) => priority > 0,
          now,
        );
        return;
      case 'wait':
        now += each.seconds;
        queue.flush(now);
        return;
      case 'restart':
        queue.restart(now);
        now = 0;
        return;
    }
  };
  for (const each of steps) {
    take(each);
    look(queue, known);
  }
  return tried;
}

function total(queue: SchedulingQueue): number {
  const { active, backoff, unschedulable, gated } = queue.counts();
  return active + backoff + unschedulable + gated;
}

describe('scheduling queue, whatever happens', () => {
  const steps = fc.array(step, { maxLength: 120 });

  it('[PRE-18] keeps every pod in exactly one set', () => {
    fc.assert(
      fc.property(steps, (all) => {
        play(all, (queue, known) => {
          assert.equal(total(queue), known.size);
        });
      }),
    );
  });

  it('[PRE-18] loses nobody: by time alone every pod without gates can be tried again', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let last: SchedulingQueue | undefined;
        play([...all, { kind: 'wait', seconds: 400 }], (queue) => (last = queue));
        const { backoff, unschedulable } = last?.counts() ?? { backoff: 0, unschedulable: 0 };
        assert.deepEqual([backoff, unschedulable], [0, 0]);
      }),
    );
  });

  it('[PRE-1] tries the most important pod that may be tried', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new SchedulingQueue();
        for (const [index, each] of all.entries()) if (each.kind === 'add') queue.add(pods[each.pod]!, index);
        const priorities: number[] = [];
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) priorities.push(next.pod.priority);
        assert.deepEqual(
          priorities,
          priorities.toSorted((a, b) => b - a),
        );
      }),
    );
  });

  it('does the same with the same', () => {
    fc.assert(
      fc.property(steps, (all) => {
        assert.deepEqual(play(all), play(all));
      }),
    );
  });
});
