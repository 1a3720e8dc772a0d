import { addTo, groupBy } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import { formatUsage } from '../../util/amounts.ts';
import { said, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { keyOf } from '../../kubernetes/names.ts';
import type { Node, Pod, Taint } from '../../kubernetes/objects.ts';
import { obstacleOf, stays } from '../../autoscaling/cluster-autoscaler/drainability.ts';
import { doNotDisruptKey, nodePoolKey } from '../../autoscaling/karpenter/labels.ts';
import { isDisruptable } from '../../autoscaling/karpenter/pods.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { type Quantity, quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { taintText, tolerates } from '../../kubernetes/taints.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { type KnownNode, knownNodes } from '../index/known-nodes.ts';
import { block, code, plain } from '../connection/markdown.ts';
import { poolMarks } from '../index/pools.ts';
import { podPriority } from '../index/priority-classes.ts';
import { requestedOn, requestsOf } from '../rules/support/requested-on.ts';
import { podsOn } from '../index/running-pods.ts';
import { isMadeByController } from '../index/priority-ranking.ts';
import { factLinks, nodeLinks, some } from './links.ts';
import { type HoverPlace, isHeading, nodesOf, paragraphs, points } from './place.ts';

/** A Node: its free room, who runs there, its taints and who tolerates them. */
export function nodeHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const node = nodesOf(place).byName.get(fact.name);
  if (node?.fact !== fact) return undefined;
  const [top, field, at] = path;
  if (isHeading(path)) {
    return paragraphs(
      say`**Node ${code(node.name)}**`,
      roomTable(node, place),
      runningText(node, facts),
      taintsText(node, place),
      removalText(node, facts),
    );
  }
  if (top === 'status' && (field === 'allocatable' || field === 'capacity')) {
    return paragraphs(
      roomTable(node, place, at === undefined ? undefined : String(at)),
      at === undefined ? '' : largestText(node, String(at), facts),
      field === 'capacity'
        ? say`The scheduler reads \`allocatable\`; what is missing of the capacity is kept for the system.`
        : '',
    );
  }
  if (top === 'spec' && field === 'taints') {
    const taint = typeof at === 'number' ? (fact.object as Node).spec?.taints?.[at] : undefined;
    return taint === undefined
      ? taintsText(node, place)
      : paragraphs(taintLine(taint, facts), runningDespite(node, taint, facts));
  }
  if (top === 'spec' && field === 'unschedulable') return cordonText(node, facts);
  if (top === 'metadata' && field === 'labels' && at !== undefined) return labelText(String(at), node, place);
  return undefined;
}

/** Resources that are told of. */
const shownResources = 8;

/** What of each resource is requested and what is left. */
export function roomTable(node: KnownNode, { facts }: Pick<HoverPlace, 'facts'>, only?: string): string {
  const allocatable = readResourceList(node.node.status?.allocatable);
  const used = requestedOn(node.name, facts);
  const all = [...allocatable].filter(([name]) => only === undefined || name === only);
  const rows = all.slice(0, shownResources).map(([name, amount]) => {
    const requested = used.get(name);
    const [there, taken] = [amount, requested].map((each) => (each === undefined ? 0 : unitsOf(name, each)));
    const label = name.replace(/\s+/g, ' ').slice(0, longestName);
    return [
      label,
      say`${formatUsage(name, taken!, there!)} requested`,
      say`${formatUsage(name, there! - taken!, there!)} free`,
    ];
  });
  if (rows.length === 0) return say`It does not say what it offers: no pod fits.`;
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => said(row[column]!).length)));
  return block(rows.map((row) => row.map((cell, at) => said(cell).padEnd(widths[at] ?? 0)).join('  ')).join('\n'));
}

const longestName = 63;

function unitsOf(resource: string, amount: Quantity): number {
  return Number(resource === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount));
}

/** Priorities that are told of one by one. */
const shownPriorities = 6;

