import { count, grouped, list, titleOf } from '../../kit/words.ts';
import type { ThreatsReport } from '../../simulation/scenario/threats-to-pod.ts';
import { jsonText } from '../terminal/json.ts';
import { terminalStyle } from '../terminal/style.ts';
import { printable, wrap } from '../terminal/text.ts';

/** Lists longer than this are told in numbers. */
const longest = 12;

export function renderThreats(
  reports: readonly ThreatsReport[],
  { colour, columns }: { colour: boolean; columns: number },
): string {
  const style = terminalStyle(colour);
  const lines: string[] = [];
  const add = (text: string, indent = '  ', paint?: (text: string) => string): void => {
    const span = { text: printable(text), ...(paint === undefined ? {} : { paint }) };
    lines.push(...wrap([span], columns, indent, indent.replace('−', ' ')));
  };
  for (const { pod, state, node, priority, className, classes, workloads, safeAt, budgets, untried } of reports) {
    const rank = className === null ? `priority ${priority}` : `${className} ${priority}`;
    add(`${pod} (${rank}): ${state}${node === null ? '' : `, ${node}`}`, '', style.strong);
    if (state !== 'running' && workloads.length === 0) {
      add(`It is ${state}, so there is nothing to evict.`);
      continue;
    }
    for (const threat of workloads.slice(0, longest)) {
      const now =
        state !== 'running'
          ? 'evicts it when everything that is declared is deployed'
          : threat.isNext
            ? 'the next pod evicts it'
            : 'it could, on this node';
      const broken = threat.breaks.length === 0 ? '' : `, and breaks ${list(threat.breaks)}`;
      add(`${titleOf(threat)} (priority ${threat.priority}): ${now}${broken}`, '  − ', style.bad);
    }
    if (workloads.length > longest) add(`and ${count(workloads.length - longest, 'more workload')}`);
    if (workloads.length === 0) add('No declared workload would evict it now.', '  ', style.good);
    if (untried > 0) add(`${count(untried, 'workload')} of higher priority were not tried.`, '  ', style.warning);
    add(`No pod of priority ${priority} or lower can evict it.`);
    if (safeAt !== null) add(`With priority ${safeAt} or higher none of these workloads could.`);
    const preempting = classes.filter(({ preempts }) => preempts).map(({ name, value }) => `${name} ${value}`);
    if (preempting.length > 0) add(`Classes that may evict it: ${list(preempting, longest)}.`);
    const never = classes.filter(({ preempts }) => !preempts).map(({ name }) => name);
    if (never.length > 0) add(`Classes above it that evict nobody: ${list(never, longest)}.`);
    for (const { name, disruptionsAllowed } of budgets) {
      add(
        `PodDisruptionBudget ${name} (${grouped(disruptionsAllowed)} allowed) does not protect it: preemption breaks a budget where no other node does without, and node pressure and deletion ask none.`,
      );
    }
    if (budgets.length === 0) add('No PodDisruptionBudget selects it.');
  }
  return `${lines.join('\n')}\n`;
}

export function renderThreatsJson(reports: readonly ThreatsReport[]): string {
  return `${jsonText({ pods: reports })}\n`;
}
