import { labelValue } from '../../../kubernetes/labels.ts';
import { impossibleValue, nearLabel } from '../../../kubernetes/meant-label.ts';
import type { Node, PodSpec } from '../../../kubernetes/objects.ts';
import { podRequests } from '../../../kubernetes/pod-resources.ts';
import { podTemplateOf } from '../../../kubernetes/pod-template.ts';
import { quantityMilliValue, quantityValue } from '../../../kubernetes/quantity.ts';
import { isToBeTolerated, taintOwner } from '../../../kubernetes/taint-owner.ts';
import { taintText } from '../../../kubernetes/taints.ts';
import type { Cause, CausePart } from '../../../report-model/cause.ts';
import type { ReportNode, ReportWorkload } from '../../../report-model/report.ts';
import { isMeantInMillicores } from '../../../util/amounts.ts';
import { own } from '../../../util/own.ts';
import { compareText } from '../../../util/words.ts';
import { areVolumesApart } from '../../causes/find-causes.ts';
import { amountsOf, isOffered } from '../../causes/shortages-of.ts';
import type { Reason } from '../../report/answer/reasons.ts';
import { labelsFor } from '../labels-for.ts';
import type { ReportedCluster } from '../reported-cluster.ts';
import { newDomains } from './new-domains.ts';
import { mayTolerate } from './opening-proposals.ts';
import { type Proposal, targetOf } from './proposal.ts';

/** More nodes like the largest that may take them; larger ones where none is large enough. */
export function moreNodes(
  cluster: ReportedCluster,
  pods: readonly number[],
  { shortage }: Reason,
): readonly Proposal[] {
  // What pools can make they have made.
  if (shortage === null || cluster.grows) return [];
  const { resource, need, hopeless } = shortage;
  const model = largestLike(cluster, resource, shortage.node);
  if (model === undefined || isMeantInMillicores(resource, need, own(model.allocatable, resource) ?? 0)) return [];
  if (!hopeless) {
    const capacity = own(model.allocatable, resource) ?? 0;
    const perNode = Math.max(1, need === 0 ? 1 : Math.floor(capacity / need));
    return [
      {
        kind: 'fewest',
        guess: Math.ceil(pods.length / perNode),
        whatIf: (amount) => [`add ${amount} ${amount === 1 ? 'node' : 'nodes'} like ${model.name}`],
      },
    ];
  }
  if (resource !== 'cpu' && resource !== 'memory') return [];
  const cores = Math.ceil((model.allocatable['cpu'] ?? 0) / 1000);
  const gi = Math.ceil((model.allocatable['memory'] ?? 0) / 1024 ** 3);
  const wanted = resource === 'cpu' ? need / 1000 : need / 1024 ** 3;
  // Something is taken by the system and by DaemonSets: the next size, and the one after it.
  return [powerOfTwo(wanted), 2 * powerOfTwo(wanted)].map((size) => {
    const sizes = resource === 'cpu' ? `${size}:${powerOfTwo(gi)}Gi` : `${cores}:${size}Gi`;
    return {
      kind: 'fewest',
      family: 'larger nodes',
      guess: pods.length,
      whatIf: (amount) => [`add ${amount} ${amount === 1 ? 'node' : 'nodes'} ${sizes}`],
    };
  });
}