/** Who runs on a node, the highest priority first. */
function runningText({ name }: KnownNode, facts: Facts): string {
  const pods = podsOn(facts, name);
  if (pods.length === 0) return say`No pod that is known runs here.`;
  const byPriority = new Map<number, Fact[]>();
  for (const pod of pods) {
    const resolved = podPriority(facts, pod);
    const priority = resolved?.admitted === true ? resolved.priority : 0;
    addTo(byPriority, priority, pod);
  }
  const bands = [...byPriority].sort(([a], [b]) => b - a);
  const lines = bands
    .slice(0, shownPriorities)
    .map(([priority, list]) => say`Priority ${priority}: ${factLinks(list, facts)}`);
  if (bands.length > lines.length) {
    lines.push(say`${count(bands.length - lines.length, 'lower priority', 'lower priorities')} more`);
  }
  return say`${count(pods.length, 'pod')} ${pods.length === 1 ? 'runs' : 'run'} here:\n\n${points(lines)}`;
}

/** Pods that are told of. */
const shownBlockers = 4;

/**
 * Pods that keep the autoscaler of the node from removing it, whatever budgets allow and wherever they would fit; empty
 * where no autoscaler is known.
 */
function removalText({ name, node }: KnownNode, facts: Facts): string {
  const isOfKarpenter = labelValue(node.metadata?.labels, nodePoolKey) !== undefined;
  if (!isOfKarpenter && poolMarks(facts).length === 0) return '';
  const blockers = podsOn(facts, name).flatMap((fact): readonly string[] => {
    const pod = fact.object as Pod;
    if (isOfKarpenter) {
      return isDisruptable(pod, 0) ? [] : [`pod has "${doNotDisruptKey}" annotation (Pod=${keyOf(pod)})`];
    }
    const obstacle = stays(pod) ? undefined : obstacleOf(pod, 'not asked');
    return obstacle === undefined ? [] : [obstacle];
  });
  const tool = isOfKarpenter ? 'Karpenter' : 'Cluster Autoscaler';
  const ask = say`What budgets allow, and whether its pods fit elsewhere, says ${code(`podium drain ${name} PATH --removable`)}.`;
  if (blockers.length === 0) return say`No pod here keeps ${tool} from removing it. ${ask}`;
  return say`${tool} does not remove it: ${some(blockers, plain, shownBlockers)}. ${ask}`;
}

/** Who requests most of a resource. */
function largestText({ name }: KnownNode, resource: string, facts: Facts): string {
  const asked = podsOn(facts, name)
    .map((pod) => ({ pod, nanos: requestsOf(pod, facts).get(resource)?.nanos ?? 0n }))
    .filter(({ nanos }) => nanos > 0n)
    .sort((a, b) => (a.nanos < b.nanos ? 1 : -1));
  return asked.length === 0
    ? ''
    : say`Most of it is requested by ${factLinks(
        asked.map(({ pod }) => pod),
        facts,
      )}.`;
}

/** Taints that are told of. */
const shownTaints = 4;

function taintsText({ taints }: KnownNode, { facts }: HoverPlace): string {
  if (taints.length === 0) return say`It has no taints.`;
  const lines = taints.slice(0, shownTaints).map((taint) => taintLine(taint, facts));
  if (taints.length > lines.length) lines.push(say`${taints.length - lines.length} more taints`);
  return points(lines);
}

/** Workloads by what they tolerate, as many tolerate the same. */
const toleratingBy = derived(workloadKinds, (...lists) => {
  const tolerating = lists.flat().filter((fact) => tolerationsKey(fact) !== '');
  return groupBy(tolerating, tolerationsKey);
});

/** Empty where nothing is tolerated, and for what a controller made. */
function tolerationsKey(fact: Fact): string {
  const { tolerations = [] } = fact.template?.spec ?? {};
  return tolerations.length === 0 || isMadeByController(fact) ? '' : JSON.stringify(tolerations);
}

