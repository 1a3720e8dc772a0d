import type { Answer, Balance } from '../../../report-model/answer.ts';
import type { Figures } from '../../../report-model/remedy.ts';
import type { Report } from '../../../report-model/report.ts';

/** How a run ends, in the numbers of its answer. */
export function figuresOf({ balance, groups }: Pick<Answer, 'balance' | 'groups'>): Figures {
  const down = groups.flatMap(({ lines }) => lines.filter(({ marks }) => marks.includes('down'))).length;
  const blocked = groups.reduce((sum, { kind, pods }) => sum + (kind === 'blocked' || kind === 'failed' ? pods : 0), 0);
  return figuresOfBalance(balance, down, blocked);
}

/** Pods that have a node and do not start there, as another node has their volume. */
export function unattachedPods({ pods }: Pick<Report, 'pods'>): readonly number[] {
  return pods.flatMap(({ unattached }, pod) => (unattached === 'elsewhere' ? [pod] : []));
}

export function figuresOfBalance(balance: Balance, down: number, blocked: number): Figures {
  return {
    evicted: balance.evicted,
    blocked,
    budgetsBroken: balance.budgetsBroken,
    pending: balance.pending + balance.stillPending + balance.waitedBefore,
    gated: balance.gated + balance.stillGated,
    refused: balance.refused + balance.stillRefused,
    down,
  };
}

/** How many pods a StatefulSet has not made yet: it makes one once those before it run. */
export function unmadeOf({ workloads, pods }: Pick<Report, 'workloads' | 'pods'>, index: number): number {
  const workload = workloads[index];
  if (workload?.kind !== 'StatefulSet') return 0;
  const made = pods.filter((pod) => pod.workload === index && pod.after.state !== 'evicted');
  return Math.max(0, workload.replicas - made.length);
}
