import { groupBy } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import type { InstanceType } from '../../autoscaling/karpenter/catalog.ts';
import { addQuantities, compareQuantities, formatQuantity, integerQuantity } from '../../kubernetes/quantity.ts';
import type { LimitInUse, PoolOffer } from '../../autoscaling/karpenter/scheduler.ts';

/** What a tool says of a pod, about one of its pools or as a whole. */
export interface PoolAnswer {
  readonly tool: 'Karpenter' | 'Cluster Autoscaler';
  /** `NodePool general`; empty where it is said of all. */
  readonly pool: string;
  /** Whether it would make a node. */
  readonly makes: boolean;
  /** Whether it may make one all the same, as what its nodes are like is not known. */
  readonly isOpen?: boolean;
  /** In the words of the tool, where it makes none. */
  readonly text: string;
  /** A limit that is all that is in the way. */
  readonly limits?: readonly PoolLimit[];
}

/** What a limit would have to be for one more node, and for each further one. */
export interface PoolLimit {
  /** As an operation names it: `nodepool/general`. */
  readonly pool: string;
  readonly amounts: readonly { readonly resource: string; readonly used: string; readonly perNode: string }[];
}

/** Types that are named; the others are counted. */
const namedTypes = 3;

/** Answers that are told in one clause; of more the pool that is nearest to making a node. */
const namedAnswers = 3;

/** What each pool says of a pod, in Karpenter's words: the pool with the least in the way first. */
export function poolAnswers(offers: readonly PoolOffer[]): readonly PoolAnswer[] {
  return offers
    .toSorted((a, b) => distanceOf(a) - distanceOf(b))
    .map(({ pool, types, of, fault, isOpen = false, daemons, limits = [], beyond, narrow }) => ({
      tool: 'Karpenter',
      pool: `NodePool ${pool}`,
      makes: fault === undefined,
      isOpen,
      text:
        fault === undefined
          ? typesText(types, of)
          : joined(
              [
                ...(fault === '' ? [] : [shortened(fault)]),
                ...(fault.includes('no instance type has enough resources') ? daemonsText(daemons) : []),
                ...limits.map(limitText),
                ...(narrow ? [narrowText(narrow)] : []),
              ],
              '; ',
            ),
      ...(beyond === undefined ? {} : { limits: [limitOf(pool, limits, beyond)] }),
    }));
}

/** What Karpenter counts of them is not what the pod asks for. */
function daemonsText(daemons: PoolOffer['daemons']): readonly string[] {
  const amounts = ['cpu', 'memory'].flatMap((resource) => {
    const amount = daemons?.get(resource);
    return amount === undefined || amount.nanos <= 0n ? [] : [`${resource}=${formatQuantity(amount)}`];
  });
  return amounts.length === 0 ? [] : [say`of that the DaemonSets on each node ask for ${list(amounts)}`];
}

/** A pool of which only the limit is in the way is the nearest, one that cannot be used for any pod the farthest. */
function distanceOf({ fault, beyond, refusals = Number.MAX_SAFE_INTEGER }: PoolOffer): number {
  if (fault === undefined) return 0;
  return beyond === undefined ? refusals : refusals / 2;
}

function limitOf(pool: string, limits: readonly LimitInUse[], { capacity }: InstanceType): PoolLimit {
  return {
    pool: `nodepool/${pool}`,
    amounts: limits.flatMap(({ resource, used, limit }) => {
      const perNode = resource === 'nodes' ? integerQuantity(1) : capacity.get(resource);
      if (perNode === undefined || compareQuantities(addQuantities(used, perNode), limit) <= 0) return [];
      return [{ resource, used: formatQuantity(used), perNode: formatQuantity(perNode) }];
    }),
  };
}

export function typesText(types: readonly string[], of: number): string {
  return say`${types.length} of ${of} instance types fit (${list(types, namedTypes)})`;
}