function taintLine(taint: Taint, facts: Facts): string {
  const tolerating = [...toleratingBy(facts).values()]
    .filter(([first]) => first.template!.spec.tolerations!.some((toleration) => tolerates(toleration, taint)))
    .flat();
  const who =
    tolerating.length === 0
      ? say`nothing that is declared here`
      : say`${count(tolerating.length, 'workload')}: ${factLinks(tolerating, facts)}`;
  return say`${code(taintText(taint))} is tolerated by ${who}`;
}

/** Sources: pkg/controller/tainteviction; TaintToleration's Filter */
function runningDespite({ name }: KnownNode, taint: Taint, facts: Facts): string {
  const others = podsOn(facts, name).filter(
    ({ template }) => template?.spec.tolerations?.some((toleration) => tolerates(toleration, taint)) !== true,
  );
  if (taint.effect === 'PreferNoSchedule') return say`Other pods come here last; nothing is evicted.`;
  const rest =
    others.length === 0
      ? ''
      : say` ${count(others.length, 'pod')} run here that ${others.length === 1 ? 'does' : 'do'} not tolerate it: ${factLinks(others, facts)}.`;
  return taint.effect === 'NoExecute'
    ? say`Pods that do not tolerate it are evicted.${rest}`
    : say`No other pod is placed here; what runs already stays.${rest}`;
}

function cordonText(node: KnownNode, facts: Facts): string {
  if (node.node.spec?.unschedulable !== true) return say`**Not cordoned**: pods may be placed here.`;
  const pods = podsOn(facts, node.name).length;
  return say`**Cordoned**: no pod is placed here but those that tolerate \`node.kubernetes.io/unschedulable\`, as those of DaemonSets do. ${count(pods, 'pod')} that ${pods === 1 ? 'runs' : 'run'} here ${pods === 1 ? 'stays' : 'stay'}.`;
}

/** Which nodes have the same label, and who selects by it. */
function labelText(key: string, node: KnownNode, place: HoverPlace): string {
  const { facts, settings } = place;
  const { byValue, without } = knownNodes(facts, settings).domains(key);
  const value = own(node.selectable.labels, key) ?? '';
  const alike = byValue.get(value) ?? [];
  const others = [...byValue].filter(([other]) => other !== value);
  const users = selectingBy(facts).get(key) ?? [];
  return paragraphs(
    say`**${count(alike.length, 'node')}** ${alike.length === 1 ? 'has' : 'have'} ${code(`${key}=${value}`)}: ${nodeLinks(alike, facts)}.`,
    points([
      ...(others.length === 0
        ? []
        : [
            say`Other values: ${some(others, ([other, list]) => say`${code(other)} (${count(list.length, 'node')})`, 6)}`,
          ]),
      ...(without.length === 0 ? [] : [say`Without it: ${nodeLinks(without, facts)}`]),
      users.length === 0
        ? say`No workload that is declared here selects by it`
        : say`${count(users.length, 'workload')} ${users.length === 1 ? 'selects' : 'select'} by it: ${factLinks(users, facts)}`,
    ]),
  );
}

/** Workloads by the keys of nodes' labels that they ask for. */
const selectingBy = derived(workloadKinds, (...lists) => {
  const byKey = new Map<string, Fact[]>();
  for (const fact of lists.flat()) for (const key of keysAskedFor(fact)) addTo(byKey, key, fact);
  return byKey;
});

function keysAskedFor(fact: Fact): ReadonlySet<string> {
  const { template } = fact;
  if (template === undefined || isMadeByController(fact)) return new Set();
  const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = template.spec;
  const { nodeAffinity } = affinity ?? {};
  const terms = [
    ...(nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []),
    ...(nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ preference }) => preference),
  ];
  const between = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((part) => [
    ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return new Set([
    ...Object.keys(nodeSelector),
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
    ...[...between, ...topologySpreadConstraints].map(({ topologyKey }) => topologyKey),
  ]);
}
