import type { WholeReport } from '../../report-model/report.ts';
import { keyOfObject, nameOf, workloadKey } from '../../kubernetes/names.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import type { Declared, Node, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';

/**
 * What changed labels, taints and amounts of nodes set off later: pods that run stay, those of some workloads would not
 * find any node again, and a kubelet admits its pods anew when it starts.
 * Source: pkg/kubelet/kubelet.go (HandlePodAdditions)
 */
export function changedNodeClauses(
  report: WholeReport,
  earlier: readonly Declared[],
  now: readonly Declared[],
  stored: readonly Declared[],
): readonly string[] {
  const [before, after] = [nodesOf(earlier), nodesOf(now)];
  const running = stored.filter(
    ({ object }) => object.kind === 'Pod' && (object as Pod).status?.phase === 'Running',
  ) as readonly Declared<Pod>[];
  return [...closedClauses(report, before, after, running, now), ...smallerClauses(before, after, running)];
}

function smallerClauses(
  before: readonly Node[],
  after: readonly Node[],
  running: readonly Declared<Pod>[],
): readonly string[] {
  const had = new Map(before.map((node) => [nameOf(node), readResourceList(node.status?.allocatable)]));
  const specsOn = new Map<string, PodSpec[]>();
  for (const { object } of running) {
    const { spec } = object;
    if (spec?.nodeName === undefined) continue;
    const known = specsOn.get(spec.nodeName);
    if (known === undefined) specsOn.set(spec.nodeName, [spec]);
    else known.push(spec);
  }
  const small = after.filter((node) => {
    const has = readResourceList(node.status?.allocatable);
    const lowered = [...has].filter(
      ([resource, { nanos }]) => nanos < (had.get(nameOf(node))?.get(resource)?.nanos ?? 0n),
    );
    const specs = lowered.length === 0 ? [] : (specsOn.get(nameOf(node)) ?? []);
    return lowered.some(([resource, { nanos }]) => {
      const asked = specs.map((spec) => podRequests(spec).get(resource)?.nanos ?? 0n);
      return asked.reduce((sum, each) => sum + each, 0n) > nanos;
    });
  });
  return small.length === 0
    ? []
    : [
        say`the pods on ${list(small.map(nameOf), 3)} ask for more than there is then: some are refused when the kubelet starts anew`,
      ];
}

function closedClauses(
  { pods, workloads, pending }: WholeReport,
  before: readonly Node[],
  after: readonly Node[],
  running: readonly Declared<Pod>[],
  now: readonly Declared[],
): readonly string[] {
  const had = new Map(before.map((node) => [keyOfObject(node), closingOf(node)]));
  const isChanged = (node: Node): boolean => (had.get(keyOfObject(node)) ?? closingOf(node)) !== closingOf(node);
  if (!after.some(isChanged)) return [];
  const workloadOf = new Map(pods.map(({ namespace, name, workload }) => [`Pod/${namespace}/${name}`, workload ?? -1]));
  // The pods of a workload ask for the same nodes.
  const specs = new Map<number, PodSpec>();
  for (const { object } of running) {
    const index = workloadOf.get(keyOfObject(object)) ?? -1;
    if (object.spec !== undefined && !specs.has(index)) specs.set(index, object.spec);
  }
  const written = new Map(now.map(({ object }) => [keyOfObject(object), podTemplateOf(object)?.spec]));
  const waiting = new Set(pending.map(({ pod }) => pods[pod]?.workload));
  const names = new Set<string>();
  for (const [index, spec] of specs) {
    const workload = workloads[index];
    if (workload === undefined || workload.kind === 'Pod' || workload.kind === 'DaemonSet') continue;
    // Of those that are recreated already it is told that they are pending.
    if (waiting.has(index)) continue;
    const next = written.get(workloadKey(workload.kind, workload.namespace, workload.name)) ?? spec;
    if (before.some(nodesFor(spec)) && !after.some(nodesFor(next))) names.add(workload.name);
  }
  return names.size === 0
    ? []
    : [say`each pod of ${list([...names], 3)} that is recreated, as after a drain, finds no node`];
}

function nodesOf(declared: readonly Declared[]): readonly Node[] {
  return declared.flatMap(({ object }) => (object.kind === 'Node' ? [object as Node] : []));
}

function closingOf({ metadata, spec }: Node): string {
  return JSON.stringify([metadata?.labels, spec?.taints, spec?.unschedulable]);
}

function nodesFor(spec: PodSpec): (node: Node) => boolean {
  const required = compileRequiredNodeAffinity(spec);
  return (node) =>
    required.matches(selectableNode(node)) &&
    firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined;
}
