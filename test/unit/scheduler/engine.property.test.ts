import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { KubeObject, Pod } from '../../../server/src/kubernetes/objects.ts';
import { type ClusterState, decide, type Decision, type PodInfo, replay } from '../../../server/src/scheduler/index.ts';
import { clusterOf } from './cluster-builder.ts';
import { objectsOf, randomCluster } from './random-cluster.ts';

const runs = 150;

/** Everything a decision says, as plain data. */
function plain(decision: Decision): unknown {
  switch (decision.kind) {
    case 'fits': {
      const { pod, feasible, refusals, best, node, scores } = decision;
      const table = scores === null ? null : [scores.plugins, [...scores.byNode].sort(), [...scores.totals].sort()];
      return { pod, feasible, refusals: [...refusals].sort(byName), best, node, table };
    }
    case 'unschedulable': {
      const { pod, message, refusals, preemption } = decision;
      if (preemption === null) return { pod, message, refusals: [...refusals].sort(byName) };
      const { eligible, ineligibleReason, candidates, choice, dryRun } = preemption;
      return {
        pod,
        message,
        refusals: [...refusals].sort(byName),
        eligible,
        ineligibleReason,
        candidates: [...candidates].sort(byName),
        choice: choice && [choice.node, choice.nominated, choice.decidedBy, choice.survivors],
        dryRun: [...dryRun].sort(byName),
      };
    }
    case 'gated':
    case 'not-modelled':
      return decision;
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function pendingOf(cluster: ClusterState): readonly PodInfo[] {
  return [...cluster.pending()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function decisionsOf(cluster: ClusterState, seed?: number): unknown {
  return pendingOf(cluster).map((pod) => plain(decide(cluster, pod, { seed })));
}

/** Calls `check` for every candidate of every pod that must preempt. */
function forEachCandidate(
  cluster: ClusterState,
  check: (preemptor: PodInfo, node: string, victims: readonly PodInfo[]) => void,
): void {
  for (const pod of pendingOf(cluster)) {
    const decision = decide(cluster, pod);
    if (decision.kind !== 'unschedulable' || decision.preemption === null) continue;
    for (const [name, { victims }] of decision.preemption.candidates) {
      check(
        pod,
        name,
        victims.map((key) => cluster.pod(key)!),
      );
    }
  }
}

function fitsOn(cluster: ClusterState, pod: PodInfo, name: string): boolean {
  const decision = decide(cluster, pod);
  return decision.kind === 'fits' && decision.feasible.includes(name);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}

describe('properties of the engine', function () {
  it('[PRE-10] evicts no pod of the priority of the preemptor or above', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        forEachCandidate(clusterOf(...objectsOf(random)), (pod, _, victims) => {
          assert.ok(victims.length > 0);
          for (const victim of victims) assert.ok(victim.priority < pod.priority);
        });
      }),
      { numRuns: runs },
    );
  });

  it('[PRE-2] makes the pod fit by removing the victims', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        const cluster = clusterOf(...objectsOf(random));
        forEachCandidate(cluster, (pod, name, victims) => {
          const after = cluster.branch();
          for (const victim of victims) after.removeRunning(victim.key);
          assert.ok(fitsOn(after, pod, name));
        });
      }),
      { numRuns: runs },
    );
  });

  it('[PRE-2] [PRE-16] removes no victim too many', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        const cluster = clusterOf(...objectsOf(random));
        forEachCandidate(cluster, (pod, name, victims) => {
          for (const kept of victims) {
            const after = cluster.branch();
            for (const victim of victims) if (victim !== kept) after.removeRunning(victim.key);
            assert.ok(!fitsOn(after, pod, name), `${kept.key} need not go`);
          }
        });
      }),
      { numRuns: runs },
    );
  });

  it('[#35] says the same of what is kept of a decision, but for the scores of nodes that are not among the best', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        const cluster = clusterOf(...objectsOf(random));
        for (const pod of pendingOf(cluster)) {
          const decision = decide(cluster, pod);
          if (decision.kind !== 'fits') continue;
          const kept = decision.abridged(2);
          const { byNode, totals } = decision.scores ?? {
            byNode: new Map<string, unknown>(),
            totals: new Map<string, number>(),
          };
          const best = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, 2);
          assert.deepEqual([...(kept.scores?.totals ?? [])], best);
          assert.deepEqual(
            [...(kept.scores?.byNode ?? [])],
            best.map(([name]) => [name, byNode.get(name)]),
          );
          const { feasible, refusals, sharedRefusals, mayVary, best: ties, isTie, node, devices } = decision;
          assert.deepEqual(
            [kept.feasible, kept.refusals, kept.sharedRefusals, kept.mayVary, kept.best, kept.isTie, kept.node],
            [feasible, refusals, sharedRefusals, mayVary, ties, isTie, node],
          );
          assert.deepEqual(kept.devices, devices);
        }
      }),
      { numRuns: runs },
    );
  });

  it('never changes what it is given', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        const objects = deepFreeze(objectsOf(random));
        const cluster = clusterOf(...objects);
        const before = decisionsOf(cluster);
        for (const { decision } of replay(cluster)) plain(decision);
        assert.deepEqual(decisionsOf(cluster), before);
      }),
      { numRuns: runs },
    );
  });

  it('answers the same for the same input and seed', () => {
    fc.assert(
      fc.property(randomCluster, fc.option(fc.nat(), { nil: undefined }), (random, seed) => {
        const [one, other] = [clusterOf(...objectsOf(random)), clusterOf(...objectsOf(random))];
        assert.deepEqual(decisionsOf(one, seed), decisionsOf(other, seed));
      }),
      { numRuns: runs },
    );
  });

  it('does not depend on the order of the objects', () => {
    fc.assert(
      fc.property(randomCluster, fc.nat(), (random, seed) => {
        const objects = objectsOf(random);
        const mixed = [...objects];
        let state = seed;
        for (let i = mixed.length - 1; i > 0; i--) {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          const j = state % (i + 1);
          [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
        }
        assert.deepEqual(decisionsOf(clusterOf(...mixed)), decisionsOf(clusterOf(...objects)));
        const stepsOf = (all: readonly KubeObject[]): unknown =>
          [...replay(clusterOf(...all))].map(({ decision, ...step }) => [step, plain(decision)]);
        assert.deepEqual(stepsOf(mixed), stepsOf(objects));
      }),
      { numRuns: runs },
    );
  });

  it('says which nodes gave each refusal as it says what each node refused', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        for (const { decision } of replay(clusterOf(...objectsOf(random)))) {
          if (decision.kind !== 'fits' && decision.kind !== 'unschedulable') continue;
          const { nodes, places } = decision.sharedRefusals;
          const byNode = [...places].flatMap(([refusal, at]) =>
            at.map((place) => [nodes[place]!.name, refusal] as const),
          );
          assert.equal(byNode.length, decision.refusals.size);
          assert.deepEqual(new Map(byNode), decision.refusals);
        }
      }),
      { numRuns: runs },
    );
  });

  it('reads a decision later as it was made, whatever happened since', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        const steps = [...replay(clusterOf(...objectsOf(random)))];
        const late = steps.map(({ decision }) => plain(decision));
        const early = Array.from(replay(clusterOf(...objectsOf(random))), ({ decision }) => plain(decision));
        assert.deepEqual(late, early);
      }),
      { numRuns: runs },
    );
  });

  it('answers of a state that was changed step by step as of one that is made anew', () => {
    // Of two pods that hold a port the first to leave frees it: a memory that a new state does not have.
    const withoutPorts = (each: Pod): Pod => ({
      ...each,
      spec: { ...each.spec!, containers: each.spec!.containers.map((container) => ({ ...container, ports: [] })) },
    });
    const asItIs = ({ pod, nodeName, nominatedNodeName, terminating, preempted }: PodInfo): Pod => ({
      ...pod,
      metadata: { ...pod.metadata, ...(terminating ? { deletionTimestamp: '2026-02-01T00:00:00Z' } : {}) },
      spec: { ...pod.spec!, ...(nodeName === '' ? {} : { nodeName }) },
      status: {
        nominatedNodeName,
        ...(preempted
          ? { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] }
          : {}),
      },
    });
    /** What does not depend on the order in which pods came to their node. */
    const answerOf = (cluster: ClusterState, pod: PodInfo): unknown => {
      const decision = decide(cluster, pod);
      if (decision.kind !== 'unschedulable') return plain(decision);
      return [
        decision.message,
        [...decision.refusals].sort(byName),
        [...(decision.preemption?.candidates.keys() ?? [])].sort(),
      ];
    };
    fc.assert(
      fc.property(randomCluster, (random) => {
        const objects = {
          ...random,
          running: random.running.map(withoutPorts),
          pending: random.pending.map(withoutPorts),
        };
        const steps = replay(clusterOf(...objectsOf(objects)));
        let step = steps.next();
        while (step.done !== true) step = steps.next();
        const changed = step.value;
        const pods = [...changed.running(), ...changed.pending()].map(asItIs);
        const anew = clusterOf(...random.nodes, ...pods, ...random.budgets);
        for (const pending of random.pending.map(withoutPorts)) {
          const probe = { ...pending, metadata: { ...pending.metadata, name: 'probe', uid: 'probe' } };
          assert.deepEqual(answerOf(changed, changed.arriving(probe)), answerOf(anew, anew.arriving(probe)));
        }
      }),
      { numRuns: runs },
    );
  });

  it('answers the same by sums of resources and by trying out every pod', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        // A host port that nobody else has changes no answer, but makes a second filter look at pods.
        const withPort = (pending: Pod): Pod => ({
          ...pending,
          spec: {
            ...pending.spec!,
            containers: pending.spec!.containers.map((each) => ({
              ...each,
              ports: [...(each.ports ?? []), { containerPort: 1, hostPort: 1 }],
            })),
          },
        });
        const quick = clusterOf(...objectsOf(random));
        for (const [i, pending] of random.pending.entries()) {
          const slow = clusterOf(
            ...objectsOf({ ...random, pending: random.pending.map((each, j) => (i === j ? withPort(each) : each)) }),
          );
          const key = `default/${pending.metadata!.name!}`;
          assert.deepEqual(plain(decide(slow, slow.pod(key)!)), plain(decide(quick, quick.pod(key)!)));
        }
      }),
      { numRuns: runs },
    );
  });

  it('answers the same in doubles and in bigint', () => {
    fc.assert(
      fc.property(randomCluster, (random) => {
        // More storage than a double can hold makes every node be computed in bigint; nobody asks for it.
        const nodes = random.nodes.map((each) => ({
          ...each,
          status: { ...each.status, allocatable: { ...each.status?.allocatable, 'ephemeral-storage': '8Ei' } },
        }));
        const exact = clusterOf(...objectsOf({ ...random, nodes }));
        assert.deepEqual(decisionsOf(exact), decisionsOf(clusterOf(...objectsOf(random))));
      }),
      { numRuns: runs },
    );
  });
});
