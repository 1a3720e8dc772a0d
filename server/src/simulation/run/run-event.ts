import type { Decision, NodeName } from '../../scheduler/decision.ts';
import type { LiveEvent } from '../../scheduler/index.ts';
import type { QueueCounts, ReportStep } from '../../report-model/report.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** Something that happened. Places are read from the run while it is told. */
export interface RunEvent {
  readonly kind: ReportStep['kind'];
  /** Seconds on the simulated clock. */
  readonly clock: number;
  readonly pod: SimulatedPod;
  readonly node: NodeName | null;
  /** Newly terminating for `nominated`, gone for `gone`. */
  readonly victims: readonly SimulatedPod[];
  /** Every pod whose place changed, `pod` and new pods included. */
  readonly changed: readonly SimulatedPod[];
  readonly decision: Decision | null;
  /** The reason, where there is no decision to give it. */
  readonly message: string;
  /** The pod was nominated to this node before and did not get it. */
  readonly lostNomination: NodeName | null;
  /** Of a lost nomination: its victims that still end there, and who was placed there since. */
  readonly lostTo: { readonly ending: readonly SimulatedPod[]; readonly takers: readonly SimulatedPod[] };
  /** For `gone`: the nodes that were left. */
  readonly freed: readonly NodeName[];
  readonly queues: QueueCounts;
}

/** Why the pod is where it is, in the words of the scheduler or of the API server. */
export function messageOf({ decision, message }: RunEvent): string {
  return decision !== null && decision.kind !== 'fits' ? decision.message : message;
}

/** An event of the scheduler's run, as one about a pod. */
export function runEvent(kind: RunEvent['kind'], pod: SimulatedPod, event: LiveEvent): RunEvent {
  const { clock, node, decision, message, lostNomination, queues } = event;
  return {
    kind,
    clock,
    pod,
    node,
    victims: [],
    changed: [pod],
    decision,
    message,
    lostNomination,
    lostTo: { ending: [], takers: [] },
    freed: [],
    queues,
  };
}