/** More nodes on which nothing would keep the pod away: as large, with the labels and in the zone that it asks for. */
export function suitableNodes(
  cluster: ReportedCluster,
  cause: Cause,
  pods: readonly number[],
  workload: ReportWorkload | undefined,
): readonly Proposal[] {
  const { parts } = cause;
  if (parts.some(({ kind }) => unhelpedByNodes.has(kind)) || workload?.kind === 'DaemonSet') return [];
  // New nodes begin with the taints that are to go.
  if (parts.every((part) => part.kind === 'taint' && part.taints.every((each) => taintOwner(each) === 'condition'))) {
    return [];
  }
  if (!parts.every(mayBeFreeOnNewNodes)) return [];
  // No node is where volumes are that are apart, and none is to have a label that is misspelt.
  if (areVolumesApart(cause)) return [];
  const known = cluster.nodes;
  const labelled = known.map(({ metadata }) => metadata?.labels);
  const isMisspelt = (wanted: string): boolean => nearLabel(wanted, labelled) !== undefined;
  if (parts.some((part) => part.kind === 'labels' && part.wanted.some(isMisspelt))) return [];
  const amounts = amountsOf(cause);
  if (amounts.some((amount) => !isOffered(amount))) return [];
  if (amounts.some(({ resource, need, capacity }) => isMeantInMillicores(resource, need, capacity))) return [];
  const model = modelOf(cluster, cause);
  const labels = wantedLabels(cluster, cause, pods, model, known);
  if (labels === null) return [];
  if (Object.entries(labels).some(([key, value]) => impossibleValue(key, value) !== undefined)) return [];
  // Nodes of a pool that is kept for some pods come with its taint.
  const spec = workload && cluster.templateOf(workload)?.spec;
  if (isKeptPool(labels, known, spec)) return openedAndMore(cluster, cause, workload, pods.length);
  const written = Object.entries(labels).map(([key, value]) => ` ${key}=${value}`);
  const domains = newDomains(parts, pods.length, known).map((domain) => ` ${domain}`);
  const isOfSize = (resource: string): boolean => resource === 'cpu' || resource === 'memory';
  if (amounts.some(({ resource, need, capacity }) => need > capacity && !isOfSize(resource))) return [];
  const { requests } = cluster.report.pods[pods[0]!]!;
  const has = (resource: string): number => own(model?.allocatable, resource) ?? 0;
  const isTooSmall = (resource: string): boolean => (own(requests, resource) ?? 0) > has(resource);
  const of = model === undefined ? '' : ` like ${model.name}`;
  const add = (size: string, guess: number): Proposal => ({
    kind: 'fewest',
    family: 'larger nodes',
    guess,
    whatIf: (amount) =>
      (domains.length === 0 ? [''] : domains).map(
        (domain) => `add ${amount} ${amount === 1 ? 'node' : 'nodes'}${of}${size}${written.join('')}${domain}`,
      ),
  });
  if (model !== undefined && !isTooSmall('cpu') && !isTooSmall('memory')) {
    const perNode = Math.min(
      ...amounts.map(({ resource, need }) => Math.floor(has(resource) / Math.max(1, need))),
      pods.length,
    );
    // Where DaemonSets need too much of one as large, a larger one.
    const larger = ['cpu', 'memory'].map((resource) => 2 * Math.ceil(has(resource)));
    const size = ` ${powerOfTwo((larger[0] ?? 0) / 1000)}:${powerOfTwo((larger[1] ?? 0) / 1024 ** 3)}Gi`;
    const guess = Math.ceil(pods.length / Math.max(1, perNode));
    return [add('', guess), add(size, guess), ...openedAndMore(cluster, cause, workload, pods.length)];
  }
  // Something is taken by the system and by DaemonSets: the next size, the one that holds these, and the one after it.
  const grown = (resource: 'cpu' | 'memory', unit: number, least: number, times: number): number => {
    const need = (own(requests, resource) ?? 0) + (times === 0 ? 0 : daemonsNeed(cluster, resource));
    return need > has(resource)
      ? Math.max(least, (times || 1) * powerOfTwo(need / unit))
      : Math.ceil(has(resource) / unit) || least;
  };
  const sizes = [0, 1, 2].map((times) => ` ${grown('cpu', 1000, 2, times)}:${grown('memory', 1024 ** 3, 4, times)}Gi`);
  return [...new Set(sizes)].map((size) => add(size, pods.length));
}

/** Where the nearest node is closed to it, more such nodes, which it tolerates. */
function openedAndMore(
  cluster: ReportedCluster,
  { parts, node }: Cause,
  workload: ReportWorkload | undefined,
  guess: number,
): readonly Proposal[] {
  const taints = parts.flatMap((part) => (part.kind === 'taint' ? part.taints : []));
  const name = cluster.report.nodes[node ?? -1]?.name;
  if (taints.length === 0 || name === undefined || workload === undefined) return [];
  if (!taints.every((taint) => mayTolerate(cluster, workload, taint))) return [];
  const opened = taints.map((taint) => `tolerate ${targetOf(workload)} ${taint}`);
  return [
    {
      kind: 'fewest',
      // A full one needs them; of one that has room they are more than what opens it.
      family: amountsOf({ parts }).length > 0 ? 'larger nodes' : 'opened',
      guess,
      whatIf: (amount) => [...opened, `add ${amount} ${amount === 1 ? 'node' : 'nodes'} like ${name}`],
    },
  ];
}

/** Of the nodes that refuse for their amounts alone; of equal ones the first by name. */
function largestLike(
  cluster: ReportedCluster,
  resource: string,
  like: number,
  among?: readonly number[],
): ReportNode | undefined {
  const { nodes } = cluster.report;
  const known = nodes[like];
  if (known === undefined) return undefined;
  const taints = JSON.stringify(known.taints);
  return nodes
    .filter((node, index) => among?.includes(index) !== false && JSON.stringify(node.taints) === taints)
    .filter(({ unschedulable }) => !unschedulable)
    .sort(
      (a, b) =>
        (own(b.allocatable, resource) ?? 0) - (own(a.allocatable, resource) ?? 0) || compareText(a.name, b.name),
    )[0];
}

