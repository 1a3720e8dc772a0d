/** Where a report has nothing to say, or rests on less than it could: what leads on. */
import { assumedText } from '../../../../server/src/report-model/assumed.ts';
import { say } from '../../../../server/src/util/say.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import type { PanelCommand } from '../../../src/report/messages.ts';
import { isScalable, targetText, type Trial } from './operations.ts';

/** A button: something that the editor does, or something that is tried. */
export type NextStep = { readonly label: string; readonly command: PanelCommand } | Trial;

export interface Situation {
  /** Empty where what is missing has been said above. */
  readonly text: string;
  readonly steps: readonly NextStep[];
}

const capture: NextStep = { label: say`Capture a cluster snapshot…`, command: 'captureSnapshot' };
const nameSnapshot: NextStep = { label: say`Name a snapshot…`, command: 'nameSnapshot' };
const problems: NextStep = { label: say`Show the problems`, command: 'showProblems' };

/** What to do about the report as a whole, what matters most first. */
export function situations(report: Report): readonly Situation[] {
  const { answer, pods, workloads, unseen, assumptions, scenario } = report;
  const found: Situation[] = [];
  if (assumptions.some(({ mark, about }) => mark === '!' && about === 'snapshot')) {
    found.push({ text: '', steps: [problems, capture, nameSnapshot] });
  }
  if (unseen.some(({ kind }) => kind === 'source' || kind === 'partial')) {
    const steps: readonly NextStep[] = [
      // Its rows allow a tool, fetch what is remote, or name the tool that is missing: a page does not know which.
      { label: say`Show what is not seen`, command: 'showUnseen' },
      { label: say`Choose targets…`, command: 'chooseSources' },
      { label: say`Show the log`, command: 'showLogs' },
    ];
    found.push({ text: '', steps });
  } else if (unseen.some(({ kind }) => kind === 'document' || kind === 'file')) {
    found.push({ text: '', steps: [problems] });
  }
  if (pods.length === 0 && workloads.length === 0) {
    const steps: readonly NextStep[] = [
      { label: say`Open the sample`, command: 'openSample' },
      capture,
      { label: say`Choose targets…`, command: 'chooseSources' },
    ];
    found.push({ text: say`No manifest that was read makes a pod.`, steps });
    return found;
  }
  const assumed = assumedText(report);
  if (assumed !== '') {
    found.push({
      text: assumed,
      steps: [capture, nameSnapshot, { label: say`Change them…`, command: 'assumedNodes' }],
    });
  }
  const { balance } = answer;
  if (balance.arriving > 0 && balance.refused === balance.arriving) {
    found.push({ text: say`The API server takes none of the pods.`, steps: [problems] });
  } else if (balance.arriving === 0 && scenario.kind !== 'change') {
    const steps: readonly NextStep[] = [
      ...trialsOf(report),
      { label: say`Something else…`, operation: '', isWhole: false },
    ];
    found.push({ text: say`Try what would change that:`, steps });
  }
  return found;
}

/** Of the node with the most pods, and of the first workload that has replicas. */
export function trialsOf({ nodes, pods, workloads }: Report): readonly NextStep[] {
  const on = new Map<number, number>();
  for (const { after } of pods) if (after.node !== null) on.set(after.node, (on.get(after.node) ?? 0) + 1);
  const [fullest] = [...on].reduce((most, each) => (each[1] > most[1] ? each : most), [-1, 0]);
  const node = nodes[fullest];
  const scalable = workloads.find((workload) => isScalable(workload) && workload.replicas > 0);
  return [
    ...(node === undefined
      ? []
      : [{ label: say`Drain ${node.name}`, operation: `drain node/${node.name} --ignore-daemonsets`, isWhole: true }]),
    ...(scalable === undefined
      ? []
      : [
          {
            label: say`Scale ${scalable.name} to ${scalable.replicas + 1}`,
            operation: `scale ${targetText(scalable)} ${scalable.replicas + 1}`,
            isWhole: true,
          },
        ]),
  ];
}
