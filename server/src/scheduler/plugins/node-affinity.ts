import { aggregateErrors } from '../../kubernetes/aggregate-errors.ts';
import {
  compileNodeSelector,
  compileNodeSelectorTerm,
  compileRequiredNodeAffinity,
  type NodeMatcher,
} from '../../kubernetes/node-selector.ts';
import type { NodeAffinity, NodeSelector } from '../../kubernetes/objects.ts';
import { unreadableParts } from '../../kubernetes/unreadable-node-terms.ts';
import { defaultNormalize } from '../framework/normalize.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import type { NodeAffinityArgs } from '../framework/profile.ts';
import { Status, unresolvable } from '../framework/status.ts';

const name = 'NodeAffinity';
const refused = unresolvable(name, "node(s) didn't match Pod's node affinity/selector");
const refusedByProfile = unresolvable(name, "node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable(name, 'pod affinity terms conflict');

interface PreferredTerm extends NodeMatcher {
  readonly weight: number;
}

/**
 * `nodeSelector`, required and preferred node affinity, and what the profile adds to every pod.
 * Source: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
 */
export class NodeAffinityPlugin implements Plugin<NodeMatcher, readonly PreferredTerm[]> {
  readonly name = name;
  readonly dependsOnPods = false;
  readonly #addedRequired: NodeMatcher | undefined;
  readonly #addedPreferred: readonly PreferredTerm[];
  readonly #addsPreferred: boolean;

  constructor(args: NodeAffinityArgs) {
    const required = args.addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    this.#addedRequired = required === undefined ? undefined : compileNodeSelector(required);
    this.#addedPreferred = preferredTerms(args.addedAffinity);
    this.#addsPreferred = (args.addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;
  }

  preFilter({ pod }: Cycle): PreFilterAnswer<NodeMatcher> {
    const spec = pod.pod.spec;
    const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (this.#addedRequired === undefined && required === undefined && spec?.nodeSelector === undefined) return skip;
    const state = compileRequiredNodeAffinity(spec);
    const nodes = required === undefined ? undefined : namedNodes(required);
    if (nodes === undefined) return { state };
    return nodes.size === 0 ? { rejected: conflict } : { state, nodes };
  }

  filter(_cycle: Cycle, required: NodeMatcher, node: NodeInfo): Status | null {
    if (this.#addedRequired?.matches(node.facts) === false) return refusedByProfile;
    return required.matches(node.facts) ? null : refused;
  }

  preScore({ pod }: Cycle): readonly PreferredTerm[] | typeof skip | Status {
    const affinity = pod.pod.spec?.affinity?.nodeAffinity;
    const unreadable = unreadableTerms(affinity);
    if (unreadable.length > 0) return new Status('Error', name, [aggregateErrors(unreadable)]);
    // A list of nothing but empty terms is still a list: it scores 0 instead of being skipped.
    const any = (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;
    return any || this.#addsPreferred ? [...this.#addedPreferred, ...preferredTerms(affinity)] : skip;
  }

  score(_cycle: Cycle, terms: readonly PreferredTerm[], node: NodeInfo): number {
    let sum = 0;
    for (const term of terms) if (term.matches(node.facts)) sum += term.weight;
    return sum;
  }

  normalize(_cycle: Cycle, _state: unknown, _nodes: unknown, _feasible: unknown, scores: Float64Array): void {
    defaultNormalize(scores, false);
  }
}

/** Terms without weight or content are left out. Source: nodeaffinity.NewPreferredSchedulingTerms */
function preferredTerms(affinity: NodeAffinity | undefined): readonly PreferredTerm[] {
  const terms: PreferredTerm[] = [];
  for (const { weight, preference } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
    const term = compileNodeSelectorTerm(preference);
    if (weight !== 0 && !term.isEmpty) terms.push({ weight, matches: term.matches });
  }
  return terms;
}

/**
 * What upstream cannot read of preferred terms, each with its path. Other than in required terms it fails the attempt.
 * Source: nodeaffinity.NewPreferredSchedulingTerms
 */
function unreadableTerms(affinity: NodeAffinity | undefined): readonly string[] {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred.flatMap(({ weight, preference }, index) =>
    (weight === 0 ? [] : unreadableParts(preference)).map(
      ({ field, value, problem }) =>
        `[${index}].${field}: ${value === undefined ? '' : `Invalid value: ${JSON.stringify(value)}: `}${problem}`,
    ),
  );
}

/**
 * The nodes that required affinity names by `metadata.name`, when every term names some: the union over the terms of
 * what the fields of a term have in common. Undefined when a term names none, an empty one included.
 */
function namedNodes({ nodeSelectorTerms }: NodeSelector): ReadonlySet<string> | undefined {
  let union: Set<string> | undefined;
  for (const term of nodeSelectorTerms) {
    let names: ReadonlySet<string> | undefined;
    for (const field of term.matchFields ?? []) {
      if (field.key !== 'metadata.name' || field.operator !== 'In') continue;
      const values: ReadonlySet<string> = new Set(field.values);
      names = names === undefined ? values : new Set([...names].filter((each) => values.has(each)));
    }
    if (names === undefined) return undefined;
    union ??= new Set();
    for (const each of names) union.add(each);
  }
  return union;
}
