import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import { compileLabelSelector, labelValue } from '../../kubernetes/labels.ts';
import { code } from '../connection/markdown.ts';
import { isRunning } from '../index/running-pods.ts';
import { meantBy, namespacesOf, podsSelectedIn } from '../index/selection.ts';
import { type PlacedTerm, termsOf } from '../rules/support/terms.ts';
import { factLinks, some } from './links.ts';
import { nodeAffinityHover, reachText } from './node-selection.ts';
import { type HoverPlace, nodesOf, paragraphs, points, startsWith } from './place.ts';
import { selectionText } from './pod-selection.ts';
import { domainsText, shownDomains } from './topology.ts';

type AffinityKind = 'podAffinity' | 'podAntiAffinity';

/** Everything under `affinity`. */
export function affinityHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  const affinity = fact.template?.spec.affinity;
  const kind = path[1];
  if (affinity === undefined) return undefined;
  if (kind === 'nodeAffinity') return nodeAffinityHover(place);
  if (kind === 'podAffinity' || kind === 'podAntiAffinity') return podAffinityHover(kind, place);
  if (kind !== undefined) return undefined;
  return paragraphs(
    points([...listText('podAffinity', place), ...listText('podAntiAffinity', place)]),
    affinity.nodeAffinity === undefined
      ? reachText(fact.template!.spec, place)
      : nodeAffinityHover({ ...place, path: ['affinity', 'nodeAffinity'] }),
  );
}

/** What of pod affinity or anti-affinity a path leads to: the lists of terms, one term, its selector, its key. */
function podAffinityHover(kind: AffinityKind, place: HoverPlace): string | undefined {
  const whole: Path = [...place.fact.template!.path, 'spec', ...place.path];
  const placed = termsOf(place.fact, kind).find(({ path }) => startsWith(whole, path) || isAbove(whole, path));
  if (placed === undefined || place.path.length <= 3) return points(listText(kind, place)) || undefined;
  const [field, ...inside] = whole.slice(placed.path.length);
  const { term, isRequired } = placed;
  const namespaces = namespacesOf(place.facts, term, place.fact.namespace);
  const effect = effectWithout(kind, isRequired);
  switch (field) {
    case 'topologyKey':
      return paragraphs(domainsText(term.topologyKey, place, effect), whereText(kind, placed, place));
    case 'labelSelector':
      return paragraphs(selectionText(term.labelSelector, namespaces, place, inside), whereText(kind, placed, place));
    case 'namespaces':
    case 'namespaceSelector':
      return say`**It is about pods of ${count(namespaces.size, 'namespace')}**${namespaces.size === 0 ? '' : say`: ${some([...namespaces], code)}`}.`;
    default:
      return paragraphs(
        selectionText(term.labelSelector, namespaces, place),
        whereText(kind, placed, place),
        domainsText(term.topologyKey, place, effect),
      );
  }
}

/** Whether a path leads to the weighted term that holds another. */
function isAbove(path: Path, term: Path): boolean {
  return term.at(-1) === 'podAffinityTerm' && startsWith(path, term.slice(0, -1));
}

/** Sources: satisfyPodAffinity, satisfyPodAntiAffinity in pkg/scheduler/framework/plugins/interpodaffinity/filtering.go */
function effectWithout(kind: AffinityKind, isRequired: boolean): string {
  if (!isRequired) return say`the term changes no score`;
  return kind === 'podAffinity' ? say`these pods are never placed` : say`these pods are kept apart from nothing`;
}

/** Each term on a line. */
function listText(kind: AffinityKind, place: HoverPlace): string[] {
  const terms = termsOf(place.fact, kind);
  const lines = terms.slice(0, shownTerms).map((placed) => {
    const workloads = meantBy(place.facts, placed.term, place.fact.namespace);
    const who =
      workloads.length === 0
        ? say`no pods that are declared here`
        : say`the pods of ${factLinks(workloads, place.facts)}`;
    const how = placed.isRequired ? say`Required` : say`Preferred`;
    return say`${how} ${kind === 'podAffinity' ? say`near` : say`apart from`} ${who}, by ${code(placed.term.topologyKey)}.`;
  });
  return terms.length > lines.length ? [...lines, say`${terms.length - lines.length} more terms.`] : lines;
}

const shownTerms = 5;

/** In which domains the pods of a term run, and what that means for those that come. */
function whereText(kind: AffinityKind, { term, isRequired }: PlacedTerm, place: HoverPlace): string {
  const known = nodesOf(place);
  const { byValue } = known.domains(term.topologyKey);
  const selector = compileLabelSelector(term.labelSelector);
  const counts = new Map<string, number>();
  for (const namespace of namespacesOf(place.facts, term, place.fact.namespace)) {
    for (const pod of podsSelectedIn(place.facts, namespace, selector)) {
      if (!isRunning(pod)) continue;
      const value = labelValue(known.byName.get(pod.template!.spec.nodeName!)?.selectable.labels, term.topologyKey);
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  if (counts.size === 0 || byValue.size === 0) return '';
  const taken = some([...counts], ([value, pods]) => say`${code(value)} (${pods})`, shownDomains);
  const free = [...byValue.keys()].filter((value) => !counts.has(value));
  const others = free.length === 0 ? say`none` : some(free, code, shownDomains);
  const verb = isRequired ? say`may only go` : say`rather go`;
  return kind === 'podAffinity'
    ? say`They run now in ${taken}: these pods ${verb} there.`
    : say`They run now in ${taken}: of the other domains these pods ${verb} to ${others}.`;
}