/** A node that the new ones are like: of those that the pod may use the largest; else one that is open to all. */
function modelOf(cluster: ReportedCluster, { node, nodes: alike, fewest, parts }: Cause): ReportNode | undefined {
  const { nodes } = cluster.report;
  const isOpen = ({ taints }: ReportNode): boolean =>
    taints.every((taint) => taint.endsWith(':PreferNoSchedule') || taintOwner(taint) === 'condition');
  const [least] = amountsOf({ parts });
  const near = nodes[fewest?.nodes[0] ?? node ?? -1];
  const isClosed = parts.some(({ kind }) => kind === 'taint' || kind === 'volume' || kind === 'labels');
  if (near !== undefined && !isClosed && (fewest === null || isOpen(near))) {
    return largestLike(cluster, least?.resource ?? 'cpu', nodes.indexOf(near), fewest?.nodes ?? alike) ?? near;
  }
  return nodes.filter(isOpen).toSorted((a, b) => (b.allocatable['cpu'] ?? 0) - (a.allocatable['cpu'] ?? 0))[0];
}

/** Labels that new nodes need: what the pod selects, and where its volumes are. Null where that cannot be said. */
function wantedLabels(
  cluster: ReportedCluster,
  { parts, others }: Cause,
  pods: readonly number[],
  model: ReportNode | undefined,
  nodes: readonly Node[],
): Readonly<Record<string, string>> | null {
  const places = new Map<string, string>();
  for (const part of [parts, ...others.map((other) => other.parts)].flat()) {
    const [, key = '', value = ''] =
      part.kind === 'volume' ? (/^([^=\s]+)(?:=| in \()([^,)\s]+)/.exec(part.wanted[0] ?? '') ?? []) : [];
    if (key !== '') places.set(key, value);
  }
  const spec = cluster.templateOf(cluster.workloadOf(pods[0]))?.spec;
  return labelsFor(
    spec && { ...spec, nodeSelector: { ...ofRuntimeClass(cluster, spec), ...spec.nodeSelector } },
    nodes.find(({ metadata }) => metadata?.name === model?.name),
    Object.fromEntries(places),
    nodes,
  );
}

/** What a RuntimeClass selects, where nodes have it: to others the label is not to be given. */
function ofRuntimeClass(
  cluster: ReportedCluster,
  { runtimeClassName = '' }: PodSpec,
): Readonly<Record<string, string>> {
  const runtimes = cluster.inventory.objects('RuntimeClass');
  const selected = runtimes.find(({ metadata }) => metadata?.name === runtimeClassName)?.scheduling?.nodeSelector ?? {};
  const isThere = cluster.nodes.some(({ metadata }) =>
    Object.entries(selected).every(([key, value]) => labelValue(metadata?.labels, key) === value),
  );
  return isThere ? selected : {};
}

/** What DaemonSets ask for on a node that takes a pod of each of them, in millicores or bytes. */
function daemonsNeed(cluster: ReportedCluster, resource: 'cpu' | 'memory'): number {
  const daemons = cluster.inventory
    .objects('DaemonSet')
    .map((object) => podRequests(podTemplateOf(object)?.spec ?? { containers: [] }).get(resource));
  const valueOf = resource === 'cpu' ? quantityMilliValue : quantityValue;
  return daemons.reduce((sum, amount) => sum + (amount === undefined ? 0 : Number(valueOf(amount))), 0);
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

/** A new node has devices as the one it is like, and all of them are free. */
function mayBeFreeOnNewNodes(part: CausePart): boolean {
  if (part.kind !== 'devices') return true;
  return (
    part.match.length === 0 &&
    !part.timesOut &&
    part.requests.every(({ need, fit, obstacles }) => {
      const used = obstacles.filter(({ kind }) => kind === 'taken' || kind === 'capacity' || kind === 'counters');
      const freed = used.reduce((sum, { count }) => sum + count, 0);
      return freed > 0 && fit + freed >= need;
    })
  );
}

/** Whether all nodes that have some labels have a taint of their pool besides. */
function isKeptPool(
  labels: Readonly<Record<string, string>>,
  nodes: readonly Node[],
  spec: PodSpec | undefined,
): boolean {
  const wanted = Object.entries(labels).filter(([key]) => !key.startsWith('topology.'));
  const having = nodes.filter(({ metadata }) =>
    wanted.every(([key, value]) => labelValue(metadata?.labels, key) === value),
  );
  const isKept = ({ spec: { taints = [] } = {} }: Node): boolean =>
    taints.some((taint) => taint.effect !== 'PreferNoSchedule' && isToBeTolerated(taintText(taint), spec));
  return wanted.length > 0 && having.length > 0 && having.every(isKept);
}

/** What keeps a pod from every node, new ones included. */
const unhelpedByNodes: ReadonlySet<CausePart['kind']> = new Set<CausePart['kind']>([
  'claim',
  'device-claim',
  'devices-elsewhere',
  'gate',
  'scheduler',
  'node-name',
  'affinity',
  'other',
]);
