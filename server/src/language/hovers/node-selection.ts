import { own } from '../../util/own.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import {
  compileNodeSelector,
  compileNodeSelectorTerm,
  compileRequiredNodeAffinity,
  type NodeMatcher,
} from '../../kubernetes/node-selector.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import type { KnownNode } from '../index/known-nodes.ts';
import { code, plain } from '../connection/markdown.ts';
import { addedAffinityOf } from '../rules/support/scheduler-configuration.ts';
import { nodeLinks, nodesText, some } from './links.ts';
import { poolsText } from './node-pool.ts';
import { type HoverPlace, isText, nodesOf, paragraphs, points } from './place.ts';

/** How many nodes have a label that a pod selects by, and all of them. */
export function nodeSelectorHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  const spec = fact.template?.spec;
  if (spec?.nodeSelector === undefined) return undefined;
  const whole = matching({ nodeSelector: spec.nodeSelector }, place);
  const key = path[1];
  if (key === undefined) return paragraphs(foundText(whole, place), reachText(spec, place, whole));
  const value = own(spec.nodeSelector, String(key)) ?? '';
  const requirement: NodeSelectorRequirement = { key: String(key), operator: 'In', values: [value] };
  const labels = Object.keys(spec.nodeSelector).length;
  return paragraphs(
    requirementText(requirement, place),
    labels === 1
      ? ''
      : foundText(whole, place, (found) => say`The ${labels} labels of the selector together: ${found}`),
    reachText(spec, place),
  );
}

/** How many nodes a part of node affinity matches: a requirement, a term, the terms together. */
export function nodeAffinityHover(place: HoverPlace): string | undefined {
  const spec = place.fact.template?.spec;
  const affinity = spec?.affinity?.nodeAffinity;
  if (spec === undefined || affinity === undefined) return undefined;
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const [, , list, ...inside] = place.path;
  const preferences = points(
    preferred
      .slice(0, shownTerms)
      .map(({ weight, preference }) =>
        foundText(matchingTerm(preference, place), place, (found) => say`Weight ${weight}: ${found}`),
      )
      .filter(isText),
  );
  if (list === undefined || list === 'requiredDuringSchedulingIgnoredDuringExecution') {
    const [, index, ...part] = inside;
    const term = typeof index === 'number' ? required?.nodeSelectorTerms[index] : undefined;
    if (term !== undefined) {
      const others = (required?.nodeSelectorTerms.length ?? 0) - 1;
      return paragraphs(
        partText(term, part, place),
        others > 0
          ? foundText(
              matching(spec, place),
              place,
              (found) => say`Terms are alternatives: with ${count(others, 'other')}, ${found}`,
            )
          : '',
        reachText(spec, place),
      );
    }
    if (required === undefined) return preferences;
    return paragraphs(
      foundText(matching({ affinity: { nodeAffinity: affinity } }, place), place),
      list === undefined ? preferences : '',
      reachText(spec, place),
    );
  }
  const [index, field, ...part] = inside;
  const weighted = typeof index === 'number' ? preferred[index] : undefined;
  if (weighted === undefined) return preferences;
  return paragraphs(
    partText(weighted.preference, field === 'preference' ? part : [], place),
    say`They get weight ${weighted.weight} of up to 100 in the score of \`NodeAffinity\`; the other nodes are not ruled out.`,
  );
}

/** How many terms are told of. */
const shownTerms = 5;

/** A term, or the one requirement of it that a path leads to. */
function partText(term: NodeSelectorTerm, path: HoverPlace['path'], place: HoverPlace): string {
  const [list, index] = path;
  const part =
    (list === 'matchExpressions' || list === 'matchFields') && typeof index === 'number'
      ? term[list]?.[index]
      : undefined;
  const all = (term.matchExpressions?.length ?? 0) + (term.matchFields?.length ?? 0);
  const { invalid } = compileNodeSelectorTerm(term);
  if (invalid !== undefined) return say`The scheduler cannot read this term, so it matches no node: ${plain(invalid)}.`;
  if (part === undefined || list === 'matchFields') return foundText(matchingTerm(term, place), place);
  return paragraphs(
    requirementText(part, place),
    all === 1
      ? ''
      : foundText(
          matchingTerm(term, place),
          place,
          (found) => say`The ${all} requirements of the term together: ${found}`,
        ),
  );
}

