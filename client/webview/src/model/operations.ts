import { say } from '../../../../server/src/util/say.ts';
import type { Report, ReportNode, ReportPod, ReportWorkload } from '../../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import type { Selection } from './view-state.ts';

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

/** What can be tried with a workload. */
function* workloadOperations(workload: ReportWorkload, classes: readonly string[]): Generator<string> {
  const target = targetText(workload);
  if (isScalable(workload)) {
    if (workload.replicas > 0) yield `scale ${target} ${workload.replicas - 1}`;
    yield `scale ${target} ${workload.replicas + 1}`;
  }
  for (const name of classes) if (name !== workload.className) yield `priority ${target} ${name}`;
  yield `delete ${target}`;
}

/** Something to try with what is selected: an operation, or the beginning of one whose rest somebody has to write. */
export interface Trial {
  readonly label: string;
  readonly operation: string;
  readonly isWhole: boolean;
}

/** More classes than this stand in no menu; any other can be written. */
const mostClasses = 8;

/** What can be tried with a node, or with a pod: with its gate, its workload, its class, its budgets and its node. */
export function trialsWith(report: Report, names: ShortNames, selection: Selection): readonly Trial[] {
  if (selection.kind === 'node') return nodeTrials(report.nodes[selection.node], names.node(selection.node));
  const pod = report.pods[selection.pod];
  if (pod === undefined) return [];
  const node = selection.node ?? pod.after.node ?? pod.before.node ?? -1;
  return [...podTrials(report, pod), ...nodeTrials(report.nodes[node], names.node(node))];
}

function podTrials({ workloads, ladder }: Report, pod: ReportPod): readonly Trial[] {
  const workload = workloads[pod.workload ?? -1];
  const trials: Trial[] = [];
  if (workload !== undefined) {
    const target = targetText(workload);
    if (pod.after.state === 'gated') trials.push(whole(say`release the gate`, `ungate ${target}`));
    const classes = ladder.flatMap((rung) => rung.classes);
    const others = classes.filter((name) => name !== workload.className);
    for (const operation of workloadOperations(workload, others.slice(0, mostClasses))) {
      const [verb = '', , ...rest] = operation.split(' ');
      trials.push(whole(labelOf(verb, rest.join(' ')), operation));
    }
    if (others.length > mostClasses) trials.push(begun(say`priority…`, `priority ${target} `));
    trials.push(begun(say`requests…`, `request ${target} cpu=`));
  }
  if (pod.className !== null) trials.push(begun(say`value of ${pod.className}…`, `class ${pod.className} value=`));
  const budgets = pod.budgets.map((name) => whole(say`remove budget ${lastPart(name)}`, `remove pdb/${name}`));
  return [...trials, ...budgets];
}

/** What an operation with a workload is called in its menu. */
function labelOf(verb: string, value: string): string {
  if (verb === 'delete') return say`delete`;
  return verb === 'scale' ? say`scale to ${value}` : say`priority ${value}`;
}

function nodeTrials(node: ReportNode | undefined, short: string): readonly Trial[] {
  if (node === undefined) return [];
  const { name, unschedulable } = node;
  const cordon = unschedulable ? 'uncordon' : 'cordon';
  return [
    whole(say`drain ${short}`, `drain node/${name} --ignore-daemonsets`),
    whole(unschedulable ? say`uncordon ${short}` : say`cordon ${short}`, `${cordon} node/${name}`),
    whole(say`remove ${short}`, `remove node/${name}`),
    whole(say`+1 node like ${short}`, `add 1 node like ${name}`),
    whole(say`+2 nodes like ${short}`, `add 2 nodes like ${name}`),
  ];
}

function whole(label: string, operation: string): Trial {
  return { label, operation, isWhole: true };
}

function begun(label: string, operation: string): Trial {
  return { label, operation, isWhole: false };
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** With what would help after those that are tried: a drain with more flags takes the place of the one without them. */
export function withRemedy(operations: readonly string[], whatIf: readonly string[]): readonly string[] {
  const [first = ''] = whatIf;
  const [verb = '', node = ''] = first.split(' ');
  const isSame = (operation: string): boolean => `${operation} `.startsWith(`${verb} ${node} `);
  const at = verb === 'drain' ? operations.findLastIndex(isSame) : -1;
  return at === -1 ? [...operations, ...whatIf] : operations.map((each, index) => (index === at ? first : each));
}
