/** Figures and names as the report writes them, in the page and in exports. */
import type { ReportPod, ReportScenario, ReportWorkload } from '../../../server/src/contract/report.ts';

const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** `1000000` → `1,000,000`. The same in every locale, so that a report can be quoted. */
export function formatCount(value: number): string {
  if (value >= 0 && value < 1000) {
    return String(value);
  }
  const [whole = '', fraction] = String(Math.abs(value)).split('.');
  let grouped = whole;
  for (let at = whole.includes('e') ? 0 : whole.length - 3; at > 0; at -= 3) {
    grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`;
  }
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** An amount of a resource: millicores as cores, bytes with a binary suffix, anything else as a count. */
export function formatAmount(resource: string, amount: number): string {
  if (resource === 'cpu') {
    return amount !== 0 && Math.abs(amount) < 1000 ? `${round(amount, 0)}m` : round(amount / 1000, 2);
  }
  return isBytes(resource) ? formatBytes(amount) : formatCount(amount);
}

/** `3.8/4`, `13.4/16 Gi`: what is requested of what there is, in the unit of the latter. */
export function formatUsage(resource: string, requested: number, allocatable: number): string {
  if (resource === 'cpu') {
    return `${round(requested / 1000, 1)}/${round(allocatable / 1000, 1)}`;
  }
  if (isBytes(resource)) {
    const power = binaryPower(allocatable);
    const unit = 1024 ** power;
    return `${round(requested / unit, 1)}/${round(allocatable / unit, 1)} ${binaryUnits[power] ?? ''}`.trimEnd();
  }
  return `${formatCount(requested)}/${formatCount(allocatable)}`;
}

/** Seconds on the simulated clock: `30 s`, `1 min 30 s`, `2 h 5 min`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds * 10) / 10;
  if (whole < 60) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  const rest = Math.round(whole % 60);
  if (minutes < 60) {
    return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  }
  return minutes % 60 === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatNumberOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `batch/train-1`; for a cluster-scoped name the name alone. */
export function qualifiedName(object: { readonly namespace: string; readonly name: string }): string {
  return object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
}

export function workloadName(workload: ReportWorkload): string {
  return `${workload.kind} ${qualifiedName(workload)}`;
}

/** `100,000 (checkout-high)`, with the policy when it never preempts. */
export function priorityText(of: Pick<ReportPod, 'priority' | 'className' | 'preemptionPolicy'>): string {
  const name = of.className ?? 'no class';
  const policy = of.preemptionPolicy === 'Never' ? ', never preempts' : '';
  return `${formatCount(of.priority)} (${name}${policy})`;
}

export function scenarioText(scenario: ReportScenario): string {
  switch (scenario.kind) {
    case 'workspace':
      return 'Whole workspace';
    case 'change':
      return `Change since ${scenario.since}`;
    case 'file':
      return `File ${scenario.label}`;
    case 'workload':
      return `Arrival of ${scenario.label}`;
    default:
      return scenario satisfies never;
  }
}

function isBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

function formatBytes(bytes: number): string {
  const power = binaryPower(bytes);
  return `${round(bytes / 1024 ** power, 1)} ${binaryUnits[power] ?? ''}`.trimEnd();
}

function binaryPower(bytes: number): number {
  const magnitude = Math.abs(bytes);
  let power = 0;
  while (power < binaryUnits.length - 1 && magnitude >= 1024 ** (power + 1)) {
    power++;
  }
  return power;
}

function round(value: number, digits: number): string {
  return formatCount(Number(value.toFixed(digits)));
}