/** One requirement, and where no node meets it, what there is. */
function requirementText(requirement: NodeSelectorRequirement, place: HoverPlace): string {
  const nodes = matchingTerm({ matchExpressions: [requirement] }, place);
  const isMissing = nodes.length === 0 && nodesOf(place).nodes.length > 0;
  return paragraphs(foundText(nodes, place), isMissing ? offeredText(requirement.key, place) : '');
}

/** Changes that make a mistake of a name. */
const maxChanges = 3;

function offeredText(key: string, place: HoverPlace): string {
  const known = nodesOf(place);
  const { byValue } = known.domains(key);
  if (byValue.size > 0) {
    return say`Nodes have ${code(key)} as ${some([...byValue], ([value, nodes]) => say`${code(value)} (${nodes.length})`, shownTerms)}.`;
  }
  const keys = new Set(known.nodes.flatMap(({ selectable }) => Object.keys(selectable.labels ?? {})).slice(0, maxKeys));
  const [nearest] = key.length > 100 ? [] : nearestNames(key, keys, maxChanges);
  return say`No node has a label ${code(key)}.${nearest === undefined ? '' : say` Did you mean ${code(nearest)}?`}`;
}

/** Labels that are looked at for a similar one. */
const maxKeys = 2000;

/**
 * `**2 of 5 known nodes match**: a, b.`; empty where pools make the nodes.
 * @param inSentence says it of what matches
 */
function foundText(
  nodes: readonly KnownNode[],
  place: HoverPlace,
  inSentence: (found: string) => string = (found) => found,
): string {
  const known = nodesOf(place);
  if (known.nodes.length === 0) return '';
  const names = nodes.length === 0 ? '' : say`: ${nodeLinks(nodes, place.facts)}`;
  const amount = nodes.length === 0 ? say`None` : String(nodes.length);
  return inSentence(say`**${amount} of ${nodesText(known)} ${nodes.length === 1 ? 'matches' : 'match'}**${names}.`);
}

function matching(spec: Partial<PodSpec>, place: HoverPlace): readonly KnownNode[] {
  const { nodeSelector, affinity } = spec;
  const wanted = { nodeSelector, affinity: { nodeAffinity: affinity?.nodeAffinity } } as PodSpec;
  return matched(`required ${JSON.stringify(wanted)}`, compileRequiredNodeAffinity(wanted), place);
}

function matchingTerm(term: NodeSelectorTerm, place: HoverPlace): readonly KnownNode[] {
  return matched(`term ${JSON.stringify(term)}`, compileNodeSelectorTerm(term), place);
}

function matched(key: string, matcher: NodeMatcher, place: HoverPlace): readonly KnownNode[] {
  return nodesOf(place).matching(key, ({ selectable }) => matcher.matches(selectable));
}

/** The nodes that take the pods, as far as labels and taints decide. */
function reachableNodes(spec: PodSpec, place: HoverPlace): readonly KnownNode[] {
  const added = addedAffinityOf(place.facts, spec, place.release);
  const { nodeSelector, affinity, tolerations } = spec;
  const key = `reach ${JSON.stringify([nodeSelector, affinity?.nodeAffinity, tolerations, added])}`;
  const required = compileRequiredNodeAffinity(spec);
  const byProfile = added === undefined ? undefined : compileNodeSelector(added);
  return nodesOf(place).matching(
    key,
    ({ selectable, taints }) =>
      required.matches(selectable) &&
      byProfile?.matches(selectable) !== false &&
      firstUntolerated(taints, tolerations, NO_SCHEDULE_EFFECTS) === undefined,
  );
}

/**
 * Everything that labels and taints say together.
 * @param told the nodes that are named before: the same are not named again
 */
export function reachText(spec: PodSpec, place: HoverPlace, told: readonly KnownNode[] = []): string {
  const nodes = reachableNodes(spec, place);
  const known = nodesOf(place);
  if (known.nodes.length === 0 || (told.length > 0 && told.length === nodes.length)) return poolsText(place);
  const names = nodes.length === 0 ? '' : say`: ${nodeLinks(nodes, place.facts)}`;
  const text = say`Selector, affinity and taints together leave ${nodes.length === 0 ? say`none` : String(nodes.length)} of ${nodesText(known)} to these pods${names}.`;
  return paragraphs(text, poolsText(place));
}
