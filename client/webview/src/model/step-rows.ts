import { own } from '../../../../server/src/util/own.ts';
import { say } from '../../../../server/src/util/say.ts';
import { formatUsage } from '../../../../server/src/util/amounts.ts';
import { grouped, qualifiedName } from '../../../../server/src/util/words.ts';
import { stepTitle } from '../../../src/report/step-title.ts';
import { shortNames } from '../../../../server/src/report-model/short-names.ts';
import { priorityText } from '../../../src/report/format.ts';
import type { Report, ReportStep } from '../../../../server/src/report-model/report.ts';

/** A line of the list of steps: a step, or a line below a step that is open. */
export type StepRow =
  | {
      readonly kind: 'step';
      readonly index: number;
      readonly step: ReportStep;
      readonly subject: string;
      readonly predicate: string;
      readonly open: boolean;
    }
  | {
      readonly kind: 'line';
      readonly index: number;
      readonly label: string;
      readonly text: string;
      readonly pod: number | null;
    };

export function stepRows(
  report: Report,
  open: ReadonlySet<number>,
  keep: (step: ReportStep) => boolean,
): readonly StepRow[] {
  return report.steps.flatMap((step, index): readonly StepRow[] => {
    if (!keep(step)) {
      return [];
    }
    const isOpen = open.has(index);
    const row: StepRow = { kind: 'step', index, step, ...stepTitle(step, shortNames(report)), open: isOpen };
    return isOpen ? [row, ...stepLines(report, step, index)] : [row];
  });
}

function stepLines(report: Report, step: ReportStep, index: number): readonly StepRow[] {
  const line = (label: string, text: string, pod: number | null = null): StepRow => ({
    kind: 'line',
    index,
    label,
    text,
    pod,
  });
  const named = (pod: number): string => {
    const found = report.pods[pod];
    return found === undefined ? '' : say`${qualifiedName(found)}, priority ${priorityText(found)}`;
  };
  const victimLabel = step.kind === 'gone' ? say`gone` : say`evicts`;
  const { active, backoff, unschedulable, gated } = step.queues;
  return [
    line(say`pod`, named(step.pod), step.pod),
    ...step.victims.filter((pod) => pod !== step.pod).map((pod) => line(victimLabel, named(pod), pod)),
    ...step.requested.map(({ node, amounts }) => {
      const { name = '', allocatable = {} } = report.nodes[node] ?? {};
      const usage = ['cpu', 'memory', 'pods'].map(
        (resource) =>
          `${resource} ${formatUsage(resource, own(amounts, resource) ?? 0, own(allocatable, resource) ?? 0, '/')}`,
      );
      return line(say`node`, `${name}: ${usage.join(', ')}`);
    }),
    line(
      say`queues`,
      say`active ${grouped(active)}, backoff ${grouped(backoff)}, unschedulable ${grouped(unschedulable)}, gated ${grouped(gated)}`,
    ),
  ];
}
