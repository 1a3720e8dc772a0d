import { own } from '../../util/own.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { LabelSelector } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import { code, plain } from '../connection/markdown.ts';
import { isRunning } from '../index/running-pods.ts';
import { podsSelectedIn, selectedIn } from '../index/selection.ts';
import { factLinks, podsText } from './links.ts';
import { type HoverPlace, paragraphs } from './place.ts';

/** Which pods a selector finds in some namespaces: of which workloads, and how many run. */
export function selectionText(
  selector: LabelSelector | undefined,
  namespaces: Iterable<string>,
  place: HoverPlace,
  inside: Path = [],
): string {
  const { facts, fact } = place;
  const compiled = compileLabelSelector(selector);
  if (compiled.invalid !== undefined) {
    return say`This selector is invalid, so it selects nothing: ${plain(compiled.invalid)}.`;
  }
  if (compiled.isNothing) return say`**Selects no pods**: a selector that is not written selects nothing.`;
  const places = [...namespaces];
  const workloads = places.flatMap((namespace) => [...selectedIn(facts, namespace, selector)]);
  const running = places.flatMap((namespace) => [...podsSelectedIn(facts, namespace, compiled)]).filter(isRunning);
  return paragraphs(
    partText(selector, inside, places, place),
    workloads.length === 0
      ? say`**Selects pods of none of the workloads** that are declared ${inNamespaces(places)}.`
      : say`**Selects the pods of ${count(workloads.length, 'workload')}**: ${factLinks(workloads, facts, (each) => say` (${podsText(each, facts)})`)}.${ownText(workloads, fact)}`,
    running.length === 0 ? '' : runningText(running, place),
    compiled.isEmpty ? say`An empty selector selects every pod of the namespace.` : '',
  );
}

/** `in namespace shop`, `in 3 namespaces`. */
function inNamespaces(namespaces: readonly string[]): string {
  const [first, second] = namespaces;
  return second === undefined && first !== undefined
    ? say`in namespace ${code(first)}`
    : say`in ${count(namespaces.length, 'namespace')}`;
}

function ownText(workloads: readonly Fact[], fact: Fact): string {
  if (fact.template === undefined || workloads.length === 1) return '';
  return workloads.includes(fact) ? say` Its own pods are among them.` : say` Its own pods are not among them.`;
}

/** How many run, and where. */
function runningText(running: readonly Fact[], { facts }: HoverPlace): string {
  const nodes = new Set(running.map(({ template }) => template!.spec.nodeName!));
  return say`${count(running.length, 'such pod')} ${running.length === 1 ? 'runs' : 'run'} now on ${count(nodes.size, 'node')}: ${factLinks(running, facts, ({ template }) => say` on ${code(template!.spec.nodeName!)}`)}.`;
}

/** Where the cursor is on one of several requirements, what that one alone selects. */
function partText(
  selector: LabelSelector | undefined,
  [list, at]: Path,
  namespaces: readonly string[],
  { facts }: HoverPlace,
): string {
  const part = partOf(selector, list, at);
  if (part === undefined || compileLabelSelector(selector).requirements.length < 2) return '';
  const found = namespaces.reduce((sum, namespace) => sum + selectedIn(facts, namespace, part).length, 0);
  return say`This one of its requirements alone selects the pods of ${count(found, 'workload')}.`;
}

function partOf(selector: LabelSelector | undefined, list: Step, at: Step): LabelSelector | undefined {
  if (list === 'matchLabels' && typeof at === 'string') {
    const value = own(selector?.matchLabels, at);
    return value === undefined ? undefined : { matchLabels: { [at]: value } };
  }
  const expression =
    list === 'matchExpressions' && typeof at === 'number' ? selector?.matchExpressions?.[at] : undefined;
  return expression === undefined ? undefined : { matchExpressions: [expression] };
}

type Step = string | number | undefined;
