import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import { quantityMilliValue, quantityValue } from '../../kubernetes/quantity.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import type { NodeGroup, Priorities } from './groups.ts';
import type { NodeTemplate } from './templates.ts';

/** So many nodes of a group would take these pods. */
export interface ExpansionOption {
  readonly group: NodeGroup;
  readonly nodes: number;
  readonly pods: readonly Pod[];
  readonly similar: readonly NodeGroup[];
}

type Filter = (options: readonly ExpansionOption[]) => readonly ExpansionOption[];

interface ExpanderContext {
  readonly templates: ReadonlyMap<string, NodeTemplate>;
  readonly priorities: Priorities | undefined;
  readonly warn: (text: string) => void;
}

/**
 * What the chain of expanders chooses; among several that are left upstream draws lots, here the first is taken.
 * `random` and expanders that need prices choose nothing. Source: cluster-autoscaler/expander/factory/chain.go
 */
export function bestOption(
  options: readonly ExpansionOption[],
  expanders: readonly string[],
  context: ExpanderContext,
): { readonly best: ExpansionOption | undefined; readonly isChance: boolean } {
  let left = options;
  for (const name of expanders) {
    left = filterOf(name, context)(left);
    if (left.length === 1) return { best: left[0], isChance: false };
  }
  return { best: left[0], isChance: left.length > 1 };
}

function filterOf(name: string, context: ExpanderContext): Filter {
  switch (name) {
    case 'least-waste':
      return (options) => leastBy(options, (option) => wasteOf(option, context.templates));
    case 'most-pods':
      return (options) => leastBy(options, ({ pods }) => -pods.length);
    case 'least-nodes':
      return (options) => leastBy(options, ({ nodes }) => nodes);
    case 'priority':
      return (options) => highestPriority(options, context);
    default:
      return (options) => options;
  }
}

function leastBy(
  options: readonly ExpansionOption[],
  scoreOf: (option: ExpansionOption) => number,
): readonly ExpansionOption[] {
  const scored = options.map((option) => ({ option, score: scoreOf(option) }));
  const least = Math.min(...scored.map(({ score }) => score));
  return scored.filter(({ score }) => score === least).map(({ option }) => option);
}

/** Shares of CPU and memory that stay unused, of what machines have, not of what is allocatable. Source: expander/waste/waste.go */
function wasteOf({ group, nodes, pods }: ExpansionOption, templates: ReadonlyMap<string, NodeTemplate>): number {
  const capacity = readResourceList(templates.get(group.id)?.node.status?.capacity);
  const requests = pods.map((pod) =>
    podRequests(pod.spec ?? {}, pod.status === undefined ? {} : { status: pod.status }),
  );
  const wasted = (name: string, valueOf: typeof quantityValue): number => {
    const each = capacity.get(name);
    const available = (each === undefined ? 0n : valueOf(each)) * BigInt(nodes);
    const nanos = requests.reduce((sum, amounts) => sum + (amounts.get(name)?.nanos ?? 0n), 0n);
    const step = name === 'cpu' ? 1_000_000n : 1_000_000_000n;
    const requested = nanos / step + (nanos % step > 0n ? 1n : 0n);
    return Number(available - requested) / Number(available);
  };
  return wasted('cpu', quantityMilliValue) + wasted('memory', quantityValue);
}

/** Source: cluster-autoscaler/expander/priority/priority.go */
function highestPriority(
  options: readonly ExpansionOption[],
  { priorities, warn }: ExpanderContext,
): readonly ExpansionOption[] {
  if (options.length === 0 || priorities === undefined) return options;
  if ('problem' in priorities) {
    warn(`PriorityConfigMapInvalid Wrong configuration for priority expander: ${priorities.problem}. Ignoring update.`);
    return options;
  }
  let best: ExpansionOption[] = [];
  let highest = -1;
  for (const option of options) {
    const { id } = option.group;
    const matching = [...priorities.rules].filter(([, rules]) => rules.some((rule) => rule.test(id)));
    if (matching.length === 0) {
      warn(
        `PriorityConfigMapNotMatchedGroup Priority expander: node group ${id} not found in priority expander configuration. ` +
          "The group won't be used.",
      );
      continue;
    }
    const priority = Math.max(...matching.map(([each]) => each));
    if (priority > highest) {
      highest = priority;
      best = [];
    }
    if (priority === highest) best.push(option);
  }
  if (best.length > 0) return best;
  warn(
    'PriorityConfigMapNoGroupMatched Priority expander: no priorities info found for any of the expansion options. ' +
      'No options filtered.',
  );
  return options;
}
