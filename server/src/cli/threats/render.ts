import { groupBy } from '../../util/maps.ts';
import { count, grouped, list, titleOf, upperFirst } from '../../util/words.ts';
import { isThreatened, type ThreatsReport } from '../../simulation/scenario/threats-to-pod.ts';
import type { CommandAnswer, PartLine } from '../answer/answer.ts';

/** Lists longer than this are told in numbers. */
const longest = 12;

export function threatsAnswer(reports: readonly ThreatsReport[]): CommandAnswer {
  const threatened = reports.filter(isThreatened);
  return {
    verdict: verdictOf(reports, threatened),
    tone: threatened.length === 0 ? 'good' : 'bad',
    parts: alike(reports).map((same) => {
      const { state, priority, className } = same[0];
      const rank = className === null ? `priority ${priority}` : `${className} ${priority}`;
      const nodes = [...new Set(same.flatMap(({ node }) => node ?? []))];
      const where = nodes.length === 0 ? '' : `, ${list(nodes, longest)}`;
      const pods = same.map(({ pod }) => pod);
      return {
        title: `${list(pods, longest)} (${rank}): ${state}${where}`,
        lines: linesOf(same[0], same.length > 1),
      };
    }),
  };
}

/** Pods of which the same is said, told together. */
function alike(reports: readonly ThreatsReport[]): readonly [ThreatsReport, ...ThreatsReport[]][] {
  return [...groupBy(reports, (report) => JSON.stringify({ ...report, pod: '', node: '' })).values()];
}

function verdictOf(reports: readonly ThreatsReport[], threatened: readonly ThreatsReport[]): string {
  // A replacement that is pending stands for a pod that was evicted.
  const pods = reports.filter((report) => report.state !== 'pending' || isThreatened(report)).length;
  const named = (all: readonly ThreatsReport[]): string =>
    all.length === 1 ? all[0]!.pod : `${grouped(all.length)} of ${count(pods, 'pod')}`;
  if (threatened.length === 0) {
    return `No declared workload would evict ${reports.length === 1 ? reports[0]!.pod : `any of ${count(reports.length, 'pod')}`} now.`;
  }
  const tainted = threatened.filter(({ taintOf }) => taintOf !== null);
  const outranked = threatened.filter(({ taintOf }) => taintOf === null);
  const nodes = [...new Set(tainted.flatMap(({ taintOf }) => taintOf ?? []))];
  const byTaint = `${nodes.length === 1 ? 'taint' : 'taints'} of ${list(nodes)} ${nodes.length === 1 ? 'evicts' : 'evict'} ${named(tainted)}`;
  if (outranked.length === 0) return `The ${byTaint}.`;
  const before = outranked.filter(({ state }) => state !== 'running');
  const next = outranked.filter(({ state }) => state === 'running');
  const sentences = [
    ...(before.length === 0
      ? []
      : [`deploying ${list(namesOf(before))} evicts ${named(before)}${breaking(before, 's')}`]),
    ...(next.length === 0
      ? []
      : [
          `${namesOf(next).length === 1 ? 'one more pod of' : 'one more pod of each of'} ${list(namesOf(next))} would ${before.length === 0 ? '' : 'then '}evict ${named(next)}${breaking(next, '')}`,
        ]),
    ...(tainted.length === 0 ? [] : [`the ${byTaint}`]),
  ];
  return `${upperFirst(sentences.join('; '))}.`;
}

function namesOf(reports: readonly ThreatsReport[]): readonly string[] {
  return [...new Set(reports.flatMap(({ workloads }) => workloads.map(titleOf)))];
}

function breaking(reports: readonly ThreatsReport[], ending: string): string {
  const broken = [...new Set(reports.flatMap(({ workloads }) => workloads.flatMap((each) => each.breaks)))];
  return broken.length === 0 ? '' : `, and break${ending} ${list(broken.map((budget) => `budget ${budget}`))}`;
}

/** @param isOfSeveral whether it is said of several pods, of each of which it is true */
function linesOf(report: ThreatsReport, isOfSeveral: boolean): readonly (string | PartLine)[] {
  const { state, priority, classes, taintOf, workloads, safeAt, budgets, untried } = report;
  const [it, any] = isOfSeveral ? ['them', 'any of them'] : ['it', 'it'];
  if (taintOf !== null) {
    const tolerates = isOfSeveral ? 'they do not tolerate' : 'it does not tolerate';
    return [
      { text: `− taint of ${taintOf}: ${tolerates} that, or only for some time`, tone: 'bad' },
      `No PodDisruptionBudget and no priority protects ${it}: only a toleration, or a node without the taint.`,
    ];
  }
  if (state !== 'running' && workloads.length === 0) {
    return [`${isOfSeveral ? 'They are' : 'It is'} ${state}, so there is nothing to evict.`];
  }
  const preempting = classes.filter(({ preempts }) => preempts).map(({ name, value }) => `${name} ${value}`);
  const never = classes.filter(({ preempts }) => !preempts).map(({ name }) => name);
  return [
    ...workloads.slice(0, longest).map((threat): PartLine => {
      const now =
        state !== 'running'
          ? `evicts ${any} when everything that is declared is deployed`
          : threat.isNext
            ? `the next pod evicts ${isOfSeveral ? 'one of them' : 'it'}`
            : 'it could, on this node';
      const broken = threat.breaks.length === 0 ? '' : `, and breaks ${list(threat.breaks)}`;
      return { text: `− ${titleOf(threat)} (priority ${threat.priority}): ${now}${broken}`, tone: 'bad' };
    }),
    ...(workloads.length > longest ? [`and ${count(workloads.length - longest, 'more workload')}`] : []),
    ...(workloads.length === 0
      ? [{ text: `No declared workload would evict ${any} now.`, tone: 'good' as const }]
      : []),
    ...(untried > 0
      ? [{ text: `${count(untried, 'workload')} of higher priority were not tried.`, tone: 'warning' as const }]
      : []),
    `No pod of priority ${priority} or lower can evict ${any}.`,
    ...(safeAt === null ? [] : [`With priority ${safeAt} or higher none of these workloads could.`]),
    ...(preempting.length === 0 ? [] : [`Classes that may evict ${any}: ${list(preempting, longest)}.`]),
    ...(never.length === 0 ? [] : [`Classes above ${it} that evict no pod: ${list(never, longest)}.`]),
    ...budgets.map(({ name, disruptionsAllowed }) => {
      return `PodDisruptionBudget ${name} (${grouped(disruptionsAllowed)} allowed) does not protect ${it}: preemption breaks a budget where no other node does without, and node pressure and deletion ask none.`;
    }),
    ...(budgets.length === 0 ? [`No PodDisruptionBudget selects ${any}.`] : []),
  ];
}
