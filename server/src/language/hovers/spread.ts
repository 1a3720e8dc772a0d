import { joined, said, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import {
  compileLabelSelector,
  compileRequirements,
  type CompiledSelector,
  labelValue,
} from '../../kubernetes/labels.ts';
import { compileRequiredNodeAffinity } from '../../kubernetes/node-selector.ts';
import type { PodSpec, TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import type { KnownNode } from '../index/known-nodes.ts';
import { block, code } from '../connection/markdown.ts';
import { isRunning } from '../index/running-pods.ts';
import { labelsOf, podsSelectedIn } from '../index/selection.ts';
import type { Fact } from '../index/fact.ts';
import { nodesText } from './links.ts';
import { type HoverPlace, isText, nodesOf, paragraphs, points } from './place.ts';
import { selectionText } from './pod-selection.ts';
import { domainsText, shownDomains } from './topology.ts';

/** The domains of a spread constraint, how many pods each has, and what one more would make of the skew. */
export function spreadHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  const constraints = fact.template?.spec.topologySpreadConstraints ?? [];
  const [, index, field, ...inside] = path;
  if (index === undefined) {
    const lines = constraints.slice(0, shownConstraints).map((each) => lineText(each, place));
    return paragraphs(
      points(lines.filter(isText)),
      constraints.length > lines.length ? say`${constraints.length - lines.length} more.` : '',
    );
  }
  const constraint = typeof index === 'number' ? constraints[index] : undefined;
  if (constraint === undefined) return undefined;
  switch (field) {
    case 'topologyKey':
      return paragraphs(domainsText(constraint.topologyKey, place, effectOf(constraint)), lineText(constraint, place));
    case 'labelSelector':
      return paragraphs(
        selectionText(constraint.labelSelector, [fact.namespace], place, inside),
        ownText(constraint, place),
      );
    default:
      return paragraphs(
        lineText(constraint, place),
        tableText(constraint, place),
        ownText(constraint, place),
        notesText(constraint),
      );
  }
}

const shownConstraints = 5;

/** Sources: Filter in podtopologyspread/filtering.go, Score in podtopologyspread/scoring.go */
function effectOf({ whenUnsatisfiable }: TopologySpreadConstraint): string {
  return whenUnsatisfiable === 'ScheduleAnyway' ? say`these pods go last` : say`these pods are never placed`;
}

/** How the pods that count stand over the domains. */
interface DomainCount {
  readonly domains: readonly { readonly value: string; readonly nodes: number; readonly pods: number }[];
  /** What the fewest count as: none, where there are fewer domains than are wanted. */
  readonly least: number;
  /** Whether one more pod counts itself. */
  readonly own: number;
}

function standingOf(constraint: TopologySpreadConstraint, place: HoverPlace): DomainCount {
  const { fact, facts } = place;
  const known = nodesOf(place);
  const { spec } = fact.template!;
  const included = known.matching(
    `spread ${JSON.stringify([constraint.nodeAffinityPolicy, constraint.nodeTaintsPolicy, keysOf(constraint, spec), spec.nodeSelector, spec.affinity?.nodeAffinity, spec.tolerations])}`,
    includes(constraint, spec),
  );
  const counts = new Map<string, { nodes: number; pods: number }>();
  const valueOf = new Map<string, string>();
  for (const { name, selectable } of included) {
    const value = labelValue(selectable.labels, constraint.topologyKey)!;
    valueOf.set(name, value);
    const domain = counts.get(value);
    if (domain === undefined) counts.set(value, { nodes: 1, pods: 0 });
    else domain.nodes += 1;
  }
  const selector = selectorOf(constraint, fact);
  if (!selector.isEmpty) {
    for (const pod of podsSelectedIn(facts, fact.namespace, selector)) {
      if (!isRunning(pod) || pod.object.metadata?.deletionTimestamp !== undefined) continue;
      const domain = counts.get(valueOf.get(pod.template!.spec.nodeName!) ?? '');
      if (domain !== undefined) domain.pods += 1;
    }
  }
  const domains = [...counts]
    .map(([value, domain]) => ({ value, ...domain }))
    .sort((a, b) => b.pods - a.pods || (a.value < b.value ? -1 : 1));
  const fewest = Math.min(...domains.map(({ pods }) => pods));
  const least = domains.length < (constraint.minDomains ?? 1) ? 0 : fewest;
  return { domains, least, own: !selector.isEmpty && selector.matches(labelsOf(fact)) ? 1 : 0 };
}

/** The keys that a node needs to count: those of all constraints of the same action. Source: requireAllTopologies in common.go */
function keysOf({ whenUnsatisfiable }: TopologySpreadConstraint, spec: PodSpec): readonly string[] {
  return (spec.topologySpreadConstraints ?? [])
    .filter((each) => each.whenUnsatisfiable === whenUnsatisfiable)
    .map(({ topologyKey }) => topologyKey);
}

/** Source: matchNodeInclusionPolicies in pkg/scheduler/framework/plugins/podtopologyspread/common.go */
function includes(constraint: TopologySpreadConstraint, spec: PodSpec): (node: KnownNode) => boolean {
  const keys = [...keysOf(constraint, spec), constraint.topologyKey];
  const required = compileRequiredNodeAffinity(spec);
  const byAffinity = (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor';
  const byTaints = constraint.nodeTaintsPolicy === 'Honor';
  return ({ selectable, node }) =>
    keys.every((key) => labelValue(selectable.labels, key) !== undefined) &&
    (!byAffinity || required.matches(selectable)) &&
    (!byTaints || firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS) === undefined);
}

/** With the pod's own values of `matchLabelKeys`, as far as its labels are written. Source: mergeLabelSetWithSelector */
function selectorOf({ labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint, fact: Fact): CompiledSelector {
  const selector = compileLabelSelector(labelSelector);
  const own = matchLabelKeys.flatMap((key) => {
    const value = labelValue(labelsOf(fact), key);
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
  });
  return own.length === 0 ? selector : compileRequirements([...own, ...selector.requirements]);
}

/** The verdict in one line. */
function lineText(constraint: TopologySpreadConstraint, place: HoverPlace): string {
  if (nodesOf(place).nodes.length === 0) return '';
  const { domains, least } = standingOf(constraint, place);
  const { topologyKey, maxSkew } = constraint;
  if (domains.length === 0) {
    return say`**No domain of ${code(topologyKey)}** among the ${nodesText(nodesOf(place))} that count: ${effectOf(constraint)}.`;
  }
  const skew = domains[0]!.pods - least;
  const runs = domains.some(({ pods }) => pods > 0);
  const now = runs ? say`skew ${skew} now, ` : say`none of the pods it counts runs yet, `;
  const verdict =
    skew > maxSkew
      ? say`above the ${maxSkew} that is allowed`
      : say`${maxSkew} ${maxSkew === 1 ? 'is' : 'are'} allowed`;
  return say`**${count(domains.length, 'domain')}** of ${code(topologyKey)}: ${now}${verdict}.`;
}

function tableText(constraint: TopologySpreadConstraint, place: HoverPlace): string {
  const { domains, least, own } = standingOf(constraint, place);
  if (domains.length === 0) return '';
  // Those that take a pod stand last, so both ends are told.
  const shown =
    domains.length <= shownDomains
      ? domains
      : [...domains.slice(0, shownDomains / 2), ...domains.slice(-shownDomains / 2)];
  const isHard = constraint.whenUnsatisfiable !== 'ScheduleAnyway';
  const lines = shown.map(({ value, nodes, pods }) => {
    const after = pods + own - least;
    const verdict =
      after <= constraint.maxSkew
        ? say`takes one more`
        : say`${isHard ? say`takes none` : say`comes last`}: one more is a skew of ${after}`;
    return [value.slice(0, longestValue).replace(/\s+/g, ' '), count(pods, 'pod'), count(nodes, 'node'), verdict];
  });
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => said(line[column]!).length)));
  const rows = lines.map((line) => line.map((cell, column) => said(cell).padEnd(widths[column] ?? 0)).join('  '));
  if (shown.length < domains.length) rows.splice(shownDomains / 2, 0, say`… ${domains.length - shown.length} more`);
  return block(joined(rows, '\n'));
}

/** A label has no more. */
const longestValue = 63;

function ownText(constraint: TopologySpreadConstraint, { fact }: HoverPlace): string {
  const selector = selectorOf(constraint, fact);
  if (selector.isEmpty || selector.isNothing) {
    return say`A selector without requirements counts no pods, and spreads nothing.`;
  }
  return selector.matches(labelsOf(fact))
    ? ''
    : say`Its own pods are not selected: they do not count, and are not spread among themselves.`;
}

function notesText({ minDomains, matchLabelKeys = [] }: TopologySpreadConstraint): string {
  const notes: string[] = [];
  if (minDomains !== undefined && minDomains > 1) {
    notes.push(say`While there are fewer than ${minDomains} domains, the fewest count as none.`);
  }
  if (matchLabelKeys.length > 0) {
    notes.push(
      say`Only pods with the same values of \`matchLabelKeys\` count; what a controller writes there is not known before.`,
    );
  }
  return joined(notes, ' ');
}
