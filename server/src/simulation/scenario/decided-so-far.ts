import { shortNames } from '../../report-model/short-names.ts';
import { headlineSoFar, type SoFar } from '../../report-model/so-far.ts';
import { getOrInsert } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { count, outOf } from '../../util/words.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
import type { RunEvent } from '../run/run-event.ts';

type Fate = 'scheduled' | 'pending' | 'gated' | 'refused';

const fates: Readonly<Partial<Record<RunEvent['kind'], Fate>>> = {
  scheduled: 'scheduled',
  nominated: 'pending',
  cleared: 'pending',
  pending: 'pending',
  'not-modelled': 'pending',
  gated: 'gated',
  rejected: 'refused',
};

/** Workloads that are named. */
const most = 8;

/** Counts what a run decides while it goes on, so that whoever waits sees it. */
export class DecidedSoFar {
  readonly #workloads: SimulatedCluster['reportWorkloads'];
  readonly #names: ReturnType<typeof shortNames>;
  /** Null until something is decided of the pod. */
  readonly #fates: Map<SimulatedPod, Fate | null>;
  readonly #counts = { scheduled: 0, pending: 0, gated: 0, refused: 0 };
  /** By workload, who loses how many pods to whom. */
  readonly #lost = new Map<number, { pods: number; readonly to: Set<number> }>();
  #evicted = 0;

  /** @param arriving pods that the run decides of */
  constructor({ reportWorkloads }: SimulatedCluster, arriving: Iterable<SimulatedPod>) {
    this.#workloads = reportWorkloads;
    this.#names = shortNames({ pods: [], workloads: reportWorkloads, nodes: [] });
    this.#fates = new Map([...arriving].map((pod) => [pod, null]));
  }

  note({ kind, pod, victims }: RunEvent): void {
    const fate = fates[kind];
    const before = this.#fates.get(pod);
    if (fate !== undefined && before !== undefined && before !== fate) {
      if (before !== null) this.#counts[before] -= 1;
      this.#counts[fate] += 1;
      this.#fates.set(pod, fate);
    }
    if (kind !== 'nominated') return;
    this.#evicted += victims.length;
    for (const { workload } of victims) {
      const lost = getOrInsert(this.#lost, workload, () => ({ pods: 0, to: new Set<number>() }));
      lost.pods += 1;
      lost.to.add(pod.workload);
    }
  }

  /** `Deciding 120 of 253 pods · 4 evicted so far`. */
  text(): string {
    const { scheduled, pending, gated, refused } = this.#counts;
    const decided = scheduled + pending + gated + refused;
    const parts = [say`Deciding ${outOf(decided, count(this.#fates.size, 'pod'))}`];
    return joined([...parts, ...(this.#evicted === 0 ? [] : [say`${this.#evicted} evicted so far`])], ' · ');
  }

  answer(): SoFar {
    const losers = [...this.#lost].sort(([, one], [, other]) => other.pods - one.pods);
    const winners = new Set(losers.flatMap(([, { to }]) => [...to]));
    const { scheduled, pending, gated, refused } = this.#counts;
    const arriving = this.#fates.size;
    const name = (workload: number): string => this.#names.workload(workload);
    return {
      arriving,
      ...this.#counts,
      undecided: arriving - scheduled - pending - gated - refused,
      evicted: this.#evicted,
      headline: headlineSoFar(
        [...winners].map(name),
        losers.map(([workload]) => name(workload)),
        this.#evicted,
      ),
      victims: losers.slice(0, most).map(([workload, { pods, to }]) => {
        const [first = -1] = to;
        const others = to.size === 1 ? '' : say` and ${to.size - 1} more`;
        return {
          name: name(workload),
          count: say`${pods} of ${Math.max(pods, this.#workloads[workload]?.replicas ?? 0)}`,
          for: say`for ${name(first)}${others}`,
        };
      }),
      moreVictims: Math.max(0, losers.length - most),
    };
  }
}
