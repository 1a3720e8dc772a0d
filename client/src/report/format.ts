/** Figures and names as the report writes them, in the page and in exports. */
import { say } from '../../../server/src/kit/say.ts';
import { grouped } from '../../../server/src/kit/words.ts';
import type { ReportPod, ReportScenario } from '../../../server/src/contract/report.ts';

/** Seconds on the simulated clock: `30 s`, `1 min 30 s`, `2 h 5 min`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds * 10) / 10;
  if (whole < 60) {
    return say`${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  const rest = Math.round(whole % 60);
  if (minutes < 60) {
    return rest === 0 ? say`${minutes} min` : say`${minutes} min ${rest} s`;
  }
  return minutes % 60 === 0
    ? say`${Math.floor(minutes / 60)} h`
    : say`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

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
