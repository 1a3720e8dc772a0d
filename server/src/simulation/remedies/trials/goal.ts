import type { AnswerLine } from '../../../report-model/answer.ts';
import type { Figures } from '../../../report-model/remedy.ts';
import { titleOf } from '../../../util/words.ts';
import { figuresOf, unattachedPods, unmadeOf } from '../../report/answer/figures.ts';
import type { ReportedCluster } from '../reported-cluster.ts';

/** How a run ends, as far as remedies are measured by it. */
export interface Ended {
  readonly figures: Figures;
  /** Pods that wait, by the title of their workload. */
  readonly waiting: ReadonlyMap<string, number>;
}

/** What each remedy is held to. */
export interface Goal {
  /** What is bad, as a number that a remedy brings down. */
  badness(ended: Ended): number;
  /** Whether room is looked for: the pods of DaemonSets on new nodes are not to wait instead. */
  readonly wantsRoom?: boolean;
  /** What is refused does not run before, whatever else does. */
  readonly isOfRefused?: boolean;
  /** The workload that is changed, and a pod of it that waits. */
  readonly changed?: { readonly kind: string; readonly pod: string };
}

export const evictionGoal: Goal = { badness: ({ figures }) => figures.evicted + figures.budgetsBroken / 1000 };

export const gatedGoal: Goal = { badness: ({ figures }) => figures.gated };

/** A pod that waits instead runs no more than before, and one that it evicts ran. */
export const refusedGoal: Goal = {
  badness: ({ figures: { refused, pending, evicted } }) => refused + pending + evicted,
  isOfRefused: true,
};

/** A workload that makes no pods: pods that stay pending are no help. */
export function idleGoal({ report }: ReportedCluster, { workloads }: AnswerLine, before: Ended): Goal {
  const title = titleOf(report.workloads[workloads[0] ?? -1]!);
  return { badness: (ended) => Number(ended === before || ended.waiting.has(title)) };
}

/** The pods of a line that wait, and none of the same workloads that wait for something else. */
export function pendingGoal({ report }: ReportedCluster, { workloads, pods }: AnswerLine): Goal {
  const titles = workloads.map((index) => titleOf(report.workloads[index]!));
  const all = (report.answer.groups.find(({ kind }) => kind === 'pending')?.lines ?? [])
    .flatMap((line) => line.pods)
    .filter((pod) => workloads.includes(report.pods[pod]?.workload ?? -1)).length;
  const unattached = unattachedPods(report).filter((pod) =>
    workloads.includes(report.pods[pod]?.workload ?? -1),
  ).length;
  const elsewhere = all + unattached - pods.length;
  const { namespace = '', name = '', workload } = report.pods[pods[0] ?? -1] ?? {};
  const kind = report.workloads[workload ?? -1]?.kind ?? '';
  return {
    wantsRoom: true,
    ...(workloads.length === 1 ? { changed: { kind, pod: `${namespace}/${name}` } } : {}),
    badness: ({ waiting }) =>
      Math.max(0, titles.reduce((sum, title) => sum + (waiting.get(title) ?? 0), 0) - elsewhere),
  };
}

/** How the run of the report ends. */
export function endOf({ report }: ReportedCluster): Ended {
  const waiting = new Map<string, number>();
  const pods = report.answer.groups.flatMap(({ kind, lines }) =>
    kind === 'pending' ? lines.flatMap((line) => line.pods) : [],
  );
  for (const pod of [...pods, ...unattachedPods(report)]) {
    const index = report.pods[pod]?.workload ?? -1;
    const workload = report.workloads[index];
    if (workload === undefined) continue;
    const title = titleOf(workload);
    waiting.set(title, (waiting.get(title) ?? unmadeOf(report, index)) + 1);
  }
  return { figures: figuresOf(report.answer), waiting };
}

/** Nobody is helped by others suffering instead, and a pod that the API server refuses waits no longer. */
export function isHelp(ended: Ended, goal: Goal, before: Ended): boolean {
  const badness = goal.badness(ended);
  // Where a StatefulSet has made its next pod, as many are pending as before.
  const isSeen = badness === 0 || goal.wantsRoom !== true || ended.figures.pending < before.figures.pending;
  return badness < goal.badness(before) && isSeen && ended.figures.refused <= before.figures.refused;
}
