import { highestUserDefinablePriority } from '../../../admission/priority/priority-class.ts';
import { systemPriorityClasses } from '../../../admission/priority/priority.ts';
import type { PriorityClass } from '../../../kubernetes/objects.ts';
import type { Cause } from '../../../report-model/cause.ts';
import type { ReportWorkload, WholeReport } from '../../../report-model/report.ts';
import { least } from '../../../util/extremes.ts';
import { compareText } from '../../../util/words.ts';
import type { SimulationInput } from '../../cluster/input.ts';
import { operations, type Proposal, targetOf } from './proposal.ts';

export interface DeclaredClass {
  readonly name: string;
  readonly value: number;
  readonly preempts: boolean;
}

/** The most important class that does not outrank the victims. */
export function lessImportant(
  workload: ReportWorkload,
  lowestVictim: number,
  classes: readonly DeclaredClass[],
): readonly Proposal[] {
  // What is below 0 holds room that others may take.
  const below = classes.filter(({ value }) => value <= lowestVictim && (value >= 0 || workload.priority < 0));
  return below.slice(-1).flatMap(({ name }) => operations(`priority ${targetOf(workload)} ${name}`));
}

/** The least important class above its own, and the most important of all. */
export function moreImportant(workload: ReportWorkload, classes: readonly DeclaredClass[]): readonly Proposal[] {
  const never = workload.preemptionPolicy === 'Never';
  const above = classes.filter(
    ({ value, preempts }) => preempts && (value > workload.priority || (never && value === workload.priority)),
  );
  const names = new Set([...above.slice(0, 1), ...above.slice(-1)].map(({ name }) => name));
  // Its own, where it is declared and does not preempt.
  const own =
    never && names.size === 0
      ? classes.find((each) => each.name === workload.className && !each.preempts)?.name
      : undefined;
  // What every node needs has a class of the system; applications have none.
  if (workload.kind === 'DaemonSet' && workload.namespace === 'kube-system') names.add('system-node-critical');
  return [
    ...[...names].flatMap((name) => operations(`priority ${targetOf(workload)} ${name}`)),
    ...(own === undefined ? [] : operations(`class ${own} preemptionPolicy=PreemptLowerPriority`)),
  ];
}

/** The pods of a DaemonSet have one node each: there they preempt, or wait. */
export function classForDaemons(
  workload: ReportWorkload,
  { node, parts }: Cause,
  pods: WholeReport['pods'],
  classes: readonly DeclaredClass[],
): readonly Proposal[] {
  if (workload.kind !== 'DaemonSet' || node === null || !parts.every(({ kind }) => kind === 'amount')) return [];
  const there = pods.filter(({ after }) => after.state === 'running' && after.node === node);
  const lowest = least(there.map(({ priority }) => priority));
  if (lowest === Infinity || lowest < workload.priority || lowest >= highestUserDefinablePriority) return [];
  const target = targetOf(workload);
  const declared = classes.find(({ value, preempts }) => preempts && value > lowest);
  if (declared !== undefined) {
    return [{ kind: 'operations', whatIf: [`priority ${target} ${declared.name}`], isUsual: true }];
  }
  const name = `${workload.name}-daemons`;
  const whatIf = [`class ${name} value=${lowest + 1}`, `priority ${target} ${name}`];
  return [{ kind: 'operations', whatIf, isUsual: true }];
}

/** The declared ones, the least important first. */
export function declaredClasses({ workspace, snapshot }: SimulationInput): readonly DeclaredClass[] {
  return [...workspace, ...snapshot]
    .flatMap(({ object }) => (object.kind === 'PriorityClass' ? [object as PriorityClass] : []))
    .map(({ metadata, value, preemptionPolicy }) => ({
      name: metadata?.name ?? '',
      value: value ?? 0,
      preempts: preemptionPolicy !== 'Never',
    }))
    .filter(
      ({ name, value }) => !systemPriorityClasses.has(name) && name !== '' && value <= highestUserDefinablePriority,
    )
    .sort((a, b) => a.value - b.value || compareText(a.name, b.name));
}
