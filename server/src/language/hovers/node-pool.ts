import { namedAmount } from '../../util/amounts.ts';
import { joined, say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import { formatQuantity, type Quantity, quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import { podRequests, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { taintText, tolerates } from '../../kubernetes/taints.ts';
import { stableKey } from '../../autoscaling/karpenter/labels.ts';
import type { Fact } from '../index/fact.ts';
import type * as KnownPoolTypes from '../index/known-pool-types.ts';
import { code, plain } from '../connection/markdown.ts';
import { poolTypes } from '../index/pool-types.ts';
import { nodePoolOf, poolMarks, poolsFor, suits } from '../index/pools.ts';
import { madePod } from '../rules/support/made-pods.ts';
import { isMadeByController } from '../index/priority-ranking.ts';
import { factLinks, some } from './links.ts';
import { type HoverPlace, isHeading, paragraphs, points, startsWith } from './place.ts';

/** A NodePool: what it can make, within which limits, and which workloads could use it. */
export function nodePoolHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const types = poolTypes();
  const found = types?.typesOfPool(fact, facts);
  if (isHeading(path)) {
    return paragraphs(
      say`**NodePool ${code(fact.name)}**`,
      typesText(types, found),
      points([limitsText(fact), orderText(place), usersText(place)].filter((line) => line !== '')),
      datedText(types, found),
    );
  }
  const template = ['spec', 'template', 'spec'];
  if (startsWith(path, [...template, 'requirements'])) {
    const index = path[template.length + 1];
    if (types === undefined || found === undefined) return undefined;
    const whole = typesText(types, found);
    if (typeof index !== 'number') return paragraphs(whole, datedText(types, found));
    return paragraphs(requirementText(types, found, index), whole, datedText(types, found));
  }
  if (startsWith(path, [...template, 'taints'])) {
    const index = path[template.length + 1];
    const { taints } = nodePoolOf(fact);
    const shown = typeof index === 'number' ? taints.slice(index, index + 1) : taints;
    return points(shown.map((taint) => say`${code(taintText(taint))} is tolerated by ${toleratingText(place, taint)}`));
  }
  if (startsWith(path, ['spec', 'template', 'metadata', 'labels']) && typeof path[4] === 'string') {
    return labelText(place, path[4]);
  }
  if (path[0] === 'spec' && path[1] === 'weight') return orderText(place);
  if (path[0] === 'spec' && path[1] === 'limits') return limitsText(fact);
  return undefined;
}

type Types = typeof KnownPoolTypes | undefined;
type Found = KnownPoolTypes.PoolTypes;

/** Types that are named. */
const namedTypes = 5;

function typesText(types: Types, found: Found | undefined): string {
  if (types === undefined || found === undefined) return say`The instance types of its provider are not known here.`;
  const [problem] = found.problems;
  if (problem !== undefined) return say`Karpenter does not use it: ${plain(problem)}.`;
  const all = grouped(found.catalog.types.length);
  if (found.types.length === 0) return say`**None of ${all} instance types** meets what it requires: it makes no node.`;
  const sorted = [...found.types].sort((a, b) => compareSizes(a, b) || (a.name < b.name ? -1 : 1));
  const names = some(sorted, ({ name }) => code(name), namedTypes);
  const ranges = ['cpu', 'memory'].map((resource) => rangeText(sorted, resource));
  const devices = [...new Set(sorted.flatMap(({ capacity }) => [...capacity.keys()]))].filter(
    (name) => !['cpu', 'memory', 'pods', 'ephemeral-storage'].includes(name),
  );
  const others = devices.length === 0 ? '' : say`, some with ${some(devices, code)}`;
  return say`**${found.types.length} of ${all} instance types** meet what it requires, the smallest first: ${names}. They have ${joined(ranges, ', ')}${others}.`;
}

function compareSizes(a: Found['types'][number], b: Found['types'][number]): number {
  for (const resource of ['cpu', 'memory']) {
    const [left, right] = [unitsOf(a, resource), unitsOf(b, resource)];
    if (left !== right) return left - right;
  }
  return 0;
}

function unitsOf({ capacity }: Found['types'][number], resource: string): number {
  return unitsIn(resource, capacity.get(resource));
}

/** Cpu in thousandths, all else in units. */
function unitsIn(resource: string, amount: Quantity | undefined): number {
  if (amount === undefined) return 0;
  return Number(resource === 'cpu' ? quantityMilliValue(amount) : quantityValue(amount));
}

function rangeText(types: Found['types'], resource: string): string {
  const amounts = types.map((type) => unitsOf(type, resource));
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  return least === most
    ? namedAmount(resource, most)
    : say`${namedAmount(resource, least)} to ${namedAmount(resource, most)}`;
}

function datedText(types: Types, found: Found | undefined): string {
  if (types === undefined || found === undefined) return '';
  const zones = found.areZonesAssumed ? say`no zone is named anywhere` : say`zones: ${some(found.zones, code)}`;
  return say`*EC2 types of ${types.tableDate}; ${zones}. Prices and what is available are not known.*`;
}

function requirementText(types: NonNullable<Types>, found: Found, index: number): string {
  const requirement = found.pool.requirements[index];
  if (requirement === undefined) return '';
  const amount = types.typesMeetingOne(found, index);
  const { key, minValues } = requirement;
  const values = types.valuesOf(found, stableKey(key));
  const offered = values.length === 0 ? '' : say` Types have ${code(key)} as ${some(values, code, shownValues)}.`;
  const few =
    minValues === undefined ? '' : say` The types of a node must have at least ${count(minValues, 'value')} of it.`;
  return say`**${grouped(amount)} of ${grouped(found.catalog.types.length)} instance types** meet this.${offered}${few}`;
}

const shownValues = 12;

function limitsText(fact: Fact): string {
  const { limits } = nodePoolOf(fact);
  if (limits === undefined || limits.size === 0) return say`It has no limits`;
  const amounts = [...limits].map(([resource, limit]) => say`${formatQuantity(limit)} ${resource}`);
  return say`Its nodes together may have ${joined(amounts, ', ')}`;
}

/** The highest weight first; of equal ones the last name. Source: OrderByWeight in karpenter pkg/utils/nodepool */
function orderText({ fact, facts }: HoverPlace): string {
  const pools = facts
    .ofKind('NodePool')
    .map(nodePoolOf)
    .sort((a, b) => b.weight - a.weight || (a.name > b.name ? -1 : 1));
  const at = pools.findIndex(({ name }) => name === fact.name);
  if (pools.length < 2 || at < 0) return '';
  const order = some(pools, ({ name, weight }) => say`${code(name)} (${weight})`, namedTypes);
  return say`Karpenter asks it as number ${at + 1} of ${pools.length}, by weight and then by name: ${order}`;
}

/** Workloads whose pods ask for nodes. */
export function workloadsAskingForNodes(facts: HoverPlace['facts']): readonly Fact[] {
  return workloadKinds
    .filter((kind) => kind !== 'DaemonSet')
    .flatMap((kind) => facts.ofKind(kind))
    .filter((each) => each.template !== undefined && !isMadeByController(each));
}

/** Workloads whose labels, taints and requests let their pods be on a node of the pool. */
function usersText(place: HoverPlace): string {
  const { fact, facts } = place;
  const [marks] = poolMarks(facts).filter((each) => each.fact === fact);
  if (marks === undefined) return '';
  const types = poolTypes();
  const found = types?.typesOfPool(fact, facts);
  const all = workloadsAskingForNodes(facts);
  if (all.length === 0) return '';
  const users = all.filter((each) => {
    const spec = madePod(each, facts)?.spec ?? each.template!.spec;
    if (!suits(spec, marks)) return false;
    return types === undefined || found === undefined || types.hasTypeFor(found, podRequests(spec));
  });
  if (users.length === 0) return say`No workload that is declared here could use it`;
  return say`${count(users.length, 'workload')} of ${grouped(all.length)} could use it: ${factLinks(users, facts)}`;
}

function toleratingText({ facts }: HoverPlace, taint: Parameters<typeof tolerates>[1]): string {
  const tolerating = workloadKinds
    .flatMap((kind) => facts.ofKind(kind))
    .filter((each) => !isMadeByController(each))
    .filter(({ template }) => template?.spec.tolerations?.some((toleration) => tolerates(toleration, taint)) === true);
  return tolerating.length === 0
    ? say`nothing that is declared here`
    : say`${count(tolerating.length, 'workload')}: ${factLinks(tolerating, facts)}`;
}

function labelText({ fact, facts }: HoverPlace, key: string): string {
  const others = poolMarks(facts).filter(({ fact: other, labels }) => other !== fact && labels.has(key));
  const users = workloadKinds
    .flatMap((kind) => facts.ofKind(kind))
    .filter(({ template }) => labelValue(template?.spec.nodeSelector, key) !== undefined);
  return points([
    others.length === 0
      ? say`No other pool gives ${code(key)}`
      : say`So ${others.length === 1 ? 'does' : 'do'} ${some(others, ({ title }) => plain(title))}`,
    users.length === 0
      ? say`No workload that is declared here selects by it`
      : say`${count(users.length, 'workload')} ${users.length === 1 ? 'selects' : 'select'} by it: ${factLinks(users, facts)}`,
  ]);
}

/**
 * Pools that could make a node for pods, for hovers of what pods ask for; empty without any.
 * @param requests that instance types have to be large enough for
 */
export function poolsText({ fact, facts }: HoverPlace, requests?: ResourceAmounts): string {
  const { template } = fact;
  if (template === undefined || poolMarks(facts).length === 0) return '';
  const open = poolsFor(template.spec, facts);
  const titles = (pools: typeof open): string => some([...new Set(pools.map(({ title }) => title))], plain);
  if (open.length === 0) return say`No NodePool or node group makes a node with these labels and taints.`;
  const types = poolTypes();
  const large = open.filter(({ fact: pool }) => {
    const found = types?.typesOfPool(pool, facts);
    if (found === undefined) return true;
    return found.problems.length === 0 && (requests === undefined || types!.hasTypeFor(found, requests));
  });
  return large.length === 0
    ? say`${titles(open)} cannot make a node for them.`
    : say`Nodes of ${titles(large)} would do.`;
}
