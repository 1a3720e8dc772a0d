/** Figures and names as the report writes them, in the page and in exports. */
import { say } from '../../../server/src/util/say.ts';
import { grouped } from '../../../server/src/util/words.ts';
import type { ReportPod, ReportScenario } from '../../../server/src/report-model/report.ts';

/** `100,000 (checkout-high)`, with the policy when it never preempts. */
export function priorityText(of: Pick<ReportPod, 'priority' | 'className' | 'preemptionPolicy'>): string {
  const name = of.className ?? say`no class`;
  const policy = of.preemptionPolicy === 'Never' ? say`, never preempts` : '';
  return `${grouped(of.priority)} (${name}${policy})`;
}

export function scenarioText(scenario: ReportScenario): string {
  switch (scenario.kind) {
    case 'workspace':
      return say`Whole workspace`;
    case 'change':
      return say`Change since ${scenario.since}`;
    case 'file':
      return say`File ${scenario.label}`;
    case 'workload':
      return say`Arrival of ${scenario.label}`;
    default:
      return scenario satisfies never;
  }
}