function narrowText({ key, types }: NonNullable<PoolOffer['narrow']>): string {
  return types.length === 1
    ? say`without its requirement ${key} 1 instance type would fit, ${types[0]!}`
    : say`without its requirement ${key} ${types.length} instance types would fit, the smallest ${types[0]!}`;
}

const listBegins = 'specify a well known label: [';

/** How Kubernetes goes on about a name or a value that is none: `, a valid label must …validation is '…')`. */
const rules = { begin: ', a ', end: "regex used for validation is '", close: "')" };

function withoutRules(fault: string): string {
  const parts: string[] = [];
  let rest = fault;
  for (let end = rest.indexOf(rules.end); end >= 0; end = rest.indexOf(rules.end)) {
    const begin = rest.lastIndexOf(rules.begin, end);
    const close = rest.indexOf(rules.close, end + rules.end.length);
    if (begin < 0 || close < 0) break;
    parts.push(rest.slice(0, begin));
    rest = rest.slice(close + rules.close.length);
  }
  return [...parts, rest].join('');
}

/** Without the list of all labels that Karpenter knows, and without the rules of what a value may be. */
export function shortened(fault: string): string {
  return withoutLabels(withoutRules(fault));
}

function withoutLabels(fault: string): string {
  const start = fault.indexOf(listBegins);
  const end = fault.indexOf(']', start);
  if (start < 0 || end < 0) return fault;
  return `${fault.slice(0, start + listBegins.length)}…${withoutLabels(fault.slice(end))}`;
}

function limitText({ resource, used, limit }: LimitInUse): string {
  return say`${resource}: ${formatQuantity(used)} of ${formatQuantity(limit)} used`;
}

/** Lines for one pod; more pools are counted. */
const mostLines = 20;

/** As what would help a pod. */
export function helpLines(answers: readonly PoolAnswer[]): readonly string[] {
  const more = answers.length - mostLines;
  const shown = answers.slice(0, mostLines).map(helpLine);
  return more <= 0 ? shown : [...shown, say`a node of ${count(more, 'more pool')}; none is made`];
}

function helpLine(answer: PoolAnswer): string {
  const { tool, pool, makes, isOpen, text } = answer;
  if (isOpen === true) return clauseOf([answer]);
  if (makes) return say`a node of ${pool}: ${text}`;
  if (pool !== '') return say`a node of ${pool}; ${tool} makes none: ${text}`;
  return tool === 'Karpenter'
    ? say`a new node; ${tool} makes none: ${text}`
    : say`a new node; ${tool} adds none: ${text}`;
}

/** `NodePool gpu makes none: …`; pools that say the same are named together. */
export function answersText(answers: readonly PoolAnswer[]): string {
  const alike = groupBy(answers, (answer) => `${answer.makes} ${answer.tool} ${answer.text}`);
  const groups = [...alike.values()].sort(([a], [b]) => Number(b.makes) - Number(a.makes));
  const [nearest] = answers;
  if (groups.length > namedAnswers && nearest?.makes === false && nearest.isOpen !== true && nearest.pool !== '') {
    return say`${nearest.pool}, the nearest of ${count(answers.length, 'pool')}, makes no node: ${nearest.text}`;
  }
  return joined(groups.slice(0, namedAnswers).map(clauseOf), '; ');
}

function clauseOf(alike: readonly PoolAnswer[]): string {
  const { tool, pool, makes, isOpen, text } = alike[0]!;
  if (pool === '') {
    return tool === 'Karpenter' ? say`${tool} makes no node: ${text}` : say`${tool} adds no node: ${text}`;
  }
  const named = [...new Set(alike.map((each) => each.pool))];
  const pools = list(named, namedAnswers);
  if (isOpen === true) return say`whether ${pools} would make a node is not known: ${text}`;
  if (makes) return text === '' ? say`${pools} would add a node` : say`${pools} would make a node: ${text}`;
  return named.length === 1 ? say`${pools} makes no node: ${text}` : say`${pools} make no node: ${text}`;
}
