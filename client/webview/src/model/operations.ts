import type { Report, ReportWorkload } from '../../../../server/src/contract/report.ts';

/** More than this nobody reads in a list. */
const most = 40;

const scalable: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'Job',
]);

export function isScalable({ kind }: ReportWorkload): boolean {
  return scalable.has(kind);
}

/** `deployment/shop/checkout`, as operations name a workload. */
export function targetText({ kind, namespace, name }: ReportWorkload): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

/** Operations that begin with what is written, with the names of the report; nothing written yet: one of each. */
export function suggestedOperations(report: Report, text: string): readonly string[] {
  const found: string[] = [];
  const wanted = text.trimStart().toLowerCase();
  for (const operation of wanted === '' ? oneOfEach(report) : allOperations(report)) {
    // Anything that is written may stand anywhere: `checkout` finds all that can be done to it.
    if (!operation.toLowerCase().includes(wanted)) continue;
    found.push(operation);
    if (found.length === most) break;
  }
  return found;
}

function* oneOfEach(report: Report): Generator<string> {
  const seen = new Set<string>();
  for (const operation of allOperations(report)) {
    const verb = operation.slice(0, operation.indexOf(' '));
    if (!seen.has(verb)) yield operation;
    seen.add(verb);
  }
}

function* allOperations({ nodes, workloads, pods, ladder }: Report): Generator<string> {
  const classes = ladder.flatMap((rung) => rung.classes);
  for (const { name } of nodes) yield `add 1 node like ${name}`;
  for (const workload of workloads) yield* workloadOperations(workload, classes);
  for (const { name, unschedulable } of nodes) {
    yield `drain node/${name} --ignore-daemonsets`;
    yield `${unschedulable ? 'uncordon' : 'cordon'} node/${name}`;
    yield `remove node/${name}`;
  }
  for (const name of new Set(pods.flatMap(({ budgets }) => budgets))) yield `remove pdb/${name}`;
  for (const { after, workload } of pods) {
    const owner = after.state === 'gated' ? workloads[workload ?? -1] : undefined;
    if (owner !== undefined) yield `ungate ${targetText(owner)}`;
  }
  for (const name of classes) yield `class ${name} value=`;
}

/** What can be tried with a workload. */
export function* workloadOperations(workload: ReportWorkload, classes: readonly string[]): Generator<string> {
  const target = targetText(workload);
  if (isScalable(workload)) {
    if (workload.replicas > 0) yield `scale ${target} ${workload.replicas - 1}`;
    yield `scale ${target} ${workload.replicas + 1}`;
  }
  for (const name of classes) if (name !== workload.className) yield `priority ${target} ${name}`;
  yield `delete ${target}`;
}
